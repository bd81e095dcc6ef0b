//! `history.db`, the copy of the latest conversations in a project: what it says, and what it never says.
#![cfg(unix)]

use crate::room;
use std::path::Path;

use crate::room::conversation::{PAGE, id, say, select_as, tab};
use crate::room::read_only::ReadOnly;
use crate::room::{Room, open_tab};
use opentoolbar::hub::client::Client;
use opentoolbar_core::protocol::Request;

/// Role, words, selection and session of each message, as anybody with SQLite reads them.
fn history(room: &Room) -> Vec<(String, String, Option<String>, String)> {
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY | rusqlite::OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let database = rusqlite::Connection::open_with_flags(room.ours().join("history.db"), flags).unwrap();
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
    select_as(&browser, ("s_1", "ctx_1"), "BUTTON", None).await.unwrap();
    say(&browser, "s_1", "ctx_1", "Make it bigger").await.unwrap();
    agent.request(room::conversation::responds("s_1", "ctx_1", "It is bigger", true)).await.unwrap();
    let file = room.ours().join("history.db");
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
    select_as(&browser, ("s_1", "ctx_1"), "BUTTON", None).await.unwrap();
    say(&browser, "s_1", "ctx_1", "Make it \u{202e}bigger").await.unwrap();
    agent.request(room::conversation::responds("s_1", "ctx_1", "It\u{200b} is", true)).await.unwrap();
    let file = room.ours().join("history.db");
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
    std::fs::create_dir_all(room.ours()).unwrap();
    let file = room.ours().join("history.db");
    // A stranger's, with a journal that SQLite would roll back; and what it would delete then.
    let planted = rusqlite::Connection::open(&file).unwrap();
    planted
        .execute_batch(
            "CREATE TABLE messages (role, content); INSERT INTO messages VALUES ('user', 'planted')",
        )
        .unwrap();
    drop(planted);
    let journal = room.ours().join("history.db-journal");
    std::fs::write(&journal, b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7 a journal of a stranger").unwrap();
    let browser = tab(&room).await;
    select_as(&browser, ("s_1", "ctx_1"), "BUTTON", None).await.unwrap();
    say(&browser, "s_1", "ctx_1", "Make it bigger").await.unwrap();
    assert!(
        std::process::Command::new("kill").args(["-TERM", &hub.id().to_string()]).status().unwrap().success()
    );
    assert!(hub.wait().unwrap().success());
    assert!(!journal.exists(), "whoever opens the history would roll it back");
    assert_eq!(history(&room).iter().map(|one| one.1.as_str()).collect::<Vec<_>>(), ["Make it bigger"]);
}

/// 60 sessions, one of them with 250 messages and another with more words than the file may have: those are cut.
#[tokio::test(flavor = "multi_thread")]
async fn the_history_is_bounded_and_has_what_was_said_last() {
    let room = Room::new();
    let browser = tab(&room).await;
    select_as(&browser, ("s_1", "ctx_1"), "BUTTON", None).await.unwrap();
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
    let file = room.ours().join("history.db");
    room.wait_until("the history has what was said last", || {
        is_there(&file) && history(&room).iter().any(|one| one.1 == "the last")
    });
    assert!(std::fs::metadata(&file).unwrap().len() <= 8 * 1024 * 1024);
    let all = history(&room);
    let of = |session: &str| all.iter().filter(|one| one.3 == session).count();
    // Of the twelve long ones the last 8 MiB are read.
    assert_eq!((of("s_1"), of("s_more30"), of("s_more59")), (9, 200, 1));
    let sessions: std::collections::BTreeSet<_> = all.iter().map(|one| &one.3).collect();
    assert_eq!((sessions.len(), of("s_more10")), (50, 0), "the fifty in which something was said last");
    let last = all.iter().rfind(|one| one.3 == "s_more30").unwrap();
    assert_eq!(last.1, "30.249");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_message_is_cut_in_the_history_and_says_so_and_the_others_stay() {
    let room = Room::new();
    let browser = tab(&room).await;
    select_as(&browser, ("s_1", "ctx_1"), "BUTTON", None).await.unwrap();
    // Written out, it is four times as long as a session has room.
    let long = format!("The long one {}", "\u{202e}".repeat(340 * 1024));
    for words in ["The first", &long, "The newest"] {
        say(&browser, "s_1", "ctx_1", words).await.unwrap();
    }
    let file = room.ours().join("history.db");
    room.wait_until("the history has the newest", || {
        is_there(&file) && history(&room).iter().any(|one| one.1 == "The newest")
    });
    let said: Vec<String> = history(&room).into_iter().map(|(_, content, ..)| content).collect();
    assert_eq!(said.len(), 3);
    assert_eq!((said[0].as_str(), said[2].as_str()), ("The first", "The newest"));
    assert!(said[1].starts_with("The long one ⟨U+202E⟩") && said[1].ends_with("… (cut)"));
    assert!(
        (1_000_000..=1024 * 1024).contains(&said[1].len()),
        "as much as there is room: {}",
        said[1].len()
    );
}

/// What somebody finds who opens the file at any moment: how many messages.
fn looked_at(file: &Path) -> rusqlite::Result<u32> {
    let database = rusqlite::Connection::open_with_flags(file, rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let verdict: String = database.query_row("PRAGMA integrity_check", [], |row| row.get(0))?;
    assert_eq!(verdict, "ok");
    database.query_row("SELECT count(*) FROM messages", [], |row| row.get(0))
}

/// Opens it again and again until it has so many messages. Returns in how many states the file was seen.
fn look_until(file: &Path, count: u32) -> usize {
    use std::os::unix::fs::MetadataExt as _;
    let (mut stamps, mut most) = (std::collections::BTreeSet::new(), 0);
    let began = std::time::Instant::now();
    while most < count {
        assert!(began.elapsed() < std::time::Duration::from_secs(120), "it has {most} of {count}");
        let found = std::fs::metadata(file).unwrap();
        stamps.insert((found.ino(), found.mtime(), found.mtime_nsec(), found.len()));
        let now = looked_at(file).unwrap();
        assert!(now >= most, "{now} messages after {most}");
        most = now;
    }
    stamps.len()
}

#[tokio::test(flavor = "multi_thread")]
async fn who_opens_the_history_while_an_agent_writes_finds_it_whole_and_it_is_seldom_written() {
    let room = Room::new();
    let (_hub, _browser) = said(&room).await;
    let agent = room.agent("codex").await;
    let mut count = 1;
    for round in 0..3 {
        let began = std::time::Instant::now();
        let file = room.ours().join("history.db");
        count += 20;
        let reader = std::thread::spawn(move || look_until(&file, count));
        for number in 0..20 {
            let words = format!("{round}.{number} {}", "word ".repeat(1_000));
            agent.request(room::conversation::responds("s_1", "ctx_1", &words, true)).await.unwrap();
        }
        let states = tokio::task::spawn_blocking(|| reader.join().unwrap()).await.unwrap();
        // After two seconds without a word each, and the one from before.
        let most = began.elapsed().as_secs() / 2 + 1;
        assert!(states as u64 <= most.max(2), "{states} times in {:?}", began.elapsed());
    }
}

/// Sessions that say more than the file has room for, as they come in months.
fn fill(room: &Room, bytes_of_id: usize, bytes_of_message: usize) {
    let mut database = rusqlite::Connection::open(room.database()).unwrap();
    database.busy_timeout(std::time::Duration::from_secs(30)).unwrap();
    let written = database.transaction().unwrap();
    for number in 0..49 * 200_u32 {
        // In no order, as identifiers are.
        let unlike = format!("{:08x}", number.wrapping_mul(2_654_435_761));
        let name = |kind: &str, tail: &str| format!("{kind}_{tail:0<bytes_of_id$}");
        let session = name("s", &format!("{:02}", number / 200));
        let row =
            (name("m", &unlike), session, name("ctx", &unlike), "w".repeat(bytes_of_message), 100 + number);
        let sql = "INSERT INTO messages (id, session_id, context_id, role, content, is_complete, is_read, parts, position, \
                   created_at) VALUES (?1, ?2, ?3, 0, ?4, 1, 1, 1, ?5, 1795527085047)";
        written.execute(sql, row).unwrap();
    }
    written.commit().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_taken_back_leaves_a_history_that_has_no_room_for_all() {
    // Words, identifiers with their indexes, and pages that are half empty.
    for (bytes_of_id, bytes_of_message) in [(32, 600), (64, 60), (64, 560), (32, 2_100)] {
        let room = Room::new();
        let (_hub, browser) = said(&room).await;
        fill(&room, bytes_of_id, bytes_of_message);
        select_as(&browser, ("s_1", "ctx_2"), "BUTTON", None).await.unwrap();
        say(&browser, "s_1", "ctx_2", "And round").await.unwrap();
        browser.request_in(&id("s_1"), Request::StopWaiting).await.unwrap();
        room.wait_until("it has left the history", || !has(&room, "Make it bigger"));
        assert!(!has(&room, "And round"));
        let bytes = std::fs::metadata(room.ours().join("history.db")).unwrap().len();
        assert!(bytes <= 8 * 1024 * 1024, "{bytes}");
        let all = history(&room);
        let count = |session: &str| all.iter().filter(|one| one.3.starts_with(session)).count();
        assert_eq!(count("s_48"), 200, "the latest stays whole");
        eprintln!("{bytes_of_id} {bytes_of_message}: {} messages in {bytes} bytes", all.len());
        assert!(bytes > 5 * 1024 * 1024 || all.len() == 49 * 200, "no more goes than must: {bytes}");
    }
}

/// Whether the file says this, also where SQLite would not show it any more.
fn has(room: &Room, words: &str) -> bool {
    let bytes = std::fs::read(room.ours().join("history.db")).unwrap();
    bytes.windows(words.len()).any(|part| part == words.as_bytes())
}

/// A conversation of which the history says `Make it bigger`, and its hub.
async fn said(room: &Room) -> (std::process::Child, Client) {
    let hub = room.hub();
    let browser = tab(room).await;
    select_as(&browser, ("s_1", "ctx_1"), "BUTTON", None).await.unwrap();
    say(&browser, "s_1", "ctx_1", "Make it bigger").await.unwrap();
    let file = room.ours().join("history.db");
    room.wait_until("the history is there", || is_there(&file) && history(room).len() == 1);
    (hub, browser)
}

/// How the database is made unreadable while the hub has it open.
#[derive(Clone, Copy, Debug)]
enum Harm {
    /// SQLite refuses every question about messages.
    Table,
    /// It says which sessions there are, and nothing of what was said in them.
    Column,
    /// What is in the file is overwritten.
    Damage,
}

impl Harm {
    fn is_done(self, room: &Room) {
        let path = room.database();
        let change = |sql: &str| {
            let database = rusqlite::Connection::open(&path).unwrap();
            database.busy_timeout(std::time::Duration::from_secs(30)).unwrap();
            database.execute_batch(sql).unwrap();
        };
        match self {
            Self::Table => change("ALTER TABLE messages RENAME TO aside"),
            Self::Column => change("ALTER TABLE messages RENAME COLUMN content TO aside"),
            Self::Damage => {
                for file in [path.clone(), path.with_extension("db-wal")] {
                    let bytes = usize::try_from(std::fs::metadata(&file).unwrap().len()).unwrap();
                    let file = std::fs::File::options().write(true).open(file).unwrap();
                    let junk = vec![0x55; bytes.saturating_sub(32)];
                    std::os::unix::fs::FileExt::write_all_at(&file, &junk, 32).unwrap();
                }
            }
        }
    }
}

/// The hub writes what is to be written, and ends.
fn end(mut hub: std::process::Child) {
    let pid = hub.id().to_string();
    assert!(std::process::Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
    hub.wait().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_history_stays_as_it_is_while_the_database_cannot_be_read() {
    for harm in [Harm::Table, Harm::Column, Harm::Damage] {
        let room = Room::new();
        let (hub, browser) = said(&room).await;
        // Has it written again.
        select_as(&browser, ("s_1", "ctx_2"), "BUTTON", None).await.unwrap();
        harm.is_done(&room);
        end(hub);
        assert_eq!(history(&room).len(), 1, "{harm:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_taken_back_does_not_stay_in_the_history_when_the_database_cannot_be_read() {
    for harm in [Harm::Table, Harm::Column, Harm::Damage] {
        let room = Room::new();
        let (hub, browser) = said(&room).await;
        browser.request_in(&id("s_1"), Request::StopWaiting).await.unwrap();
        harm.is_done(&room);
        end(hub);
        assert!(!has(&room, "Make it bigger"), "{harm:?}");
        assert_eq!(history(&room), [], "{harm:?}: it is a whole database");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_taken_back_leaves_the_history_also_after_a_write_that_failed() {
    let room = Room::new();
    let (_hub, browser) = said(&room).await;
    let read_only = ReadOnly::new(&room.ours());
    let is_told = || {
        let status = room.program().args(["status", "--json"]).output().unwrap();
        String::from_utf8(status.stdout).unwrap().contains("history.db")
    };
    say(&browser, "s_1", "ctx_1", "And round").await.unwrap();
    room.wait_until("it is told that the history cannot be written", is_told);
    // Nothing is left to be said; and that cannot be written either.
    browser.request_in(&id("s_1"), Request::StopWaiting).await.unwrap();
    std::thread::sleep(std::time::Duration::from_secs(4));
    assert!(has(&room, "Make it bigger"), "nothing can be written there");
    drop(read_only);
    let began = std::time::Instant::now();
    // Any request for the project has it tried again.
    while has(&room, "Make it bigger") {
        assert!(began.elapsed() < std::time::Duration::from_secs(60), "it stays");
        let list = Request::ListComments { session_id: id("s_1") };
        browser.request(list).await.unwrap();
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    }
    assert_eq!(history(&room), []);
}
