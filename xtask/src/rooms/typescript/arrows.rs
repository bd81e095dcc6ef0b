//! Which file of TypeScript uses which: what a file imports leads to the file that defines it, whoever hands it on.
//! Types count, and so does what is imported on demand; tests do not.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::super::circles::circles;
use super::super::file_arrows::FileArrow;
use super::super::house::from_root;
use super::imports::{Imported, What, imported};
use super::sources::{read, room_of, target};
use crate::workspace;

/// What names of rooms begin with, and the folder that these are in.
const TREES: &[(&str, &str)] = &[("extension", "extension"), ("tests", "tests"), ("lab", "lab/src")];

/// Each with its room; what makes a circle of files in several rooms has their tree instead.
pub(in super::super) fn arrows() -> Result<BTreeSet<(String, FileArrow)>> {
    let mut found = BTreeSet::new();
    for (part, folder) in TREES {
        let top = workspace::path(folder);
        let files = Files(read(&top, &[])?);
        found.extend(by_room(part, files.arrows(), |file| room_of(part, &top, &workspace::path(file))));
    }
    Ok(found)
}

fn by_room(
    part: &str,
    arrows: BTreeSet<FileArrow>,
    room: impl Fn(&str) -> Option<String>,
) -> BTreeSet<(String, FileArrow)> {
    let is_within = |one: &FileArrow| room(&one.from) == room(&one.to);
    let pairs = arrows.iter().map(|one| (one.from.clone(), one.to.clone())).collect();
    let mut across: BTreeSet<String> = BTreeSet::new();
    for circle in circles(&pairs) {
        let rooms: BTreeSet<_> = circle.iter().map(|file| room(file)).collect();
        across.extend((rooms.len() > 1).then_some(circle).into_iter().flatten());
    }
    let of_tree = arrows.iter().filter(|one| across.contains(&one.from) && across.contains(&one.to));
    let of_tree: Vec<_> = of_tree.map(|one| (part.to_owned(), one.clone())).collect();
    let within = arrows.into_iter().filter(is_within);
    within.filter_map(|one| Some((room(&one.from)?, one))).chain(of_tree).collect()
}

/// With their texts.
struct Files(BTreeMap<PathBuf, String>);

/// Files that hand on what others hand on, at most; two that hand on one another would have no end.
const FOLLOWED: usize = 16;

impl Files {
    fn arrows(&self) -> BTreeSet<FileArrow> {
        let mut found = BTreeSet::new();
        for (file, text) in &self.0 {
            for Imported { path, what } in imported(text) {
                let Some(to) = self.find(file, path) else { continue };
                let used: Vec<(&Path, &str)> = match &what {
                    What::Names(names) => {
                        names.iter().map(|name| (self.defines(to, name, 0), *name)).collect()
                    }
                    What::File => vec![(to, "all of it")],
                    // What is only handed on is no use.
                    What::HandedOn(_) | What::AllHandedOn => vec![],
                };
                for (to, named) in used.into_iter().filter(|(to, _)| to != file) {
                    found.insert(FileArrow {
                        from: from_root(file),
                        to: from_root(to),
                        named: named.to_owned(),
                    });
                }
            }
        }
        found
    }

    /// The file that a path leads to; `None` for a style and for another tree's.
    fn find(&self, from: &Path, path: &str) -> Option<&Path> {
        let at = target(from, path);
        let with = |ending: &str| PathBuf::from(format!("{}{ending}", at.display()));
        let known = ["", ".ts", ".tsx", "/index.ts", "/index.tsx"].map(with);
        known.iter().find_map(|file| self.0.get_key_value(file)).map(|(file, _)| file.as_path())
    }

    /// The file that defines what another one has under a name.
    fn defines<'a>(&'a self, file: &'a Path, name: &str, followed: usize) -> &'a Path {
        if followed > FOLLOWED {
            return file;
        }
        let text = self.0.get(file).map(String::as_str).unwrap_or_default();
        let handed_on = imported(text);
        let by_name = handed_on.iter().find_map(|Imported { path, what }| match what {
            What::HandedOn(names) => {
                let (theirs, _) = names.iter().find(|(_, own)| *own == name)?;
                Some(self.defines(self.find(file, path)?, theirs, followed + 1))
            }
            _ => None,
        });
        let with_all = || {
            let all = handed_on.iter().filter(|one| one.what == What::AllHandedOn);
            let all =
                all.filter_map(|one| Some(self.defines(self.find(file, one.path)?, name, followed + 1)));
            all.into_iter().find(|to| exports(self.0.get(*to).map(String::as_str).unwrap_or_default(), name))
        };
        by_name.or_else(|| if exports(text, name) { None } else { with_all() }).unwrap_or(file)
    }
}

/// Whether a file defines something for others under this name.
fn exports(text: &str, name: &str) -> bool {
    let lines = text.lines().filter_map(|line| line.strip_prefix("export "));
    lines
        .flat_map(|line| {
            line.split(|letter: char| !(letter.is_alphanumeric() || "_$".contains(letter))).take(4)
        })
        .any(|word| word == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `from -> to` of files, whose first folder is their room.
    fn told(files: &[(&str, &str)]) -> Vec<String> {
        let file = |(name, text): &(&str, &str)| (PathBuf::from(format!("/x/{name}")), (*text).to_owned());
        let files = Files(files.iter().map(file).collect());
        let room = |file: &str| room_of("x", Path::new("/x"), Path::new(file));
        let found = by_room("x", files.arrows(), room);
        let short = |file: &str| file.trim_start_matches("/x/").to_owned();
        found
            .iter()
            .map(|(room, one)| format!("{room}: {} -> {}", short(&one.from), short(&one.to)))
            .collect()
    }

    #[test]
    fn types_and_what_is_imported_on_demand_count_and_what_is_of_another_room_or_tree_does_not() {
        let one = "import type { Two } from './two';\nconst three = await import('./three');";
        let other = "import { Three } from '../a/three';\nimport style from './style.css';";
        let two = "import { one } from '../../y/one';";
        assert_eq!(
            told(&[("a/one.ts", one), ("a/two.ts", two), ("a/three.tsx", ""), ("b/other.ts", other)]),
            ["x/a: a/one.ts -> a/three.tsx", "x/a: a/one.ts -> a/two.ts"]
        );
    }

    #[test]
    fn what_is_handed_on_leads_to_the_file_that_defines_it() {
        let index = "export { one as first } from './one';\nexport * from './two';\nexport * from './three';\nexport const own = 1;";
        let user = "import { first, three, own } from './index';";
        let files = [
            ("a/index.ts", index),
            ("a/one.ts", "import { own } from './index';\nexport const one = 1;"),
            ("a/two.ts", "import { own } from './index';\nexport function two() {}"),
            ("a/three.ts", "import { own } from './index';\nexport async function three() {}"),
            ("a/user.ts", user),
        ];
        assert_eq!(
            told(&files),
            [
                "x/a: a/one.ts -> a/index.ts",
                "x/a: a/three.ts -> a/index.ts",
                "x/a: a/two.ts -> a/index.ts",
                "x/a: a/user.ts -> a/index.ts",
                "x/a: a/user.ts -> a/one.ts",
                "x/a: a/user.ts -> a/three.ts",
            ]
        );
    }

    #[test]
    fn a_circle_of_files_in_several_rooms_is_their_trees() {
        let files = [
            ("a/one.ts", "import { two } from '../b/two';"),
            ("b/two.ts", "import type { One } from '../a/one';\nimport { three } from './three';"),
            ("b/three.ts", ""),
        ];
        assert_eq!(
            told(&files),
            ["x: a/one.ts -> b/two.ts", "x: b/two.ts -> a/one.ts", "x/b: b/two.ts -> b/three.ts"]
        );
    }
}
