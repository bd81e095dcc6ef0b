//! A hub of a newer version, whose answers have words that this program does not know: they cost the item that has
//! them, or that one call, and nothing else.
#![cfg(unix)]

use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::world::{World, comment, succeeded};
use opentoolbar::hub::frame::{self, Frame};
use opentoolbar_core::protocol::PROTOCOL_VERSION;
use serde_json::{Value, json};

/// Less than a request may take: who waits for that has not read the answer.
const AT_ONCE: Duration = Duration::from_secs(20);

/// A comment that was put aside: a word of the future.
fn strange() -> Value {
    let mut strange = serde_json::to_value(comment("c_strange", "/", "Later")).unwrap();
    strange["stage"] = json!("shelved");
    strange
}

fn known(id: &str) -> Value {
    serde_json::to_value(comment(id, "/", "Make it blue")).unwrap()
}

fn message(id: &str, role: &str) -> Value {
    json!({ "id": id, "sessionId": "s_test", "role": role, "content": format!("{id} said"), "isComplete": true,
        "parts": 1, "isRead": false, "position": 1, "createdAt": 1 })
}

fn agent(client: &str, presence: &str) -> Value {
    json!({ "client": client, "project": { "id": "p", "root": "/p", "name": "p" }, "lastSeen": 1, "presence": presence })
}

/// What this hub answers, in the words of its own version.
fn answer(request: &Value, project: &str) -> String {
    let (kind, payload) = match request["type"].as_str().unwrap() {
        "hello" => (
            "hello",
            json!({ "protocol": PROTOCOL_VERSION, "version": "99.0.0", "role": "cli", "client": "newer", "capabilities": [] }),
        ),
        "get_feedback" => (
            "feedback",
            json!({ "project": { "id": "p", "root": project, "name": "shop" }, "position": 3,
                "summary": { "total": 3, "active": 3, "outdated": 0, "resolved": 0 },
                "comments": [known("c_1"), strange(), known("c_3")] }),
        ),
        "wait_for_feedback" => (
            "news",
            json!({ "comments": [strange(), known("c_4")], "messages": [message("m_1", "narrator"), message("m_2", "user")],
                "position": 4, "unreadable": 1 }),
        ),
        "get_conversation_history" => (
            "conversation",
            json!({ "sessionId": "s_test", "messages": [message("m_1", "narrator"), message("m_2", "user")],
                "contexts": [], "activities": [{ "agent": "a", "status": "dreaming" }], "annotations": [], "position": 1 }),
        ),
        "change_comment" if request["payload"]["change"]["kind"] == "resolve" => (
            "error",
            json!({ "code": "shelved", "message": "it is on the shelf", "nextStep": "Take it down." }),
        ),
        "change_comment" => ("comment", json!({ "comment": strange() })),
        "get_ui_context" => (
            "ui_context",
            json!({ "sessionId": "s_test", "pending": [message("m_1", "narrator"), message("m_2", "user")], "others": 0 }),
        ),
        "search" => (
            "found",
            json!({ "hits": [{ "kind": "sound", "id": 7 }, { "kind": "comment", "id": "c_1", "excerpt": "blue", "at": 1 }],
                "more": false }),
        ),
        "status" => (
            "status",
            json!({ "pid": 1, "version": "99.0.0", "uptimeSeconds": 1, "browsers": [{ "name": "Future" }, "Known"],
                "agents": [agent("codex", "dreaming"), { "name": 3 }], "sessions": [{ "id": "?" }],
                "projects": [{ "root": 1 }, { "id": "p", "root": "/p", "name": "p" }] }),
        ),
        "list_stored" => (
            "stored",
            json!({ "projects": [{ "id": 1 }], "offers": [{ "id": "o", "kind": "lent" }],
                "unreadable": [{ "id": "p_1", "message": "its record is torn", "nextStep": "Mend it." }] }),
        ),
        "get_screenshot" => {
            // Deeper than a reader of JSON goes.
            let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
            let (id, words) = (&request["id"], r#""type":"screenshot","payload":"#);
            return format!(r#"{{"ahead":{deep},"replyTo":{id},{words}{{"path":{deep}}}}}"#);
        }
        "list_sessions" => ("constellation", json!({ "sessions": [] })),
        _ => return json!({ "replyTo": request["id"], "type": "done" }).to_string(),
    };
    json!({ "replyTo": request["id"], "type": kind, "payload": payload }).to_string()
}

/// Every request that the hub of this test was asked.
type Asked = Arc<Mutex<Vec<Value>>>;

async fn newer_hub(world: &World) -> Asked {
    newer_hub_that(world, answer)
}

fn newer_hub_that(world: &World, answer: fn(&Value, &str) -> String) -> Asked {
    let listener = tokio::net::UnixListener::bind(world.home().join("hub.sock")).unwrap();
    let (asked, project) = (Asked::default(), world.project().to_str().unwrap().to_owned());
    let seen = Arc::clone(&asked);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let (seen, project) = (Arc::clone(&seen), project.clone());
            tokio::spawn(async move {
                // News of a kind that nobody knows yet.
                let event = json!({ "type": "moon_risen", "payload": {} }).to_string();
                while let Ok(Some(body)) = frame::read_body(&mut stream).await {
                    let Ok(Frame::Message(json)) = Frame::decode(&body) else { return };
                    let request: Value = serde_json::from_slice(json).unwrap();
                    let answer = answer(&request, &project);
                    seen.lock().unwrap().push(request);
                    for text in [answer, event.clone()] {
                        frame::write(&mut stream, &Frame::Message(text.as_bytes())).await.unwrap();
                    }
                }
            });
        }
    });
    asked
}

fn ids(comments: &Value) -> Vec<&str> {
    comments.as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn what_an_agent_cannot_be_told_of_a_list_is_counted_and_the_rest_is_told() {
    let world = World::new();
    let _asked = newer_hub(&world).await;
    let mut agent = world.agent().await;
    let calls = async {
        let found = succeeded(agent.call("get_ui_feedback", json!({})).await);
        assert_eq!(ids(&found["comments"]), ["c_1", "c_3"], "{found}");
        let note = found["note"].as_str().unwrap();
        assert!(note.contains("1 could not be read") && note.contains("update opentoolbar"), "{note}");
        let news = succeeded(agent.call("wait_for_feedback", json!({ "after": 1 })).await);
        assert_eq!(ids(&news["comments"]), ["c_4"], "{news}");
        assert_eq!(news["messages"].as_array().unwrap().len(), 1, "{news}");
        assert!(news["note"].as_str().unwrap().contains("3 could not be read"), "{news}");
        let selected = succeeded(agent.call("get_ui_context", json!({})).await);
        assert_eq!(selected["userMessage"], "m_2 said", "{selected}");
        assert!(selected["note"].as_str().unwrap().contains("1 could not be read"), "{selected}");
        let history = agent.call("get_conversation_history", json!({ "sessionId": "s_test" })).await;
        assert_eq!(succeeded(history.clone())["messages"].as_array().unwrap().len(), 1, "{history}");
        assert!(history["note"].as_str().unwrap().contains("2 could not be read"), "{history}");
    };
    tokio::time::timeout(AT_ONCE, calls).await.expect("no call waits for its deadline");
}

#[tokio::test]
async fn an_answer_that_cannot_be_read_ends_its_call_at_once_and_says_which_word() {
    let world = World::new();
    let asked = newer_hub(&world).await;
    let mut agent = world.agent().await;
    let reply = json!({ "commentId": "c_1", "message": "Which?" });
    let calls = async {
        for _ in 0..2 {
            let unread = agent.call("reply_to_comment", reply.clone()).await;
            assert_eq!(unread["isError"], true, "{unread}");
            let said = unread["message"].as_str().unwrap();
            assert!(said.contains("`shelved` is not one of open in_progress review"), "{said}");
            assert!(said.contains("update opentoolbar"), "{said}");
        }
        let refused = agent.call("resolve_comment", json!({ "commentId": "c_1", "summary": "done" })).await;
        assert!(refused.to_string().contains("it is on the shelf. Take it down."), "{refused}");
        let deep = agent.call("get_screenshot", json!({ "commentId": "c_1" })).await;
        assert!(deep["message"].as_str().unwrap().contains("update opentoolbar"), "{deep}");
        let unknown = agent.call("list_sessions", json!({})).await;
        assert!(unknown["message"].as_str().unwrap().contains("constellation"), "{unknown}");
        succeeded(agent.call("get_ui_feedback", json!({})).await);
    };
    tokio::time::timeout(AT_ONCE, calls).await.expect("no call waits for its deadline");
    let asked = asked.lock().unwrap();
    let replies: Vec<_> = asked.iter().filter(|one| one["payload"]["change"]["kind"] == "reply").collect();
    assert_eq!(replies.len(), 2);
    assert_eq!(replies[0], replies[1], "it may have been done: with the same id it is done once");
    assert_eq!(asked.iter().filter(|one| one["type"] == "hello").count(), 1, "over one connection");
}

#[tokio::test(flavor = "multi_thread")]
async fn export_tells_what_it_can_and_counts_the_rest() {
    let world = World::new();
    let _asked = newer_hub(&world).await;
    for way in [vec!["export"], vec!["export", "--json"]] {
        let mut verb = world.verb(&way);
        verb.timeout(AT_ONCE);
        let output = tokio::task::spawn_blocking(move || verb.output()).await.unwrap().unwrap();
        let (out, err) =
            (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
        assert!(output.status.success(), "{out}{err}");
        assert!(out.contains("c_1") && out.contains("c_3") && !out.contains("c_strange"), "{out}");
        assert!(err.contains("left out: 1") && err.contains("update opentoolbar"), "{err}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_list_of_every_answer_tells_what_it_can() {
    let world = World::new();
    let _asked = newer_hub(&world).await;
    let output = async |way: Vec<&str>| {
        let mut verb = world.verb(&way);
        verb.timeout(AT_ONCE);
        let output = tokio::task::spawn_blocking(move || verb.output()).await.unwrap().unwrap();
        let text = format!(
            "{}{}",
            String::from_utf8(output.stdout).unwrap(),
            String::from_utf8(output.stderr).unwrap()
        );
        assert!(output.status.success(), "{way:?}: {text}");
        text
    };
    let found = output(vec!["search", "blue"]).await;
    assert!(found.contains("c_1") && found.contains("left out: 1"), "{found}");
    let status = output(vec!["status"]).await;
    for told in ["Known", "codex in /p", "Unreadable: 4 items"] {
        assert!(status.contains(told), "{told}: {status}");
    }
    let stored = output(vec!["projects"]).await;
    assert!(stored.contains("its record is torn") && stored.contains("2 entries"), "{stored}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hub_that_names_a_role_of_its_own_is_talked_to() {
    let world = World::new();
    let _asked = newer_hub_that(&world, |request, project| {
        let answer = answer(request, project);
        if request["type"] == "hello" { answer.replace(r#""role":"cli""#, r#""role":"hub""#) } else { answer }
    });
    let mut verb = world.verb(&["status"]);
    verb.timeout(AT_ONCE);
    let output = tokio::task::spawn_blocking(move || verb.output()).await.unwrap().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("99.0.0"), "{output:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn why_a_hub_refuses_hello_is_told_whatever_code_it_gives() {
    let refusals: [fn(&Value, &str) -> String; 2] = [
        |request, _| {
            json!({ "replyTo": request["id"], "type": "error", "payload": {
                "code": "asleep", "message": "the hub sleeps", "nextStep": "Come back tomorrow." } })
            .to_string()
        },
        // One that could not read who asks.
        |_, _| {
            json!({ "type": "error", "payload": {
                "code": "asleep", "message": "the hub sleeps", "nextStep": "Come back tomorrow." } })
            .to_string()
        },
    ];
    for refusal in refusals {
        let world = World::new();
        let _asked = newer_hub_that(&world, refusal);
        let mut verb = world.verb(&["export"]);
        verb.timeout(AT_ONCE);
        let output = tokio::task::spawn_blocking(move || verb.output()).await.unwrap().unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(told.contains("the hub sleeps") && told.contains("Come back tomorrow."), "{told}");
    }
}
