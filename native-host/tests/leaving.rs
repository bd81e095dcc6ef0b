//! A hub that is told to leave: it serves nobody any more, ends soon whatever its disks do, and what it acknowledged is
//! there. Several threads: a test that waits for a process must not keep its clients from closing.
#![cfg(unix)]

use crate::room;
use std::collections::BTreeSet;
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

use crate::room::conversation::{PAGE, say, select};
#[cfg(target_os = "linux")]
use crate::room::dead_mount::DeadMount;
use crate::room::line::Line;
use crate::room::{Gateway, Room, comment, creates, feedback, open_tab};
use opentoolbar_core::model::CommentChange;
use opentoolbar_core::protocol::{Answer, FeedbackQuery, Request, Role};

/// What is promised, and held one of several times. A machine that does eight other things may take a few seconds more
/// for the others; without the promise each takes many times as long, or never ends.
const PROMISED: Duration = Duration::from_secs(2);
const SOON: Duration = Duration::from_secs(12);
/// The same for the moment in which it stops serving.
const AT_ONCE: Duration = Duration::from_millis(300);

fn signal(hub: &Child, name: &str) {
    assert!(Command::new("kill").args([name, &hub.id().to_string()]).status().unwrap().success());
}

/// How it ended, and how long that took.
fn ended(hub: &mut Child) -> (ExitStatus, Duration) {
    let began = Instant::now();
    loop {
        if let Some(status) = hub.try_wait().unwrap() {
            return (status, began.elapsed());
        }
        if began.elapsed() > Duration::from_secs(60) {
            let _ = hub.kill();
            panic!("the hub does not end");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn work_that_waits_for_a_locked_database_keeps_no_hub_from_leaving() {
    let mut quickest = Duration::MAX;
    for name in ["-TERM", "-INT", "-HUP"] {
        let room = Room::new();
        let mut hub = room.hub();
        let browser = room.browser().await;
        open_tab(&browser, "s_1", PAGE, &room.project).await;
        let mut clients = Vec::new();
        for _ in 0..8 {
            // One that starts no hub of its own, which would take the lock.
            let never = room.connector().never_start();
            let hello = room::hello(Role::Browser, "b", None);
            clients.push(never.connect(hello).await.unwrap());
        }
        browser.request(creates("s_1", comment("c_1", PAGE, "make it blue"))).await.unwrap();
        let other = rusqlite::Connection::open(room.database()).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        // Each of them waits for the lock for three seconds, one after the other.
        let waiting: Vec<_> = clients
            .into_iter()
            .enumerate()
            .map(|(n, client)| {
                tokio::spawn(async move {
                    let change =
                        CommentChange::Reply { id: format!("r_{n}").parse().unwrap(), text: "x".into() };
                    client.request(room::changes("c_1", change)).await
                })
            })
            .collect();
        tokio::time::sleep(Duration::from_millis(500)).await;
        signal(&hub, name);
        let (status, took) = ended(&mut hub);
        assert!(status.success() && took < SOON, "{name}: {status} after {took:?}");
        assert!(std::fs::File::open(room.home.lock()).unwrap().try_lock().is_ok(), "the next one may begin");
        waiting.iter().for_each(|one| one.abort());
        quickest = quickest.min(took);
    }
    assert!(quickest < PROMISED, "{quickest:?}");
}

/// How soon nobody is let in any more after the signal, and whether the hub was there for a while after that.
fn keeps_out(room: &Room, hub: &mut Gateway) -> (Duration, bool) {
    let began = Instant::now();
    let gateway = hub.address;
    let is_closed =
        || UnixStream::connect(room.home.socket()).is_err() && TcpStream::connect(gateway).is_err();
    while !is_closed() {
        assert!(began.elapsed() < SOON, "it lets in whoever comes");
        std::thread::sleep(Duration::from_millis(5));
    }
    let took = began.elapsed();
    std::thread::sleep(Duration::from_millis(300));
    (took, hub.process.try_wait().unwrap().is_none())
}

/// While a locked database holds it up.
#[tokio::test(flavor = "multi_thread")]
async fn a_hub_that_is_told_to_leave_serves_nobody_from_that_moment() {
    let (mut quickest, mut rounds) = (Duration::MAX, 0);
    for _ in 0..5 {
        let room = Room::new();
        let mut hub = room.gateway();
        let never = room.connector().never_start();
        let browser = never.connect(room::hello(Role::Browser, "b", None)).await.unwrap();
        open_tab(&browser, "s_1", PAGE, &room.project).await;
        browser.request(creates("s_1", comment("c_1", PAGE, "make it blue"))).await.unwrap();
        let (mut idle, mut busy) = (Line::greeted(&room).await, Line::greeted(&room).await);
        for line in [&mut idle, &mut busy] {
            assert!(matches!(line.ask("m_1", None, Request::Status).await, Answer::Status { .. }));
        }
        let other = rusqlite::Connection::open(room.database()).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        let reply = CommentChange::Reply { id: "r_1".parse().unwrap(), text: "x".into() };
        assert!(busy.send("m_2", None, room::changes("c_1", reply)).await);
        // It is in the middle of it.
        tokio::time::sleep(Duration::from_millis(500)).await;
        signal(&hub.process, "-TERM");
        let (took, stayed) = keeps_out(&room, &mut hub);
        for (name, line) in [("idle", &mut idle), ("busy", &mut busy)] {
            // What cannot be sent any more is not served either.
            let _ = line.send("m_3", None, Request::Status).await;
            let answer = line.answer("m_3").await;
            assert!(matches!(answer, None | Some(Answer::Error(_))), "{name}: {answer:?}");
        }
        let (status, _) = ended(&mut hub.process);
        assert!(status.success(), "{status}");
        drop(other);
        if stayed {
            quickest = quickest.min(took);
            rounds += 1;
        }
        if rounds == 3 {
            break;
        }
    }
    assert!(rounds > 0, "nothing held the hub up");
    assert!(quickest < AT_ONCE, "{quickest:?}");
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_project_on_a_disk_that_does_not_answer_keeps_no_hub_from_leaving() {
    let mut quickest = Duration::MAX;
    for place in [".", ".opentoolbar", ".opentoolbar/sessions", ".opentoolbar/screenshots"] {
        let room = Room::new();
        let mut hub = room.hub();
        let browser = room.browser().await;
        open_tab(&browser, "s_1", PAGE, &room.project).await;
        let selected = select(&browser, "s_1", "BUTTON").await;
        browser.request(creates("s_1", comment("c_1", PAGE, "make it blue"))).await.unwrap();
        let at = room.project.join(place);
        room.wait_until("its copies are there", || {
            room.project.join(".opentoolbar/sessions/s_1.json").exists()
        });
        let Some(dead) = DeadMount::new(&at) else {
            eprintln!("skipped: this needs root and /dev/fuse");
            signal(&hub, "-TERM");
            ended(&mut hub);
            return;
        };
        let talk = tokio::spawn(async move {
            let _ = say(&browser, "s_1", &selected, "Are you there?").await;
            let _ = select(&browser, "s_1", "INPUT").await;
        });
        // It is in the middle of it.
        tokio::time::sleep(Duration::from_millis(800)).await;
        signal(&hub, "-TERM");
        let (status, took) = ended(&mut hub);
        assert!(status.success() && took < SOON, "{place}: {status} after {took:?}");
        talk.abort();
        drop(dead);
        // Everything that was acknowledged before is there.
        let agent = room.agent("a").await;
        assert_eq!(feedback(&agent, FeedbackQuery::default()).await.ids, ["c_1"], "{place}");
        quickest = quickest.min(took);
    }
    assert!(quickest < PROMISED, "{quickest:?}");
}

/// Several writers, and a signal in the middle of their work, twenty times.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_acknowledged_before_a_signal_is_there_after_it() {
    let room = Room::new();
    let (mut acknowledged, mut quickest) = (BTreeSet::new(), Duration::MAX);
    for round in 0_u64..20 {
        let mut hub = room.hub();
        let mut writers = Vec::new();
        for writer in 0..3 {
            let never = room.connector().never_start();
            let hello = room::hello(Role::Browser, "b", None);
            let browser = never.connect(hello).await.unwrap();
            let session = format!("s_{writer}");
            open_tab(&browser, &session, PAGE, &room.project).await;
            writers.push(tokio::spawn(async move {
                let mut stored = Vec::new();
                for n in 0..400 {
                    let mut one = comment(&format!("c_{round:02}_{writer}_{n:03}"), PAGE, "x");
                    one.created_at.0 += round * 1_000 + n;
                    let id = one.id.to_string();
                    if browser.request(creates(&session, one)).await.is_err() {
                        break;
                    }
                    stored.push(id);
                }
                stored
            }));
        }
        // Spread over the time that a burst of writes takes.
        tokio::time::sleep(Duration::from_millis(4 + round * 3)).await;
        signal(&hub, "-TERM");
        let (status, took) = ended(&mut hub);
        assert!(status.success() && took < SOON, "{status} after {took:?}");
        quickest = quickest.min(took);
        for writer in writers {
            acknowledged.extend(writer.await.unwrap());
        }
    }
    assert!(quickest < PROMISED, "{quickest:?}");
    let agent = room.agent("a").await;
    let mut stored = Vec::new();
    let mut cursor = None;
    loop {
        let page =
            feedback(&agent, FeedbackQuery { limit: Some(200), cursor, ..FeedbackQuery::default() }).await;
        stored.extend(page.ids);
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    assert!(acknowledged.len() > 20, "{} were written at all", acknowledged.len());
    let once: BTreeSet<_> = stored.iter().cloned().collect();
    assert_eq!(once.len(), stored.len());
    let missing: Vec<_> = acknowledged.difference(&once).collect();
    assert!(missing.is_empty(), "{missing:?} of {} are gone", acknowledged.len());
}
