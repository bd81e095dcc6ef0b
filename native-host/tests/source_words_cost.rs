//! What it costs the machine to look for words in a project's files: bytes that the hub reads, counted by the system.
#![cfg(target_os = "linux")]

use std::path::Path;

use crate::room::{Room, open_tab};
use opentoolbar::hub::client::Client;
use opentoolbar_core::anchor::FoundIn::{self, OwnFile, Unknown};
use opentoolbar_core::model::Timestamp;
use opentoolbar_core::protocol::{Answer, Request, SourceQuery};
use tokio::task::JoinSet;

const PAGE: &str = "https://shop.test/";
const MIB: u64 = 1024 * 1024;
/// What is read of all files for one question.
const MOST: u64 = 8 * MIB;

/// Bytes that this process has read, from whatever.
fn read_by(pid: u32) -> u64 {
    let io = std::fs::read_to_string(format!("/proc/{pid}/io")).unwrap();
    io.lines().find_map(|line| line.strip_prefix("rchar: ")?.trim().parse().ok()).unwrap()
}

fn asks(files: &[String]) -> Request {
    let words = vec!["mill".to_owned(), "lund".to_owned()];
    let query =
        |file: &String| SourceQuery { file: Some(file.clone()), since: Timestamp(1), words: words.clone() };
    let queries = files.iter().map(query).collect();
    Request::FindInSource { session_id: "s_1".parse().unwrap(), queries }
}

async fn find(browser: &Client, files: &[String]) -> Vec<Vec<FoundIn>> {
    match browser.request(asks(files)).await.unwrap() {
        Answer::FoundInSource { found } => found,
        other => panic!("{other:?}"),
    }
}

/// A file of so many bytes, most of which take no room.
fn long(path: &Path, bytes: u64) {
    std::fs::write(path, "mill ").unwrap();
    std::fs::File::options().write(true).open(path).unwrap().set_len(bytes).unwrap();
}

/// In memory where there is room, so that the disk is not what takes long.
fn project() -> tempfile::TempDir {
    let mut directory = tempfile::Builder::new();
    let directory = directory.prefix("otb");
    directory.tempdir_in("/dev/shm").or_else(|_| directory.tempdir()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_hundred_thousand_files_and_one_of_a_gibibyte_next_to_nothing_is_read() {
    let room = Room::new();
    let project = project();
    let root = project.path().canonicalize().unwrap();
    std::fs::write(root.join("Shop.tsx"), "mill").unwrap();
    long(&root.join("huge.ts"), 1024 * MIB);
    for directory in 0..200 {
        let directory = root.join(format!("d{directory}"));
        std::fs::create_dir(&directory).unwrap();
        for file in 0..1_000 {
            std::fs::File::create(directory.join(format!("{file}.ts"))).unwrap();
        }
    }
    let browser = room.browser().await;
    open_tab(&browser, "s_1", PAGE, &root).await;
    let hub = room.pid().unwrap();
    let before = read_by(hub);
    let found = find(&browser, &["Shop.tsx".into(), "huge.ts".into()]).await;
    // Not all of them were looked at, so that nobody knows what changed.
    assert_eq!(found[1], [Unknown, Unknown]);
    assert!(found[0] == [OwnFile, Unknown] || found[0] == [Unknown, Unknown], "{:?}", found[0]);
    let read = read_by(hub) - before;
    assert!(read < MIB / 8, "{read} bytes");
    eprintln!("read: {read} bytes");
}

#[tokio::test(flavor = "multi_thread")]
async fn however_many_files_are_asked_about_so_many_bytes_are_read_and_no_more() {
    let room = Room::new();
    for file in 0..90 {
        let text = "mill ".repeat(200_000);
        std::fs::write(room.project.join(format!("{file}.ts")), text).unwrap();
    }
    long(&room.project.join("huge.ts"), 1024 * MIB);
    let browser = room.browser().await;
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    let files: Vec<String> = (0..90).map(|file| format!("{file}.ts")).chain(["huge.ts".into()]).collect();
    let hub = room.pid().unwrap();
    let before = read_by(hub);
    let found = find(&browser, &files).await;
    let read = read_by(hub) - before;
    assert!(found.iter().flatten().all(|&found| found != FoundIn::Nowhere), "{found:?}");
    assert!(read < MOST + MIB / 8, "{read} bytes");
    eprintln!("read: {read} bytes of {} files", files.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_ends_with_the_connection_of_its_asker() {
    const SEARCHES: u64 = 40;
    let room = Room::new();
    for file in 0..9 {
        std::fs::write(room.project.join(format!("{file}.ts")), "mill ".repeat(200_000)).unwrap();
    }
    let browser = room.browser().await;
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    let hub = room.pid().unwrap();
    let before = read_by(hub);
    let read = || read_by(hub) - before;
    let files: Vec<String> = (0..9).map(|file| format!("{file}.ts")).collect();
    let mut searches = JoinSet::new();
    for _ in 0..SEARCHES {
        let (browser, request) = (browser.clone(), asks(&files));
        searches.spawn(async move { browser.request(request).await });
    }
    room.wait_until("it reads", || read() > MIB);
    drop(browser);
    searches.shutdown().await;
    let log = || std::fs::read_to_string(room.home.logs().join("hub.log")).unwrap();
    room.wait_until("the connection has ended", || log().contains("disconnected"));
    // The one that was under way may end with the file that it reads.
    let then = read();
    tokio::time::sleep(std::time::Duration::from_secs(2)).await;
    let after = read();
    eprintln!("read: {then} bytes until the connection ended, {after} in all");
    assert!(after - then < 3 * MIB, "{} bytes more", after - then);
    assert!(after < SEARCHES * MOST / 2, "{after} bytes are what most of them read");
}
