//! What a browser sends over its one connection for a project on a disk that does not answer costs its other projects nothing.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod room;

use std::time::{Duration, Instant};

use base64::Engine;
use opentoolbar::hub::client::Client;
use opentoolbar_core::model::{CommentChange, SessionId};
use opentoolbar_core::protocol::{Answer, ErrorBody, ErrorCode, Request};
use room::conversation::PAGE;
use room::dead_world::{DEAD_PAGE, SOON, World, ask};
use room::{Room, changes, comment, creates, open_tab, session, the_comment};
use tokio::task::JoinSet;

/// A request that is late is told so after 20 s.
const LATE: Duration = Duration::from_secs(29);

fn reply(id: &str) -> CommentChange {
    CommentChange::Reply { id: id.parse().unwrap(), text: "hi".into() }
}

fn with_picture(session: &str, id: &str, page: &str, bytes: usize) -> Request {
    let mut png = vec![0; bytes];
    let head =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    let head = base64::engine::general_purpose::STANDARD.decode(head).unwrap();
    png[..head.len()].copy_from_slice(&head);
    let Request::CreateComment { session_id, comment, .. } = creates(session, comment(id, page, "x")) else {
        unreachable!()
    };
    let screenshot = Some(base64::engine::general_purpose::STANDARD.encode(png));
    Request::CreateComment { session_id, comment, screenshot }
}

async fn tabs(world: &World) -> Client {
    let browser = world.browser().await;
    for (id, page) in [("s_dead", DEAD_PAGE), ("s_good", PAGE)] {
        ask(&browser, "a tab", Request::OpenSession(session(id, page))).await.unwrap();
    }
    browser
}

/// Sends it and does not wait for the answer.
fn send(browser: &Client, request: Request) -> tokio::task::JoinHandle<Result<Answer, ErrorBody>> {
    let browser = browser.clone();
    tokio::spawn(async move { browser.request(request).await })
}

/// Everything that a tab of the healthy project asks for, each within a moment.
async fn good_goes_on(browser: &Client, tag: &str) {
    let good: SessionId = "s_good".parse().unwrap();
    let began = Instant::now();
    let write = creates("s_good", comment(&format!("c_{tag}"), PAGE, "x"));
    ask(browser, "a write", write).await.unwrap();
    let change = browser.request_in(&good, changes("c_s_good", reply(&format!("r_{tag}"))));
    the_comment(tokio::time::timeout(SOON, change).await.expect("a change").unwrap());
    ask(browser, "a list", Request::ListComments { session_id: good.clone() }).await.unwrap();
    let said = Request::GetConversation { after: None };
    tokio::time::timeout(SOON, browser.request_in(&good, said)).await.expect("the conversation").unwrap();
    assert!(began.elapsed() < SOON, "{tag}: {:?}", began.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_comment_that_is_looked_for_is_waited_for_in_no_dead_project() {
    let Some(world) = World::new().await else { return };
    let browser = tabs(&world).await;
    let good: SessionId = "s_good".parse().unwrap();
    // Its store is open and hangs, so that there is something before whoever looks into it.
    let _hangs = send(&browser, creates("s_dead", comment("c_d", DEAD_PAGE, "x")));
    tokio::time::sleep(Duration::from_millis(400)).await;
    // Of a comment that the dead project has, said to be of the healthy one: it hangs there, and nobody else with it.
    let stray = {
        let (browser, good) = (browser.clone(), good.clone());
        tokio::spawn(async move { browser.request_in(&good, changes("c_s_dead", reply("r_1"))).await })
    };
    tokio::time::sleep(Duration::from_millis(400)).await;
    good_goes_on(&browser, "stray").await;
    let began = Instant::now();
    let nobody = browser.request_in(&good, changes("c_nobody", reply("r_2"))).await.unwrap_err();
    assert_eq!(nobody.code, ErrorCode::UnknownComment, "{nobody}");
    // Also in a project without a tab, and when no session is named.
    let third = browser.request_in(&good, changes("c_s_third", reply("r_3"))).await.unwrap();
    assert_eq!(the_comment(third).replies.len(), 1);
    browser.request(changes("c_s_good", reply("r_4"))).await.unwrap();
    let get = Request::GetComment { comment_id: "c_s_good".parse().unwrap() };
    assert!(matches!(browser.request(get).await.unwrap(), Answer::Comment { .. }));
    let shot = Request::GetScreenshot { comment_id: "c_s_good".parse().unwrap() };
    let none = browser.request(shot).await.unwrap_err();
    assert!(none.message.contains("has no screenshot"), "{none}");
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    // Without a session the dead project cannot be asked: what is about nobody's comment is told so in time, not refused for good.
    let began = Instant::now();
    let nobody = browser.request(changes("c_nobody", reply("r_5"))).await.unwrap_err();
    assert!(nobody.code == ErrorCode::Storage && began.elapsed() < SOON, "{nobody}");
    good_goes_on(&browser, "after").await;
    assert!(!stray.is_finished(), "it is done in the project that has it");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tab_of_the_dead_project_closes_and_can_go_to_another_project() {
    let Some(world) = World::new().await else { return };
    let browser = tabs(&world).await;
    let _hangs = send(&browser, creates("s_dead", comment("c_d", DEAD_PAGE, "x")));
    tokio::time::sleep(Duration::from_millis(400)).await;
    let began = Instant::now();
    open_tab(&browser, "s_dead", DEAD_PAGE, &world.room.project).await;
    ask(&browser, "a write", creates("s_dead", comment("c_d2", DEAD_PAGE, "x"))).await.unwrap();
    let close = Request::CloseSession { session_id: "s_dead".parse().unwrap() };
    ask(&browser, "the end of the tab", close).await.unwrap();
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    let status = ask(&browser, "status", Request::Status).await.unwrap();
    assert!(
        matches!(status, Answer::Status { .. }) && !format!("{status:?}").contains("s_dead"),
        "{status:?}"
    );
}

/// An outbox sends what waits again and again.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_sent_again_for_the_dead_project_takes_no_room_of_another_one() {
    let Some(world) = World::new().await else { return };
    let browser = tabs(&world).await;
    let other = world.browser().await;
    ask(&other, "a tab", Request::OpenSession(session("s_other", PAGE))).await.unwrap();
    let mut tries = JoinSet::new();
    // More than a project has room for, in bytes and in number.
    for n in 0..80 {
        let browser = browser.clone();
        let picture = if n < 6 { 5 * 1024 * 1024 } else { 100 };
        let request = with_picture("s_dead", "c_d", DEAD_PAGE, picture);
        tries.spawn(async move { browser.request(request).await });
    }
    tokio::time::sleep(Duration::from_secs(4)).await;
    good_goes_on(&browser, "beside").await;
    let all = async {
        while let Some(refused) = tries.join_next().await {
            let refused = refused.unwrap().unwrap_err();
            assert!(matches!(refused.code, ErrorCode::Storage | ErrorCode::RateLimited), "{refused}");
        }
    };
    tokio::time::timeout(LATE, all).await.expect("all are answered");
    // From here on that is known: nothing is waited for again, on this connection or another.
    let began = Instant::now();
    for n in 0..100 {
        let asker = if n % 2 == 0 { &browser } else { &other };
        let request = with_picture("s_dead", "c_d", DEAD_PAGE, 100_000);
        let refused = ask(asker, "a refusal", request).await.unwrap_err();
        assert_eq!(refused.code, ErrorCode::Storage, "{refused}");
    }
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    let picture = with_picture("s_other", "c_p", PAGE, 5 * 1024 * 1024);
    ask(&other, "a picture", picture).await.unwrap();
    let comments =
        (0..1_500).map(|n| comment(&format!("c_i{n}"), PAGE, &"lorem ipsum ".repeat(100))).collect();
    let import = Request::ImportComments { session_id: "s_good".parse().unwrap(), comments };
    let imported = tokio::time::timeout(LATE, browser.request(import)).await.unwrap().unwrap();
    assert!(matches!(imported, Answer::Imported { added: 1_500, .. }), "{imported:?}");
    good_goes_on(&browser, "after").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_closed_connections_left_for_the_dead_project_is_bounded() {
    let Some(world) = World::new().await else { return };
    // What is read, decoded and counted once costs memory that the allocator keeps; so what the second half adds counts.
    let mut after = [0; 2];
    for (half, after) in after.iter_mut().enumerate() {
        for n in 0..30 {
            let (browser, tab) = (world.browser().await, format!("s_dead_{half}_{n}"));
            ask(&browser, "a tab", Request::OpenSession(session(&tab, DEAD_PAGE))).await.unwrap();
            let sent = send(&browser, with_picture(&tab, "c_d", DEAD_PAGE, 7 * 1024 * 1024));
            tokio::time::sleep(Duration::from_millis(300)).await;
            sent.abort();
        }
        *after = resident(world.hub.id());
    }
    let more = after[1].saturating_sub(after[0]);
    assert!(more < 70 * 1024, "{more} KiB more for 30 times 7 MiB more: {after:?} KiB");
}

/// KiB.
fn resident(pid: u32) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// A client without an outbox loses what is refused.
#[tokio::test(flavor = "multi_thread")]
async fn however_many_are_sent_at_once_to_a_project_that_is_slow_all_are_done() {
    let room = Room::new();
    let browser = room.browser().await;
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    browser.request(creates("s_1", comment("c_0", PAGE, "x"))).await.unwrap();
    // Whoever writes waits, as for a disk that is busy.
    let busy = rusqlite::Connection::open(room.database()).unwrap();
    busy.execute_batch("BEGIN IMMEDIATE").unwrap();
    let mut writes = JoinSet::new();
    for n in 1..=300 {
        let browser = browser.clone();
        writes.spawn(
            async move { browser.request(creates("s_1", comment(&format!("c_{n}"), PAGE, "x"))).await },
        );
    }
    tokio::time::sleep(Duration::from_millis(600)).await;
    drop(busy);
    while let Some(written) = tokio::time::timeout(LATE, writes.join_next()).await.unwrap() {
        written.unwrap().unwrap();
    }
}
