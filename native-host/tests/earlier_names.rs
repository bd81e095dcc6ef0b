//! The version before called the session of the WebSocket's client `x` `s_x`. What it kept is still that client's, and
//! nobody else's.

use crate::room;
use crate::room::conversation::{context, responds, say, select};
use crate::room::plain::{Plain, SESSION, said_in};
use crate::room::{Gateway, Room, open_tab};
use opentoolbar_core::protocol::{Answer, Request};
use serde_json::{Value, json};

/// The selection in `cases/unplaced-1.sql`, which that version wrote of the client `tab`.
const SELECTED: &str = "ctx_e2245b982a8a0e3306ef2f8511343ab3";
const KEPT: &str = "s_tab";
/// As our extension calls its own.
const OF_EXTENSION: &str = "0123456789abcdef0123456789abcdef";

fn ends(mut gateway: Gateway) {
    let pid = gateway.process.id().to_string();
    assert!(std::process::Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
    gateway.process.wait().unwrap();
}

/// As that version left it: its registry does not say whose the sessions are.
fn is_of_before(room: &Room) {
    let path = room.home.registry();
    let mut registry: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    registry.as_object_mut().unwrap().remove("earlierSessions");
    std::fs::write(&path, registry.to_string()).unwrap();
}

fn with_what_waited(room: &Room) {
    room.home.ensure().unwrap();
    let database = rusqlite::Connection::open(room.home.dir().join("unplaced.db")).unwrap();
    database.execute_batch(include_str!("cases/unplaced-1.sql")).unwrap();
    database.pragma_update(None, "user_version", 1).unwrap();
    // It is let go after a week.
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_millis();
    database.execute("UPDATE unplaced SET at = ?", [i64::try_from(now).unwrap()]).unwrap();
}

fn asks(client: &mut Plain, message: &Value) -> Value {
    client.send_whole(message);
    client.heard()
}

fn about(id: &str, context: &str, text: &str) -> Value {
    json!({ "id": id, "type": "user_message", "payload": { "contextId": context, "message": text } })
}

/// What it was sent until then.
fn until_pong(client: &mut Plain) -> Vec<String> {
    client.send("ping", Value::Null);
    let heard = client.heard_until("pong");
    heard.iter().filter_map(|one| one["payload"]["message"].as_str().map(str::to_owned)).collect()
}

/// Leaves, and is back once nobody waits for it any more.
fn again(gateway: &Gateway, client: Plain, name: &str) -> Plain {
    client.leave();
    std::thread::sleep(std::time::Duration::from_millis(300));
    Plain::of(gateway, name)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_waited_before_the_update_is_still_its_clients() {
    let room = Room::new();
    with_what_waited(&room);
    let gateway = room.gateway();
    let mut client = Plain::new(&gateway);
    let told = asks(&mut client, &about("m_1", SELECTED, "And this"));
    assert_eq!(told["type"], "message_stored", "{told}");
    let agent = room.agent("a").await;
    room.wait_until("it is stored", || said_in(&room, &room.project, KEPT).len() >= 2);
    assert_eq!(said_in(&room, &room.project, KEPT), ["Make it bigger", "And this"]);
    let told = context(&agent, None).await;
    let pending: Vec<_> = told.pending.iter().map(|one| one.content.as_str()).collect();
    assert_eq!((told.session_id.as_str(), pending), (KEPT, vec!["Make it bigger"]));
    agent.request(responds(KEPT, SELECTED, "It is", true)).await.unwrap();
    client.heard_until("agent_response");
    // An agent may call it as its client does, too.
    agent.request(responds(SESSION, SELECTED, "It really is", true)).await.unwrap();
    client.heard_until("agent_response");
    client.send_whole(&json!({ "id": "m_2", "type": "stop_waiting" }));
    client.heard_until("done");
    assert!(context(&agent, Some(KEPT)).await.pending.is_empty());
    // The same when it is stored, and when the client was away.
    let client = again(&gateway, client, SESSION);
    client.leave();
    agent.request(responds(KEPT, SELECTED, "While you were away", true)).await.unwrap();
    drop(agent);
    ends(gateway);
    let gateway = room.gateway();
    let mut client = Plain::new(&gateway);
    assert_eq!(until_pong(&mut client).last().map(String::as_str), Some("While you were away"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_was_remembered_before_the_update_is_still_its_clients() {
    let room = Room::new();
    let gateway = room.gateway();
    let agent = room.agent("a").await;
    let mut client = Plain::of(&gateway, KEPT);
    client.select();
    let selected = client.heard();
    let selected = selected["payload"]["contextId"].as_str().unwrap().to_owned();
    assert_eq!(asks(&mut client, &about("m_0", &selected, "Bigger"))["type"], "message_stored");
    client.leave();
    agent.request(responds(KEPT, &selected, "It is", true)).await.unwrap();
    drop(agent);
    ends(gateway);
    is_of_before(&room);
    let gateway = room.gateway();
    let agent = room.agent("a").await;
    let mut client = Plain::new(&gateway);
    assert_eq!(until_pong(&mut client), ["It is"]);
    // As it calls itself, also in its messages.
    let mut names = about("m_1", &selected, "Even bigger");
    names["sessionId"] = SESSION.into();
    let told = asks(&mut client, &names);
    assert_eq!(told["type"], "message_stored", "{told}");
    let history = Request::GetConversationHistory {
        session_id: SESSION.parse().unwrap(),
        limit: None,
        before: None,
        message_id: None,
    };
    let Answer::Conversation { messages, .. } = agent.request(history).await.unwrap() else { panic!() };
    let said: Vec<_> = messages.iter().map(|one| one.content.as_str()).collect();
    assert_eq!(said, ["Bigger", "It is", "Even bigger"]);
    agent.request(responds(KEPT, &selected, "It is huge", true)).await.unwrap();
    client.heard_until("agent_response");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_extensions_own_session_is_not_handed_to_a_client_that_is_called_like_the_rest_of_it() {
    let room = Room::new();
    let gateway = room.gateway();
    let own = format!("s_{OF_EXTENSION}");
    let agent = room.agent("a").await;
    let browser = room.browser().await;
    open_tab(&browser, &own, room::conversation::PAGE, &room.project).await;
    let selected = select(&browser, &own, "BUTTON").await;
    say(&browser, &own, &selected, "Bigger").await.unwrap();
    drop(browser);
    room.wait_until("it is remembered", || {
        std::fs::read_to_string(room.home.registry()).is_ok_and(|text| text.contains(&own))
    });
    drop(agent);
    ends(gateway);
    is_of_before(&room);
    let gateway = room.gateway();
    let agent = room.agent("a").await;
    let mut client = Plain::of(&gateway, OF_EXTENSION);
    let refused = asks(&mut client, &about("m_1", &selected, "x"));
    assert_eq!(refused["type"], "error", "{refused}");
    client.select();
    assert_eq!(client.heard()["type"], "context_stored");
    client.say("of another one");
    until_pong(&mut client);
    agent.request(responds(&own, &selected, "It is", true)).await.unwrap();
    assert_eq!(until_pong(&mut client), [""; 0]);
    assert_eq!(said_in(&room, &room.project, &own), ["Bigger"]);
    room.wait_until("it is stored", || !said_in(&room, &room.project, OF_EXTENSION).is_empty());
    assert_eq!(said_in(&room, &room.project, OF_EXTENSION), ["of another one"]);
}

/// Who has it, or had it since, keeps it.
#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_somebody_opens_by_its_own_name_is_theirs_from_then_on() {
    for is_plain in [true, false] {
        let room = Room::new();
        with_what_waited(&room);
        let gateway = room.gateway();
        let agent = room.agent("a").await;
        room.wait_until("it is stored", || !said_in(&room, &room.project, KEPT).is_empty());
        let (mut own, mut browser) = (None, None);
        if is_plain {
            let mut client = Plain::of(&gateway, KEPT);
            client.is_done();
            own = Some(client);
        } else {
            let other = room.browser().await;
            open_tab(&other, KEPT, room::conversation::PAGE, &room.project).await;
            browser = Some(other);
        }
        let mut client = Plain::new(&gateway);
        let refused = asks(&mut client, &about("m_1", SELECTED, "x"));
        assert_eq!(refused["type"], "error", "{is_plain}: {refused}");
        let client = again(&gateway, client, SESSION);
        client.leave();
        own.into_iter().for_each(Plain::leave);
        drop(browser);
        drop(agent);
        room.wait_until("it is remembered", || {
            std::fs::read_to_string(room.home.registry()).is_ok_and(|text| text.contains(KEPT))
        });
        ends(gateway);
        let gateway = room.gateway();
        let agent = room.agent("a").await;
        let mut client = Plain::new(&gateway);
        agent.request(responds(KEPT, SELECTED, "Not for you", true)).await.unwrap();
        assert_eq!(until_pong(&mut client), [""; 0], "{is_plain}");
        client.select();
        assert_eq!(client.heard()["type"], "context_stored");
        client.say("Mine");
        room.wait_until("it is stored", || !said_in(&room, &room.project, SESSION).is_empty());
        assert_eq!(said_in(&room, &room.project, SESSION), ["Mine"], "{is_plain}");
    }
}

/// It has talked by its own name since, with what it asked.
#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_goes_on_by_its_own_name_keeps_it() {
    let room = Room::new();
    let gateway = room.gateway();
    let agent = room.agent("a").await;
    for name in [KEPT, SESSION] {
        let mut client = Plain::of(&gateway, name);
        client.select();
        assert_eq!(client.heard()["type"], "context_stored");
        client.say(name);
        room.wait_until("it is stored", || said_in(&room, &room.project, name) == [name]);
        client.leave();
    }
    drop(agent);
    ends(gateway);
    is_of_before(&room);
    let gateway = room.gateway();
    let _agent = room.agent("a").await;
    let mut client = Plain::new(&gateway);
    client.say("goes on");
    room.wait_until("it is stored", || said_in(&room, &room.project, SESSION).len() == 2);
    assert_eq!(said_in(&room, &room.project, SESSION), [SESSION, "goes on"]);
    assert_eq!(said_in(&room, &room.project, KEPT), [KEPT]);
}
