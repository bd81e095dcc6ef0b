//! Every tool's answers, good and bad, against the schema that it declares: clients check them, and models read it.

use crate::world;
use std::collections::{BTreeMap, BTreeSet};

use crate::world::conversation::{say, session, set_context};
use crate::world::schema::wrong;
use crate::world::{Agent, Browser, World, comment, outdated};
use opentoolbar_core::model::CommentChange;
use opentoolbar_core::protocol::{Event, Request};
use serde_json::{Map, Value, json};

/// 1 by 1 pixel.
const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/// An agent whose every answer is held against its schema.
struct Checked {
    agent: Agent,
    schemas: BTreeMap<String, Value>,
    /// How the calls of each tool ended.
    ended: BTreeSet<(String, bool)>,
}

impl Checked {
    async fn of(world: &World) -> Self {
        let mut agent = world.agent().await;
        let listed = agent.ask("tools/list", json!({})).await["result"]["tools"].clone();
        let schema = |tool: &Value| (tool["name"].as_str().unwrap().to_owned(), tool["outputSchema"].clone());
        let schemas = listed.as_array().unwrap().iter().map(schema).collect();
        Self { agent, schemas, ended: BTreeSet::new() }
    }

    async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let told = self.agent.call(tool, arguments.clone()).await;
        if told["success"] == true {
            let mut found = wrong(&self.schemas[tool], &told, tool);
            found.retain(|wrong| !is_by_detail(wrong));
            assert_eq!(found, Vec::<String>::new(), "{arguments} {told}");
        }
        self.ended.insert((tool.to_owned(), told["success"] == true));
        told
    }

    /// Of a call that cannot be done.
    async fn refused(&mut self, tool: &str, arguments: Value) {
        let told = self.call(tool, arguments.clone()).await;
        assert_eq!(told["success"], false, "{tool} {arguments} {told}");
        // The same for every tool: the instructions tell of it, no schema does.
        let fields: Vec<_> = told.as_object().unwrap().keys().collect();
        assert_eq!(fields, ["error", "nextStep", "success"], "{told}");
        assert!(told["error"].is_string() && told["nextStep"].is_string(), "{told}");
    }

    async fn done(&mut self, tool: &str, arguments: Value) -> Value {
        let told = self.call(tool, arguments.clone()).await;
        assert_eq!(told["success"], true, "{tool} {arguments} {told}");
        told
    }
}

/// What a schema does not name: fields of a comment that some levels of detail have.
fn is_by_detail(wrong: &str) -> bool {
    let of_comment = [
        "pathname",
        "note",
        "url",
        "title",
        "createdAt",
        "updatedAt",
        "revision",
        "history",
        "resolution",
        "targetsNotShown",
        "repliesNotShown",
        "screenshot",
    ];
    let of_target = ["element", "addresses", "verdict", "reason", "diff"];
    let Some((place, _)) = wrong.split_once(" is not declared: ") else { return false };
    let Some((_, path)) = place.split_once("comments[") else { return false };
    match path.split_once("].") {
        Some((_, path)) => match path.split_once("].") {
            Some((_, field)) => path.starts_with("targets[") && of_target.contains(&field),
            None => of_comment.contains(&path),
        },
        None => false,
    }
}

fn long(words: usize) -> String {
    "word ".repeat(words)
}

/// A selection of which much is told, and much is cut.
fn selection(count: usize) -> Value {
    let one = json!({ "tagName": "DIV", "id": "a", "classList": ["a"], "textContent": "x" });
    let target = serde_json::to_value(&comment("c_1", "/", "x").targets[0]).unwrap();
    json!({
        "element": {
            "tagName": "BUTTON", "id": "buy", "classList": ["btn"], "textContent": long(count * 100),
            "attributes": (0..count).map(|n| (format!("data-{n}"), json!("x"))).collect::<Map<_, _>>(),
            "boundingBox": { "x": 0, "y": 0.5, "width": 1, "height": 1 }
        },
        "ancestors": vec![one.clone(); count.min(60)],
        "children": vec![one; count.min(60)],
        "page": { "url": format!("{}/", world::ORIGIN), "title": "Shop" },
        "targets": vec![target; count.min(20)],
        "screenshot": PNG, "viewportScreenshot": PNG,
    })
}

/// The person points at something, or declines, with words.
async fn asks(agent: &mut Checked, browser: &Browser, context: Option<&str>) {
    let mut events = browser.client.events();
    let asking = agent.done("request_annotation", json!({ "message": "Which header?" }));
    let answering = async {
        let annotation_id = loop {
            if let Event::AnnotationRequested(request) = events.recv().await.unwrap().event {
                break request.annotation_id;
            }
        };
        let context_id = context.map(|context| context.parse().unwrap());
        let answer = Request::AnswerAnnotation { annotation_id, context_id, message: Some(long(20_000)) };
        browser.client.request_in(&session(), answer).await.unwrap();
    };
    tokio::join!(asking, answering);
}

async fn conversation(agent: &mut Checked, browser: &Browser) {
    agent.done("list_sessions", json!({})).await;
    agent.done("select_session", json!({ "sessionId": "#1" })).await;
    agent.refused("select_session", json!({ "sessionId": "s_none" })).await;
    agent.done("get_ui_context", json!({})).await;
    say(browser, None, "What is this?").await;
    agent.done("get_ui_context", json!({})).await;
    agent
        .done("respond_to_browser", json!({ "sessionId": "s_test", "message": "A shop", "isComplete": true }))
        .await;
    let context = set_context(browser, &session(), selection(60)).await;
    say(browser, Some(&context), &long(20_000)).await;
    set_context(browser, &session(), selection(1)).await;
    agent.done("get_ui_context", json!({})).await;
    agent.refused("get_ui_context", json!({ "contextId": "ctx_none" })).await;
    agent.done("wait_for_feedback", json!({ "after": 0, "timeoutSeconds": 1 })).await;
    let status = json!({ "sessionId": "s_test", "status": "editing", "detail": "Buy.tsx" });
    agent.done("update_status", status).await;
    agent.refused("update_status", json!({ "sessionId": "s_none", "status": "idle" })).await;
    let part = json!({ "sessionId": "s_test", "contextId": context, "message": "It is ", "isComplete": false, "index": 0 });
    agent.done("respond_to_browser", part.clone()).await;
    agent.refused("respond_to_browser", part).await;
    for arguments in [json!({}), json!({ "limit": 1 })] {
        let mut history = json!({ "sessionId": "s_test" });
        history.as_object_mut().unwrap().extend(arguments.as_object().unwrap().clone());
        agent.done("get_conversation_history", history).await;
    }
    agent.refused("get_conversation_history", json!({ "sessionId": "s_none" })).await;
    agent.done("copilot_chat_secretary_get_request", json!({ "index": 1 })).await;
    agent.refused("copilot_chat_secretary_get_request", json!({ "index": 9 })).await;
    agent.done("copilot_chat_secretary_get_first_request", json!({ "sessionId": "s_test" })).await;
    agent.refused("copilot_chat_secretary_get_first_request", json!({ "sessionId": "s_none" })).await;
    agent.done("list_dialogs", json!({})).await;
    agent.refused("list_dialogs", json!({ "cursor": "none" })).await;
    agent.done("search_dialogs", json!({ "query": "shop" })).await;
    agent.refused("search_dialogs", json!({ "query": " " })).await;
    let risky = json!({ "action": "Delete build/", "reason": "It is stale", "timeoutSeconds": 5 });
    let told = agent.done("request_verification", risky).await;
    agent.refused("request_verification", json!({ "action": "Delete build/" })).await;
    agent.done("get_verification", json!({ "verificationId": told["verificationId"] })).await;
    agent.refused("get_verification", json!({ "verificationId": "v_none" })).await;
    asks(agent, browser, Some(&context)).await;
    asks(agent, browser, None).await;
    agent.done("request_annotation", json!({ "message": "Which?", "timeoutSeconds": 1 })).await;
    agent.refused("request_annotation", json!({})).await;
}

async fn comments(agent: &mut Checked, browser: &Browser) {
    agent.done("get_ui_feedback", json!({})).await;
    agent.done("wait_for_feedback", json!({ "timeoutSeconds": 1 })).await;
    agent.refused("wait_for_feedback", json!({ "timeoutSeconds": 46 })).await;
    browser.comment_with(comment("c_1", "/", "Make it blue"), Some(PNG.into())).await;
    let mut large = comment("c_2", "/", &long(3_000));
    large.targets = vec![large.targets[0].clone(); 20];
    browser.comment(large).await;
    browser.change("c_1", outdated()).await;
    for number in 0..20 {
        let id = format!("r_{number}").parse().unwrap();
        browser.change("c_2", CommentChange::Reply { id, text: "And the label".into() }).await;
    }
    agent
        .done("update_comment", json!({ "commentId": "c_1", "stage": "in_progress", "note": "On it" }))
        .await;
    agent.refused("update_comment", json!({ "commentId": "c_1" })).await;
    agent.done("reply_to_comment", json!({ "commentId": "c_1", "message": "Which blue?" })).await;
    agent.refused("reply_to_comment", json!({ "commentId": "c_none", "message": "x" })).await;
    for detail in ["brief", "standard", "full"] {
        for limit in [1, 2] {
            let arguments = json!({ "detail": detail, "limit": limit, "status": "all" });
            let told = agent.done("get_ui_feedback", arguments).await;
            agent.done("get_ui_feedback", json!({ "cursor": told["nextCursor"], "detail": detail })).await;
        }
    }
    agent.refused("get_ui_feedback", json!({ "pathname": "about" })).await;
    agent.done("wait_for_feedback", json!({ "after": 0, "timeoutSeconds": 1 })).await;
    agent.done("get_screenshot", json!({ "commentId": "c_1" })).await;
    agent.refused("get_screenshot", json!({ "commentId": "c_2" })).await;
    let html = "<button class=\"btn btn-primary\">Save</button>";
    let pinned = world::pinned("c_3", "/pinned", "Make it blue", html, "button");
    browser.comment(pinned).await;
    for html in [html, "<p>Nothing</p>"] {
        agent.done("check_comment", json!({ "commentId": "c_3", "html": html })).await;
    }
    agent.refused("check_comment", json!({ "commentId": "c_none", "html": html })).await;
    agent.done("resolve_comment", json!({ "commentId": "c_1", "summary": "It is blue" })).await;
    agent.refused("resolve_comment", json!({ "commentId": "c_1" })).await;
    agent.done("get_ui_feedback", json!({ "status": "resolved" })).await;
}

#[tokio::test]
async fn every_answer_of_every_tool_is_what_its_schema_declares() {
    let world = World::new();
    let browser = world.browser().await;
    let mut agent = Checked::of(&world).await;
    conversation(&mut agent, &browser).await;
    comments(&mut agent, &browser).await;
    let tools: Vec<String> = agent.schemas.keys().cloned().collect();
    for tool in &tools {
        // What is given and not known is refused everywhere.
        agent.refused(tool, json!({ "unknown": 1 })).await;
        assert!(agent.ended.contains(&(tool.clone(), true)), "{tool} was never done");
    }
    // Nobody is there to be asked.
    browser.client.request(Request::CloseSession { session_id: session() }).await.unwrap();
    agent.refused("get_ui_context", json!({})).await;
    agent.done("list_sessions", json!({})).await;
}

#[test]
fn what_is_not_declared_is_found() {
    let schema = json!({
        "type": "object", "required": ["success"],
        "properties": { "success": { "type": "boolean" }, "list": { "items": { "properties": { "a": { "type": "string" } } } } }
    });
    assert!(wrong(&schema, &json!({ "success": true, "list": [{ "a": "x" }] }), "answer").is_empty());
    for (value, what) in [
        (json!({}), "answer.success is missing"),
        (json!({ "success": 1 }), "answer.success is not \"boolean\": 1"),
        (json!({ "success": true, "more": 1 }), "answer.more is not declared: 1"),
        (json!({ "success": true, "list": [{ "b": 1 }] }), "answer.list[0].b is not declared: 1"),
    ] {
        assert_eq!(wrong(&schema, &value, "answer"), [what]);
    }
}
