//! Which tools an agent is offered, what is logged of them, and what a server of reading tools leaves as it was.

use std::process::Stdio;

use serde_json::{Value, json};
use tokio::io::AsyncReadExt as _;

use crate::world::conversation::{say, select};
use crate::world::{Agent, World, comment, program, succeeded};

async fn offered(world: &World, arguments: &[&str]) -> (Agent, Vec<String>) {
    let mut agent = Agent::start_with(world.home(), &world.project(), arguments, Stdio::null());
    agent.initialize("2025-06-18").await;
    let listed = agent.ask("tools/list", json!({})).await["result"]["tools"].clone();
    let names =
        listed.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect();
    (agent, names)
}

#[tokio::test]
async fn toolsets_choose_what_is_listed_and_what_can_be_called() {
    let world = World::new();
    let (_, all) = offered(&world, &[]).await;
    let (mut feedback, of_feedback) = offered(&world, &["--toolsets", "feedback"]).await;
    let (_, of_both) = offered(&world, &["--toolsets", "feedback,chat"]).await;
    assert!(of_feedback.contains(&"get_ui_feedback".to_owned()));
    assert!(!of_feedback.contains(&"get_ui_context".to_owned()));
    assert!(of_both.len() > of_feedback.len() && of_both.iter().all(|name| all.contains(name)));
    let refused = feedback.ask("tools/call", json!({ "name": "get_ui_context", "arguments": {} })).await;
    assert_eq!(refused["error"]["code"], -32602, "{refused}");
    assert!(!refused["error"]["message"].as_str().unwrap().contains("list_sessions"), "{refused}");
}

#[test]
fn an_unknown_toolset_is_an_error_that_lists_them() {
    let ended = std::process::Command::new(program())
        .args(["mcp", "--toolsets", "feedback,wishes"])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(2), "{said}");
    for part in ["wishes", "feedback", "chat"] {
        assert!(said.contains(part), "{part} in {said}");
    }
    assert!(ended.stdout.is_empty());
}

#[tokio::test]
async fn read_only_tools_write_nothing_and_mark_nothing_as_read() {
    let world = World::new();
    let browser = world.browser().await;
    browser.comment(comment("c_one", "/", "Make it blue")).await;
    let context = select(&browser, "BUTTON").await;
    say(&browser, Some(&context), "Is it blue?").await;
    let (mut reading, names) = offered(&world, &["--read-only"]).await;
    for name in ["resolve_comment", "update_comment", "respond_to_browser", "request_annotation"] {
        assert!(!names.contains(&name.to_owned()), "{name} is listed");
        let refused = reading.ask("tools/call", json!({ "name": name, "arguments": {} })).await;
        assert_eq!(refused["error"]["code"], -32602, "{refused}");
    }
    let waited = json!({ "after": 0, "timeoutSeconds": 5 });
    let first = succeeded(reading.call("wait_for_feedback", waited.clone()).await);
    assert_eq!(first["messages"][0]["content"], "Is it blue?");
    assert_eq!(succeeded(reading.call("get_ui_context", json!({})).await)["userMessage"], "Is it blue?");
    // It is not given twice, and the wait is one.
    let again = json!({ "after": first["position"], "timeoutSeconds": 1 });
    let again = succeeded(reading.call("wait_for_feedback", again).await);
    assert_eq!((&again["messages"], &again["timedOut"]), (&json!([]), &json!(true)));
    // Another agent, which may write, is handed it still.
    let mut writing = world.agent().await;
    let handed = succeeded(writing.call("wait_for_feedback", waited).await);
    assert_eq!(handed["messages"][0]["content"], "Is it blue?");
}

/// However many nobody was handed: each is told once, with and without a position, and then what is new.
#[tokio::test]
async fn read_only_tells_each_of_many_unread_messages_once() {
    let world = World::new();
    let browser = world.browser().await;
    for number in 0..120 {
        say(&browser, None, &format!("Message {number}.")).await;
    }
    for gives_position in [true, false] {
        let (mut reading, _) = offered(&world, &["--read-only"]).await;
        let mut heard = Vec::new();
        let mut arguments = json!({ "timeoutSeconds": 1 });
        for _ in 0..6 {
            let told = succeeded(reading.call("wait_for_feedback", arguments.clone()).await);
            if told["timedOut"] == true {
                break;
            }
            let messages = told["messages"].as_array().unwrap();
            heard.extend(messages.iter().map(|one| one["content"].as_str().unwrap().to_owned()));
            if gives_position {
                arguments["after"] = told["position"].clone();
            }
        }
        let all: Vec<_> = (0..120).map(|number| format!("Message {number}.")).collect();
        assert_eq!(heard, all, "position given: {gives_position}");
        let waits = json!({ "after": arguments["after"], "timeoutSeconds": 10 });
        let waiting = reading.call("wait_for_feedback", waits);
        let (told, ()) = tokio::join!(waiting, async {
            tokio::time::sleep(std::time::Duration::from_millis(300)).await;
            browser.comment(comment(&format!("c_{gives_position}"), "/", "One more")).await;
        });
        let comments = succeeded(told)["comments"].clone();
        assert_eq!(comments[0]["text"], "One more", "{comments}");
    }
}

/// What cannot be answered is not handed over: it waits for an agent that can.
#[tokio::test]
async fn a_wait_is_for_what_the_toolsets_can_answer() {
    let world = World::new();
    let browser = world.browser().await;
    browser.comment(comment("c_one", "/", "Make it blue")).await;
    say(&browser, None, "Is it blue?").await;
    let waits = json!({ "after": 0, "timeoutSeconds": 1 });
    let (mut feedback, _) = offered(&world, &["--toolsets", "feedback"]).await;
    let told = succeeded(feedback.call("wait_for_feedback", waits.clone()).await);
    assert_eq!((&told["comments"][0]["id"], &told["messages"]), (&json!("c_one"), &json!([])));
    let (mut chat, names) = offered(&world, &["--toolsets", "chat"]).await;
    assert!(names.contains(&"wait_for_feedback".to_owned()), "{names:?}");
    let told = succeeded(chat.call("wait_for_feedback", waits).await);
    assert_eq!((&told["comments"], &told["messages"][0]["content"]), (&json!([]), &json!("Is it blue?")));
}

/// A note that names a tool that is off would send the agent nowhere.
#[tokio::test]
async fn answers_name_no_tool_that_is_off() {
    let world = World::new();
    let _browser = world.browser().await;
    let (mut chat, _) = offered(&world, &["--toolsets", "chat"]).await;
    let told = succeeded(chat.call("get_ui_context", json!({})).await);
    assert!(!told.to_string().contains("request_annotation"), "{told}");
    let (mut all, _) = offered(&world, &[]).await;
    let told = succeeded(all.call("get_ui_context", json!({})).await);
    assert!(told["note"].as_str().unwrap().contains("request_annotation"), "{told}");
}

/// Requirement "Console Logging for Tool Operations", scenario "Registration logged", and "Tool Registration", scenario
/// "Tool registered successfully".
#[tokio::test]
async fn registration_logged() {
    let world = World::new();
    let mut agent =
        Agent::start_with(world.home(), &world.project(), &["--toolsets", "feedback"], Stdio::piped());
    let mut errors = agent.process.stderr.take().unwrap();
    let hello = agent.initialize("2025-06-18").await;
    assert_eq!(hello["result"]["serverInfo"]["name"], "opentoolbar");
    agent.call("resolve_comment", json!({ "commentId": "c_none", "summary": "secret-summary" })).await;
    // Every line of standard output was JSON.
    assert!(agent.lines.iter().all(|line| serde_json::from_str::<Value>(line).is_ok()));
    assert_eq!(agent.hang_up().await, Some(0));
    let mut said = String::new();
    errors.read_to_string(&mut said).await.unwrap();
    assert_eq!(said.matches("MCP tool registered: get_ui_feedback").count(), 1, "{said}");
    assert!(!said.contains("MCP tool registered: get_ui_context"), "{said}");
    assert!(!said.contains("secret-summary"), "{said}");
}

/// Requirement "Console Logging for Tool Operations", scenario "Invocation logged (optional for debugging)".
#[tokio::test]
async fn invocation_logged() {
    let world = World::new();
    let mut process = tokio::process::Command::new(program());
    process.arg("mcp").current_dir(world.project()).env("OPENTOOLBAR_HOME", world.home());
    process.env("OPENTOOLBAR_LOG", "info").kill_on_drop(true);
    process.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = process.spawn().unwrap();
    let mut input = process.stdin.take().unwrap();
    let lines = [
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } } }),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
            "name": "reply_to_comment", "arguments": { "commentId": "no id", "message": "secret-words" } } }),
    ];
    let lines: String = lines.iter().map(|line| format!("{line}\n")).collect();
    tokio::io::AsyncWriteExt::write_all(&mut input, lines.as_bytes()).await.unwrap();
    drop(input);
    let ended = process.wait_with_output().await.unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    assert!(said.contains("MCP tool called") && said.contains("reply_to_comment"), "{said}");
    assert!(said.contains("refused") && !said.contains("secret-words"), "{said}");
}
