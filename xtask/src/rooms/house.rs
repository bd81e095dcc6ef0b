//! The rooms of the source and the arrows between them, as the files say.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context as _, Result};

use super::crates::Crate;
use super::typescript;
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
/// Folders in it that are no room but hold rooms in the same way, as `extension/page/pins`.
const NESTED: &[&str] = &["page"];
/// What is no source of it: made by others, or only for tests and builds.
const NO_ROOMS: &[&str] = &["node_modules", "public", "scripts", "testing", "wasm", "generated"];

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
                let room = file.module.first().unwrap_or(&one.root);
                *self.rooms.entry(format!("{}/{room}", one.part)).or_default() += file.lines;
            }
            let texts = one.source.texts.iter();
            self.texts.extend(texts.map(|(file, text)| (from_root(file), text.clone())));
        }
        for (one, named) in
            crates.clone().flat_map(|(one, _)| one.source.named.iter().map(move |named| (one, named)))
        {
            let mut parts =
                crates.clone().filter(|(_, called)| *called == named.in_crate).map(|(to, _)| to.part);
            let to = parts.next().unwrap_or(one.part);
            let from = format!("{}/{}", one.part, named.from.first().unwrap_or(&one.root));
            let first = named.path.first().map(|room| format!("{to}/{room}"));
            let to = first.filter(|room| self.rooms.contains_key(room)).unwrap_or(format!("{to}/lib"));
            if from != to {
                let file = from_root(&named.file);
                let name = format!("{}::{}", named.in_crate, named.path.join("::"));
                self.arrows.insert(Arrow { from, to, in_tests: named.in_tests, file, named: name });
            }
        }
        // The root of a library only lists its modules.
        let arrows = &self.arrows;
        let is_used = |room: &str| arrows.iter().any(|arrow| arrow.from == room || arrow.to == room);
        self.rooms.retain(|room, _| !room.ends_with("/lib") || is_used(room));
    }

    fn read_typescript(&mut self) -> Result<()> {
        let top = workspace::path(EXTENSION);
        for file in sources(&top)? {
            let text =
                fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
            let Some(from) = room_of(&top, &file) else { continue };
            *self.rooms.entry(from.clone()).or_default() += text.lines().count();
            for path in typescript::imported(&text) {
                let at = normal(&file.parent().unwrap_or(&top).join(path));
                let Some(to) = room_of(&top, &at).filter(|to| *to != from) else { continue };
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

/// The folder in the extension that a file is in, or the file itself without its ending; in a nested one, the folder or
/// file there.
fn room_of(top: &Path, file: &Path) -> Option<String> {
    let mut parts = file.strip_prefix(top).ok()?.components().filter_map(|part| match part {
        Component::Normal(name) => name.to_str(),
        _ => None,
    });
    let first = parts.next()?;
    let inner = NESTED.contains(&first).then(|| parts.next()).flatten();
    let name = |part: &str| part.split('.').next().unwrap_or(part).to_owned();
    let rooms = [Some(EXTENSION.to_owned()), Some(name(first)), inner.map(name)];
    Some(rooms.into_iter().flatten().collect::<Vec<_>>().join("/"))
}

/// Every source below a folder but those of tests, stories and builds.
fn sources(top: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut waiting = vec![top.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() {
                let is_room = !(folder == *top && (NO_ROOMS.contains(&&*name) || name.starts_with('.')));
                waiting.extend(is_room.then_some(path));
                continue;
            }
            let is_source = [".ts", ".tsx"].iter().any(|ending| name.ends_with(ending));
            let is_other = [".test.", ".stories.", ".config.", ".d."].iter().any(|part| name.contains(part));
            found.extend((is_source && !is_other).then_some(path));
        }
    }
    Ok(found)
}

/// Without `.` and `..`.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(normal.pop()),
            Component::CurDir => {}
            part => normal.push(part),
        }
    }
    normal
}

pub(super) fn from_root(file: &Path) -> String {
    file.strip_prefix(workspace::root()).unwrap_or(file).display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_room_is_a_folder_of_the_extension_or_a_file_in_it_and_in_a_nested_one_a_folder_or_a_file_there() {
        let room = |file: &str| room_of(Path::new("/extension"), &Path::new("/extension").join(file));
        assert_eq!(room("panel/chat/chat.ts").as_deref(), Some("extension/panel"));
        assert_eq!(room("new-id.ts").as_deref(), Some("extension/new-id"));
        assert_eq!(room("page/pins/pin.ts").as_deref(), Some("extension/page/pins"));
        assert_eq!(room("page/start.ts").as_deref(), Some("extension/page/start"));
        assert_eq!(room("/lab/main.ts"), None);
    }
}
