//! `cargo xtask rooms`: which room of the source uses which, and how many files of a room use one another in a circle,
//! held against the tables in the architecture document. A room is a top-level module of a crate, or a folder of the
//! extension.

mod circles;
mod crates;
mod file_arrows;
mod files;
mod house;
mod rust;
mod table;
mod tokens;
mod tool_names;
mod typescript;

use std::fs;

use anyhow::{Context as _, Result, bail};

use crate::step::say;
use crate::workspace;
use file_arrows::FileArrow;
use files::Files;
use house::{Arrow, House};
use table::{DOCUMENT, Table, complaints};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Tell of this room, as `host/hub`, what it uses, who uses it and which of its files are in a circle
    room: Option<String>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let crates = crates::read()?;
    let (house, files) = (House::read(&crates)?, Files::read(&crates)?);
    if let Some(room) = &args.room {
        return one(&house, &files, room);
    }
    for line in house.as_table() {
        say(&line);
    }
    let lines: usize = house.rooms.values().sum();
    say(&format!("{} rooms of {lines} lines, {} arrows", house.rooms.len(), house.pairs().len()));
    say("Rooms whose files use one another in a circle, with the files in the largest:");
    for (room, most) in files.largest() {
        say(&format!("| `{room}` | {most} |"));
    }
    let complaints = look(&house, &files)?;
    if complaints.is_empty() { Ok(()) } else { bail!("{}", complaints.join("\n")) }
}

fn one(house: &House, files: &Files, room: &str) -> Result<()> {
    let lines = house.rooms.get(room);
    if lines.is_none() && !files.has(room) {
        bail!("there is no room {room}; without a name all are listed")
    }
    if let Some(lines) = lines {
        say(&format!("{room}: {lines} lines"));
    }
    for Arrow { from, to, in_tests, file, named } in &house.arrows {
        let mark = if *in_tests { " (tests)" } else { "" };
        if from == room {
            say(&format!("uses {to}{mark}: {named} in {file}"));
        } else if to == room {
            say(&format!("is used by {from}{mark}: {named} in {file}"));
        }
    }
    for circle in files.circles(room) {
        say(&format!("{} files use one another in a circle:", circle.len()));
        for FileArrow { from, to, named } in files.within(room, &circle) {
            say(&format!("  {from} uses {to}: {named}"));
        }
    }
    Ok(())
}

fn look(house: &House, files: &Files) -> Result<Vec<String>> {
    let document = fs::read_to_string(workspace::path(DOCUMENT))?;
    let table = Table::read(&document).with_context(|| format!("cannot read {DOCUMENT}"))?;
    let mut told = complaints(house, &table);
    let allowed = files::allowed(&document).with_context(|| format!("cannot read {DOCUMENT}"))?;
    told.extend(files::complaints(files, &allowed));
    told.extend(tool_names::complaints(&house.texts, &tool_names::names()?));
    Ok(told)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn rooms_use_one_another_as_the_architecture_document_says_and_not_otherwise() {
        let crates = crates::read().unwrap();
        let (house, files) = (House::read(&crates).unwrap(), Files::read(&crates).unwrap());
        for part in ["core/", "wasm/", "host/", "extension/"] {
            assert!(house.pairs().iter().any(|(from, _)| from.starts_with(part)), "{part} is read");
        }
        for room in
            ["core/anchor", "host/hub", "xtask/rooms", "lab/bench", "extension/background", "tests/e2e"]
        {
            assert!(files.has(room), "{room} is read");
        }
        let complaints = look(&house, &files).unwrap();
        assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
    }
}
