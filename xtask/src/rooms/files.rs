//! Files of a room that use one another in a circle, held against the table in the architecture document of how many
//! files a room's largest circle may have.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context as _, Result};

use super::circles::circles;
use super::crates::Crate;
use super::file_arrows::{FileArrow, arrows};
use super::table::{ARROWS, DOCUMENT};
use super::typescript;

/// The heading of the table in the document.
const HEADING: &str = "### Circles of files";
/// Files that a circle may have in a room that the table does not name.
const MOST: usize = 3;

/// Rooms whose files use one another.
#[derive(Debug, Default)]
pub(super) struct Files(BTreeMap<String, BTreeSet<FileArrow>>);

impl Files {
    /// Of the crates, and of TypeScript.
    pub(super) fn read(crates: &[Crate]) -> Result<Self> {
        let mut files = Self::default();
        for one in crates {
            for (module, arrow) in arrows(&one.source, one.room.is_some()) {
                files.0.entry(one.room_of(&module)).or_default().insert(arrow);
            }
        }
        for (room, arrow) in typescript::arrows::arrows()? {
            files.0.entry(room).or_default().insert(arrow);
        }
        Ok(files)
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

/// How many files the largest circle may have of the rooms that the document names.
pub(super) fn allowed(document: &str) -> Result<BTreeMap<String, usize>> {
    let heading = || format!("there is no heading \"{HEADING}\" below \"{ARROWS}\"");
    let after = document.split_once(&format!("\n{ARROWS}\n")).with_context(heading)?.1;
    let part = after.split("\n## ").next().unwrap_or_default();
    let part = part.split_once(&format!("\n{HEADING}\n")).with_context(heading)?.1;
    let part = part.split("\n### ").next().unwrap_or_default();
    let row = |line: &str| {
        let (room, most) = line.strip_prefix("| `")?.strip_suffix(" |")?.split_once("` | ")?;
        Some((room.to_owned(), most.parse().ok()?))
    };
    let rows = part.lines().filter(|line| line.starts_with("| `"));
    rows.map(|line| row(line).with_context(|| format!("not a room and a number: {line}"))).collect()
}

/// What is not as the table says, as sentences that say what to do.
pub(super) fn complaints(files: &Files, allowed: &BTreeMap<String, usize>) -> Vec<String> {
    let largest = files.largest();
    let mut told = Vec::new();
    for (room, found) in &largest {
        if *found > allowed.get(*room).copied().unwrap_or(MOST) {
            told.push(format!(
                "{found} files of `{room}` use one another in a circle: {}. `cargo xtask rooms {room}` names what they use: move \
                 what several need to a file below them, or hand over what is needed as an argument.",
                files.circles(room)[0].join(", ")
            ));
        }
    }
    for (room, most) in allowed {
        let found = largest.get(room.as_str()).copied().unwrap_or(0);
        if *most <= MOST || found <= MOST {
            told.push(format!(
                "{DOCUMENT}, \"{HEADING}\": no circle of `{room}` has more than {MOST} files: take its row out."
            ));
        } else if found < *most {
            told.push(format!(
                "{DOCUMENT}, \"{HEADING}\": the largest circle of `{room}` has {found} files: write that into its row."
            ));
        }
    }
    told
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const DOCUMENT_OF_ONE: &str = "# A\n\n## Arrows\n\n### Circles of files\n\n| room | files |\n| --- | ---: |\n\
        | `host/hub` | 5 |\n\n## B\n\n| `x` | 9 |\n";

    /// As many files as that use one another in a ring.
    fn ring(room: &str, files: usize) -> (String, BTreeSet<FileArrow>) {
        let file = |number: usize| format!("{room}/{}.rs", number % files);
        let arrow =
            |number: usize| FileArrow { from: file(number), to: file(number + 1), named: "a::B".into() };
        (room.to_owned(), (0..files).map(arrow).collect())
    }

    fn told(rings: &[(&str, usize)]) -> String {
        let files = Files(rings.iter().map(|(room, files)| ring(room, *files)).collect());
        complaints(&files, &allowed(DOCUMENT_OF_ONE).unwrap()).join("\n")
    }

    #[test]
    fn a_circle_of_more_files_than_its_room_may_have_is_told_with_its_files() {
        assert_eq!(told(&[("host/hub", 5), ("host/store", 3)]), "");
        let larger = told(&[("host/hub", 6), ("host/store", 4)]);
        assert!(
            larger.starts_with(
                "6 files of `host/hub` use one another in a circle: host/hub/0.rs, host/hub/1.rs"
            )
        );
        assert!(larger.contains("4 files of `host/store` use one another"), "{larger}");
    }

    #[test]
    fn a_row_that_allows_more_than_there_is_is_told() {
        let fewer = told(&[("host/hub", 4)]);
        assert!(fewer.contains("the largest circle of `host/hub` has 4 files: write that"), "{fewer}");
        for few in [told(&[("host/hub", 3)]), told(&[])] {
            assert!(few.contains("no circle of `host/hub` has more than 3 files: take its row out"), "{few}");
        }
    }

    #[test]
    fn a_document_without_the_table_or_with_a_row_without_a_number_is_an_error() {
        assert!(allowed(&DOCUMENT_OF_ONE.replace("### Circles", "### Rings")).is_err());
        assert!(allowed(&DOCUMENT_OF_ONE.replace("| 5 |", "| five |")).is_err());
    }
}
