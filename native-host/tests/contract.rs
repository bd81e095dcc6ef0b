//! The conversation's contract, message by message and tool by tool, with a real relay and a real MCP server: what must
//! be sent, what must come back, what must lie on the disk. Over the WebSocket the same is held by `tests/ws`.

use crate::world;
use std::path::Path;
use std::time::Duration;

use crate::world::native::Browser;
use crate::world::{Agent, World, succeeded};
use serde_json::{Value, json};

const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

struct Pair {
    world: World,
    browser: Browser,
    agent: Agent,
}

/// A browser with the tab `s_1`, and an agent of its project.
async fn pair() -> Pair {
    let world = World::new();
    let browser = Browser::start(world.home(), "Chromium").await;
    let root = world.project();
    browser.ask("set_origin_project", None, json!({ "origin": world::ORIGIN, "root": root })).await;
    let pair = Pair { agent: world.agent().await, browser, world };
    pair.open("s_1", "Cart").await;
    pair
}

fn element() -> Value {
    json!({
        "tagName": "BUTTON", "id": "buy", "classList": ["btn", "buy"], "textContent": "Buy now",
        "attributes": { "class": "btn buy", "id": "buy" },
        "boundingBox": { "x": 10.0, "y": 20.5, "width": 80.0, "height": 24.0 }
    })
}

impl Pair {
    async fn open(&self, session: &str, title: &str) {
        let url = format!("{}/{session}", world::ORIGIN);
        let tab = json!({ "id": session, "url": url, "title": title, "lastActive": 1 });
        let opened = self.browser.ask("open_session", None, tab).await;
        assert_eq!(opened["type"], "session", "{opened}");
    }

    /// `set_context` with every field that there is.
    async fn select(&self, session: &str) -> String {
        let payload = json!({
            "element": element(),
            "ancestors": [{ "tagName": "MAIN", "classList": ["page"], "id": "main" }, { "tagName": "BODY", "classList": [] }],
            "children": [{ "tagName": "SPAN", "classList": ["label"], "textContent": "Buy now" }],
            "page": { "url": format!("{}/{session}", world::ORIGIN), "title": "Cart" },
            "screenshot": PNG
        });
        let stored = self.browser.ask("set_context", Some(session), payload).await;
        assert_eq!(stored["type"], "context_stored", "{stored}");
        assert_eq!(fields(&stored["payload"]), ["contextId"]);
        stored["payload"]["contextId"].as_str().unwrap().to_owned()
    }

    async fn say(&self, session: &str, context: &str, text: &str) {
        let payload = json!({ "contextId": context, "message": text });
        let said = self.browser.ask("user_message", Some(session), payload).await;
        assert_eq!(said["type"], "message_stored", "{said}");
    }

    /// The next event of that type in the tab.
    async fn event(&self, session: &str, kind: &str) -> Value {
        let next = async {
            loop {
                let heard = self.browser.take(session);
                if let Some(event) = heard.into_iter().find(|event| event["type"] == kind) {
                    return event["payload"].clone();
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(30), next).await.unwrap()
    }
}

fn fields(object: &Value) -> Vec<&str> {
    object.as_object().unwrap().keys().map(String::as_str).collect()
}

#[tokio::test]
async fn set_context_is_acknowledged_by_context_stored_and_told_by_get_ui_context() {
    let mut pair = pair().await;
    let context = pair.select("s_1").await;
    for arguments in [json!({}), json!({ "sessionId": "s_1" })] {
        let told = succeeded(pair.agent.call("get_ui_context", arguments).await);
        assert_eq!((&told["sessionId"], &told["contextId"]), (&json!("s_1"), &json!(context)));
        assert_eq!(told["element"], element());
        assert_eq!(told["ancestors"][0], json!({ "tagName": "MAIN", "classList": ["page"], "id": "main" }));
        assert_eq!(told["page"], json!({ "url": format!("{}/s_1", world::ORIGIN), "title": "Cart" }));
        assert_eq!(told["userMessage"], "");
        assert!(told["timestamp"].as_u64().is_some_and(|at| at > 1_700_000_000_000), "{told}");
        let picture = std::fs::read(told["screenshotPath"].as_str().unwrap()).unwrap();
        assert!(picture.starts_with(b"\x89PNG"), "{told}");
    }
}

#[tokio::test]
async fn user_message_is_pending_until_it_is_answered() {
    let mut pair = pair().await;
    let context = pair.select("s_1").await;
    pair.say("s_1", &context, "Make it bigger").await;
    let told = succeeded(pair.agent.call("get_ui_context", json!({})).await);
    assert_eq!(told["userMessage"], "Make it bigger");
    let answer = json!({ "sessionId": "s_1", "contextId": context, "message": "Done", "isComplete": true });
    succeeded(pair.agent.call("respond_to_browser", answer).await);
    let told = succeeded(pair.agent.call("get_ui_context", json!({})).await);
    assert_eq!(told["userMessage"], "");
}

#[tokio::test]
async fn ping_is_answered_by_pong() {
    let pair = pair().await;
    assert_eq!(pair.browser.ask("ping", None, Value::Null).await["type"], "pong");
}

#[tokio::test]
async fn update_status_comes_as_status_update() {
    let mut pair = pair().await;
    for status in ["thinking", "searching", "editing", "idle"] {
        for detail in [None, Some("Searching for Button component...")]
            .into_iter()
            .take(if status == "idle" { 1 } else { 2 })
        {
            let mut arguments = json!({ "sessionId": "s_1", "status": status });
            let mut expected = json!({ "status": status });
            if let Some(detail) = detail {
                arguments["detail"] = detail.into();
                expected["detail"] = detail.into();
            }
            assert_eq!(pair.agent.call("update_status", arguments).await, json!({ "success": true }));
            assert_eq!(pair.event("s_1", "status_update").await, expected);
        }
    }
    let unknown = pair.agent.call("update_status", json!({ "sessionId": "s_1", "status": "sleeping" })).await;
    assert_eq!(unknown["success"], false);
    assert!(unknown["error"].as_str().unwrap().contains("idle"), "{unknown}");
}

#[tokio::test]
async fn respond_to_browser_comes_as_agent_response_chunk_and_agent_response() {
    let mut pair = pair().await;
    let context = pair.select("s_1").await;
    pair.say("s_1", &context, "Hi").await;
    for part in ["# One\n", "- *two*\n"] {
        let arguments =
            json!({ "sessionId": "s_1", "contextId": context, "message": part, "isComplete": false });
        assert_eq!(pair.agent.call("respond_to_browser", arguments).await["success"], true);
        let chunk = pair.event("s_1", "agent_response_chunk").await;
        assert_eq!(chunk, json!({ "contextId": context, "chunk": part }));
    }
    let arguments =
        json!({ "sessionId": "s_1", "contextId": context, "message": "`three`", "isComplete": true });
    assert_eq!(pair.agent.call("respond_to_browser", arguments).await["success"], true);
    let whole = pair.event("s_1", "agent_response").await;
    let message = "# One\n- *two*\n`three`";
    assert_eq!(whole, json!({ "contextId": context, "message": message, "isComplete": true }));
}

#[tokio::test]
async fn list_sessions_lists_the_open_tabs_of_the_project() {
    let mut pair = pair().await;
    pair.open("s_2", "Checkout").await;
    let context = pair.select("s_1").await;
    pair.say("s_1", &context, "Hi").await;
    let listed = succeeded(pair.agent.call("list_sessions", json!({})).await);
    let told: Vec<_> = listed["sessions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            assert!(one["lastActive"].is_u64(), "{one}");
            (
                one["sessionId"].as_str().unwrap(),
                one["pageUrl"].as_str().unwrap(),
                one["pageTitle"].as_str().unwrap(),
                one["hasUnreadMessage"].as_bool().unwrap(),
            )
        })
        .collect();
    let urls = ["s_1", "s_2"].map(|session| format!("{}/{session}", world::ORIGIN));
    assert_eq!(told, [("s_1", urls[0].as_str(), "Cart", true), ("s_2", urls[1].as_str(), "Checkout", false)]);
    succeeded(pair.agent.call("get_ui_context", json!({})).await);
    let listed = succeeded(pair.agent.call("list_sessions", json!({})).await);
    assert_eq!(listed["sessions"][0]["hasUnreadMessage"], false);
}

#[tokio::test]
async fn get_conversation_history_tells_the_last_20_unless_asked_for_more() {
    let mut pair = pair().await;
    let context = pair.select("s_1").await;
    for number in 0..22 {
        pair.say("s_1", &context, &format!("No {number}")).await;
    }
    let answer = json!({ "sessionId": "s_1", "contextId": context, "message": "Done", "isComplete": true });
    succeeded(pair.agent.call("respond_to_browser", answer).await);
    for (limit, count) in [(None, 20), (Some(3), 3), (Some(50), 23)] {
        let mut arguments = json!({ "sessionId": "s_1" });
        if let Some(limit) = limit {
            arguments["limit"] = limit.into();
        }
        let history = succeeded(pair.agent.call("get_conversation_history", arguments).await);
        let messages = history["messages"].as_array().unwrap();
        assert_eq!(messages.len(), count);
        for one in messages {
            assert_eq!(one["contextId"], context.as_str());
            assert!(one["timestamp"].is_u64(), "{one}");
        }
        let said = |one: &Value| (one["role"].clone(), one["content"].clone());
        assert_eq!(said(&messages[count - 1]), (json!("assistant"), json!("Done")));
        assert_eq!(said(&messages[count - 2]), (json!("user"), json!("No 21")));
    }
}

fn json_of(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display())))
        .unwrap()
}

/// A session's file once it has the message: it comes a moment after the database.
async fn session_file(path: &Path, message: &str) -> Value {
    let began = std::time::Instant::now();
    loop {
        let json = std::fs::read(path).unwrap_or_default();
        match serde_json::from_slice::<Value>(&json) {
            Ok(session) if session["userMessage"] == message => return session,
            last => assert!(began.elapsed() < Duration::from_secs(60), "{last:?}"),
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn storage_structure() {
    let pair = pair().await;
    let context = pair.select("s_1").await;
    pair.say("s_1", &context, "Hi").await;
    let (home, project) = (pair.world.home(), pair.world.project());
    let registry = json_of(&home.join("registry.json"));
    assert_eq!(registry["sessions"]["s_1"]["root"], project.to_str().unwrap());
    let pid: u32 = std::fs::read_to_string(home.join("server.pid")).unwrap().trim().parse().unwrap();
    assert_eq!(pid, pair.world.hub_pid());
    let ours = project.join(".opentoolbar");
    let session = session_file(&ours.join("sessions/s_1.json"), "Hi").await;
    assert_eq!((&session["contextId"], &session["userMessage"]), (&json!(context), &json!("Hi")));
    assert!(std::fs::read(ours.join("screenshots/s_1_ctx.png")).unwrap().starts_with(b"\x89PNG"));
    let data = opentoolbar::project::Catalogue::at(home.join("projects")).find(&project).unwrap().unwrap();
    assert!(std::fs::read(data.join("opentoolbar.db")).unwrap().starts_with(b"SQLite format 3\0"));
}

#[tokio::test]
async fn session_management_the_latest_active_one_unless_another_is_picked() {
    let mut pair = pair().await;
    pair.open("s_2", "Checkout").await;
    let latest = async |agent: &mut Agent| {
        succeeded(agent.call("get_ui_context", json!({})).await)["sessionId"].clone()
    };
    assert_eq!(latest(&mut pair.agent).await, "s_2");
    pair.select("s_1").await;
    assert_eq!(latest(&mut pair.agent).await, "s_1");
    let listed = pair.world.verb(&["ui", "list"]).output().unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    assert!(listed.contains("#1  Cart") && listed.contains("#2  Checkout"), "{listed}");
    assert!(pair.world.verb(&["ui", "#2"]).output().unwrap().status.success());
    assert_eq!(latest(&mut pair.agent).await, "s_2", "the person's pick");
    succeeded(pair.agent.call("select_session", json!({ "sessionId": "#1" })).await);
    assert_eq!(latest(&mut pair.agent).await, "s_1", "the agent's own goes before it");
}

/// Neither side's words, nor what the page is about, nor a secret stand in any log, also when something is refused.
#[tokio::test]
async fn no_log_holds_what_was_said() {
    let mut pair = pair().await;
    let context = pair.select("s_1").await;
    let secret = "SECRET-IN-A-MESSAGE";
    pair.say("s_1", &context, secret).await;
    let refused = json!({ "contextId": "ctx_none", "message": secret });
    assert_eq!(pair.browser.ask("user_message", Some("s_1"), refused).await["type"], "error");
    assert_eq!(pair.browser.ask(secret, Some("s_1"), json!({ "message": secret })).await["type"], "error");
    let detail = json!({ "sessionId": "s_1", "status": "editing", "detail": secret });
    succeeded(pair.agent.call("update_status", detail).await);
    for (complete, context) in [(false, context.as_str()), (true, context.as_str()), (true, "ctx_none")] {
        let answer =
            json!({ "sessionId": "s_1", "contextId": context, "message": secret, "isComplete": complete });
        pair.agent.call("respond_to_browser", answer).await;
    }
    pair.world.verb(&["search", secret]).output().unwrap();
    // What is refused is logged, so there is something to look at.
    let mut all = String::new();
    for log in std::fs::read_dir(pair.world.home().join("logs")).unwrap() {
        all += &std::fs::read_to_string(log.unwrap().path()).unwrap();
    }
    assert!(all.contains("was refused"), "{all}");
    for word in [secret, "Buy now", "Cart", world::ORIGIN] {
        assert!(!all.contains(word), "{word}: {all}");
    }
}
