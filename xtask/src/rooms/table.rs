//! The table of the architecture document that says which room may use which, held against what the source does.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context as _, Result, bail, ensure};

use super::circles::circles;
use super::{Arrow, House};

/// The document, and the headings in it.
pub(super) const DOCUMENT: &str = "docs/architecture.md";
pub(super) const ARROWS: &str = "## Arrows";
const KNOWN: &str = "### Known circles";

/// What the document allows.
#[derive(Debug, Default)]
pub(super) struct Table {
    rows: BTreeMap<String, Row>,
    circles: BTreeSet<Vec<String>>,
}

#[derive(Debug, Default)]
struct Row {
    uses: BTreeSet<String>,
    tests: BTreeSet<String>,
}

impl Table {
    pub(super) fn read(document: &str) -> Result<Self> {
        let after =
            document.split_once(&format!("\n{ARROWS}\n")).context("there is no heading \"## Arrows\"")?.1;
        let part = after.split("\n## ").next().unwrap_or_default();
        let (rows, known) = part.split_once(&format!("\n{KNOWN}\n")).unwrap_or((part, ""));
        let mut table = Self::default();
        for line in rows.lines().filter(|line| line.starts_with("| `")) {
            let cells: Vec<&str> = line.trim_matches('|').split('|').collect();
            let [room, uses, tests] = cells.as_slice() else { bail!("a row has not three cells: {line}") };
            let [room] = quoted(room)[..] else { bail!("a row does not name one room: {line}") };
            let names = |cell| quoted(cell).into_iter().map(str::to_owned).collect();
            let row = Row { uses: names(uses), tests: names(tests) };
            ensure!(table.rows.insert(room.to_owned(), row).is_none(), "`{room}` has two rows");
        }
        for line in known.lines().filter(|line| line.starts_with("- `")) {
            let (names, why) =
                line.split_once(": ").with_context(|| format!("a circle without a reason: {line}"))?;
            ensure!(!why.trim().is_empty(), "a circle without a reason: {line}");
            let names: BTreeSet<&str> = quoted(names).into_iter().collect();
            table.circles.insert(names.into_iter().map(str::to_owned).collect());
        }
        Ok(table)
    }
}

/// What stands between backticks.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// What is not as the table says, as sentences that say what to do.
pub(super) fn complaints(house: &House, table: &Table) -> Vec<String> {
    let mut told = Vec::new();
    let none = Row::default();
    for room in house.rooms.keys().filter(|room| !table.rows.contains_key(*room)) {
        told.push(format!(
            "`{room}` has no row in {DOCUMENT}, \"Arrows\": add one that says what it may use."
        ));
    }
    let mut forbidden: BTreeMap<(&str, &str), &Arrow> = BTreeMap::new();
    for arrow in &house.arrows {
        let row = table.rows.get(&arrow.from).unwrap_or(&none);
        let is_allowed = row.uses.contains(&arrow.to) || arrow.in_tests && row.tests.contains(&arrow.to);
        if !is_allowed {
            let first = forbidden.entry((&arrow.from, &arrow.to)).or_insert(arrow);
            // What more than tests use is said first.
            if first.in_tests && !arrow.in_tests {
                *first = arrow;
            }
        }
    }
    for ((from, to), Arrow { file, named, in_tests, .. }) in forbidden {
        let cell = if *in_tests { "what its tests also use" } else { "what it uses" };
        told.push(format!(
            "{file} uses {named}, and `{from}` may not use `{to}`: move what it needs to a room that both may use. If the arrow \
             is meant, add `{to}` to {cell} in the row of `{from}` in {DOCUMENT}, \"Arrows\"."
        ));
    }
    for (from, row) in &table.rows {
        if !house.rooms.contains_key(from) {
            told.push(format!("{DOCUMENT}, \"Arrows\": there is no room `{from}`: take its row out."));
            continue;
        }
        let is_used = |to: &str, in_tests| {
            house
                .arrows
                .iter()
                .any(|arrow| arrow.from == *from && arrow.to == to && arrow.in_tests == in_tests)
        };
        let idle = row.uses.iter().filter(|to| !is_used(to, false));
        let idle = idle.chain(row.tests.iter().filter(|to| !is_used(to, true) || row.uses.contains(*to)));
        told.extend(idle.map(|to| {
            format!("{DOCUMENT}, \"Arrows\": nothing in `{from}` needs to be allowed `{to}`: take it out of the row.")
        }));
    }
    let found: BTreeSet<Vec<String>> = circles(&house.pairs()).into_iter().collect();
    for circle in found.difference(&table.circles) {
        told.push(format!(
            "these rooms use one another in a circle: {}. Have one of them use the others no more (`cargo xtask rooms ROOM` names \
             the files), or say under \"Known circles\" in {DOCUMENT} why it stays.",
            circle.join(", ")
        ));
    }
    for circle in table.circles.difference(&found) {
        let circle = circle.join(", ");
        told.push(format!("{DOCUMENT}, \"Known circles\": {circle} are none any more: take the line out."));
    }
    told
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const DOCUMENT_OF_TWO: &str = "# A\n\n## Arrows\n\n| room | uses | its tests also use |\n| --- | --- | --- |\n\
        | `host/hub` | `host/store` | `host/home` |\n| `host/store` | nothing | |\n| `host/home` | nothing | |\n\n## B\n| `x` | `y` | |\n";

    fn arrow(from: &str, to: &str, in_tests: bool) -> Arrow {
        let (from, to) = (format!("host/{from}"), format!("host/{to}"));
        Arrow { file: format!("{from}.rs"), named: format!("crate::{to}"), from, to, in_tests }
    }

    fn house(arrows: &[Arrow]) -> House {
        let rooms = ["hub", "store", "home"].map(|room| (format!("host/{room}"), 1));
        House { rooms: rooms.into(), arrows: arrows.iter().cloned().collect(), ..House::default() }
    }

    fn told(document: &str, arrows: &[Arrow]) -> String {
        complaints(&house(arrows), &Table::read(document).unwrap()).join("\n")
    }

    fn as_written() -> Vec<Arrow> {
        vec![arrow("hub", "store", false), arrow("hub", "home", true)]
    }

    #[test]
    fn what_is_as_the_table_says_is_not_told() {
        assert_eq!(told(DOCUMENT_OF_TWO, &as_written()), "");
    }

    #[test]
    fn an_arrow_that_is_not_in_the_table_is_told_with_its_file_and_what_to_do() {
        let told = told(DOCUMENT_OF_TWO, &[as_written(), vec![arrow("home", "store", false)]].concat());
        assert!(
            told.starts_with(
                "host/home.rs uses crate::host/store, and `host/home` may not use `host/store`: move"
            ),
            "{told}"
        );
        assert!(told.contains("add `host/store` to what it uses in the row of `host/home`"), "{told}");
    }

    #[test]
    fn what_tests_may_use_is_not_for_the_rest() {
        let told = told(DOCUMENT_OF_TWO, &[as_written(), vec![arrow("hub", "home", false)]].concat());
        assert!(told.contains("`host/hub` may not use `host/home`"), "{told}");
    }

    #[test]
    fn what_nothing_uses_is_told_and_so_is_a_row_without_a_room_and_a_room_without_a_row() {
        let idle = told(DOCUMENT_OF_TWO, &as_written()[1..]);
        assert!(
            idle.contains("nothing in `host/hub` needs to be allowed `host/store`: take it out"),
            "{idle}"
        );
        let idle = told(DOCUMENT_OF_TWO, &as_written()[..1]);
        assert!(
            idle.contains("nothing in `host/hub` needs to be allowed `host/home`: take it out"),
            "{idle}"
        );
        let more = DOCUMENT_OF_TWO.replace("| `host/home` | nothing | |", "| `host/gone` | nothing | |");
        let told = told(&more, &as_written());
        assert!(
            told.contains("`host/home` has no row") && told.contains("there is no room `host/gone`"),
            "{told}"
        );
    }

    #[test]
    fn a_circle_is_told_although_its_arrows_are_allowed_until_a_line_says_why_and_such_a_line_needs_a_circle()
    {
        let round = DOCUMENT_OF_TWO.replace("| `host/store` | nothing |", "| `host/store` | `host/hub` |");
        let arrows = [as_written(), vec![arrow("store", "hub", false)]].concat();
        let circle = told(&round, &arrows);
        assert!(
            circle.starts_with("these rooms use one another in a circle: host/hub, host/store."),
            "{circle}"
        );
        let known = |document: &str| {
            document
                .replace("\n## B", "\n### Known circles\n\n- `host/store` and `host/hub`: a reason.\n\n## B")
        };
        assert_eq!(told(&known(&round), &arrows), "");
        let idle = told(&known(DOCUMENT_OF_TWO), &as_written());
        assert!(idle.contains("host/hub, host/store are none any more: take the line out"), "{idle}");
        let bare = known(&round).replace(": a reason.", "");
        assert!(Table::read(&bare).unwrap_err().to_string().contains("without a reason"));
    }
}
