//! Every example of `docs/protocol.md`, sent letter by letter to a real hub.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod room;

use opentoolbar_core::protocol::Role;
use room::plain::Plain;
use room::websocket::websocket;
use room::{Room, hello};
use serde_json::{Value, json};

const REFERENCE: &str = include_str!("../../docs/protocol.md");

/// The section of this name, until the next of its level.
fn section(name: &str) -> &'static str {
    let (_, rest) = REFERENCE.split_once(&format!("\n## {name}\n")).unwrap();
    rest.split("\n## ").next().unwrap()
}

/// What a page says and what the hub says to it, in their order.
fn lines() -> Vec<(&'static str, &'static str)> {
    let line = |line: &'static str| {
        let (from, json) = line.strip_prefix("| ")?.split_once(" | `")?;
        Some((from, json.strip_suffix("` |")?))
    };
    section("A plain client's conversation").lines().filter_map(line).collect()
}

/// The examples of requests.
fn requests() -> Vec<Value> {
    let blocks = section("Requests").split("```json\n").skip(1);
    blocks.map(|block| serde_json::from_str(block.split("\n```").next().unwrap()).unwrap()).collect()
}

fn kind(json: &str) -> String {
    serde_json::from_str::<Value>(json).unwrap()["type"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plain_clients_conversation_works_as_it_is_written() {
    let room = Room::new();
    let gateway = room.gateway();
    let _agent = room.agent("a").await;
    let mut client = Plain::new(&gateway);
    let lines = lines();
    let sent: Vec<String> =
        lines.iter().filter(|(from, _)| *from == "page").map(|(_, json)| kind(json)).collect();
    assert_eq!(sent, ["set_context", "user_message", "ping"]);
    for (from, json) in lines {
        if from == "page" {
            client.send_text(json);
        }
        match kind(json).as_str() {
            "set_context" => {
                let stored = client.heard();
                assert_eq!(stored["payload"]["contextId"], "ctx_1", "{stored}");
            }
            // Nothing is said of a message that was taken.
            "ping" => assert_eq!(client.heard()["type"], "pong"),
            _ => {}
        }
    }
}

/// What an example needs to be there before it: those of the sections before it are, as a reader goes through them.
#[tokio::test(flavor = "multi_thread")]
async fn every_request_of_the_reference_is_taken_as_it_is_written() {
    let room = Room::new();
    let gateway = room.gateway();
    let (browser, agent) = (room.browser().await, room.agent("a").await);
    let root = room.project.to_str().unwrap().to_owned();
    let origin = "http://localhost:5173".to_owned();
    browser.request(opentoolbar_core::protocol::Request::SetOriginProject { origin, root }).await.unwrap();
    drop(browser);
    let mut socket = websocket(&gateway, "/ws");
    let hello =
        json!({ "id": "m_hello", "type": "hello", "payload": hello(Role::Browser, "Chromium 156", None) });
    let mut ask = |request: &Value, id: &str| {
        socket.send(request.to_string().into()).unwrap();
        loop {
            let heard = socket.read().unwrap();
            if !heard.is_text() {
                continue;
            }
            let heard: Value = serde_json::from_str(heard.to_text().unwrap()).unwrap();
            if heard["replyTo"] == id {
                return heard;
            }
        }
    };
    assert_eq!(ask(&hello, "m_hello")["type"], "hello");
    let (mut taken, mut refused) = (Vec::new(), Vec::new());
    for (number, mut request) in requests().into_iter().enumerate() {
        let kind = request["type"].as_str().unwrap().to_owned();
        // One id is for one request; all else is as it is written.
        let id = format!("m_{number}");
        request["id"] = id.clone().into();
        // Ends what the next ones need, asks for another project, or is another example of the first message.
        if ["hello", "close_session", "set_origin_project"].contains(&kind.as_str()) {
            continue;
        }
        let answer = ask(&request, &id);
        match (answer["type"].as_str().unwrap(), answer["payload"]["code"].as_str()) {
            ("error", Some("forbidden")) => refused.push(kind),
            ("error", code) => refused.push(format!("{kind}: {code:?} {}", answer["payload"])),
            _ => taken.push(kind),
        }
    }
    let expected = [
        "open_session",
        "list_comments",
        "create_comment",
        "change_comment",
        "import_comments",
        "list_projects",
        "ping",
        "set_context",
        "user_message",
        "get_conversation",
        "stop_waiting",
        "get_comment",
        "list_offers",
        "get_source_changes",
        "find_in_source",
        "status",
    ];
    for kind in expected {
        assert!(taken.iter().any(|one| one == kind), "{kind}: {refused:#?}");
    }
    drop(agent);
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
