//! The crates of the workspace whose source is looked at.

use std::fs;

use anyhow::Result;

use super::rust::{self, Source};
use crate::workspace;

/// A crate, or a program beside a library: that is a room of its own.
pub(super) struct Crate {
    /// What its rooms' names begin with.
    pub(super) part: &'static str,
    /// The room that all of it is; `None` where each of its modules is one.
    pub(super) room: Option<&'static str>,
    /// What other crates call it; `None` for one whose rooms may use one another as they like.
    pub(super) called: Option<&'static str>,
    /// Its root file without the ending.
    pub(super) root: String,
    pub(super) source: Source,
}

/// Its part, or its room, with the file where its modules begin.
const CRATES: &[(&str, Option<&str>, &str)] = &[
    ("core", Some("opentoolbar_core"), "core/src/lib.rs"),
    ("wasm", Some("opentoolbar_wasm"), "wasm/src/lib.rs"),
    ("host", Some("opentoolbar_leaves"), "native-host/leaves/src/lib.rs"),
    ("host/dialogs", Some("opentoolbar_dialogs"), "native-host/dialogs/src/lib.rs"),
    ("host/project", Some("opentoolbar_project"), "native-host/project/src/lib.rs"),
    ("host/store", Some("opentoolbar_store"), "native-host/store/src/lib.rs"),
    ("host/fake_disk", Some("opentoolbar_fake_disk"), "native-host/fake-disk/src/lib.rs"),
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
        let (part, room) = part.split_once('/').map_or((*part, None), |(part, room)| (part, Some(room)));
        Ok(Crate { part, room, called: *called, root, source })
    };
    CRATES.iter().map(read).collect()
}

impl Crate {
    /// The room in which a module stands.
    pub(super) fn room_of(&self, module: &[String]) -> String {
        let room = self.room.or(module.first().map(String::as_str)).unwrap_or(&self.root);
        format!("{}/{room}", self.part)
    }
}
