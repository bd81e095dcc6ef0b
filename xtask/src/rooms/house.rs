//! The rooms of the source and the arrows between them, as the files say.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::Result;

use super::crates::Crate;
use super::typescript::{imports, sources};
use crate::workspace;

/// One use of a room by another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Arrow {
    pub(super) from: String,
    pub(super) to: String,
    /// Only tests are compiled with it.
    pub(super) in_tests: bool,
    /// The file that uses it, from the workspace's root on.
    pub(super) file: String,
    /// What that file calls it.
    pub(super) named: String,
}

/// Everything.
#[derive(Debug, Default)]
pub(super) struct House {
    /// Each room with its lines.
    pub(super) rooms: BTreeMap<String, usize>,
    pub(super) arrows: BTreeSet<Arrow>,
    /// The texts in the crates' code, each with its file from the workspace's root on.
    pub(super) texts: Vec<(String, String)>,
}

/// A folder of TypeScript whose folders are rooms; a file in it is a room by itself.
const EXTENSION: &str = "extension";
/// What is no source of it: made by others, or only for tests and builds.
const NO_ROOMS: &[&str] = &["public", "scripts", "testing", "wasm", "generated"];

impl House {
    pub(super) fn read(crates: &[Crate]) -> Result<Self> {
        let mut house = Self::default();
        house.read_rust(crates);
        house.read_typescript()?;
        Ok(house)
    }

    /// From room to room, each once.
    pub(super) fn pairs(&self) -> BTreeSet<(String, String)> {
        self.arrows.iter().map(|arrow| (arrow.from.clone(), arrow.to.clone())).collect()
    }

    /// The rows of the table that would hold.
    pub(super) fn as_table(&self) -> Vec<String> {
        let cell = |names: BTreeSet<&str>| {
            names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
        };
        let row = |room: &String| {
            let of = |in_tests| {
                let own =
                    self.arrows.iter().filter(move |arrow| arrow.from == *room && arrow.in_tests == in_tests);
                own.map(|arrow| arrow.to.as_str()).collect::<BTreeSet<_>>()
            };
            let (uses, tests) = (of(false), of(true));
            let tests = cell(tests.difference(&uses).copied().collect());
            let uses = if uses.is_empty() { "nothing".to_owned() } else { cell(uses) };
            format!("| `{room}` | {uses} | {tests}{}|", if tests.is_empty() { "" } else { " " })
        };
        self.rooms.keys().map(row).collect()
    }

    fn read_rust(&mut self, crates: &[Crate]) {
        let crates = crates.iter().filter_map(|one| Some((one, one.called?)));
        for (one, _) in crates.clone() {
            for file in &one.source.files {
                *self.rooms.entry(one.room_of(&file.module)).or_default() += file.lines;
            }
            let texts = one.source.texts.iter();
            self.texts.extend(texts.map(|(file, text)| (from_root(file), text.clone())));
        }
        for (one, named) in
            crates.clone().flat_map(|(one, _)| one.source.named.iter().map(move |named| (one, named)))
        {
            let other = crates.clone().find(|(_, called)| *called == named.in_crate).map(|(to, _)| to);
            let into = other.unwrap_or(one);
            let from = one.room_of(&named.from);
            let to = into.room_of(named.path.get(..1).unwrap_or_default());
            let to = Some(to).filter(|room| self.rooms.contains_key(room));
            let to = to.unwrap_or(format!("{}/lib", into.part));
            // The root of a library only lists its modules, and hands on what is a crate of its own.
            if from != to && !from.ends_with("/lib") {
                let file = from_root(&named.file);
                let name = format!("{}::{}", named.in_crate, named.path.join("::"));
                self.arrows.insert(Arrow { from, to, in_tests: named.in_tests, file, named: name });
            }
        }
        let arrows = &self.arrows;
        let is_used = |room: &str| arrows.iter().any(|arrow| arrow.from == room || arrow.to == room);
        self.rooms.retain(|room, _| !room.ends_with("/lib") || is_used(room));
    }

    fn read_typescript(&mut self) -> Result<()> {
        let top = workspace::path(EXTENSION);
        for (file, text) in sources::read(&top, NO_ROOMS)? {
            let Some(from) = sources::room_of(EXTENSION, &top, &file) else { continue };
            *self.rooms.entry(from.clone()).or_default() += text.lines().count();
            for path in imports::paths(&text) {
                let to = sources::room_of(EXTENSION, &top, &sources::target(&file, path));
                let Some(to) = to.filter(|to| *to != from) else { continue };
                let (file, named) = (from_root(&file), format!("'{path}'"));
                self.arrows.insert(Arrow { from: from.clone(), to, in_tests: false, file, named });
            }
        }
        // What is used and is no source, as what is generated, is a room that uses nothing.
        for arrow in &self.arrows {
            self.rooms.entry(arrow.to.clone()).or_default();
        }
        Ok(())
    }
}

pub(super) fn from_root(file: &Path) -> String {
    file.strip_prefix(workspace::root()).unwrap_or(file).display().to_string()
}
