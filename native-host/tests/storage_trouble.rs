//! Projects that cannot be written, are gone, or were written by somebody else: a clear `storage` error, nothing
//! half-written, and a hub that lives on.
#![cfg(target_os = "linux")]

use crate::room;
use std::path::Path;
use std::process::Command;

use crate::room::read_only::{ReadOnly, mount, umount};
use crate::room::{Room, changes, comment, creates, feedback, open_tab, the_comment};
use opentoolbar::hub::client::Client;
use opentoolbar_core::model::CommentChange;
use opentoolbar_core::protocol::{ErrorBody, ErrorCode, FeedbackQuery, Request};

const PAGE: &str = "http://shop.test/";

/// On a page of its own origin, which comments here are of.
async fn tab(room: &Room) -> Client {
    let browser = room.browser().await;
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    browser
}

async fn create(browser: &Client, id: &str) -> Result<(), ErrorBody> {
    browser.request(creates("s_1", comment(id, PAGE, "make it blue"))).await.map(drop)
}

fn is_storage(error: &ErrorBody, says: &str) {
    assert_eq!(error.code, ErrorCode::Storage, "{error}");
    assert!(error.message.contains(says), "{error}");
    assert!(!error.next_step.is_empty());
}

/// A database that is damaged or half-written does not pass this.
fn check_integrity(room: &Room) {
    let database = rusqlite::Connection::open(room.database()).unwrap();
    let verdict: String = database.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(verdict, "ok");
}

#[tokio::test]
async fn a_database_from_the_future_is_refused_and_left_alone() {
    let room = Room::new();
    let path = room.make_data().join("opentoolbar.db");
    rusqlite::Connection::open(&path).unwrap().pragma_update(None, "user_version", 99).unwrap();
    let version = || -> u32 {
        let database = rusqlite::Connection::open(&path).unwrap();
        database.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap()
    };
    let browser = tab(&room).await;
    let error = create(&browser, "c_1").await.unwrap_err();
    is_storage(&error, "made by a newer opentoolbar (version 99");
    assert!(error.next_step.contains("Update opentoolbar"), "{error}");
    let agent = room.agent("a").await;
    let error = agent.request(Request::GetFeedback(FeedbackQuery::default())).await.unwrap_err();
    is_storage(&error, "newer");
    assert_eq!(version(), 99);
}

#[tokio::test]
async fn a_database_that_is_none_is_said_to_be_damaged() {
    let room = Room::new();
    let path = room.make_data().join("opentoolbar.db");
    let junk = b"this is no database, and longer than the head of one would be".repeat(20);
    std::fs::write(&path, &junk).unwrap();
    let browser = tab(&room).await;
    is_storage(&create(&browser, "c_1").await.unwrap_err(), "damaged");
    assert_eq!(std::fs::read(&path).unwrap(), junk, "what may be saved must not be overwritten");
}

#[tokio::test]
async fn a_home_that_cannot_be_written_says_so_and_leaves_nothing() {
    let room = Room::new();
    let browser = tab(&room).await;
    std::fs::create_dir(room.home.projects()).unwrap();
    let read_only = ReadOnly::new(&room.home.projects());
    is_storage(&create(&browser, "c_1").await.unwrap_err(), "cannot be used");
    assert!(is_empty(&room.home.projects()));
    drop(read_only);
    create(&browser, "c_1").await.unwrap();
}

fn is_empty(directory: &Path) -> bool {
    std::fs::read_dir(directory).unwrap().next().is_none()
}

/// What stands in a project is a copy: comments need none of it.
#[tokio::test]
async fn comments_of_a_read_only_project_are_stored_and_nothing_is_put_into_it() {
    let room = Room::new();
    let (browser, agent) = (tab(&room).await, room.agent("a").await);
    let read_only = ReadOnly::new(&room.project);
    create(&browser, "c_1").await.unwrap();
    assert_eq!(feedback(&agent, FeedbackQuery::default()).await.ids, ["c_1"]);
    assert!(!room.ours().exists());
    drop(read_only);
    create(&browser, "c_2").await.unwrap();
    room.wait_until("the copies are there", || room.ours().join("feedback.md").exists());
}

#[tokio::test]
async fn a_home_that_became_read_only_can_still_be_read() {
    let room = Room::new();
    {
        let mut hub = room.hub();
        let browser = tab(&room).await;
        create(&browser, "c_1").await.unwrap();
        let _ = rustix::process::kill_process(
            rustix::process::Pid::from_child(&hub),
            rustix::process::Signal::TERM,
        );
        hub.wait().unwrap();
    }
    let read_only = ReadOnly::new(&room.data());
    let (browser, agent) = (tab(&room).await, room.agent("a").await);
    assert_eq!(feedback(&agent, FeedbackQuery::default()).await.ids, ["c_1"]);
    let error = browser.request(changes("c_1", CommentChange::Delete)).await.unwrap_err();
    is_storage(&error, "cannot be written");
    is_storage(&create(&browser, "c_2").await.unwrap_err(), "cannot be written");
    assert_eq!(feedback(&agent, FeedbackQuery::default()).await.ids, ["c_1"]);
    drop(read_only);
    create(&browser, "c_2").await.unwrap();
    assert_eq!(feedback(&agent, FeedbackQuery::default()).await.ids, ["c_1", "c_2"]);
    check_integrity(&room);
}

/// A killed hub leaves its last writes in the write-ahead log; they were acknowledged, so they must be seen.
#[tokio::test]
async fn what_a_killed_hub_left_in_its_log_is_read_on_read_only_storage_too() {
    let room = Room::new();
    {
        let mut hub = room.hub();
        let browser = tab(&room).await;
        create(&browser, "c_1").await.unwrap();
        room::end(hub.id());
        hub.wait().unwrap();
    }
    assert!(std::fs::metadata(room.data().join("opentoolbar.db-wal")).unwrap().len() > 0);
    let read_only = ReadOnly::new(&room.project);
    let agent = room.agent("a").await;
    assert_eq!(feedback(&agent, FeedbackQuery::default()).await.ids, ["c_1"]);
    drop(read_only);
    create(&tab(&room).await, "c_2").await.unwrap();
    assert_eq!(feedback(&agent, FeedbackQuery::default()).await.ids, ["c_1", "c_2"]);
    check_integrity(&room);
}

/// However it came into the database that is open.
#[tokio::test]
async fn a_trigger_in_a_database_does_not_run() {
    let room = Room::new();
    let browser = tab(&room).await;
    create(&browser, "c_1").await.unwrap();
    room::end(room.pid().unwrap());
    let database = rusqlite::Connection::open(room.database()).unwrap();
    database
        .execute_batch("CREATE TRIGGER evil AFTER INSERT ON comments BEGIN DELETE FROM comments; END")
        .unwrap();
    drop(database);
    create(&browser, "c_2").await.unwrap();
    let agent = room.agent("a").await;
    assert_eq!(feedback(&agent, FeedbackQuery::default()).await.ids, ["c_1", "c_2"]);
}

/// File systems of a few hundred KB, as root; else a limit on the size of files that the hub may write.
#[tokio::test]
async fn a_full_disk_says_so_and_keeps_every_acknowledged_comment() {
    let room = Room::new();
    let root = rustix::process::geteuid().is_root();
    room.home.ensure().unwrap();
    std::fs::create_dir(room.home.projects()).unwrap();
    if root {
        for disk in [&room.home.projects(), &room.project] {
            let size = ["-t", "tmpfs", "-o", "size=400k", "tmpfs"].map(AsRef::as_ref);
            mount(&[&size[..], &[disk.as_os_str()]].concat());
        }
    }
    let room = Mounted { room, root };
    let room = &room.room;
    // Comments of the limit's size, so that a few fill it.
    let mut hub = Command::new("sh");
    hub.env("OPENTOOLBAR_HOME", room.home.dir())
        .args([
            "-c",
            if root { "exec \"$0\" hub" } else { "ulimit -S -f 400; trap '' XFSZ; exec \"$0\" hub" },
        ])
        .arg(room::PROGRAM);
    room.home.ensure().unwrap();
    let mut hub = hub.spawn().unwrap();
    room.wait_until("the hub is up", || room.pid().is_some());
    let browser = tab(room).await;
    let selected = room::conversation::select(&browser, "s_1", "BUTTON").await;
    let long = "make it blue ".repeat(1000);
    let mut stored = Vec::new();
    let error = loop {
        let id = format!("c_{:03}", stored.len());
        match browser.request(creates("s_1", comment(&id, PAGE, &long))).await {
            Ok(_) => stored.push(id),
            Err(error) => break error,
        }
        assert!(stored.len() < 100, "the disk never filled");
    };
    assert_eq!(error.code, ErrorCode::Storage, "{error}");
    assert!(error.message.contains("full") || error.message.contains("failed"), "{error}");
    assert!(error.next_step.contains("Free some space"), "{error}");
    assert!(!stored.is_empty());
    // Nothing is said to be stored that is not, of a conversation either.
    let words = "make it blue ".repeat(10_000);
    let error = room::conversation::say(&browser, "s_1", &selected, &words).await.unwrap_err();
    assert!(error.code == ErrorCode::Storage && error.next_step.contains("Free some space"), "{error}");
    let (said, _) = room::conversation::messages(&browser, "s_1", None).await;
    assert!(said.is_empty(), "{said:?}");
    // A screenshot that does not fit leaves no part of itself and no comment.
    let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x01\0\0\0\x01".to_vec();
    png.resize(1_000_000, 0);
    let request = Request::CreateComment {
        session_id: "s_1".parse().unwrap(),
        comment: Box::new(comment("c_picture", PAGE, "x")),
        screenshot: Some(base64::Engine::encode(&base64::engine::general_purpose::STANDARD, png)),
    };
    is_storage(&browser.request(request).await.unwrap_err(), "");
    let pictures = std::fs::read_dir(room.ours().join("screenshots")).unwrap();
    let mut names: Vec<_> = pictures.map(|one| one.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, [format!("{selected}.png"), "s_1_ctx.png".into()]);
    let agent = room.agent("a").await;
    assert_eq!(
        feedback(&agent, FeedbackQuery { limit: Some(200), ..FeedbackQuery::default() }).await.ids,
        stored
    );
    check_integrity(room);
    // There is room again: what was refused is sent again and stored.
    if root {
        for disk in [&room.home.projects(), &room.project] {
            mount(&["-o".as_ref(), "remount,size=16m".as_ref(), disk.as_os_str()]);
        }
    } else {
        let endless = rustix::process::Rlimit { current: None, maximum: None };
        let pid = rustix::process::Pid::from_child(&hub);
        rustix::process::prlimit(Some(pid), rustix::process::Resource::Fsize, endless).unwrap();
    }
    let refused = format!("c_{:03}", stored.len());
    browser.request(creates("s_1", comment(&refused, PAGE, &long))).await.unwrap();
    room::conversation::say(&browser, "s_1", &selected, &words).await.unwrap();
    let (said, _) = room::conversation::messages(&browser, "s_1", None).await;
    assert_eq!(said.iter().map(|one| one.content.as_str()).collect::<Vec<_>>(), [words]);
    stored.push(refused);
    let all = FeedbackQuery { limit: Some(200), ..FeedbackQuery::default() };
    assert_eq!(feedback(&agent, all).await.ids, stored);
    room::end(room.pid().unwrap());
    hub.wait().unwrap();
}

struct Mounted {
    room: Room,
    root: bool,
}

impl Drop for Mounted {
    fn drop(&mut self) {
        if self.root {
            umount(&self.room.home.projects());
            umount(&self.room.project);
        }
    }
}

#[tokio::test]
async fn a_deleted_project_says_so_and_works_again_when_it_is_back() {
    let room = Room::new();
    let (browser, agent) = (tab(&room).await, room.agent("a").await);
    create(&browser, "c_1").await.unwrap();
    std::fs::remove_dir_all(&room.project).unwrap();
    is_storage(&create(&browser, "c_2").await.unwrap_err(), "does not exist any more");
    let gone = browser.request(changes("c_1", CommentChange::Delete)).await.unwrap_err();
    assert!(matches!(gone.code, ErrorCode::Storage), "{gone}");
    let error = agent.request(Request::GetFeedback(FeedbackQuery::default())).await.unwrap_err();
    is_storage(&error, "does not exist any more");
    assert!(!room.project.exists(), "a deleted project must not come back by itself");
    std::fs::create_dir(&room.project).unwrap();
    create(&browser, "c_3").await.unwrap();
    // What was said of it was never in it.
    assert_eq!(feedback(&agent, FeedbackQuery::default()).await.ids, ["c_1", "c_3"]);
}

#[tokio::test]
async fn a_deleted_database_is_made_anew_and_not_written_into_through_the_old_handle() {
    let room = Room::new();
    let (browser, agent) = (tab(&room).await, room.agent("a").await);
    create(&browser, "c_1").await.unwrap();
    std::fs::remove_dir_all(room.data()).unwrap();
    create(&browser, "c_2").await.unwrap();
    assert_eq!(feedback(&agent, FeedbackQuery::default()).await.ids, ["c_2"]);
    check_integrity(&room);
}

/// An agent's change whose write the disk refused, which turned out to be stored all the same.
#[tokio::test]
async fn what_turns_out_stored_is_announced_once() {
    let room = Room::new();
    let (browser, agent) = (tab(&room).await, room.agent("a").await);
    create(&browser, "c_1").await.unwrap();
    let mut events = browser.events();
    let log = room.database().with_extension("db-wal");
    let aside = log.with_extension("aside");
    std::fs::rename(&log, &aside).unwrap();
    std::os::unix::fs::symlink("/dev/full", &log).unwrap();
    let id: opentoolbar_core::model::MessageId = "m_resolve".parse().unwrap();
    let resolve = || changes("c_1", CommentChange::Resolve { summary: None });
    is_storage(&agent.request_as(id.clone(), resolve()).await.unwrap_err(), "");
    std::fs::rename(&aside, &log).unwrap();
    // The agent sends it again: it was applied before, so that it changes nothing.
    agent.request_as(id, resolve()).await.unwrap();
    create(&browser, "c_2").await.unwrap();
    let mut announced = Vec::new();
    while announced.last().is_none_or(|(id, _)| id != "c_2") {
        let event = tokio::time::timeout(std::time::Duration::from_secs(30), events.recv()).await;
        if let opentoolbar_core::protocol::Event::CommentChanged { comment } = event.unwrap().unwrap().event {
            announced.push((comment.id.to_string(), comment.status));
        }
    }
    use opentoolbar_core::model::Status::{Active, Resolved};
    assert_eq!(announced, [("c_1".to_owned(), Resolved), ("c_2".to_owned(), Active)]);
}

/// Ends the hub in the middle of its work again and again. Whatever it acknowledged is there, once, and whole.
#[tokio::test]
async fn a_hub_killed_while_it_writes_loses_nothing_it_acknowledged() {
    let room = Room::new();
    let mut acknowledged = Vec::new();
    for round in 0u64..12 {
        let mut hub = room.hub();
        let browser = room
            .connector()
            .never_start()
            .connect(room::hello(opentoolbar_core::protocol::Role::Browser, "b", None))
            .await
            .unwrap();
        open_tab(&browser, "s_1", PAGE, &room.project).await;
        // The first one makes the file; from here on there is something to damage.
        let mut first = comment(&format!("c_{round:02}_first"), PAGE, "x");
        first.created_at.0 += round * 1000;
        acknowledged.push(first.id.to_string());
        browser.request(creates("s_1", first)).await.unwrap();
        let pid = hub.id();
        let killer = std::thread::spawn(move || {
            // Spread over the time that a burst of writes takes.
            std::thread::sleep(std::time::Duration::from_micros(1_500 + round * 2_700));
            room::end(pid);
        });
        for n in 0..200 {
            let mut one = comment(&format!("c_{round:02}_{n:03}"), PAGE, "x");
            one.created_at.0 += round * 1000 + n;
            let id = one.id.to_string();
            if browser.request(creates("s_1", one)).await.is_err() {
                break;
            }
            acknowledged.push(id);
        }
        killer.join().unwrap();
        hub.wait().unwrap();
        check_integrity(&room);
    }
    let agent = room.agent("a").await;
    let mut stored = Vec::new();
    let mut cursor = None;
    loop {
        let query = FeedbackQuery { limit: Some(200), cursor, ..FeedbackQuery::default() };
        let page = feedback(&agent, query).await;
        stored.extend(page.ids);
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    assert!(!acknowledged.is_empty());
    let missing: Vec<_> = acknowledged.iter().filter(|id| !stored.contains(id)).collect();
    assert!(missing.is_empty(), "{missing:?} of {} are gone", acknowledged.len());
    let once: std::collections::BTreeSet<_> = stored.iter().collect();
    assert_eq!(once.len(), stored.len());
}

/// The same with a client that connects again: what the kill interrupted is sent again with its id, applied once.
#[tokio::test]
async fn requests_that_a_killed_hub_left_unanswered_are_applied_once_by_the_next() {
    let room = Room::new();
    let browser = tab(&room).await;
    create(&browser, "c_1").await.unwrap();
    let killer = {
        let first = room.pid().unwrap();
        std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(20));
            room::end(first);
        })
    };
    for n in 0..40 {
        let reply = CommentChange::Reply { id: format!("r_{n}").parse().unwrap(), text: "x".into() };
        // The next hub knows of no tab yet.
        browser.request_in(&"s_1".parse().unwrap(), changes("c_1", reply)).await.unwrap();
    }
    killer.join().unwrap();
    let asked = Request::GetComment { comment_id: "c_1".parse().unwrap() };
    let stored = browser.request_in(&"s_1".parse().unwrap(), asked).await.unwrap();
    let stored = the_comment(stored);
    assert_eq!(stored.replies.len(), 40);
    assert_eq!(stored.revision, 41, "each reply raised it once");
}

/// The same for a conversation: what a person said and what an agent answered, part by part.
#[tokio::test]
async fn a_conversation_through_killed_hubs_has_every_word_once() {
    use room::conversation::{messages, responds, say, select};
    let room = Room::new();
    let (browser, agent) = (tab(&room).await, room.agent("a").await);
    let selected = select(&browser, "s_1", "BUTTON").await;
    say(&browser, "s_1", &selected, "Hi").await.unwrap();
    let mut expected = String::new();
    for round in 0..6_u64 {
        let hub = room.pid().unwrap();
        let killer = std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(7 * (round + 1)));
            room::end(hub);
        });
        for n in 0..20 {
            let part = format!("{round}.{n} ");
            agent.request(responds("s_1", &selected, &part, false)).await.unwrap();
            expected += &part;
        }
        killer.join().unwrap();
        // The hub may have been killed after the last part; then the next request starts another.
        agent.request(Request::ListSessions).await.unwrap();
    }
    agent.request(responds("s_1", &selected, "", true)).await.unwrap();
    browser.request(Request::OpenSession(room::session("s_1", PAGE))).await.unwrap();
    let (said, _) = messages(&browser, "s_1", None).await;
    let said: Vec<_> = said.iter().map(|one| one.content.as_str()).collect();
    assert_eq!(said, ["Hi", expected.as_str()]);
}

#[tokio::test]
async fn a_screenshot_is_kept_whole_and_found_by_the_agent() {
    let room = Room::new();
    let (browser, agent) = (tab(&room).await, room.agent("a").await);
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x01\0\0\0\x01rest".to_vec();
    let send = |id: &str, bytes: &[u8]| Request::CreateComment {
        session_id: "s_1".parse().unwrap(),
        comment: Box::new(comment(id, PAGE, "x")),
        screenshot: Some(base64::Engine::encode(&base64::engine::general_purpose::STANDARD, bytes)),
    };
    browser.request(send("c_1", &png)).await.unwrap();
    let ask = |id: &str| Request::GetScreenshot { comment_id: id.parse().unwrap() };
    match agent.request(ask("c_1")).await.unwrap() {
        opentoolbar_core::protocol::Answer::Screenshot { path } => {
            assert_eq!(std::fs::read(path).unwrap(), png)
        }
        other => panic!("{other:?}"),
    }
    let error = browser.request(send("c_2", b"GIF89a")).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::BadRequest);
    assert_eq!(agent.request(ask("c_2")).await.unwrap_err().code, ErrorCode::UnknownComment);
}
