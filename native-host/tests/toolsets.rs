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
