//! All tests of the core but the case folders in one program: what fifteen share is compiled and linked once.
//! A new file is one line here; `every_file_is_part_of_this_program` fails if it is missing.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    missing_docs
)]

mod support;
mod vectors;

#[cfg(feature = "html")]
mod anchor_held;
mod anchor_hostile;
#[cfg(feature = "html")]
mod anchor_icons;
mod anchor_noise;
#[cfg(feature = "html")]
mod anchor_shared;
mod anchor_stored;
mod describe;
#[cfg(feature = "html")]
mod html;
mod page;
mod redaction;
mod selector;
mod selector_forms;
mod selector_hostile;
mod selector_siblings;

#[test]
fn every_file_is_part_of_this_program() {
    let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let this = include_str!("main.rs");
    for entry in std::fs::read_dir(here).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let is_folder = entry.path().join("mod.rs").is_file();
        let Some(name) = name.strip_suffix(".rs").or(is_folder.then_some(name.as_str())) else { continue };
        let is_here = name == "main" || this.contains(&format!("\nmod {name};\n"));
        assert!(is_here, "tests/main.rs has no `mod {name};`");
    }
}
