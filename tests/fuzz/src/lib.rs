//! Every decoder of opentoolbar under arbitrary input. `cargo xtask fuzz` runs the targets under libFuzzer; the inputs
//! that it kept lie in `tests/cases/fuzz/<target>/` and are replayed by `tests/cases.rs` in every run of the tests.
//!
//! A target takes bytes as they come from outside, decodes them as the product does, and does with what came out what
//! the product does next. It may not panic, and not exceed [`bounds`].

pub mod bounds;
pub mod mutate;
mod page;
pub mod seeds;
mod targets;

use std::path::PathBuf;

/// One decoder, or a family of decoders of the same bytes.
pub struct Target {
    /// As `cargo xtask fuzz NAME` takes it; the name of its folder of cases.
    pub name: &'static str,
    /// Whether inputs are JSON, and are mutated as such most of the time.
    pub is_json: bool,
    /// Decodes and uses one input.
    pub run: fn(&[u8]),
    /// Well-formed inputs to begin with.
    pub seeds: fn() -> Vec<Vec<u8>>,
}

/// All of them, by name.
pub const TARGETS: &[Target] = targets::TARGETS;

/// The target of that name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

/// The folder with every target's cases.
#[must_use]
pub fn cases() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../cases/fuzz")
}

/// A home for which no hub can be started, because no local socket fits into it. Targets run with `OPENTOOLBAR_HOME`
/// set to it.
#[must_use]
pub fn no_home() -> PathBuf {
    std::env::temp_dir().join("no-hub-".repeat(20))
}
