//! What building and testing the WASM needs.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use super::cargo_tools::{CargoTool, numbers};
use super::path_with;
use crate::{step, workspace};

/// What Rust calls the browser's WASM.
pub const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// The standard library for WASM.
pub fn wasm_target() -> Result<()> {
    let there = || {
        step::ask("rustc", &["--print", "target-libdir", "--target", WASM_TARGET])
            .is_some_and(|dir| fs::read_dir(dir).is_ok_and(|mut entries| entries.next().is_some()))
    };
    if there() {
        return Ok(());
    }
    if step::ask("rustup", &["--version"]).is_none() {
        bail!(
            "Rust's {WASM_TARGET} target is missing and there is no rustup to add it. Install Rust from \
             https://rustup.rs, or your system's package of the target (Debian: apt-get install \
             libstd-rust-dev-wasm32), and run this again."
        );
    }
    step::run(
        &format!("rustup target add {WASM_TARGET}"),
        &mut step::command("rustup", "", &["target", "add", WASM_TARGET]),
    )?;
    Ok(())
}

/// Builds the WASM package and runs its tests in a browser.
pub fn wasm_pack() -> Result<PathBuf> {
    let fits = |found: &str, _: &str| numbers(found) >= [0, 13, 0];
    CargoTool {
        krate: "wasm-pack",
        program: "wasm-pack",
        version_args: &["--version"],
        version: "0.15.1",
        fits,
    }
    .ensure()
}

/// Exactly the version of the `wasm-bindgen` crate in Cargo.lock: the two share a private format.
pub fn wasm_bindgen() -> Result<PathBuf> {
    let version = locked_version("wasm-bindgen")?;
    CargoTool {
        krate: "wasm-bindgen-cli",
        program: "wasm-bindgen",
        version_args: &["--version"],
        version: &version,
        fits: |found, wanted| found == wanted,
    }
    .ensure()
}

/// The PATH with the WASM tools on it; makes sure of target and tools.
pub fn path_with_wasm_tools() -> Result<OsString> {
    wasm_target()?;
    let (pack, bindgen) = (wasm_pack()?, wasm_bindgen()?);
    let dirs: Vec<&Path> = [&pack, &bindgen].iter().filter_map(|program| program.parent()).collect();
    path_with(&dirs)
}

/// The PATH with wasm-bindgen on it.
pub fn path_with_wasm_bindgen() -> Result<OsString> {
    let bindgen = wasm_bindgen()?;
    path_with(&bindgen.parent().into_iter().collect::<Vec<_>>())
}

/// The version of a package in Cargo.lock.
fn locked_version(package: &str) -> Result<String> {
    let lock = workspace::path("Cargo.lock");
    let text = fs::read_to_string(&lock).with_context(|| format!("cannot read {}", lock.display()))?;
    let name = format!("name = \"{package}\"");
    text.lines()
        .skip_while(|line| *line != name)
        .find_map(|line| line.strip_prefix("version = \"")?.strip_suffix('"').map(str::to_owned))
        .with_context(|| format!("{} names no {package}", lock.display()))
}
