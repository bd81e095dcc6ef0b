//! The MCP tools, over the real binary, a real hub and a real database; comments come in as a browser sends them.
#![cfg(unix)]

use crate::world;
use std::collections::BTreeSet;

use crate::world::{World, comment, outdated, refusal, succeeded};
use opentoolbar_core::model::{Author, CommentChange, Stage, Status};
use serde_json::{Value, json};

/// In brief a comment is told by its number.
fn numbers(found: &Value) -> Vec<u64> {
    let comments = found["comments"].as_array().unwrap();
    comments.iter().map(|comment| comment["number"].as_u64().unwrap()).collect()
}

fn ids(found: &Value) -> Vec<&str> {
    found["comments"].as_array().unwrap().iter().map(|comment| comment["id"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn get_all_feedback() {
    let world = World::new();
    let browser = world.browser().await;
    browser.comment(comment("c_home", "/", "Make the title bigger")).await;
    browser.comment(comment("c_about", "/about", "Add a picture")).await;
    browser.comment(comment("c_old", "/about", "Wrong text")).await;
    browser.change("c_old", outdated()).await;

    let found = succeeded(world.agent().await.call("get_ui_feedback", json!({})).await);
    assert_eq!(found["summary"], json!({ "total": 3, "active": 2, "outdated": 1, "resolved": 0 }));
    let mut ids = ids(&found);
    assert_eq!(ids.pop(), Some("c_old"), "outdated comments come last");
    ids.sort_unstable();
    assert_eq!(ids, ["c_about", "c_home"]);
    assert_eq!(found["comments"][2]["note"], "This element has been modified since the comment was created.");
}

#[tokio::test]
async fn filter_by_pathname() {
    let world = World::new();
    let browser = world.browser().await;
    browser.comment(comment("c_home", "/", "Make the title bigger")).await;
    browser.comment(comment("c_about", "/about", "Add a picture")).await;

    let found = succeeded(world.agent().await.call("get_ui_feedback", json!({ "pathname": "/" })).await);
    assert_eq!(ids(&found), ["c_home"]);
    assert_eq!(found["summary"]["total"], 1);
}

#[tokio::test]
async fn filter_by_status() {
    let world = World::new();
    let browser = world.browser().await;
    browser.comment(comment("c_active", "/", "Make the title bigger")).await;
    browser.comment(comment("c_outdated", "/", "Wrong text")).await;
    browser.change("c_outdated", outdated()).await;
    let mut agent = world.agent().await;

    let found = succeeded(agent.call("get_ui_feedback", json!({ "status": "active" })).await);
    assert_eq!(ids(&found), ["c_active"]);
    let found = succeeded(agent.call("get_ui_feedback", json!({ "status": "outdated" })).await);
    assert_eq!(ids(&found), ["c_outdated"]);
    let found = succeeded(agent.call("get_ui_feedback", json!({ "status": "resolved" })).await);
    assert!(ids(&found).is_empty());
    assert_eq!(found["summary"], json!({ "total": 0, "active": 1, "outdated": 1, "resolved": 0 }));
}

/// An agent that gave no limit does not know of it: the answer says that there is more, and how much.
#[tokio::test]
async fn a_cut_at_the_default_limit_says_so() {
    let world = World::new();
    let browser = world.browser().await;
    for number in 0..51 {
        browser.comment(comment(&format!("c_{number:02}"), "/", "Make the title bigger")).await;
    }
    let mut agent = world.agent().await;
    agent.call("resolve_comment", json!({ "commentId": "c_00" })).await;
    let found = succeeded(agent.call("get_ui_feedback", json!({ "detail": "brief" })).await);
    assert_eq!(
        (numbers(&found).len(), &found["nextCursor"], &found["note"]),
        (50, &Value::Null, &Value::Null)
    );
    assert_eq!(found["summary"], json!({ "total": 50, "active": 50, "outdated": 0, "resolved": 1 }));

    let all = json!({ "detail": "brief", "status": "all" });
    let found = succeeded(agent.call("get_ui_feedback", all.clone()).await);
    assert_eq!((numbers(&found).len(), &found["summary"]["total"]), (50, &json!(51)));
    let note = found["note"].as_str().unwrap();
    assert!(note.contains("50 of 51") && note.contains("limit") && note.contains("cursor"), "{note}");
    let mut rest = all;
    rest["cursor"] = found["nextCursor"].clone();
    let found = succeeded(agent.call("get_ui_feedback", rest).await);
    assert_eq!((numbers(&found), &found["note"]), (vec![1], &Value::Null));
}

/// Nobody is still to begin what is done, and what is done is begun anew by the person alone.
#[tokio::test]
async fn a_resolved_comment_has_no_open_stage_and_takes_none() {
    let world = World::new();
    let browser = world.browser().await;
    browser.comment(comment("c_one", "/", "Make the title bigger")).await;
    let mut agent = world.agent().await;
    let done = succeeded(agent.call("resolve_comment", json!({ "commentId": "c_one" })).await);
    assert_eq!((&done["status"], &done["stage"]), (&json!("resolved"), &json!("review")));
    let found = succeeded(agent.call("get_ui_feedback", json!({ "status": "resolved" })).await);
    assert_eq!(found["comments"][0]["stage"], "review");
    for stage in ["open", "in_progress", "review"] {
        let refused = agent.call("update_comment", json!({ "commentId": "c_one", "stage": stage })).await;
        assert_eq!(refused["success"], false);
        let why = refusal(&refused);
        assert!(why.contains("is resolved") && why.contains("only the person can"), "{why}");
    }
    let reopened = browser.change("c_one", CommentChange::Reopen).await;
    assert_eq!((reopened.status, reopened.stage), (Status::Active, Stage::Open));
    let begun = agent.call("update_comment", json!({ "commentId": "c_one", "stage": "in_progress" })).await;
    assert_eq!(succeeded(begun)["stage"], "in_progress");
}

#[tokio::test]
async fn resolve_a_comment() {
    let world = World::new();
    let browser = world.browser().await;
    browser.comment(comment("c_abc123", "/", "Make the title bigger")).await;
    let mut agent = world.agent().await;

    let resolved =
        agent.call("resolve_comment", json!({ "commentId": "c_abc123", "summary": "32 px now" })).await;
    assert_eq!(succeeded(resolved)["status"], "resolved");

    let stored = browser.get("c_abc123").await;
    assert_eq!(stored.status, Status::Resolved);
    let resolution = stored.resolution.expect("kept with how it was resolved");
    assert_eq!(resolution.summary.as_deref(), Some("32 px now"));
    assert_eq!(resolution.by, Author::Agent { name: "test-agent 1.0".into() });
    assert!(!stored.history.is_empty(), "kept with its history");

    let left = succeeded(agent.call("get_ui_feedback", json!({})).await);
    assert!(ids(&left).is_empty());
    let all = succeeded(agent.call("get_ui_feedback", json!({ "status": "all" })).await);
    assert_eq!(ids(&all), ["c_abc123"]);
}

#[tokio::test]
async fn ai_assisted_fix_cycle() {
    let world = World::new();
    let source = world.project().join("src");
    std::fs::create_dir(&source).unwrap();
    std::fs::write(source.join("SaveButton.tsx"), "export const color = 'red';\n").unwrap();
    let browser = world.browser().await;
    browser.comment(comment("c_button", "/settings", "Change button color to #2563EB")).await;
    let mut agent = world.agent().await;

    let found = succeeded(agent.call("get_ui_feedback", json!({})).await);
    let told = &found["comments"][0];
    assert_eq!(told["text"], "Change button color to #2563EB");
    assert_eq!(told["author"], "person");
    assert_eq!(told["targets"][0]["component"], "SaveButton");
    let place = told["targets"][0]["file"].as_str().unwrap();
    assert_eq!(place, "src/SaveButton.tsx:12:5");

    succeeded(agent.call("update_comment", json!({ "commentId": "c_button", "stage": "in_progress" })).await);
    let file = world.project().join(place.split(':').next().unwrap());
    let code = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, code.replace("red", "#2563EB")).unwrap();
    succeeded(
        agent
            .call("reply_to_comment", json!({ "commentId": "c_button", "message": "Done, please look" }))
            .await,
    );
    let done = json!({ "commentId": "c_button", "summary": "Set the colour to #2563EB" });
    succeeded(agent.call("resolve_comment", done).await);

    let stored = browser.get("c_button").await;
    assert_eq!(stored.status, Status::Resolved);
    assert_eq!(stored.text, "Change button color to #2563EB", "an agent never changes a person's words");
    assert_eq!(stored.replies[0].text, "Done, please look");
}

#[tokio::test]
async fn what_cannot_be_done_says_what_to_do() {
    let world = World::new();
    let browser = world.browser().await;
    browser.comment(comment("c_one", "/", "Make the title bigger")).await;
    let mut agent = world.agent().await;
    succeeded(agent.call("resolve_comment", json!({ "commentId": "c_one" })).await);

    let mut said = Vec::new();
    for (tool, arguments) in [
        ("resolve_comment", json!({ "commentId": "c_nowhere" })),
        ("resolve_comment", json!({ "commentId": "c_one" })),
        ("resolve_comment", json!({ "commentId": "one" })),
        ("resolve_comment", json!({})),
        ("resolve_comment", json!({ "commentId": "c_one", "summary": "x".repeat(2_001) })),
        ("update_comment", json!({ "commentId": "c_one" })),
        ("update_comment", json!({ "commentId": "c_one", "stage": "done" })),
        ("reply_to_comment", json!({ "commentId": "c_one", "message": "  " })),
        ("get_screenshot", json!({ "commentId": "c_one" })),
        ("get_ui_feedback", json!({ "status": "open" })),
        ("get_ui_feedback", json!({ "limit": 0 })),
        ("get_ui_feedback", json!({ "limit": "ten" })),
        ("get_ui_feedback", json!({ "path": "/" })),
        ("get_ui_feedback", json!({ "pathname": "about" })),
        ("get_ui_feedback", json!({ "sessionId": "no id" })),
        ("get_ui_feedback", json!({ "cursor": "nonsense" })),
        ("wait_for_feedback", json!({ "timeoutSeconds": 60 })),
    ] {
        let result = agent.result(tool, arguments.clone()).await;
        let value = &result["structuredContent"];
        assert_eq!(value["success"], false, "{tool} {arguments}: {value}");
        assert_eq!(result["isError"], false, "{tool} {arguments}: {value}");
        let shown = arguments.to_string();
        said.push(format!("{tool} {}\n  {}", &shown[..shown.len().min(60)], refusal(value)));
    }
    insta::with_settings!({ filters => vec![(r"at \d{4}-\d\d-\d\dT[\d:.]+Z", "at TIME")] }, {
        insta::assert_snapshot!(said.join("\n"));
    });
}

#[tokio::test]
async fn malformed_lines_are_answered_and_survived() {
    let world = World::new();
    let mut agent = world::Agent::start(world.home(), &world.project());
    agent.line(r#"{"jsonrpc":"2.0","method":"notifications/too_early"}"#).await;
    agent.line("{ this is not JSON").await;
    assert_eq!(agent.answer().await["error"]["code"], -32700);
    agent.initialize("2025-06-18").await;
    for (line, id, code) in [
        ("[]", Value::Null, -32600),
        (r#"{"jsonrpc":"1.0","id":90,"method":"tools/list"}"#, json!(90), -32600),
        (r#"{"jsonrpc":"2.0","id":91,"method":"tools/call"}"#, json!(91), -32602),
        (r#"{"jsonrpc":"2.0","id":92,"method":"no/such/method"}"#, json!(92), -32601),
        (
            r#"{"jsonrpc":"2.0","id":93,"method":"tools/call","params":{"name":"no_such_tool"}}"#,
            json!(93),
            -32602,
        ),
    ] {
        agent.line(line).await;
        let answer = agent.answer().await;
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&id, &json!(code)), "{line}: {answer}");
    }
    let endless = "x".repeat(17 * 1024 * 1024);
    agent.line(&endless).await;
    assert_eq!(agent.answer().await["error"]["code"], -32600);
    agent.line(&String::from_utf8_lossy(b"{\"jsonrpc\":\"2.0\",\"id\":\"\xff")).await;
    assert_eq!(agent.answer().await["error"]["code"], -32700);
    assert!(agent.ask("tools/list", json!({})).await["result"]["tools"].is_array(), "still serving");
}

/// As a script writes: all at once, the last line without its end, and then nothing more.
#[test]
fn a_last_line_without_its_end_is_read_and_what_was_asked_is_answered_after_the_end() {
    let world = World::new();
    let info = json!({ "name": "script", "version": "1" });
    let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info });
    let lines = [
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello }),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {} }),
        json!({ "jsonrpc": "2.0", "id": 3, "method": "tools/call",
            "params": { "name": "get_ui_feedback", "arguments": {} } }),
        json!({ "jsonrpc": "2.0", "id": 4, "method": "ping", "params": {} }),
    ];
    let input = lines.map(|line| line.to_string()).join("\n");
    let output = world.verb(&["mcp"]).write_stdin(input).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let answered: BTreeSet<i64> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|answer| answer["result"].is_object())
        .map(|answer| answer["id"].as_i64().unwrap())
        .collect();
    assert_eq!(answered, BTreeSet::from([1, 2, 3, 4]));
}

#[tokio::test]
async fn every_protocol_revision_is_served() {
    let world = World::new();
    for revision in ["2025-06-18", "2025-11-25"] {
        let mut agent = world::Agent::start(world.home(), &world.project());
        let answer = agent.initialize(revision).await;
        assert_eq!(answer["result"]["protocolVersion"], revision);
        assert!(answer["result"]["instructions"].as_str().unwrap().contains("get_ui_feedback"));
        let tools = agent.ask("tools/list", json!({})).await;
        assert_eq!(tools["result"]["tools"].as_array().unwrap().len(), 20);
    }
    // The newest has no handshake: every request tells who asks.
    let mut agent = world::Agent::start(world.home(), &world.project());
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "test-agent", "version": "1.0" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let discovered = agent.ask("server/discover", json!({ "_meta": meta })).await;
    assert!(
        discovered["result"]["supportedVersions"].as_array().unwrap().contains(&json!("2026-07-28")),
        "{discovered}"
    );
    let tools = agent.ask("tools/list", json!({ "_meta": meta })).await;
    assert_eq!(tools["result"]["tools"].as_array().unwrap().len(), 20, "{tools}");
    world.browser().await.comment(comment("c_one", "/", "Make the title bigger")).await;
    let found =
        agent.ask("tools/call", json!({ "_meta": meta, "name": "get_ui_feedback", "arguments": {} })).await;
    assert_eq!(ids(&found["result"]["structuredContent"]), ["c_one"], "{found}");
    assert_eq!(found["result"]["resultType"], "complete");
}

/// What a client counts at most: everything in the result.
fn tokens(result: &Value) -> usize {
    let text = result.to_string();
    tiktoken_rs::o200k_base_singleton()
        .encode_ordinary(&text)
        .len()
        .max(tiktoken_rs::cl100k_base_singleton().encode_ordinary(&text).len())
}

#[tokio::test]
async fn one_huge_comment_stays_under_25k_tokens() {
    let world = World::new();
    let browser = world.browser().await;
    let words: String = "数字を大きくしてください。".chars().cycle().take(10_000).collect();
    let mut huge = comment("c_huge", "/", &words);
    huge.targets = vec![huge.targets[0].clone(); 50];
    for target in &mut huge.targets {
        target.snapshot.text = "字".repeat(1_000);
        target.snapshot.own_text = "字".repeat(500);
    }
    browser.comment(huge).await;
    let mut agent = world.agent().await;
    for detail in ["brief", "standard", "full"] {
        let result = agent.result("get_ui_feedback", json!({ "detail": detail })).await;
        assert_eq!(numbers(&succeeded(result["structuredContent"].clone())), [1]);
        assert!(tokens(&result) < 25_000, "{detail}: {}", tokens(&result));
    }
}

#[tokio::test]
async fn a_thousand_comments_come_in_pages_under_25k_tokens() {
    let world = World::new();
    let browser = world.browser().await;
    for number in 0..1_000 {
        browser
            .comment(comment(
                &format!("c_{number:04}"),
                "/",
                &format!("Comment {number}: {}", "please ".repeat(20)),
            ))
            .await;
    }
    let mut agent = world.agent().await;
    let mut seen = Vec::new();
    let mut arguments = json!({ "limit": 200 });
    loop {
        let result = agent.result("get_ui_feedback", arguments.clone()).await;
        assert!(tokens(&result) < 25_000, "{}", tokens(&result));
        let found = succeeded(result["structuredContent"].clone());
        assert_eq!(found["summary"]["total"], 1_000);
        seen.extend(ids(&found).into_iter().map(str::to_owned));
        match found["nextCursor"].as_str() {
            Some(cursor) => {
                assert!(
                    found["note"].as_str().is_some_and(|note| note.contains("cursor")),
                    "{}",
                    found["note"]
                );
                arguments["cursor"] = json!(cursor);
            }
            None => break,
        }
    }
    assert_eq!(seen.len(), 1_000);
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), 1_000, "every comment once");
}

#[tokio::test]
async fn wait_for_feedback_wakes() {
    let world = World::new();
    let browser = world.browser().await;
    let mut agent = world.agent().await;
    let position = succeeded(agent.call("get_ui_feedback", json!({})).await)["position"].clone();
    let waiting = agent
        .send(
            "tools/call",
            json!({ "name": "wait_for_feedback", "arguments": { "timeoutSeconds": 45, "after": position } }),
        )
        .await;
    browser.comment(comment("c_new", "/", "Make the title bigger")).await;
    let answer = agent.answer().await;
    assert_eq!(answer["id"], waiting);
    let news = succeeded(answer["result"]["structuredContent"].clone());
    assert_eq!(ids(&news), ["c_new"]);
    assert_eq!(news["timedOut"], false);

    // What came while nobody waited is told at once.
    browser.comment(comment("c_newer", "/", "And bolder")).await;
    let news =
        agent.call("wait_for_feedback", json!({ "timeoutSeconds": 45, "after": news["position"] })).await;
    assert_eq!(ids(&succeeded(news.clone())), ["c_newer"]);
    let nothing =
        agent.call("wait_for_feedback", json!({ "timeoutSeconds": 1, "after": news["position"] })).await;
    assert_eq!(succeeded(nothing)["timedOut"], true);
}

#[tokio::test]
async fn a_waiting_call_can_be_cancelled_and_ends_with_its_client() {
    let world = World::new();
    let _browser = world.browser().await;
    let mut agent = world.agent().await;
    let waiting = agent
        .send("tools/call", json!({ "name": "wait_for_feedback", "arguments": { "timeoutSeconds": 45 } }))
        .await;
    let cancel =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": waiting } });
    agent.line(&cancel.to_string()).await;
    succeeded(agent.call("get_ui_feedback", json!({})).await);
    agent
        .send("tools/call", json!({ "name": "wait_for_feedback", "arguments": { "timeoutSeconds": 45 } }))
        .await;
    assert_eq!(agent.hang_up().await, Some(0));
}

#[tokio::test]
async fn the_session_survives_a_killed_hub() {
    let world = World::new();
    let browser = world.browser().await;
    browser.comment(comment("c_one", "/", "Make the title bigger")).await;
    let mut agent = world.agent().await;
    succeeded(agent.call("get_ui_feedback", json!({})).await);
    let before = world.hub_pid();
    world.kill_hub();
    let resolved = agent.call("resolve_comment", json!({ "commentId": "c_one" })).await;
    assert_eq!(succeeded(resolved)["status"], "resolved");
    assert_ne!(world.hub_pid(), before, "a new hub was started");
}

#[tokio::test]
async fn a_waiting_call_survives_a_killed_hub() {
    let world = World::new();
    let browser = world.browser().await;
    browser.comment(comment("c_one", "/", "Make the title bigger")).await;
    let mut agent = world.agent().await;
    let position = succeeded(agent.call("get_ui_feedback", json!({})).await)["position"].clone();
    let arguments = json!({ "timeoutSeconds": 45, "after": position });
    let waiting =
        agent.send("tools/call", json!({ "name": "wait_for_feedback", "arguments": arguments })).await;
    world.kill_hub();
    browser.comment(comment("c_after", "/", "And bolder")).await;
    let answer = agent.answer().await;
    assert_eq!(answer["id"], waiting);
    assert_eq!(ids(&succeeded(answer["result"]["structuredContent"].clone())), ["c_after"]);
}

#[tokio::test]
async fn a_screenshot_is_an_image_and_a_path() {
    let world = World::new();
    let browser = world.browser().await;
    // The smallest PNG there is: one transparent pixel.
    let png =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
    browser.comment_with(comment("c_one", "/", "This overlaps"), Some(png.into())).await;
    let mut agent = world.agent().await;
    let result = agent.result("get_screenshot", json!({ "commentId": "c_one" })).await;
    let taken = succeeded(result["structuredContent"].clone());
    assert_eq!(taken["imageIncluded"], true);
    assert!(std::path::Path::new(taken["path"].as_str().unwrap()).is_file());
    assert_eq!(result["content"][1]["type"], "image");
    assert_eq!(result["content"][1]["data"], png);
}

#[tokio::test]
async fn a_screenshot_over_1_mb_is_a_path_only() {
    use base64::Engine;
    let world = World::new();
    let browser = world.browser().await;
    let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x01\0\0\0\x01".to_vec();
    png.resize(1024 * 1024 + 1, 0);
    let encode = |png: &[u8]| base64::engine::general_purpose::STANDARD.encode(png);
    browser.comment_with(comment("c_large", "/", "This overlaps"), Some(encode(&png))).await;
    png.pop();
    browser.comment_with(comment("c_limit", "/", "This overlaps"), Some(encode(&png))).await;
    let mut agent = world.agent().await;

    let result = agent.result("get_screenshot", json!({ "commentId": "c_large" })).await;
    let taken = succeeded(result["structuredContent"].clone());
    assert_eq!((&taken["imageIncluded"], &taken["bytes"]), (&json!(false), &json!(1024 * 1024 + 1)));
    assert!(taken["note"].as_str().unwrap().contains("Open the file at `path`"), "{taken}");
    assert_eq!(result["content"].as_array().unwrap().len(), 1, "no image");
    assert_eq!(std::fs::read(taken["path"].as_str().unwrap()).unwrap().len(), 1024 * 1024 + 1);

    let result = agent.result("get_screenshot", json!({ "commentId": "c_limit" })).await;
    assert_eq!(result["structuredContent"]["imageIncluded"], true);
    assert_eq!(result["content"][1]["data"], encode(&png));
    // What somebody put in its place is not shown, and says so.
    let path = result["structuredContent"]["path"].as_str().unwrap();
    std::fs::write(path, "a secret").unwrap();
    let refused = agent.call("get_screenshot", json!({ "commentId": "c_limit" })).await;
    assert!(refused["error"].as_str().unwrap().contains("is not the one that was taken"), "{refused}");
}

#[tokio::test]
async fn a_person_s_answer_wakes_the_agent() {
    let world = World::new();
    let browser = world.browser().await;
    browser.comment(comment("c_one", "/", "Make it bigger")).await;
    let mut agent = world.agent().await;
    succeeded(
        agent
            .call("reply_to_comment", json!({ "commentId": "c_one", "message": "The card or its title?" }))
            .await,
    );
    let position = succeeded(agent.call("get_ui_feedback", json!({})).await)["position"].clone();
    browser
        .change("c_one", CommentChange::Reply { id: "r_answer".parse().unwrap(), text: "The card".into() })
        .await;
    let news = succeeded(agent.call("wait_for_feedback", json!({ "after": position })).await);
    let replies = &news["comments"][0]["replies"];
    assert_eq!(replies[0]["author"], "agent test-agent 1.0");
    assert_eq!((&replies[1]["author"], &replies[1]["text"]), (&json!("person"), &json!("The card")));
}

#[tokio::test]
async fn a_typical_answer() {
    let world = World::new();
    let browser = world.browser().await;
    browser.comment(comment("c_abc123", "/settings", "Change button color to #2563EB")).await;
    let mut found = world.agent().await.call("get_ui_feedback", json!({})).await;
    found["project"] = json!("PROJECT");
    insta::assert_json_snapshot!(found);
}
