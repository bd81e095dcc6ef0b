//! Every example of `docs/protocol.md` against a real hub: each request is sent letter by letter by whoever may ask for
//! it, and what the hub says is compared with the examples of its answers and events. Only ids that the hub chooses,
//! moments, positions, places on this machine and the like may differ.
#![cfg(unix)]

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::room::conversation::{id, responds};
use crate::room::plain::Plain;
use crate::room::{Gateway, Room, hello};
use opentoolbar::hub::frame::Frame;
use opentoolbar_core::model::AgentStatus;
use opentoolbar_core::protocol::{Request, Role};
use serde_json::{Value, json};

const REFERENCE: &str = include_str!("../../docs/protocol.md");

/// The section of this name, until the next of its level.
fn section(name: &str) -> &'static str {
    let (_, rest) = REFERENCE.split_once(&format!("\n## {name}\n")).unwrap();
    rest.split("\n## ").next().unwrap()
}

#[test]
fn every_field_is_described_by_more_than_a_question() {
    let fields = REFERENCE.lines().filter_map(|line| line.strip_prefix("- `")?.split_once("`: "));
    let bare = |(_, words): &(&str, &str)| {
        let asks = ["Which", "How", "Who", "When"].iter().any(|word| words.starts_with(word));
        asks && words.split_whitespace().count() <= 3 && words.ends_with('.')
    };
    let bare: Vec<_> = fields.filter(bare).collect();
    assert!(bare.is_empty(), "{bare:?}");
}

/// What a page says and what the hub says to it, in their order.
fn lines() -> Vec<(&'static str, Value)> {
    let line = |line: &'static str| {
        let (from, json) = line.strip_prefix("| ")?.split_once(" | `")?;
        Some((from, serde_json::from_str(json.strip_suffix("` |")?).unwrap()))
    };
    section("A plain client's conversation").lines().filter_map(line).collect()
}

struct Example {
    json: Value,
    /// Type of the answer, where one is named.
    answered_by: Option<&'static str>,
}

/// The examples of a section by the type of their message.
fn examples(name: &str) -> BTreeMap<&'static str, Example> {
    let example = |part: &'static str| {
        let (kind, rest) = part.split_once('`').unwrap();
        let (said, json) = rest.split_once("```json\n").unwrap();
        let json: Value = serde_json::from_str(json.split("\n```").next().unwrap()).unwrap();
        assert_eq!(json["type"], kind);
        let answer = said.split_once("Answered by `").and_then(|(_, rest)| rest.split('`').next());
        (kind, Example { json, answered_by: answer })
    };
    section(name).split("\n### `").skip(1).map(example).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plain_clients_conversation_is_what_is_written() {
    let room = Room::new();
    let gateway = room.gateway();
    let agent = room.agent("a").await;
    let mut client = Plain::of(&gateway, "tab-1");
    let lines = lines();
    assert!(lines.len() > 10, "{lines:?}");
    for (from, line) in lines {
        if from == "hub" {
            assert_eq!(client.heard(), line);
            continue;
        }
        client.send_whole(&line);
        // What an agent does about it.
        if line["type"] == "user_message" && line["payload"]["contextId"] == "ctx_1" {
            let status = AgentStatus::Searching;
            let detail = Some("Searching for Button".to_owned());
            let searches = Request::UpdateStatus { session_id: id("tab-1"), status, detail };
            agent.request(searches).await.unwrap();
            agent.request(responds("tab-1", "ctx_1", "Looking", false)).await.unwrap();
            agent.request(responds("tab-1", "ctx_1", ": done.", true)).await.unwrap();
        }
    }
}

/// What may differ, in its place: what is left is compared.
fn comparable(value: &Value, real: &Real) -> Value {
    const NUMBERS: [&str; 17] = [
        "at",
        "last",
        "askedAt",
        "expiresAt",
        "madeAt",
        "createdAt",
        "updatedAt",
        "lastActive",
        "lastRequest",
        "lastSeen",
        "firstUsed",
        "lastUsed",
        "position",
        "pid",
        "uptimeSeconds",
        "bytes",
        "after",
    ];
    match value {
        Value::String(text) if text.starts_with("m_") => "m_1".into(),
        Value::String(text) if text.starts_with("v_") => "v_1".into(),
        Value::String(text) if text.starts_with("rule_") => "rule_1".into(),
        Value::String(text) if text.len() == 64 && text.bytes().all(|b| b.is_ascii_hexdigit()) => {
            "hash".into()
        }
        Value::String(text) if text.starts_with("shop-") => "shop-1a2b3c4d".into(),
        Value::String(text) => {
            let text = text.replace(&real.root, "/home/me/shop").replace(&real.address, "127.0.0.1:7847");
            text.into()
        }
        Value::Array(all) => all.iter().map(|one| comparable(one, real)).collect(),
        Value::Object(fields) => {
            let field = |(name, value): (&String, &Value)| {
                let name = if name.starts_with("m_") { "m_1".to_owned() } else { name.clone() };
                let value = match value {
                    // All that `GET /config` tells.
                    Value::String(text) if name == "text" && text.starts_with("{\n  \"") => {
                        assert!(text.contains("\"name\": \"opentoolbar\""), "{text}");
                        "settings".into()
                    }
                    // As many as there are programs above this test.
                    Value::Array(_) if name == "processes" => json!([{ "id": 0, "started": 0 }]),
                    Value::Number(_) if NUMBERS.contains(&name.as_str()) || name == "m_1" => json!(0),
                    Value::String(code)
                        if name == "code" && code.chars().all(|c| !c.is_ascii_lowercase()) =>
                    {
                        assert_eq!(code.len(), 8, "a code of a pairing: {code}");
                        "K7MXQ2RT".into()
                    }
                    other => comparable(other, real),
                };
                (name, value)
            };
            Value::Object(fields.iter().map(field).collect())
        }
        other => other.clone(),
    }
}

/// What stands in the examples' place on this machine.
struct Real {
    root: String,
    address: String,
}

/// A silence this long is none of a hub that works.
const LONGEST: Duration = Duration::from_secs(15);

/// Somebody who speaks to the hub, and what it heard unasked.
struct Speaker {
    stream: UnixStream,
    events: Vec<Value>,
}

impl Speaker {
    /// As the relay of a browser is connected; nothing is said yet.
    fn connected(room: &Room) -> Self {
        let stream = UnixStream::connect(room.home.socket()).unwrap();
        stream.set_read_timeout(Some(LONGEST)).unwrap();
        Self { stream, events: Vec::new() }
    }

    /// With a hello of its own.
    fn greeted(room: &Room, role: Role, client: &str, capabilities: &[&str]) -> Self {
        let mut speaker = Self::connected(room);
        let cwd = (role != Role::Browser).then_some(room.project.as_path());
        let mut hello = hello(role, client, cwd);
        hello.capabilities = capabilities.iter().map(|one| (*one).to_owned()).collect();
        let answer = speaker.ask(&json!({ "id": "m_hello", "type": "hello", "payload": hello }));
        assert_eq!(answer["type"], "hello", "{answer}");
        speaker
    }

    fn send(&mut self, message: &Value) {
        self.stream.write_all(&Frame::Message(message.to_string().as_bytes()).encode().unwrap()).unwrap();
    }

    fn next(&mut self) -> Value {
        let mut head = [0; 4];
        self.stream.read_exact(&mut head).unwrap_or_else(|error| panic!("{error}; heard {:?}", self.events));
        let mut body = vec![0; u32::from_le_bytes(head) as usize];
        self.stream.read_exact(&mut body).unwrap();
        let Frame::Message(json) = Frame::decode(&body).unwrap() else { panic!("the hub leaves") };
        serde_json::from_slice(json).unwrap()
    }

    fn answer(&mut self, id: &Value) -> Value {
        loop {
            let heard = self.next();
            if heard["replyTo"] == *id {
                return heard;
            }
            self.events.push(heard);
        }
    }

    fn ask(&mut self, message: &Value) -> Value {
        self.send(message);
        self.answer(&message["id"])
    }

    /// The next event of this type that `is` it.
    fn event(&mut self, kind: &str, is: impl Fn(&Value) -> bool) -> Value {
        let is = |event: &Value| event["type"] == kind && is(&event["payload"]);
        if let Some(at) = self.events.iter().position(is) {
            return self.events.remove(at);
        }
        loop {
            let heard = self.next();
            if is(&heard) {
                return heard;
            }
            self.events.push(heard);
        }
    }
}

/// The examples, and what became of them.
struct Book {
    real: Real,
    requests: BTreeMap<&'static str, Example>,
    answers: BTreeMap<&'static str, Example>,
    events: BTreeMap<&'static str, Example>,
    sent: BTreeSet<&'static str>,
    compared: BTreeSet<String>,
    untrue: Vec<String>,
    last: u32,
}

impl Book {
    fn open(real: Real) -> Self {
        Self {
            real,
            requests: examples("Requests"),
            answers: examples("Answers"),
            events: examples("Events"),
            sent: BTreeSet::new(),
            compared: BTreeSet::new(),
            untrue: Vec::new(),
            last: 0,
        }
    }

    /// The example of a request as it is written, but for its id, as one id is for one request, and for this machine's
    /// places.
    fn request(&mut self, kind: &str) -> Value {
        let (kind, example) = self.requests.get_key_value(kind).unwrap();
        self.sent.insert(kind);
        let text = example.json.to_string();
        let text =
            text.replace("/home/me/shop", &self.real.root).replace("127.0.0.1:7847", &self.real.address);
        let mut request: Value = serde_json::from_str(&text).unwrap();
        self.last += 1;
        request["id"] = format!("m_{}", self.last).into();
        request
    }

    /// The answer to the example of this type, as `with` changes it.
    fn send_with(&mut self, from: &mut Speaker, kind: &str, with: impl FnOnce(&mut Value)) -> Value {
        let mut request = self.request(kind);
        with(&mut request["payload"]);
        let answer = from.ask(&request);
        self.answered(kind, answer)
    }

    fn send(&mut self, from: &mut Speaker, kind: &str) -> Value {
        self.send_with(from, kind, |_| ())
    }

    /// Whether the answer is of the type that is named.
    fn answered(&mut self, kind: &str, answer: Value) -> Value {
        let named = self.requests[kind].answered_by;
        if named.is_none_or(|named| answer["type"] != named) {
            self.untrue.push(format!("{kind} is answered by {named:?}, it is said: {answer}"));
        }
        answer
    }

    fn compare(&mut self, what: &str, example: &Value, said: &Value) {
        self.compared.insert(what.to_owned());
        // Whom it answers is compared by who waits for it.
        let plain = |value: &Value| {
            let mut value = comparable(value, &self.real);
            if let Some(fields) = value.as_object_mut() {
                fields.remove("replyTo");
            }
            value
        };
        let (example, said) = (plain(example), plain(said));
        if example != said {
            eprintln!("{what}\n  written: {example}\n  said:    {said}");
            self.untrue.push(format!("{what}\n  written: {example}\n  said:    {said}"));
        }
    }

    /// The answer is the one that stands in the reference.
    fn is_the_answer(&mut self, said: &Value) {
        let kind = said["type"].as_str().unwrap().to_owned();
        let example = self.answers[kind.as_str()].json.clone();
        self.compare(&format!("answer {kind}"), &example, said);
    }

    fn is_the_event(&mut self, said: &Value) {
        let kind = said["type"].as_str().unwrap().to_owned();
        let example = self.events[kind.as_str()].json.clone();
        self.compare(&format!("event {kind}"), &example, said);
    }
}

/// Those whose examples need what this room has not; these tests have it.
const ELSEWHERE: [(&str, &str); 3] = [
    ("answer_offer", "kept_projects.rs"),
    ("answer offers", "kept_projects.rs"),
    ("answer stored", "kept_projects.rs"),
];

/// As a reader goes through them, with an agent and a verb beside the browser.
#[tokio::test(flavor = "multi_thread")]
async fn every_example_of_the_reference_is_what_happens() {
    let room = Room::new();
    std::fs::create_dir_all(room.project.join("src/pages")).unwrap();
    std::fs::write(room.project.join("src/pages/Shop.tsx"), "<b>29</b>").unwrap();
    let gateway = room.gateway();
    let root = room.project.to_str().unwrap().to_owned();
    let mut book = Book::open(Real { root, address: gateway.address.to_string() });
    let mut browser = Speaker::connected(&room);
    tab(&mut book, &mut browser);
    let mut agent =
        Speaker::greeted(&room, Role::Agent, "claude-code 2.1", &["agent_ping", "handed_over", "changes"]);
    let mut verb = Speaker::greeted(&room, Role::Cli, "opentoolbar test", &[]);
    comments(&mut book, &mut browser, &mut agent);
    talk(&mut book, &mut browser, &mut agent, &mut verb);
    annotations(&mut book, &room, &mut browser, &mut agent);
    verifications(&mut book, &room, &mut agent);
    presence(&mut book, &room, &mut browser, &mut agent);
    source(&mut book, &room, &mut browser);
    verbs(&mut book, &room, &gateway, &mut browser, &mut verb);
    assert!(book.untrue.is_empty(), "{}", book.untrue.join("\n"));
    let elsewhere = |name: &str| ELSEWHERE.iter().any(|(one, _)| *one == name);
    let not_sent: Vec<_> =
        book.requests.keys().filter(|kind| !book.sent.contains(*kind) && !elsewhere(kind)).collect();
    assert!(not_sent.is_empty(), "never sent: {not_sent:?}");
    let all = book.answers.keys().map(|kind| format!("answer {kind}"));
    let all = all.chain(book.events.keys().map(|kind| format!("event {kind}")));
    let not_compared: Vec<_> = all.filter(|name| !book.compared.contains(name) && !elsewhere(name)).collect();
    assert!(not_compared.is_empty(), "never compared: {not_compared:?}");
}

/// The browser comes in, and its tab belongs to a project.
fn tab(book: &mut Book, browser: &mut Speaker) {
    let answer = book.send(browser, "hello");
    book.is_the_answer(&answer);
    book.send(browser, "open_session");
    let answer = book.send(browser, "set_origin_project");
    book.is_the_answer(&answer);
    let event = browser.event("session_changed", |payload| payload["project"].is_object());
    book.is_the_event(&event);
    let answer = book.send(browser, "open_session");
    book.is_the_answer(&answer);
    let refused =
        browser.ask(&json!({ "id": "m_none", "type": "list_comments", "payload": { "sessionId": "s_2" } }));
    book.is_the_answer(&refused);
    let answer = book.send(browser, "list_projects");
    book.is_the_answer(&answer);
}

fn comments(book: &mut Book, browser: &mut Speaker, agent: &mut Speaker) {
    let answer = book.send(browser, "create_comment");
    book.is_the_answer(&answer);
    let event = browser.event("comment_changed", |_| true);
    book.is_the_event(&event);
    let event = agent.event("changed", |payload| payload["kind"] == "comment");
    book.is_the_event(&event);
    for kind in ["list_comments", "import_comments"] {
        let answer = book.send(browser, kind);
        book.is_the_answer(&answer);
    }
    for kind in ["get_comment", "get_screenshot", "get_feedback"] {
        let answer = book.send(agent, kind);
        book.is_the_answer(&answer);
    }
}

fn talk(book: &mut Book, browser: &mut Speaker, agent: &mut Speaker, verb: &mut Speaker) {
    let answer = book.send(browser, "set_context");
    book.is_the_answer(&answer);
    // The agent waits from before the person speaks.
    let mut waits = book.request("wait_for_feedback");
    let before = agent.ask(&json!({ "id": "m_before", "type": "get_feedback", "payload": {} }));
    waits["payload"]["after"] = before["payload"]["position"].clone();
    agent.send(&waits);
    // The hub asks by itself when an agent asks it for the first time.
    let first = agent.event("agent_ping", |_| true);
    let pong = json!({ "id": "m_first", "type": "agent_pong", "payload": { "round": first["payload"]["round"], "presence": "answers" } });
    agent.ask(&pong);
    for (round, answers) in [(2, false), (3, true)] {
        let mut ping = book.request("ping");
        ping["id"] = format!("m_ping{round}").into();
        browser.send(&ping);
        let asked = agent.event("agent_ping", |_| true);
        let mut pong = book.request("agent_pong");
        if answers {
            book.is_the_event(&asked);
        } else {
            pong["payload"]["round"] = round.into();
        }
        let done = agent.ask(&pong);
        book.answered("agent_pong", done);
        let answer = browser.answer(&ping["id"]);
        let answer = book.answered("ping", answer);
        if answers {
            book.is_the_answer(&answer);
        }
    }
    let answer = book.send(browser, "user_message");
    book.is_the_answer(&answer);
    let said = answer["payload"]["messageId"].clone();
    let news = agent.answer(&waits["id"]);
    let news = book.answered("wait_for_feedback", news);
    book.is_the_answer(&news);
    for kind in ["list_sessions", "get_ui_context"] {
        let answer = book.send(agent, kind);
        book.is_the_answer(&answer);
    }
    book.send(verb, "select_session");
    book.send_with(agent, "handed_over", |payload| payload["messageIds"] = json!([said]));
    let event = browser.event("message_read", |_| true);
    book.is_the_event(&event);
    for kind in ["search", "list_conversations", "get_requests", "complete"] {
        let answer = book.send(agent, kind);
        book.is_the_answer(&answer);
    }
    book.send(agent, "search_messages");
    book.send(agent, "end_wait");
    book.send(agent, "update_status");
    let event = browser.event("status_update", |_| true);
    book.is_the_event(&event);
    book.send(agent, "respond_to_browser");
    let event = browser.event("agent_response_chunk", |_| true);
    book.is_the_event(&event);
    book.send(agent, "get_conversation_history");
}

fn verifications(book: &mut Book, room: &Room, agent: &mut Speaker) {
    let mut person = Speaker::greeted(room, Role::Browser, "Chromium 156", &["verifications"]);
    let asks = book.request("request_verification");
    agent.send(&asks);
    let event = person.event("verification_changed", |_| true);
    book.is_the_event(&event);
    let asked = event["payload"]["verification"].clone();
    book.send_with(agent, "get_verification", |payload| payload["verificationId"] = asked["id"].clone());
    let answer = book.send_with(&mut person, "decide_verification", |payload| {
        payload["verificationId"] = asked["id"].clone();
        payload["hash"] = asked["hash"].clone();
    });
    book.is_the_answer(&answer);
    let event = person.event("rules_changed", |_| true);
    book.is_the_event(&event);
    let rule = event["payload"]["rules"][0]["id"].clone();
    let answer = agent.answer(&asks["id"]);
    let answer = book.answered("request_verification", answer);
    book.is_the_answer(&answer);
    let answer = book.send(&mut person, "list_verifications");
    book.is_the_answer(&answer);
    book.send_with(&mut person, "stop_rule", |payload| payload["ruleId"] = rule);
    // The same again is another question now that the rule is gone.
    let again = json!({
        "id": "m_again", "type": "request_verification",
        "payload": { "action": "Delete dist/", "reason": "It is stale", "timeoutMs": 0 }
    });
    let asked = agent.ask(&again)["payload"]["verification"]["id"].clone();
    book.send_with(agent, "withdraw_verification", |payload| payload["verificationId"] = asked);
}

fn annotations(book: &mut Book, room: &Room, browser: &mut Speaker, agent: &mut Speaker) {
    let asks = book.request("request_annotation");
    agent.send(&asks);
    let event = browser.event("annotation_requested", |_| true);
    book.is_the_event(&event);
    // What the page is told that was closed meanwhile.
    let mut asked = book.request("get_conversation");
    let whole = browser
        .ask(&json!({ "id": "m_whole", "sessionId": "s_1", "type": "get_conversation", "payload": {} }));
    let first = whole["payload"]["messages"][0]["position"].clone();
    asked["payload"]["after"] = first;
    let answer = browser.ask(&asked);
    let answer = book.answered("get_conversation", answer);
    book.is_the_answer(&answer);
    book.send(browser, "answer_annotation");
    let answer = agent.answer(&asks["id"]);
    let answer = book.answered("request_annotation", answer);
    book.is_the_answer(&answer);
    // Another agent asks the same, and leaves.
    let mut other = Speaker::greeted(room, Role::Agent, "codex 1.0", &[]);
    let mut asks = asks;
    asks["payload"]["annotationId"] = "a_2".into();
    other.send(&asks);
    browser.event("annotation_requested", |_| true);
    drop(other);
    let mut event = browser.event("annotation_withdrawn", |_| true);
    event["payload"]["annotationId"] = "a_1".into();
    book.is_the_event(&event);
    // The rest of what the agent began to say.
    let rest = json!({
        "id": "m_rest", "type": "respond_to_browser",
        "payload": { "sessionId": "s_1", "contextId": "ctx_1", "message": ": done.", "isComplete": true, "index": 1 }
    });
    assert_eq!(agent.ask(&rest)["type"], "message_stored");
    let event = browser.event("agent_response", |_| true);
    book.is_the_event(&event);
}

fn presence(book: &mut Book, room: &Room, browser: &mut Speaker, agent: &mut Speaker) {
    // Waits again, so that it is told as one that does.
    let mut waits = book.request("wait_for_feedback");
    let now = agent.ask(&json!({ "id": "m_now", "type": "get_feedback", "payload": {} }));
    waits["payload"]["after"] = now["payload"]["position"].clone();
    agent.send(&waits);
    agent.ask(&json!({ "id": "m_sync", "type": "list_sessions" }));
    // Another one comes and goes.
    browser.events.clear();
    drop(Speaker::greeted(room, Role::Agent, "codex 1.0", &[]));
    for count in [2, 1] {
        let event =
            browser.event("agents_changed", |payload| payload["agents"].as_array().unwrap().len() == count);
        if count == 1 {
            book.is_the_event(&event);
        }
    }
    let answer = book.send(browser, "status");
    book.is_the_answer(&answer);
    let answer = book.send(browser, "change_comment");
    assert_eq!(answer["payload"]["comment"]["status"], "resolved", "{answer}");
}

fn source(book: &mut Book, room: &Room, browser: &mut Speaker) {
    for kind in ["get_source_changes", "find_in_source"] {
        let answer = book.send(browser, kind);
        book.is_the_answer(&answer);
    }
    let mut watching = Speaker::greeted(room, Role::Browser, "Firefox 153", &["source_changes"]);
    let tab = json!({ "id": "s_3", "url": "http://localhost:5173/", "title": "Shop", "lastActive": 1 });
    watching.ask(&json!({ "id": "m_tab", "type": "open_session", "payload": tab }));
    // Until the hub watches, which it begins soon.
    let (file, ended) = (room.project.join("src/pages/Shop.tsx"), Arc::new(AtomicBool::new(false)));
    let writing = std::thread::spawn({
        let ended = Arc::clone(&ended);
        move || {
            while !ended.load(Ordering::Relaxed) {
                std::fs::write(&file, "<b>30</b>").unwrap();
                std::thread::sleep(Duration::from_millis(200));
            }
        }
    });
    let event = watching.event("source_changed", |_| true);
    ended.store(true, Ordering::Relaxed);
    writing.join().unwrap();
    book.is_the_event(&event);
}

fn verbs(book: &mut Book, room: &Room, gateway: &Gateway, browser: &mut Speaker, verb: &mut Speaker) {
    book.send(browser, "list_offers");
    book.send(browser, "stop_waiting");
    let stored = book.send(verb, "list_stored");
    let kept = stored["payload"]["projects"][0]["id"].clone();
    book.send_with(verb, "export_stored", |payload| payload["id"] = kept.clone());
    let port = gateway.address.port();
    let answer = book.send_with(verb, "open_gateway", |payload| payload["port"] = port.into());
    book.is_the_answer(&answer);
    let answer = book.send(verb, "get_gateway_config");
    book.is_the_answer(&answer);
    let answer = book.send(verb, "begin_pairing");
    book.is_the_answer(&answer);
    book.send(verb, "end_pairings");
    book.send(browser, "close_session");
    let other = room.path().join("work/shop");
    std::fs::create_dir_all(&other).unwrap();
    let answer = book.send_with(verb, "move_stored", |payload| {
        payload["id"] = kept;
        payload["to"] = other.to_str().unwrap().into();
    });
    book.is_the_answer(&answer);
    let stored = verb.ask(&json!({ "id": "m_moved", "type": "list_stored" }));
    let moved = stored["payload"]["projects"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["root"] == other.to_str().unwrap());
    let moved = moved.unwrap()["id"].clone();
    book.send_with(verb, "delete_stored", |payload| payload["id"] = moved);
    book.send(verb, "shutdown");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_that_is_none_is_refused_with_a_next_step_that_fits_the_message() {
    let room = Room::new();
    let gateway = room.gateway();
    let _agent = room.agent("a").await;
    let mut client = Plain::new(&gateway);
    // The beginning of a PNG, and no more; and one that says it is larger than any.
    for picture in ["iVBORw0KGgo=", "R0lGODlhAQABAAAAACw="] {
        client.select_with(Some(picture));
        let refused = client.heard();
        let next = refused["payload"]["nextStep"].as_str().unwrap();
        assert!(next.contains("PNG") && !next.contains("comment"), "{refused}");
    }
}
