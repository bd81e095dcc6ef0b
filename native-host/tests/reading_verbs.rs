//! Verbs that read change nothing of what the home keeps, with a hub and without one.
#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::room::conversation::{PAGE, PNG, say, select_as};
use crate::room::{PROGRAM, Room, comment, creates, open_tab};

/// How each verb reads. One that is neither here nor below fails the test: add it.
const READING: [(&str, &[&[&str]]); 9] = [
    ("config", &[&[], &["--openapi"]]),
    ("status", &[&[], &["--json"]]),
    ("ui", &[&["list"], &["list", "--json"]]),
    ("search", &[&["blue"], &["blue", "--json"], &["nowhere"]]),
    (
        "projects",
        &[&[], &["--json"], &["list"], &["list", "--json"], &["export", "."], &["export", "nowhere"]],
    ),
    ("export", &[&[], &["--json"], &["--level", "full"], &["--pathname", "/nowhere"]]),
    ("verifications", &[&[], &["--json"]]),
    ("check", &[&["-"], &["-", "--json"], &["-", "--comment", "c_1"]]),
    ("help", &[&[]]),
];
/// What these are for is to change something, or to stay.
const OTHERS: [&str; 7] = ["mcp", "serve", "pair", "setup", "uninstall", "approve", "reject"];

/// Every file of the home with what is in it, but for the log and what says that a hub runs.
fn kept(home: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut left = vec![home.to_owned()];
    while let Some(directory) = left.pop() {
        for entry in std::fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(home).unwrap().to_str().unwrap().to_owned();
            let is_of_a_running_hub = ["logs", "server.pid", "hub.lock"].contains(&name.as_str())
                // What SQLite locks with: readers have their marks in it.
                || name.ends_with(".db-shm");
            if path.is_dir() && !is_of_a_running_hub {
                left.push(path);
            } else if path.is_file() && !is_of_a_running_hub {
                found.insert(name.into(), std::fs::read(path).unwrap());
            }
        }
    }
    found
}

fn verbs() -> Vec<String> {
    let help = Command::new(PROGRAM).arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let commands = help.split_once("Commands:\n").unwrap().1.split_once("\n\n").unwrap().0;
    commands.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

fn run(room: &Room, verb: &str, way: &[&str]) {
    let mut command = room.program();
    command.arg(verb).args(way).current_dir(&room.project).stdin(Stdio::piped());
    let mut process = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut input = process.stdin.take().unwrap();
    // Who does not read it closes it.
    let _ = input.write_all(b"<!doctype html><title>x</title><button>Buy</button>");
    drop(input);
    process.wait().unwrap();
}

/// The hub ends as a person ends it: everything that it has to write is written.
fn leaves(room: &Room) {
    let Some(pid) = room.pid() else { return };
    let there = PathBuf::from(format!("/proc/{pid}/exe"));
    Command::new("kill").args(["-TERM", &pid.to_string()]).status().unwrap();
    room.wait_until("the hub is gone", || std::fs::read_link(&there).is_err());
}

/// A home that keeps a comment with its picture, a selection and what was said about it.
async fn used() -> Room {
    let room = Room::new();
    let mut hub = room.hub();
    let browser = room.browser().await;
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    browser.request(creates("s_1", comment("c_1", PAGE, "make it blue"))).await.unwrap();
    select_as(&browser, ("s_1", "ctx_1"), "BUTTON", Some(PNG)).await.unwrap();
    say(&browser, "s_1", "ctx_1", "make it bigger").await.unwrap();
    drop(browser);
    leaves(&room);
    hub.wait().unwrap();
    room
}

fn differences(before: &BTreeMap<PathBuf, Vec<u8>>, after: &BTreeMap<PathBuf, Vec<u8>>) -> Vec<PathBuf> {
    let names = before.keys().chain(after.keys());
    names.filter(|name| before.get(*name) != after.get(*name)).cloned().collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_verb_is_said_to_read_or_not_to() {
    for verb in verbs() {
        let is_named = READING.iter().any(|(name, _)| *name == verb) || OTHERS.contains(&verb.as_str());
        assert!(is_named, "does {verb:?} read?");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_reads_changes_nothing_in_a_home_without_a_hub() {
    let room = used().await;
    let before = kept(room.home.dir());
    assert!(before.keys().any(|name| name.ends_with("opentoolbar.db")), "{:?}", before.keys());
    for (verb, ways) in READING {
        for way in ways {
            run(&room, verb, way);
            leaves(&room);
            assert_eq!(differences(&before, &kept(room.home.dir())), [] as [PathBuf; 0], "{verb} {way:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_reads_changes_nothing_in_a_home_with_a_hub() {
    let room = used().await;
    let mut hub = room.hub();
    // Whatever is done at the first use is done.
    for (verb, ways) in READING {
        ways.iter().for_each(|way| run(&room, verb, way));
    }
    let before = kept(room.home.dir());
    for (verb, ways) in READING {
        for way in ways {
            run(&room, verb, way);
            assert_eq!(differences(&before, &kept(room.home.dir())), [] as [PathBuf; 0], "{verb} {way:?}");
        }
    }
    leaves(&room);
    hub.wait().unwrap();
}

/// Of a project of which nothing is kept nothing is kept after it was asked for.
#[tokio::test(flavor = "multi_thread")]
async fn what_reads_leaves_nothing_in_a_home_that_keeps_nothing() {
    let room = Room::new();
    room.home.ensure().unwrap();
    for (verb, ways) in READING {
        for way in ways {
            run(&room, verb, way);
            leaves(&room);
            let left = kept(room.home.dir());
            let projects = room.home.projects();
            let made = std::fs::read_dir(&projects)
                .into_iter()
                .flatten()
                .flatten()
                .filter(|one| one.path().is_dir());
            assert_eq!(made.count(), 0, "{verb} {way:?}: {:?}", left.keys());
        }
    }
    assert!(!room.ours().exists(), "nor in the project");
}
