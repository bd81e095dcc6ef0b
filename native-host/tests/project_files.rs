//! What the hub writes into a project, whatever stands there: a project may come from a stranger, with links, pipes and
//! devices under the names of our files. Nothing is opened through them, and one that is in the way stops no other.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod room;

use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use opentoolbar::hub::client::Client;
use opentoolbar_core::protocol::{Answer, ErrorBody, Request, SetContext};
use room::conversation::{PAGE, PNG, id, say, selection};
use room::{Room, comment, creates, open_tab};

fn ours(room: &Room) -> PathBuf {
    room.project.join(".opentoolbar")
}

async fn tab(room: &Room) -> Client {
    let browser = room.browser().await;
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    browser
}

async fn select(browser: &Client, context: &str) -> Result<Answer, ErrorBody> {
    let set = SetContext {
        context_id: Some(context.parse().unwrap()),
        selection: selection("BUTTON"),
        screenshot: Some(PNG.into()),
        viewport_screenshot: Some(PNG.into()),
    };
    browser.request_in(&id("s_1"), Request::SetContext(Box::new(set))).await
}

/// A comment, a selection with pictures and a message: one change of every file.
async fn change_everything(browser: &Client, number: u32) {
    let words = format!("make it blue, {number}");
    browser.request(creates("s_1", comment(&format!("c_{number}"), PAGE, &words))).await.unwrap();
    select(browser, &format!("ctx_{number}")).await.unwrap();
    say(browser, "s_1", &format!("ctx_{number}"), &words).await.unwrap();
}

fn says(path: &Path, words: &str) -> bool {
    // Not through whatever a test has put there.
    std::fs::symlink_metadata(path).is_ok_and(|there| there.is_file())
        && std::fs::read_to_string(path).is_ok_and(|text| text.contains(words))
}

fn wait_for_copies(room: &Room, number: u32) {
    let words = format!("make it blue, {number}");
    room.wait_until("feedback.md says it", || says(&ours(room).join("feedback.md"), &words));
    wait_for_session_file(room, number);
}

/// It tells the oldest message, and what is selected now.
fn wait_for_session_file(room: &Room, number: u32) {
    let selected = format!("ctx_{number}");
    room.wait_until("the session's file says it", || says(&ours(room).join("sessions/s_1.json"), &selected));
}

/// What may stand in a file's place.
#[derive(Clone, Copy, Debug)]
enum Obstacle {
    LinkToDevice,
    LinkToFile,
    LinkToNothing,
    Pipe,
    Socket,
    HardLink,
}

const OBSTACLES: [Obstacle; 6] = [
    Obstacle::LinkToDevice,
    Obstacle::LinkToFile,
    Obstacle::LinkToNothing,
    Obstacle::Pipe,
    Obstacle::Socket,
    Obstacle::HardLink,
];

const MINE: &str = "what nobody may touch";

impl Obstacle {
    fn put(self, at: &Path, mine: &Path) {
        let _ = std::fs::remove_file(at);
        std::fs::create_dir_all(at.parent().unwrap()).unwrap();
        match self {
            Self::LinkToDevice => symlink("/dev/zero", at).unwrap(),
            Self::LinkToFile => symlink(mine, at).unwrap(),
            Self::LinkToNothing => symlink(mine.with_extension("none"), at).unwrap(),
            Self::Pipe => {
                assert!(std::process::Command::new("mkfifo").arg(at).status().unwrap().success());
            }
            Self::Socket => drop(std::os::unix::net::UnixListener::bind(at).unwrap()),
            Self::HardLink => std::fs::hard_link(mine, at).unwrap(),
        }
    }
}

const FILES: [&str; 6] = [
    "feedback.md",
    "sessions/s_1.json",
    "screenshots/ctx_2.png",
    "screenshots/ctx_2.viewport.png",
    "screenshots/s_1_ctx.png",
    ".gitignore",
];

/// `before`: the hub has not seen the project yet.
async fn obstacle_is_replaced(obstacle: Obstacle, before: bool) {
    let room = Room::new();
    let mine = room.path().join("mine");
    std::fs::write(&mine, MINE).unwrap();
    let written = std::fs::metadata(&mine).unwrap().mtime_nsec();
    let put = || FILES.iter().for_each(|name| obstacle.put(&ours(&room).join(name), &mine));
    // What it takes is bounded: a device that never ends must not take the machine along.
    let mut hub = room.hub_within(4 * 1024 * 1024 * 1024);
    if before {
        put();
    }
    let browser = tab(&room).await;
    change_everything(&browser, 1).await;
    if !before {
        wait_for_copies(&room, 1);
        put();
    }
    change_everything(&browser, 2).await;
    wait_for_copies(&room, 2);
    for name in FILES {
        let there = std::fs::symlink_metadata(ours(&room).join(name)).unwrap();
        assert!(there.is_file() && there.nlink() == 1, "{obstacle:?} {name}: {there:?}");
    }
    assert_eq!(std::fs::read_to_string(&mine).unwrap(), MINE, "{obstacle:?}");
    assert_eq!(std::fs::metadata(&mine).unwrap().mtime_nsec(), written, "{obstacle:?}");
    assert!(!mine.with_extension("none").exists(), "{obstacle:?}");
    room::end(hub.id());
    hub.wait().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_stands_in_the_place_of_a_file_before_the_hub_is_replaced_and_never_opened() {
    for obstacle in OBSTACLES {
        obstacle_is_replaced(obstacle, true).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_put_in_the_place_of_a_file_while_the_hub_runs_is_replaced_and_never_opened() {
    for obstacle in OBSTACLES {
        obstacle_is_replaced(obstacle, false).await;
    }
}

fn log_lines(room: &Room, with: &str) -> usize {
    let log = std::fs::read_to_string(room.home.logs().join("hub.log")).unwrap();
    log.lines().filter(|line| line.contains(with)).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_directory_in_the_place_of_one_file_stops_no_other_and_is_said_once() {
    let room = Room::new();
    let report = ours(&room).join("feedback.md");
    std::fs::create_dir_all(report.join("in the way")).unwrap();
    let browser = tab(&room).await;
    for number in 1..4 {
        change_everything(&browser, number).await;
        wait_for_session_file(&room, number);
        // The report is tried a moment later than the session.
        tokio::time::sleep(Duration::from_millis(600)).await;
    }
    assert_eq!(log_lines(&room, "feedback.md"), 1);
    assert!(report.join("in the way").is_dir());
    std::fs::remove_dir_all(&report).unwrap();
    change_everything(&browser, 4).await;
    wait_for_copies(&room, 4);
    // What was mended may break again, which is news.
    std::fs::remove_file(&report).unwrap();
    std::fs::create_dir_all(report.join("in the way")).unwrap();
    change_everything(&browser, 5).await;
    room.wait_until("it is said again", || log_lines(&room, "feedback.md") == 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_in_the_place_of_the_sessions_goes_and_leads_nowhere() {
    let room = Room::new();
    let elsewhere = room.path().join("elsewhere");
    std::fs::create_dir_all(&elsewhere).unwrap();
    std::fs::create_dir_all(ours(&room)).unwrap();
    symlink(&elsewhere, ours(&room).join("sessions")).unwrap();
    let browser = tab(&room).await;
    for number in 1..4 {
        change_everything(&browser, number).await;
        let words = format!("make it blue, {number}");
        room.wait_until("feedback.md says it", || says(&ours(&room).join("feedback.md"), &words));
    }
    wait_for_copies(&room, 3);
    assert!(std::fs::read_dir(&elsewhere).unwrap().next().is_none());
}

/// Swaps what stands at a name for a link and back, as fast as it can, until dropped.
struct Swapping {
    stop: std::sync::Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<u32>>,
}

impl Swapping {
    fn new(at: PathBuf, target: PathBuf) -> Self {
        let stop = std::sync::Arc::new(AtomicBool::new(false));
        let stopped = std::sync::Arc::clone(&stop);
        let thread = std::thread::spawn(move || {
            let name = at.file_name().unwrap().to_str().unwrap();
            let (aside, link) =
                (at.with_file_name(format!("aside {name}")), at.with_file_name(format!("link {name}")));
            let mut swaps = 0;
            while !stopped.load(Ordering::Relaxed) {
                if std::fs::rename(&at, &aside).is_err() {
                    continue;
                }
                symlink(&target, &link).unwrap();
                // Not over what the hub may have made meanwhile.
                if std::fs::symlink_metadata(&at).is_err() && std::fs::rename(&link, &at).is_ok() {
                    swaps += 1;
                }
                std::thread::sleep(Duration::from_micros(200));
                let is_link = |path: &Path| {
                    std::fs::symlink_metadata(path).is_ok_and(|there| there.file_type().is_symlink())
                };
                if is_link(&at) {
                    let _ = std::fs::remove_file(&at);
                }
                let _ = std::fs::remove_file(&link);
                if std::fs::rename(&aside, &at).is_err() {
                    let _ = std::fs::remove_dir_all(&aside).or_else(|_| std::fs::remove_file(&aside));
                }
                std::thread::sleep(Duration::from_micros(200));
            }
            swaps
        });
        Self { stop, thread: Some(thread) }
    }

    /// How often there was a link.
    fn finish(mut self) -> u32 {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.take().unwrap().join().unwrap()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_that_is_swapped_in_while_the_hub_writes_leads_nowhere() {
    for name in ["sessions", "screenshots", ".", "feedback.md", "sessions/s_1.json"] {
        let room = Room::new();
        let browser = tab(&room).await;
        change_everything(&browser, 0).await;
        wait_for_copies(&room, 0);
        let elsewhere = room.path().join("elsewhere");
        let is_file = name.contains("s_1") || name.contains(".md");
        if is_file {
            std::fs::write(&elsewhere, MINE).unwrap();
        } else {
            std::fs::create_dir(&elsewhere).unwrap();
        }
        let at = if name == "." { ours(&room) } else { ours(&room).join(name) };
        let swapping = Swapping::new(at, elsewhere.clone());
        for number in 1..60 {
            // A picture that cannot be put anywhere is refused or left out; here it matters where it goes alone.
            let _ = select(&browser, &format!("ctx_{number}")).await;
            let words = format!("make it blue, {number}");
            let _ = browser.request(creates("s_1", comment(&format!("c_{number}"), PAGE, &words))).await;
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        assert!(swapping.finish() > 10, "{name}: the test has not swapped anything");
        if is_file {
            assert_eq!(std::fs::read_to_string(&elsewhere).unwrap(), MINE, "{name}");
        } else {
            let there: Vec<_> = std::fs::read_dir(&elsewhere).unwrap().map(Result::unwrap).collect();
            assert!(there.is_empty(), "{name}: {there:?}");
        }
    }
}

/// What a kill in the middle of a write leaves: ours by its name, a file, and a while old.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_kill_left_half_written_is_swept_and_nothing_else() {
    let room = Room::new();
    room.home.ensure().unwrap();
    let mine = room.path().join("mine");
    std::fs::write(&mine, MINE).unwrap();
    let old = std::time::SystemTime::now() - Duration::from_secs(600);
    let places =
        [ours(&room), ours(&room).join("sessions"), ours(&room).join("screenshots"), room.home.dir().into()];
    for place in &places {
        std::fs::create_dir_all(place.join(".writing-folder")).unwrap();
        for name in [
            ".writing-Ab3xYz",
            ".writing-0123456789abcdef",
            ".writing-fresh1",
            ".writing-not ours",
            "kept.md",
        ] {
            std::fs::write(place.join(name), "half").unwrap();
            let file = std::fs::File::options().write(true).open(place.join(name)).unwrap();
            if name != ".writing-fresh1" {
                file.set_modified(old).unwrap();
            }
        }
        symlink(&mine, place.join(".writing-link12")).unwrap();
        std::fs::hard_link(place.join("kept.md"), place.join(".writing-hard12")).unwrap();
    }
    let browser = tab(&room).await;
    change_everything(&browser, 1).await;
    wait_for_copies(&room, 1);
    for place in &places {
        let has = |name: &str| place.join(name).symlink_metadata().is_ok();
        for name in [".writing-Ab3xYz", ".writing-0123456789abcdef"] {
            room.wait_until("it is swept", || !has(name));
        }
        for name in [".writing-fresh1", ".writing-not ours", "kept.md", ".writing-folder", ".writing-link12"]
        {
            assert!(has(name), "{} {name}", place.display());
        }
    }
    assert_eq!(std::fs::read_to_string(&mine).unwrap(), MINE);
}

/// What an agent is told of the pictures of the selection, and of a comment's.
async fn pictures(
    room: &Room,
    agent: &Client,
) -> (Option<String>, Option<String>, Result<String, ErrorBody>) {
    let told = room::conversation::context(agent, None).await;
    let of_comment = match agent.request(Request::GetScreenshot { comment_id: "c_1".parse().unwrap() }).await
    {
        Ok(Answer::Screenshot { path }) => Ok(path),
        Ok(other) => panic!("{other:?}"),
        Err(error) => Err(error),
    };
    for path in [&told.screenshot_path, &told.viewport_screenshot_path].into_iter().flatten() {
        assert!(Path::new(path).starts_with(ours(room)), "{path}");
    }
    (told.screenshot_path, told.viewport_screenshot_path, of_comment)
}

async fn make_pictures(browser: &Client) {
    let create = Request::CreateComment {
        session_id: id("s_1"),
        comment: Box::new(comment("c_1", PAGE, "make it blue")),
        screenshot: Some(PNG.into()),
    };
    browser.request(create).await.unwrap();
    select(browser, "ctx_1").await.unwrap();
}

const PICTURES: [&str; 3] = ["ctx_1.png", "ctx_1.viewport.png", "c_1.png"];

/// Somebody who can write into the project, by a pull or by hand, shows an agent a picture of theirs.
#[tokio::test(flavor = "multi_thread")]
async fn a_picture_that_is_not_the_one_that_was_taken_is_not_served() {
    let mut theirs = base64::Engine::decode(&base64::engine::general_purpose::STANDARD, PNG).unwrap();
    let last = theirs.last_mut().unwrap();
    // As long as the one that was taken, and a PNG to whoever looks at its first bytes alone.
    *last ^= 1;
    for restart in [false, true] {
        let room = Room::new();
        let (browser, agent) = (tab(&room).await, room.agent("a").await);
        make_pictures(&browser).await;
        let told = pictures(&room, &agent).await;
        assert!(told.0.is_some() && told.1.is_some() && told.2.is_ok(), "{told:?}");
        let folder = ours(&room).join("screenshots");
        let taken: Vec<_> = PICTURES.iter().map(|name| std::fs::read(folder.join(name)).unwrap()).collect();
        for by_hand in [false, true] {
            for name in PICTURES {
                if !by_hand {
                    std::fs::remove_file(folder.join(name)).unwrap();
                }
                std::fs::write(folder.join(name), &theirs).unwrap();
            }
            if restart {
                room::end(room.pid().unwrap());
                open_tab(&browser, "s_1", PAGE, &room.project).await;
            }
            let told = pictures(&room, &agent).await;
            assert!(told.0.is_none() && told.1.is_none(), "{told:?}");
            let refused = told.2.unwrap_err();
            assert!(refused.message.contains("not the one that was taken"), "{refused}");
            assert!(refused.next_step.contains("snapshot"), "{refused}");
        }
        // Each obstacle, and a file that is larger than any picture of ours.
        let mine = room.path().join("mine");
        std::fs::write(&mine, &taken[0]).unwrap();
        for obstacle in OBSTACLES.into_iter().filter(|obstacle| !matches!(obstacle, Obstacle::HardLink)) {
            PICTURES.iter().for_each(|name| obstacle.put(&folder.join(name), &mine));
            let told = pictures(&room, &agent).await;
            assert!(told.0.is_none() && told.1.is_none() && told.2.is_err(), "{obstacle:?} {told:?}");
        }
        for name in PICTURES {
            std::fs::remove_file(folder.join(name)).unwrap();
            std::fs::File::create(folder.join(name)).unwrap().set_len(1 << 40).unwrap();
        }
        let told = pictures(&room, &agent).await;
        assert!(told.0.is_none() && told.1.is_none() && told.2.is_err(), "{told:?}");
        // The right ones, put back.
        for (name, content) in PICTURES.iter().zip(&taken) {
            std::fs::remove_file(folder.join(name)).unwrap();
            std::fs::write(folder.join(name), content).unwrap();
        }
        let told = pictures(&room, &agent).await;
        assert!(told.0.is_some() && told.1.is_some() && told.2.is_ok(), "{told:?}");
    }
}

/// Names of pictures come from ids alone; those of an import or of a stranger's file are no pictures of ours.
#[tokio::test(flavor = "multi_thread")]
async fn a_picture_for_a_comment_that_has_none_is_not_served() {
    let room = Room::new();
    let (browser, agent) = (tab(&room).await, room.agent("a").await);
    browser.request(creates("s_1", comment("c_1", PAGE, "make it blue"))).await.unwrap();
    let folder = ours(&room).join("screenshots");
    std::fs::create_dir_all(&folder).unwrap();
    let png = base64::Engine::decode(&base64::engine::general_purpose::STANDARD, PNG).unwrap();
    std::fs::write(folder.join("c_1.png"), png).unwrap();
    let ask = Request::GetScreenshot { comment_id: "c_1".parse().unwrap() };
    let refused = agent.request(ask).await.unwrap_err();
    assert!(refused.message.contains("has no screenshot"), "{refused}");
}

/// Role, words, selection and session of each message, as anybody with SQLite reads them.
fn history(room: &Room) -> Vec<(String, String, Option<String>, String)> {
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY | rusqlite::OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let database = rusqlite::Connection::open_with_flags(ours(room).join("history.db"), flags).unwrap();
    let verdict: String = database.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(verdict, "ok");
    let sql = "SELECT role, content, contextId, sessionId FROM messages WHERE timestamp > 0 ORDER BY sessionId, number";
    let mut statement = database.prepare(sql).unwrap();
    let rows =
        statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))).unwrap();
    rows.map(Result::unwrap).collect()
}

fn is_there(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|there| there.is_file())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_latest_conversations_are_a_database_for_others_once_things_are_quiet() {
    let room = Room::new();
    let (browser, agent) = (tab(&room).await, room.agent("codex").await);
    select(&browser, "ctx_1").await.unwrap();
    say(&browser, "s_1", "ctx_1", "Make it bigger").await.unwrap();
    agent.request(room::conversation::responds("s_1", "ctx_1", "It is bigger", true)).await.unwrap();
    let file = ours(&room).join("history.db");
    room.wait_until("the history is there", || is_there(&file) && history(&room).len() == 2);
    let said = |role: &str, content: &str| {
        (role.to_owned(), content.to_owned(), Some("ctx_1".to_owned()), "s_1".to_owned())
    };
    assert_eq!(history(&room), [said("user", "Make it bigger"), said("assistant", "It is bigger")]);
    let database = rusqlite::Connection::open(&file).unwrap();
    let sql = "SELECT sessionId, pageUrl, pageTitle, lastActive > 0 FROM sessions";
    let session: (String, String, String, bool) =
        database.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))).unwrap();
    assert_eq!(session, ("s_1".into(), PAGE.into(), "Cart".into(), true));
    drop(database);
    assert!(!file.with_extension("db-wal").exists() && !file.with_extension("db-journal").exists());
    use std::os::unix::fs::PermissionsExt as _;
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_history_hides_nothing_and_commands_no_terminal() {
    let room = Room::new();
    let (browser, agent) = (tab(&room).await, room.agent("co\u{1b}[31mdex").await);
    select(&browser, "ctx_1").await.unwrap();
    say(&browser, "s_1", "ctx_1", "Make it \u{202e}bigger").await.unwrap();
    agent.request(room::conversation::responds("s_1", "ctx_1", "It\u{200b} is", true)).await.unwrap();
    let file = ours(&room).join("history.db");
    room.wait_until("the history is there", || is_there(&file) && history(&room).len() == 2);
    let said: Vec<String> = history(&room).into_iter().map(|(_, content, ..)| content).collect();
    assert_eq!(said, ["Make it ⟨U+202E⟩bigger", "It⟨U+200B⟩ is"]);
    let bytes = std::fs::read(&file).unwrap();
    assert!(!bytes.windows(4).any(|part| part == b"\x1b[31"), "an agent's name commands a terminal");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_history_is_written_when_the_hub_leaves_and_never_read() {
    let room = Room::new();
    let mut hub = room.hub();
    std::fs::create_dir_all(ours(&room)).unwrap();
    let file = ours(&room).join("history.db");
    // A stranger's, with a journal that SQLite would roll back; and what it would delete then.
    let planted = rusqlite::Connection::open(&file).unwrap();
    planted
        .execute_batch(
            "CREATE TABLE messages (role, content); INSERT INTO messages VALUES ('user', 'planted')",
        )
        .unwrap();
    drop(planted);
    let journal = ours(&room).join("history.db-journal");
    std::fs::write(&journal, b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7 a journal of a stranger").unwrap();
    let browser = tab(&room).await;
    select(&browser, "ctx_1").await.unwrap();
    say(&browser, "s_1", "ctx_1", "Make it bigger").await.unwrap();
    assert!(
        std::process::Command::new("kill").args(["-TERM", &hub.id().to_string()]).status().unwrap().success()
    );
    assert!(hub.wait().unwrap().success());
    assert!(!journal.exists(), "whoever opens the history would roll it back");
    assert_eq!(history(&room).iter().map(|one| one.1.as_str()).collect::<Vec<_>>(), ["Make it bigger"]);
}

/// 60 sessions, one of them with 250 messages and another with more words than the file may have.
#[tokio::test(flavor = "multi_thread")]
async fn the_history_is_bounded_and_has_what_was_said_last() {
    let room = Room::new();
    let browser = tab(&room).await;
    select(&browser, "ctx_1").await.unwrap();
    for number in 0..12 {
        let words = format!("{number:02} {}", "x".repeat(1024 * 1024 - 10));
        say(&browser, "s_1", "ctx_1", &words).await.unwrap();
    }
    for session in 0..60 {
        let name = format!("s_more{session:02}");
        open_tab(&browser, &name, PAGE, &room.project).await;
        for number in 0..if session == 30 { 250 } else { 1 } {
            let request = Request::UserMessage { context_id: None, message: format!("{session}.{number}") };
            browser.request_in(&id(&name), request).await.unwrap();
        }
    }
    // Said last, so that it is told first.
    say(&browser, "s_1", "ctx_1", "the last").await.unwrap();
    let file = ours(&room).join("history.db");
    room.wait_until("the history has what was said last", || {
        is_there(&file) && history(&room).iter().any(|one| one.1 == "the last")
    });
    assert!(std::fs::metadata(&file).unwrap().len() <= 8 * 1024 * 1024);
    let all = history(&room);
    let of = |session: &str| all.iter().filter(|one| one.3 == session).count();
    assert_eq!((of("s_1"), of("s_more30"), of("s_more59")), (1, 200, 1));
    let sessions: std::collections::BTreeSet<_> = all.iter().map(|one| &one.3).collect();
    assert_eq!((sessions.len(), of("s_more10")), (50, 0), "the fifty in which something was said last");
    let last = all.iter().rfind(|one| one.3 == "s_more30").unwrap();
    assert_eq!(last.1, "30.249");
}
