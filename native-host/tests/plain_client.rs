//! Clients of one session that do not say hello hear of what fails alone: what they said before they left is done.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod room;

use std::net::TcpStream;
use std::time::{Duration, Instant};

use room::conversation::PAGE;
use room::toll::Toll;
use room::websocket::websocket;
use room::{Gateway, Room, comment, creates, open_tab};
use serde_json::{Value, json};
use tungstenite::protocol::WebSocket;

/// The session as everybody else sees it.
const SESSION: &str = "s_tab";

struct Plain(WebSocket<TcpStream>);

impl Plain {
    fn new(gateway: &Gateway) -> Self {
        Self(websocket(gateway, "/ws?sessionId=tab"))
    }

    fn send(&mut self, kind: &str, payload: Value) {
        let mut message = json!({ "type": kind });
        if !payload.is_null() {
            message["payload"] = payload;
        }
        self.0.send(message.to_string().into()).unwrap();
    }

    fn say(&mut self, text: &str) {
        self.send("user_message", json!({ "message": text }));
    }

    fn select(&mut self) {
        self.select_with(None);
    }

    fn select_with(&mut self, screenshot: Option<&str>) {
        let element = json!({
            "tagName": "button", "classList": ["buy"], "textContent": "Buy now", "attributes": {},
            "boundingBox": { "x": 1, "y": 2, "width": 80, "height": 24 }
        });
        let mut selection =
            json!({ "element": element, "ancestors": [], "page": { "url": PAGE, "title": "Cart" } });
        if let Some(screenshot) = screenshot {
            selection["screenshot"] = screenshot.into();
        }
        self.send("set_context", selection);
    }

    fn heard(&mut self) -> Value {
        let began = Instant::now();
        loop {
            // Pings go on whatever the hub does.
            assert!(began.elapsed() < Duration::from_secs(60), "nothing is said");
            let heard = self.0.read().unwrap();
            if heard.is_text() {
                return serde_json::from_str(heard.to_text().unwrap()).unwrap();
            }
            assert!(!heard.is_close(), "{heard:?}");
        }
    }

    /// Everything that is said until then.
    fn heard_until(&mut self, kind: &str) -> Vec<Value> {
        let mut all = Vec::new();
        while all.last().is_none_or(|last: &Value| last["type"] != kind) {
            all.push(self.heard());
        }
        all
    }

    /// Everything that is said until what was sent before is done.
    fn is_done(&mut self) -> Vec<Value> {
        self.select();
        self.heard_until("context_stored")
    }

    /// Without waiting for what the hub says to it.
    fn leave(mut self) {
        self.0.close(None).unwrap();
        self.0.flush().unwrap();
    }
}

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

/// What the person said, in the order in which the hub has it.
fn said(room: &Room) -> Vec<String> {
    let database = rusqlite::Connection::open(room.database()).unwrap();
    let sql = "SELECT content FROM messages WHERE session_id = ? AND role = 0 ORDER BY number";
    let mut found = database.prepare(sql).unwrap();
    let all = found.query_map([SESSION], |row| row.get(0)).unwrap();
    all.map(Result::unwrap).collect()
}

fn words(count: usize) -> Vec<String> {
    (0..count).map(|n| format!("word {n}")).collect()
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
    let mut heard = client.heard_until("context_stored");
    heard.extend(client.is_done());
    let toll = Toll::on(&room.database(), Duration::from_millis(1_500));
    rest.iter().for_each(|word| client.say(word));
    drop(toll);
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
