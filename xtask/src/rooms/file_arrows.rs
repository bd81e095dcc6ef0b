//! Which file of a room uses which: what a file imports leads to the file that defines it, whoever hands it on. `mod`
//! declarations and tests are no use; what is called as a method is not seen.

use std::collections::BTreeSet;
use std::path::Path;

use super::house::from_root;
use super::rust::{Import, Source};

/// A file that uses another one of its room.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FileArrow {
    pub(super) from: String,
    pub(super) to: String,
    /// What the first calls what it uses.
    pub(super) named: String,
}

/// Each with the module in which it stands. `is_one_room`: all of the source; else each of its top modules is one.
pub(super) fn arrows(source: &Source, is_one_room: bool) -> BTreeSet<(Vec<String>, FileArrow)> {
    let nothing = BTreeSet::new();
    let mut found = BTreeSet::new();
    let mut add = |from: &[String], file: &Path, to: Option<Target>, named: &[String]| {
        let Some(to) = to.filter(|to| is_one_room || to.module.first() == from.first()) else { return };
        let Some(to) = source.modules.get(&to.module).filter(|module| module.file != file) else { return };
        let room = from.get(..1).unwrap_or_default().to_vec();
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::rust::read;
    use super::*;

    /// Which files of a room `a`, whose top is this, use which.
    fn told(top: &str, files: &[(&str, &str)]) -> Vec<String> {
        let text = |path: &Path| match path.to_str()? {
            "lib.rs" => Some("mod a; mod b;".to_owned()),
            "b.rs" => Some("pub struct Other;".to_owned()),
            "a/mod.rs" => Some(top.to_owned()),
            path => files.iter().find(|(name, _)| *name == path).map(|(_, text)| (*text).to_owned()),
        };
        let source = read(Path::new("lib.rs"), &[], &text).unwrap();
        let short = |file: &str| file.trim_start_matches("a/").trim_end_matches(".rs").to_owned();
        arrows(&source, false)
            .into_iter()
            .map(|(_, one)| format!("{} -> {}", short(&one.from), short(&one.to)))
            .collect()
    }

    #[test]
    fn what_is_handed_on_leads_to_the_file_that_defines_it() {
        let top = "mod one; mod two; pub use one::{One, f}; pub use two::*;";
        let two = "use super::One; use crate::b::Other; pub struct Two; fn g() { super::f() }";
        let one = "pub struct One; pub fn f() {} use super::Two;";
        assert_eq!(
            told(top, &[("a/one.rs", one), ("a/two.rs", two)]),
            ["one -> two", "two -> one", "two -> one"]
        );
    }

    #[test]
    fn to_declare_a_module_and_to_hand_on_is_no_use_and_to_need_what_is_handed_on_is() {
        let files = [("a/one.rs", "pub struct One; pub const MOST: u8 = super::LIMIT;")];
        assert_eq!(told("mod one; pub use one::One; const LIMIT: u8 = 1;", &files), ["one -> mod"]);
        let needs = "mod one; pub use one::One; const LIMIT: u8 = 1; fn f(_: One) {}";
        assert_eq!(told(needs, &files), ["mod -> one", "one -> mod"]);
        assert_eq!(told("mod one; const LIMIT: u8 = one::MOST;", &files), ["mod -> one", "one -> mod"]);
    }

    #[test]
    fn an_imported_module_is_used_where_something_in_it_is_by_whatever_name() {
        let files = |one: &'static str| [("a/one.rs", one), ("a/two.rs", "pub fn f() {} pub enum E { A }")];
        let top = "mod one; mod two;";
        assert_eq!(told(top, &files("use super::two; fn g() { two::f() }")), ["one -> two"]);
        assert_eq!(told(top, &files("use super::two as other; fn g() { other::f() }")), ["one -> two"]);
        assert_eq!(
            told(top, &files("use crate::a::two::E; fn g() -> E { E::A }")),
            ["one -> two", "one -> two"]
        );
        assert_eq!(told(top, &files("use super::two::*;")), ["one -> two"]);
        assert_eq!(told(top, &files("use super::two;")), [""; 0]);
    }

    #[test]
    fn tests_and_who_may_see_something_are_no_use() {
        let one = "pub(in crate::a) fn f() {} #[cfg(test)] use super::Top; #[cfg(test)] mod tests { use crate::a::Top; }";
        assert_eq!(told("mod one; pub struct Top;", &[("a/one.rs", one)]), [""; 0]);
        let top = "#[cfg(test)] mod one; pub struct Top;";
        assert_eq!(told(top, &[("a/one.rs", "use super::Top;")]), [""; 0]);
    }
}
