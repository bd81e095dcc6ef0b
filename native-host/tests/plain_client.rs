//! Clients of one session that do not say hello hear of what fails alone: what they said before they left is done.

use crate::room;
use std::time::{Duration, Instant};

use crate::room::conversation::PAGE;
use crate::room::plain::{Plain, SESSION, said_in, selection_on, words};
use crate::room::toll::Toll;
use crate::room::{Gateway, Room, comment, creates, open_tab};
use serde_json::{Value, json};

/// A hub with a project for the page that the client is on.
async fn world() -> (Room, Gateway) {
    let room = Room::new();
    let gateway = room.gateway();
    let browser = room.browser().await;
    open_tab(&browser, "s_other", PAGE, &room.project).await;
    // So that there is a database.
    browser.request(creates("s_other", comment("c_1", PAGE, "x"))).await.unwrap();
    (room, gateway)
}

fn said(room: &Room) -> Vec<String> {
    said_in(room, &room.project, SESSION)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_client_said_before_it_left_is_done_however_slow_the_disk() {
    let (room, gateway) = world().await;
    let mut client = Plain::new(&gateway);
    client.is_done();
    let words = words(20);
    let toll = Toll::on(&room.database(), Duration::from_millis(700));
    words.iter().for_each(|word| client.say(word));
    client.leave();
    let (began, mut last, mut count) = (Instant::now(), Instant::now(), 0);
    // As long as it goes on.
    while count < words.len() && last.elapsed() < Duration::from_secs(15) {
        std::thread::sleep(Duration::from_millis(50));
        let now = said(&room).len();
        if now > count {
            (last, count) = (Instant::now(), now);
        }
    }
    let took = began.elapsed();
    drop(toll);
    assert_eq!(said(&room), words);
    assert!(took > Duration::from_secs(2), "nothing was slow: {took:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_comes_back_at_once_comes_after_what_it_said_before() {
    let (room, gateway) = world().await;
    let mut client = Plain::new(&gateway);
    client.is_done();
    let mut words = words(20);
    let toll = Toll::on(&room.database(), Duration::from_millis(100));
    words.iter().for_each(|word| client.say(word));
    client.leave();
    let mut client = Plain::new(&gateway);
    client.say("I am back");
    drop(toll);
    let heard = client.is_done();
    assert!(heard.iter().all(|one| one["type"] != "error"), "{heard:?}");
    words.push("I am back".into());
    assert_eq!(said(&room), words);
}

/// Waits until so much is stored, as long as it goes on: a busy machine takes minutes for a thousand messages.
fn is_stored(room: &Room, count: usize) {
    let (mut last, mut stored) = (Instant::now(), 0);
    while stored < count {
        assert!(last.elapsed() < Duration::from_secs(60), "{stored} of {count} are stored, and no more");
        std::thread::sleep(Duration::from_millis(100));
        let now = said(room).len();
        if now > stored {
            (last, stored) = (Instant::now(), now);
        }
    }
}

/// It could not be told what of it: its messages have no ids.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_of_what_a_client_sends_at_once_is_refused_for_its_number() {
    const BEFORE_ITS_PROJECT_IS_FOUND: usize = 300;
    const IN_ITS_PROJECT: usize = 1_100;
    let (room, gateway) = world().await;
    let mut client = Plain::new(&gateway);
    // The first selection says which project it is.
    let toll = Toll::on(&room.database(), Duration::from_millis(1_500));
    client.select();
    let words = words(BEFORE_ITS_PROJECT_IS_FOUND + IN_ITS_PROJECT);
    let (before, rest) = words.split_at(BEFORE_ITS_PROJECT_IS_FOUND);
    before.iter().for_each(|word| client.say(word));
    drop(toll);
    is_stored(&room, before.len());
    let mut heard = client.heard_until("context_stored");
    heard.extend(client.is_done());
    let toll = Toll::on(&room.database(), Duration::from_millis(1_500));
    rest.iter().for_each(|word| client.say(word));
    drop(toll);
    is_stored(&room, words.len());
    heard.extend(client.is_done());
    let refused: Vec<&Value> = heard.iter().filter(|one| one["type"] == "error").collect();
    assert!(refused.is_empty(), "{} of them, as {}", refused.len(), refused[0]);
    assert_eq!(said(&room), words);
}

/// Such a client keeps nothing itself, and the first agent may come much later.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_selected_and_said_before_any_agent_runs_is_kept_for_the_first_one() {
    let room = Room::new();
    let gateway = room.gateway();
    let mut client = Plain::new(&gateway);
    client.select();
    let stored = client.heard();
    assert_eq!(stored["type"], "context_stored", "{stored}");
    let context_id = stored["payload"]["contextId"].clone();
    client.send("user_message", json!({ "contextId": context_id, "message": "Make it bigger" }));
    client.select();
    assert_eq!(client.heard()["type"], "context_stored");
    client.send("user_message", json!({ "contextId": "ctx_none", "message": "And this?" }));
    let unknown = client.heard();
    assert_eq!(unknown["payload"]["code"], "unknown_context", "{unknown}");
    // It is away when the agent comes, and back afterwards.
    client.leave();
    let agent = room.agent("a").await;
    let mut client = Plain::new(&gateway);
    client.send("ping", Value::Null);
    client.heard_until("pong");
    let told = room::conversation::context(&agent, None).await;
    assert_eq!(told.session_id.as_str(), SESSION);
    assert_eq!(told.pending.iter().map(|one| one.content.as_str()).collect::<Vec<_>>(), ["Make it bigger"]);
    let context = told.context.unwrap();
    assert_eq!((json!(context.id), context.selection.element.tag_name.as_str()), (context_id, "button"));
    assert!(told.selection.is_some(), "the second one came after it");
}

/// What was answered with `context_stored` would be lost when the agent comes.
#[tokio::test(flavor = "multi_thread")]
async fn a_picture_that_could_not_be_stored_is_refused_before_any_agent_runs() {
    let room = Room::new();
    let gateway = room.gateway();
    let mut client = Plain::new(&gateway);
    client.select_with(Some("R0lGODlhAQABAAAAACw="));
    let refused = client.heard();
    assert_eq!(refused["payload"]["code"], "bad_request", "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_said_while_the_first_agent_comes_is_in_its_order() {
    const WORDS: usize = 150;
    let room = Room::new();
    let gateway = room.gateway();
    let mut client = Plain::new(&gateway);
    client.is_done();
    let words = words(WORDS);
    let (before, after) = words.split_at(WORDS / 2);
    before.iter().for_each(|word| client.say(word));
    client.send("ping", Value::Null);
    client.heard_until("pong");
    let (agent, ()) = tokio::join!(room.agent("a"), async { after.iter().for_each(|word| client.say(word)) });
    let heard = client.is_done();
    assert!(heard.iter().all(|one| one["type"] != "error"), "{heard:?}");
    assert_eq!(said(&room), words);
    drop(agent);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_cannot_be_asked_to_point_at_something_is_said_so_at_once() {
    use opentoolbar_core::protocol::{ErrorCode, Request};
    let (room, gateway) = world().await;
    let mut client = Plain::new(&gateway);
    client.is_done();
    let agent = room.agent("a").await;
    let asks = Request::RequestAnnotation {
        session_id: Some(SESSION.parse().unwrap()),
        annotation_id: "a_1".parse().unwrap(),
        message: "Which header?".into(),
        timeout_ms: 40_000,
    };
    let refused = agent.request(asks).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::Forbidden, "{refused}");
    assert!(refused.next_step.contains("respond_to_browser"), "{refused}");
}

/// Nobody sees its page until it is back.
#[tokio::test(flavor = "multi_thread")]
async fn a_page_whose_program_is_away_cannot_be_asked_either() {
    use opentoolbar_core::protocol::{ErrorCode, Request};
    let (room, gateway) = world().await;
    let mut client = Plain::new(&gateway);
    client.is_done();
    let agent = room.agent("a").await;
    client.leave();
    for asked_again in 0..2 {
        let asks = Request::RequestAnnotation {
            session_id: Some(SESSION.parse().unwrap()),
            annotation_id: format!("a_{asked_again}").parse().unwrap(),
            message: "Which header?".into(),
            timeout_ms: 40_000,
        };
        let asked = std::time::Instant::now();
        let refused = agent.request(asks).await.unwrap_err();
        assert!(matches!(refused.code, ErrorCode::Forbidden | ErrorCode::UnknownSession), "{refused}");
        assert!(asked.elapsed() < std::time::Duration::from_secs(20), "{refused}");
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    }
}

/// What one says is not the other's to hear, and an agent that names one means it.
#[tokio::test(flavor = "multi_thread")]
async fn clients_whose_names_differ_by_a_prefix_have_sessions_of_their_own() {
    use opentoolbar_core::protocol::{Answer, Request};
    let (room, gateway) = world().await;
    let agent = room.agent("a").await;
    let names = ["x", "s_x", "s_s_x"];
    let mut clients = names.map(|name| Plain::of(&gateway, name));
    for (client, name) in clients.iter_mut().zip(names) {
        client.select();
        let stored = client.heard();
        assert_eq!(stored["type"], "context_stored", "{name}: {stored}");
        client.say(&format!("I am {name}"));
        client.send("ping", Value::Null);
        client.heard_until("pong");
    }
    for name in names {
        let session_id = name.parse().unwrap();
        let history =
            Request::GetConversationHistory { session_id, limit: None, before: None, message_id: None };
        let Answer::Conversation { messages, .. } = agent.request(history).await.unwrap() else { panic!() };
        let said: Vec<_> = messages.into_iter().map(|one| one.content).collect();
        assert_eq!(said, [format!("I am {name}")]);
        let files = room.project.join(".opentoolbar/sessions");
        room.wait_until("each has a file of its own", || files.join(format!("{name}.json")).exists());
    }
}

/// Its files would be called as theirs are.
#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_is_called_like_a_comment_or_a_selection_is_refused() {
    use std::io::{Read, Write};
    let (_room, gateway) = world().await;
    for name in ["c_1", "ctx_1", "a.b", ""] {
        let mut stream = room::websocket::connected(&gateway);
        let request = format!(
            "GET /ws?sessionId={name} HTTP/1.1\r\nHost: {}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nAuthorization: \
             Bearer {}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
            gateway.address, gateway.token
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = vec![0; 4_096];
        let count = stream.read(&mut answer).unwrap();
        let answer = String::from_utf8_lossy(&answer[..count]).into_owned();
        assert!(
            answer.starts_with("HTTP/1.1 400") && answer.contains("session id must be"),
            "{name}: {answer}"
        );
    }
}

/// Also on a disk that does not tell capital letters from small ones.
#[tokio::test(flavor = "multi_thread")]
async fn clients_whose_names_differ_by_capital_letters_have_files_of_their_own_and_none_is_a_devices() {
    use std::collections::BTreeSet;
    let (room, gateway) = world().await;
    let _agent = room.agent("a").await;
    let ours = room.project.join(".opentoolbar");
    let names = |folder: &str| -> BTreeSet<String> {
        let Ok(entries) = std::fs::read_dir(ours.join(folder)) else { return BTreeSet::new() };
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    };
    // As an earlier version called it.
    std::fs::create_dir_all(ours.join("sessions")).unwrap();
    std::fs::write(ours.join("sessions/Tab.json"), "{}").unwrap();
    for name in ["tab", "Tab", "nul", "s_x"] {
        let mut client = Plain::of(&gateway, name);
        client.select_with(Some(room::conversation::PNG));
        let stored = client.heard();
        assert_eq!(stored["type"], "context_stored", "{name}: {stored}");
    }
    let expected = ["+tab.json", "nul+.json", "s_x.json", "tab.json"].map(str::to_owned);
    room.wait_until("each has a file", || names("sessions") == BTreeSet::from(expected.clone()));
    for (file, session) in [("+tab", "Tab"), ("tab", "tab"), ("nul+", "nul")] {
        let text = std::fs::read(ours.join(format!("sessions/{file}.json"))).unwrap();
        let json: Value = serde_json::from_slice(&text).unwrap();
        assert_eq!(json["sessionId"], session, "{json}");
    }
    let pictures = names("screenshots");
    for latest in ["+tab_ctx.png", "tab_ctx.png", "nul+_ctx.png", "s_x_ctx.png"] {
        assert!(pictures.contains(latest), "{latest}: {pictures:?}");
    }
    // A selection's id may be its client's choice, too.
    let mut client = Plain::of(&gateway, "chooses");
    for context in ["ctx_one", "ctx_One"] {
        let mut selection = selection_on(PAGE);
        selection["contextId"] = context.into();
        selection["screenshot"] = room::conversation::PNG.into();
        client.send("set_context", selection);
        assert_eq!(client.heard()["type"], "context_stored");
    }
    let pictures: Vec<String> = names("screenshots").iter().map(|name| name.to_ascii_lowercase()).collect();
    assert_eq!(pictures.iter().collect::<BTreeSet<_>>().len(), pictures.len(), "{pictures:?}");
}
