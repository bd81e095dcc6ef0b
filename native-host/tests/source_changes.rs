//! Source files of a project that change: what a browser hears of it and what it is answered.
#![cfg(unix)]

use crate::room;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::room::{Room, hello, open_tab, session};
use opentoolbar::hub::client::Client;
use opentoolbar_core::model::Timestamp;
use opentoolbar_core::protocol::{
    Answer, ErrorBody, ErrorCode, Event, EventEnvelope, FileChanged, Hello, Request, Role,
};
use tokio::sync::broadcast::Receiver;

const PAGE: &str = "https://shop.test/";

/// Names that say nothing when they change.
const QUIET: [&str; 7] = [
    "node_modules/react/index.js",
    "target/debug/shop",
    ".git/index",
    ".opentoolbar/comments.json",
    "src/made.gen.ts",
    "dev.log",
    "package-lock.json",
];

fn now() -> u64 {
    u64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis()).unwrap()
}

fn write(root: &Path, name: &str) {
    let path = root.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, now().to_string()).unwrap();
}

/// A project with source files and all that says nothing.
fn shop() -> Room {
    let room = Room::new();
    std::fs::write(room.project.join(".gitignore"), "node_modules\ntarget\n*.gen.ts\n").unwrap();
    for name in ["src/pages/Shop.tsx", "src/Other.tsx"].iter().chain(&QUIET) {
        write(&room.project, name);
    }
    room
}

/// A browser that takes `source_changed`.
async fn browser(room: &Room) -> Client {
    let hello =
        Hello { capabilities: vec!["source_changes".into()], ..hello(Role::Browser, "Chromium 156", None) };
    room.connector().connect(hello).await.unwrap()
}

async fn changes(
    browser: &Client,
    session: &str,
    since: u64,
    files: &[&str],
) -> Result<(Option<u64>, Vec<FileChanged>), ErrorBody> {
    let files = files.iter().map(|file| (*file).to_owned()).collect();
    let request =
        Request::GetSourceChanges { session_id: session.parse().unwrap(), since: Timestamp(since), files };
    match browser.request(request).await? {
        Answer::SourceChanges { at, files } => Ok((at.map(|at| at.0), files)),
        other => panic!("{other:?}"),
    }
}

/// The next change that is told.
async fn told(events: &mut Receiver<EventEnvelope>, within: Duration) -> Option<(String, u64)> {
    let next = async {
        loop {
            if let Event::SourceChanged { root, at } = events.recv().await.unwrap().event {
                return (root, at.0);
            }
        }
    };
    tokio::time::timeout(within, next).await.ok()
}

const SOON: Duration = Duration::from_secs(20);
/// Long enough for an event to have come.
const A_WHILE: Duration = Duration::from_millis(1_500);

/// Waits until the project is watched: a file that is changed again and again until it is told.
async fn watched(room: &Room, events: &mut Receiver<EventEnvelope>) {
    for _ in 0..40 {
        write(&room.project, "src/Other.tsx");
        if told(events, Duration::from_millis(500)).await.is_some() {
            // What was written last is told by then.
            while told(events, A_WHILE).await.is_some() {}
            return;
        }
    }
    panic!("nothing is told");
}

#[tokio::test]
async fn an_edit_of_a_source_file_is_told_at_once_and_when_it_is_asked_for() {
    let room = shop();
    let browser = browser(&room).await;
    let mut events = browser.events();
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    watched(&room, &mut events).await;
    let before = now();
    std::thread::sleep(Duration::from_millis(20));
    write(&room.project, "src/pages/Shop.tsx");
    let (root, at) = told(&mut events, SOON).await.expect("the edit is told");
    assert_eq!(Path::new(&root), room.project.canonicalize().unwrap());
    assert!(at > before && at <= now());
    let asked = ["/src/pages/Shop.tsx?t=17", "src/Other.tsx:3:1", "/src/None.tsx", "/etc/passwd"];
    let (latest, files) = changes(&browser, "s_1", before, &asked).await.unwrap();
    assert_eq!(latest, Some(at));
    let of = |known, at: Option<u64>| FileChanged { known, at: at.map(Timestamp) };
    assert_eq!(files, [of(true, Some(at)), of(true, None), of(false, None), of(false, None)]);
    assert_eq!(changes(&browser, "s_1", at, &asked[..1]).await.unwrap(), (None, vec![of(true, None)]));
    // Deleted, made in a new directory, and moved here with a time of its own.
    std::fs::remove_file(room.project.join("src/Other.tsx")).unwrap();
    let (_, gone) = told(&mut events, SOON).await.expect("that it is gone is told");
    assert_eq!(changes(&browser, "s_1", at, &[]).await.unwrap().0, Some(gone));
    while told(&mut events, A_WHILE).await.is_some() {}
    write(&room.project, "src/new/below/Made.tsx");
    let (_, made) = told(&mut events, SOON).await.expect("a new file is told");
    while told(&mut events, A_WHILE).await.is_some() {}
    write(&room.project, "src/new/below/Made.tsx");
    assert!(told(&mut events, SOON).await.expect("what is below a new directory is watched").1 > made);
}

#[tokio::test]
async fn what_is_ignored_built_or_a_tools_own_is_neither_told_nor_answered() {
    let room = shop();
    let browser = browser(&room).await;
    let mut events = browser.events();
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    watched(&room, &mut events).await;
    let before = now();
    for name in QUIET {
        write(&room.project, name);
    }
    write(&room.project, "node_modules/fresh/index.js");
    write(&room.project, "src/.Shop.tsx.swp");
    std::fs::remove_file(room.project.join("src/.Shop.tsx.swp")).unwrap();
    assert_eq!(told(&mut events, A_WHILE).await, None);
    let (at, files) = changes(&browser, "s_1", before, &QUIET).await.unwrap();
    assert_eq!((at, files), (None, vec![FileChanged::default(); QUIET.len()]));
}

#[tokio::test]
async fn another_projects_tab_and_a_browser_that_does_not_ask_for_it_hear_nothing() {
    let room = shop();
    let other = room.path().join("other");
    write(&other, "package.json");
    let (here, elsewhere, older) = (browser(&room).await, browser(&room).await, room.browser().await);
    let mut events = [here.events(), elsewhere.events(), older.events()];
    open_tab(&here, "s_1", PAGE, &room.project).await;
    open_tab(&elsewhere, "s_2", "https://other.test/", &other).await;
    open_tab(&older, "s_3", PAGE, &room.project).await;
    watched(&room, &mut events[0]).await;
    for (who, events) in events.iter_mut().enumerate().skip(1) {
        assert_eq!(told(events, Duration::from_millis(100)).await, None, "{who}");
    }
    // Each asks for its own sessions alone.
    for (browser, session) in [(&elsewhere, "s_1"), (&here, "s_2"), (&here, "s_none")] {
        let refused = changes(browser, session, 0, &["package.json"]).await.unwrap_err();
        assert_eq!(refused.code, ErrorCode::UnknownSession);
    }
    let agent = room.agent("a").await;
    assert_eq!(changes(&agent, "s_1", 0, &[]).await.unwrap_err().code, ErrorCode::Forbidden);
    // Nobody hears of it any more when the last tab is closed.
    here.request(Request::CloseSession { session_id: "s_1".parse().unwrap() }).await.unwrap();
    write(&room.project, "src/Other.tsx");
    assert_eq!(told(&mut events[0], A_WHILE).await, None);
    open_tab(&here, "s_4", PAGE, &room.project).await;
    watched(&room, &mut events[0]).await;
}

#[tokio::test]
async fn changes_without_end_are_told_every_three_hundred_milliseconds() {
    let room = shop();
    let browser = browser(&room).await;
    let mut events = browser.events();
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    watched(&room, &mut events).await;
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(3) {
        write(&room.project, "src/Other.tsx");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let mut times = 0;
    while told(&mut events, A_WHILE).await.is_some() {
        times += 1;
    }
    // Ten of 300 ms, the first and the last; fewer on a busy machine.
    assert!((2..=12).contains(&times), "{times}");
}

#[tokio::test]
async fn a_tab_without_a_project_is_answered_with_nothing() {
    let room = shop();
    let browser = browser(&room).await;
    browser.request(Request::OpenSession(session("s_1", "https://nobody.test/"))).await.unwrap();
    let (at, files) = changes(&browser, "s_1", 0, &["package.json"]).await.unwrap();
    assert_eq!((at, files), (None, vec![FileChanged::default()]));
}

#[tokio::test]
async fn a_hub_that_was_away_tells_by_the_files_times() {
    let room = shop();
    let mut hub = room.hub();
    let first = browser(&room).await;
    open_tab(&first, "s_1", PAGE, &room.project).await;
    drop(first);
    hub.kill().unwrap();
    hub.wait().unwrap();
    let before = now();
    std::thread::sleep(Duration::from_millis(20));
    write(&room.project, "src/pages/Shop.tsx");
    let browser = room.browser().await;
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    let (at, files) =
        changes(&browser, "s_1", before, &["/src/pages/Shop.tsx", "/src/Other.tsx"]).await.unwrap();
    assert!(at.is_some_and(|at| at > before));
    assert_eq!(files.iter().map(|file| file.at.is_some()).collect::<Vec<_>>(), [true, false]);
    let edited = at.unwrap();
    std::thread::sleep(Duration::from_millis(20));
    std::fs::remove_file(room.project.join("src/pages/Shop.tsx")).unwrap();
    let (at, files) = changes(&browser, "s_1", edited, &["/src/pages/Shop.tsx"]).await.unwrap();
    assert!(at.is_some_and(|at| at > edited), "its directory tells");
    assert_eq!(files, [FileChanged::default()]);
}

#[tokio::test]
async fn a_time_that_is_yet_to_come_is_told_once() {
    let room = shop();
    let browser = browser(&room).await;
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    let ahead = std::fs::File::open(room.project.join("src/Other.tsx")).unwrap();
    ahead.set_modified(SystemTime::now() + Duration::from_secs(86_400 * 365)).unwrap();
    let (at, _) = changes(&browser, "s_1", now() - 1, &[]).await.unwrap();
    let at = at.unwrap();
    assert!(at <= now());
    std::thread::sleep(Duration::from_millis(20));
    assert_eq!(changes(&browser, "s_1", at, &[]).await.unwrap().0, None, "it did not change again");
}

#[tokio::test]
async fn no_link_leads_out_of_the_project() {
    let room = shop();
    let outside = room.path().join("outside");
    write(&outside, "Secret.tsx");
    std::os::unix::fs::symlink(&outside, room.project.join("src/linked")).unwrap();
    std::os::unix::fs::symlink(outside.join("Secret.tsx"), room.project.join("src/Linked.tsx")).unwrap();
    let browser = browser(&room).await;
    let mut events = browser.events();
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    watched(&room, &mut events).await;
    let before = now();
    std::thread::sleep(Duration::from_millis(20));
    write(&outside, "Secret.tsx");
    assert_eq!(told(&mut events, A_WHILE).await, None);
    let secret = outside.join("Secret.tsx");
    let asked =
        ["/src/linked/Secret.tsx", "/src/Linked.tsx", "../outside/Secret.tsx", secret.to_str().unwrap()];
    let (at, files) = changes(&browser, "s_1", before, &asked).await.unwrap();
    assert_eq!((at, files), (None, vec![FileChanged::default(); 4]));
}

#[tokio::test]
async fn twenty_thousand_files_are_looked_through_within_two_seconds() {
    let room = shop();
    for directory in 0..200 {
        let directory = room.project.join(format!("src/d{directory}"));
        std::fs::create_dir(&directory).unwrap();
        for file in 0..100 {
            std::fs::write(directory.join(format!("f{file}.ts")), "").unwrap();
        }
    }
    let browser = browser(&room).await;
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    // A look that has no more time leaves out what is far: on a busy machine the first ones may.
    let first = Instant::now();
    while first.elapsed() < Duration::from_secs(120) {
        let began = Instant::now();
        let (at, files) = changes(&browser, "s_1", 1, &["/src/d199/f99.ts"]).await.unwrap();
        assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
        assert!(at.is_some());
        if files[0].known {
            return;
        }
    }
    panic!("not all of them are looked through");
}

#[tokio::test]
async fn where_nothing_can_be_watched_questions_are_answered_and_the_log_says_so_once() {
    let room = shop();
    // Limits of a user namespace hold in it alone.
    let confined = |program: &str| {
        let mut command = Command::new("unshare");
        let script = format!("echo 0 > /proc/sys/user/max_inotify_instances && exec {program} \"$@\"");
        command.args(["--user", "--map-root-user", "sh", "-c", &script, "sh"]);
        command
    };
    if !confined("true").output().is_ok_and(|ran| ran.status.success()) {
        eprintln!("skipped: this needs user namespaces");
        return;
    }
    let mut command = confined(room::PROGRAM);
    command.env("OPENTOOLBAR_HOME", room.home.dir()).env("OPENTOOLBAR_IDLE_SECONDS", "20");
    let mut hub = room.hub_of(&mut command);
    let browser = browser(&room).await;
    let mut events = browser.events();
    for session in ["s_1", "s_2"] {
        open_tab(&browser, session, PAGE, &room.project).await;
        browser.request(Request::CloseSession { session_id: session.parse().unwrap() }).await.unwrap();
    }
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    let before = now();
    std::thread::sleep(Duration::from_millis(20));
    write(&room.project, "src/Other.tsx");
    let (at, files) = changes(&browser, "s_1", before, &["/src/Other.tsx"]).await.unwrap();
    assert!(at.is_some() && files[0].at == at.map(Timestamp));
    assert_eq!(told(&mut events, A_WHILE).await, None);
    let log = std::fs::read_to_string(room.home.logs().join("hub.log")).unwrap();
    assert_eq!(log.matches("files cannot be watched").count(), 1, "{log}");
    hub.kill().unwrap();
    hub.wait().unwrap();
}
