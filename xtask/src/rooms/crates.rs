//! The crates of the workspace whose source is looked at.

use std::fs;

use anyhow::Result;

use super::rust::{self, Source};
use crate::workspace;

/// A crate, or a program beside a library: that is a room of its own.
pub(super) struct Crate {
    /// What its rooms' names begin with.
    pub(super) part: &'static str,
    /// What other crates call it; `None` for one whose rooms may use one another as they like.
    pub(super) called: Option<&'static str>,
    /// Its root file without the ending.
    pub(super) root: String,
    pub(super) source: Source,
}

/// With the file where its modules begin.
const CRATES: &[(&str, Option<&str>, &str)] = &[
    ("core", Some("opentoolbar_core"), "core/src/lib.rs"),
    ("wasm", Some("opentoolbar_wasm"), "wasm/src/lib.rs"),
    ("host", Some("opentoolbar"), "native-host/src/lib.rs"),
    ("host", Some("opentoolbar"), "native-host/src/main.rs"),
    ("xtask", None, "xtask/src/lib.rs"),
    ("xtask", None, "xtask/src/main.rs"),
    ("lab", None, "lab/src/main.rs"),
];

/// All of them.
pub(super) fn read() -> Result<Vec<Crate>> {
    let others: Vec<&str> = CRATES.iter().filter_map(|(_, called, _)| *called).collect();
    let read = |(part, called, file): &(&'static str, Option<&'static str>, &str)| {
        let file = workspace::path(file);
        let source = rust::read(&file, &others, &|path| fs::read_to_string(path).ok())?;
        let root = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Crate { part, called: *called, root, source })
    };
    CRATES.iter().map(read).collect()
}
