//! Files of a room that use one another in a circle. What a file imports leads to the file that defines it, whoever
//! hands it on; `mod` declarations and tests are no use, and what is called as a method is not seen.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::Result;

use super::circles::circles;
use super::house::from_root;
use super::rust::{self, Import, Source};
use crate::workspace;

/// A file that uses another one of its room.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FileArrow {
    pub(super) from: String,
    pub(super) to: String,
    /// What the first calls what it uses.
    pub(super) named: String,
}

/// Rooms whose files use one another.
#[derive(Debug, Default)]
pub(super) struct Files(BTreeMap<String, BTreeSet<FileArrow>>);

/// What the rooms of a crate are called, and where its modules begin.
const CRATES: &[(&str, &[&str])] = &[
    ("core", &["core/src/lib.rs"]),
    ("wasm", &["wasm/src/lib.rs"]),
    ("host", &["native-host/src/lib.rs", "native-host/src/main.rs"]),
    ("xtask", &["xtask/src/lib.rs", "xtask/src/main.rs"]),
    ("lab", &["lab/src/main.rs"]),
];

impl Files {
    pub(super) fn read() -> Result<Self> {
        let mut files = Self::default();
        for (part, roots) in CRATES {
            for root in *roots {
                let source = rust::read(&workspace::path(root), &[], &|path| fs::read_to_string(path).ok())?;
                files.add(part, &source);
            }
        }
        Ok(files)
    }

    fn add(&mut self, part: &str, source: &Source) {
        for (from, arrow) in arrows(source) {
            self.0.entry(format!("{part}/{from}")).or_default().insert(arrow);
        }
    }

    pub(super) fn has(&self, room: &str) -> bool {
        self.0.contains_key(room)
    }

    /// The circles in a room, the largest first.
    pub(super) fn circles(&self, room: &str) -> Vec<Vec<String>> {
        let arrows = self.0.get(room).into_iter().flatten();
        let mut found = circles(&arrows.map(|arrow| (arrow.from.clone(), arrow.to.clone())).collect());
        found.sort_by_key(|circle| std::cmp::Reverse(circle.len()));
        found
    }

    /// How many files the largest circle of each room has.
    pub(super) fn largest(&self) -> BTreeMap<&str, usize> {
        let largest = |room: &str| self.circles(room).first().map(Vec::len);
        self.0.keys().filter_map(|room| Some((room.as_str(), largest(room)?))).collect()
    }

    /// What makes a circle one.
    pub(super) fn within<'a>(
        &'a self,
        room: &str,
        circle: &'a [String],
    ) -> impl Iterator<Item = &'a FileArrow> {
        let arrows = self.0.get(room).into_iter().flatten();
        arrows.filter(|arrow| circle.contains(&arrow.from) && circle.contains(&arrow.to))
    }
}

/// Each with its room.
fn arrows(source: &Source) -> BTreeSet<(String, FileArrow)> {
    let nothing = BTreeSet::new();
    let mut found = BTreeSet::new();
    let mut add = |from: &[String], file: &Path, to: Option<Target>, named: &[String]| {
        let Some(to) = to.filter(|to| to.module.first() == from.first()) else { return };
        let Some(to) = source.modules.get(&to.module).filter(|module| module.file != file) else { return };
        let room = from.first().cloned().unwrap_or_default();
        let arrow = FileArrow { from: from_root(file), to: from_root(&to.file), named: named.join("::") };
        found.insert((room, arrow));
    };
    let mut imported = BTreeSet::new();
    for (module, one) in &source.modules {
        let words = source.words.get(&one.file).unwrap_or(&nothing);
        for import in &one.imports {
            imported.insert((module, &import.in_crate, &import.path));
            // What is only handed on is no use, and a module is used where something in it is.
            let is_used = !import.is_public || words.contains(&import.name);
            let to = resolve(source, module, &import.in_crate, &import.path, 0);
            let to = to.filter(|to| import.name == "*" || !to.is_module);
            if is_used && !import.in_tests && !one.in_tests {
                add(module, &one.file, to, &import.path);
            }
        }
    }
    for named in source.named.iter().chain(&source.relative).filter(|named| !named.in_tests) {
        if !imported.contains(&(&named.from, &named.in_crate, &named.path)) {
            // What ends at a module says who may see something: `pub(in crate::store)`.
            let to = resolve(source, &named.from, &named.in_crate, &named.path, 0);
            let to = to.filter(|to| !to.is_module || named.path.last().is_some_and(|last| last == "*"));
            add(&named.from, &named.file, to, &named.path);
        }
    }
    found
}

/// Where a path leads.
struct Target {
    /// The module itself, or the one that defines the item.
    module: Vec<String>,
    is_module: bool,
}

/// Imports of imports that are followed at most; a circle of globs would have no end.
const FOLLOWED: usize = 16;

/// Where a path leads that is named in `from`; `None` for other crates' and for what is defined nowhere, as what a
/// `match` binds.
fn resolve(
    source: &Source,
    from: &[String],
    in_crate: &str,
    path: &[String],
    followed: usize,
) -> Option<Target> {
    if followed > FOLLOWED {
        return None;
    }
    match in_crate {
        "crate" => from_module(source, &[], path, followed),
        "" => {
            let first = path.first()?;
            let module = source.modules.get(from)?;
            let is_known = module.items.contains(first)
                || source.modules.contains_key(&child(from, first))
                || module.imports.iter().any(|import| import.name == *first && import.path != path);
            if is_known { from_module(source, from, path, followed) } else { None }
        }
        _ => None,
    }
}

/// Where a path leads that begins in a module.
fn from_module(source: &Source, module: &[String], path: &[String], followed: usize) -> Option<Target> {
    let Some((first, rest)) = path.split_first().filter(|(first, _)| *first != "*") else {
        return Some(Target { module: module.to_owned(), is_module: true });
    };
    let inner = child(module, first);
    if source.modules.contains_key(&inner) {
        return from_module(source, &inner, rest, followed);
    }
    let own = source.modules.get(module)?;
    if own.items.contains(first) {
        return Some(Target { module: module.to_owned(), is_module: false });
    }
    let follow = |import: &Import| {
        let to = resolve(source, module, &import.in_crate, &import.path, followed + 1)?;
        let rest = if import.name == "*" { path } else { rest };
        if to.is_module { from_module(source, &to.module, rest, followed + 1) } else { Some(to) }
    };
    let named = own.imports.iter().find(|import| import.name == *first);
    let globs = own.imports.iter().filter(|import| import.name == "*");
    named.map_or_else(|| globs.filter_map(follow).next(), follow)
}

fn child(module: &[String], name: &str) -> Vec<String> {
    [module, &[name.to_owned()]].concat()
}
