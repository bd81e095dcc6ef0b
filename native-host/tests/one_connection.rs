//! What a browser sends over its one connection for a project on a disk that does not answer costs its other projects
//! nothing.
#![cfg(target_os = "linux")]

use crate::room;
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use crate::room::conversation::PAGE;
use crate::room::dead_world::{DEAD_PAGE, SOON, World, ask};
use crate::room::toll::Toll;
use crate::room::{Room, changes, comment, creates, open_tab, session, the_comment};
use base64::Engine;
use opentoolbar::hub::client::{Client, new_message_id};
use opentoolbar::hub::frame::Frame;
use opentoolbar_core::model::{CommentChange, SessionId};
use opentoolbar_core::protocol::{Answer, ErrorBody, ErrorCode, Request, RequestEnvelope, Role};
use tokio::task::JoinSet;

/// A request that is late is told so after 20 s.
const LATE: Duration = Duration::from_secs(29);
const SLOW_PAGE: &str = "https://slow.test/";

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
    // Without a session the dead project cannot be asked: what is about nobody's comment is told so in time, not
    // refused for good.
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
    let mut answered = 0;
    while let Some(refused) = tries.join_next().await {
        let refused = refused.unwrap().unwrap_err();
        // A machine under load takes so long for the large ones that their sender gives up first.
        let is_given_up = refused.message.contains("did not answer within");
        let is_answer = matches!(refused.code, ErrorCode::Storage | ErrorCode::RateLimited);
        assert!(is_given_up || is_answer, "{refused}");
        answered += u32::from(!is_given_up);
    }
    assert!(answered > 60, "{answered} of 80 are answered");
    // From here on that is known: nothing is waited for again, on this connection or another.
    let began = Instant::now();
    for n in 0..100 {
        let asker = if n % 2 == 0 { &browser } else { &other };
        let request = with_picture("s_dead", "c_d", DEAD_PAGE, 100_000);
        let refused = ask(asker, "a refusal", request).await.unwrap_err();
        assert_eq!(refused.code, ErrorCode::Storage, "{refused}");
    }
    // Each would wait for 15 s or more by itself.
    assert!(began.elapsed() < Duration::from_secs(100), "{:?}", began.elapsed());
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
    // What is read, decoded and counted once costs memory that the allocator keeps; so what the second half adds
    // counts.
    let mut after = [0; 2];
    for (half, after) in after.iter_mut().enumerate() {
        for n in 0..30 {
            let (browser, tab) = (world.browser().await, format!("s_dead_{half}_{n}"));
            ask(&browser, "a tab", Request::OpenSession(session(&tab, DEAD_PAGE))).await.unwrap();
            let sent = send(&browser, with_picture(&tab, "c_d", DEAD_PAGE, 7 * 1024 * 1024));
            tokio::time::sleep(Duration::from_millis(300)).await;
            sent.abort();
        }
        // What was sent last goes on for a moment.
        tokio::time::sleep(Duration::from_secs(4)).await;
        *after = resident(world.hub.id());
    }
    let more = after[1].saturating_sub(after[0]);
    assert!(more < 120 * 1024, "{more} KiB more for 30 times 7 MiB more: {after:?} KiB");
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
    for n in 1..=150 {
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

/// As its outbox does for a tab that was closed: only the comment's page says in which project it is.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_sent_for_closed_tabs_of_the_dead_project_holds_up_no_other_one() {
    let Some(world) = World::new().await else { return };
    let browser = world.browser().await;
    ask(&browser, "a tab", Request::OpenSession(session("s_good", PAGE))).await.unwrap();
    // An import has its own, longer time.
    let (mut sent, mut imports) = (JoinSet::new(), JoinSet::new());
    for n in 0..150 {
        // Of one closed tab, and of many.
        let tab = if n % 2 == 0 { "s_gone".to_owned() } else { format!("s_gone_{n}") };
        let made = comment(&format!("c_d{n}"), DEAD_PAGE, "x");
        let (request, sent) = match n % 3 {
            0 => {
                let session_id = tab.parse().unwrap();
                (Request::ImportComments { session_id, comments: vec![made] }, &mut imports)
            }
            _ => (creates(&tab, made), &mut sent),
        };
        let browser = browser.clone();
        sent.spawn(async move { browser.request(request).await });
    }
    tokio::time::sleep(Duration::from_millis(400)).await;
    for round in 0..3 {
        good_goes_on(&browser, &format!("beside_{round}")).await;
        ask(&browser, "a ping", Request::Ping).await.unwrap();
        ask(&browser, "status", Request::Status).await.unwrap();
    }
    // A closed tab of the healthy project has room as well.
    ask(&browser, "a write", creates("s_closed", comment("c_closed", PAGE, "x"))).await.unwrap();
    while let Some(refused) = tokio::time::timeout(LATE, sent.join_next()).await.unwrap() {
        let refused = refused.unwrap().unwrap_err();
        assert!(matches!(refused.code, ErrorCode::Storage | ErrorCode::RateLimited), "{refused}");
    }
}

/// In which project a comment is may take seconds to find out.
#[tokio::test(flavor = "multi_thread")]
async fn however_many_comments_are_looked_for_at_once_the_rest_goes_on() {
    let Some(world) = World::new().await else { return };
    let browser = tabs(&world).await;
    let mut looked_for = JoinSet::new();
    for n in 0..150 {
        let browser = browser.clone();
        let change = changes(&format!("c_nobody_{n}"), reply(&format!("r_{n}")));
        looked_for.spawn(async move { browser.request(change).await });
    }
    tokio::time::sleep(Duration::from_millis(400)).await;
    good_goes_on(&browser, "beside").await;
    ask(&browser, "a ping", Request::Ping).await.unwrap();
    while let Some(refused) = tokio::time::timeout(LATE, looked_for.join_next()).await.unwrap() {
        let refused = refused.unwrap().unwrap_err();
        assert_eq!(refused.code, ErrorCode::Storage, "{refused}");
    }
}

/// A second of each of the few writes that are done: less than the hub waits for a lock, also on a machine under load.
const PAUSE: Duration = Duration::from_secs(1);

/// Two projects of one browser, the first of which is slow until the toll is dropped.
async fn slow_and_quick(room: &Room) -> (Client, Toll) {
    let other = room.path().join("other");
    std::fs::create_dir(&other).unwrap();
    let browser = room.browser().await;
    open_tab(&browser, "s_slow", SLOW_PAGE, &other).await;
    let slow = browser.request(creates("s_slow", comment("c_0", SLOW_PAGE, "x"))).await;
    slow.unwrap();
    open_tab(&browser, "s_good", PAGE, &room.project).await;
    browser.request(creates("s_good", comment("c_s_good", PAGE, "x"))).await.unwrap();
    let toll = Toll::on(&room.data_of(&other).join("opentoolbar.db"), PAUSE);
    (browser, toll)
}

/// More than are done within [`SOON`], one after another.
fn slow_writes(browser: &Client) -> JoinSet<Result<Answer, ErrorBody>> {
    let mut writes = JoinSet::new();
    for n in 1..=30 {
        let browser = browser.clone();
        let write = creates("s_slow", comment(&format!("c_{n}"), SLOW_PAGE, "x"));
        writes.spawn(async move { browser.request(write).await });
    }
    writes
}

/// How many of them are answered by now.
fn answered(waiting: &mut JoinSet<Result<Answer, ErrorBody>>) -> usize {
    std::iter::from_fn(|| waiting.try_join_next()).map(|answer| drop(answer.unwrap().unwrap())).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_project_that_is_slow_holds_up_no_other_one_and_all_of_its_own_are_done() {
    let room = Room::new();
    let (browser, toll) = slow_and_quick(&room).await;
    let mut writes = slow_writes(&browser);
    tokio::time::sleep(Duration::from_millis(400)).await;
    good_goes_on(&browser, "beside").await;
    ask(&browser, "a ping", Request::Ping).await.unwrap();
    answered(&mut writes);
    assert!(!writes.is_empty(), "most of them wait");
    drop(toll);
    while let Some(written) = tokio::time::timeout(LATE, writes.join_next()).await.unwrap() {
        written.unwrap().unwrap();
    }
}

/// What has no room is refused at once, as something to be sent again, and takes nothing from what has.
#[tokio::test(flavor = "multi_thread")]
async fn a_project_has_room_for_so_many_requests_of_a_connection_and_another_one_has_its_own() {
    const ROOM: usize = 1_024;
    let room = Room::new();
    let (browser, toll) = slow_and_quick(&room).await;
    let mut writes = slow_writes(&browser);
    tokio::time::sleep(Duration::from_millis(400)).await;
    let mut lists = JoinSet::new();
    for _ in 0..ROOM {
        let browser = browser.clone();
        let list = Request::ListComments { session_id: "s_slow".parse().unwrap() };
        lists.spawn(async move { browser.request(list).await });
    }
    let mut refusals = 0;
    let mut count = |answer: Result<Answer, ErrorBody>| match answer {
        Ok(answer) => assert!(matches!(answer, Answer::Comments { .. }), "{answer:?}"),
        Err(refused) => {
            assert_eq!(refused.code, ErrorCode::RateLimited, "{refused}");
            assert!(refused.next_step.contains("send it again"), "{refused}");
            refusals += 1;
        }
    };
    count(tokio::time::timeout(LATE, lists.join_next()).await.expect("a refusal").unwrap().unwrap());
    good_goes_on(&browser, "beside").await;
    answered(&mut writes);
    assert!(!writes.is_empty(), "what has room waits");
    drop(toll);
    while let Some(written) = tokio::time::timeout(LATE, writes.join_next()).await.unwrap() {
        written.unwrap().unwrap();
    }
    while let Some(listed) = tokio::time::timeout(LATE, lists.join_next()).await.unwrap() {
        count(listed.unwrap());
    }
    // A few of those before them were done while they were sent.
    assert!((1..=30).contains(&refusals), "{refusals}");
}

/// A script that says something and ends does not wait for answers.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_sent_before_a_connection_was_closed_is_done() {
    const MANY: usize = 20;
    let room = Room::new();
    let browser = room.browser().await;
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    let frame = |request: Request| {
        let id = new_message_id().unwrap();
        let envelope = RequestEnvelope { id: Some(id), session_id: None, request };
        Frame::Message(&serde_json::to_vec(&envelope).unwrap()).encode().unwrap()
    };
    let mut all = frame(Request::Hello(room::hello(Role::Browser, "script", None)));
    for n in 0..MANY {
        all.extend(frame(creates("s_script", comment(&format!("c_{n}"), PAGE, "x"))));
    }
    let mut script = UnixStream::connect(room.home.socket()).unwrap();
    script.write_all(&all).unwrap();
    script.shutdown(std::net::Shutdown::Write).unwrap();
    let mut answers = Vec::new();
    script.read_to_end(&mut answers).unwrap();
    let agent = room.agent("a").await;
    assert_eq!(room::feedback(&agent, Default::default()).await.ids.len(), MANY);
}
