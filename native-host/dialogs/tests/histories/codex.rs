//! Sessions of Codex, of its newer and older shapes.

use opentoolbar_core::model::Timestamp;
use opentoolbar_dialogs::Source;
use serde_json::{Value, json};

use crate::world::{GOING, World};

const ID: &str = "019a2d7a-41c4-78b1-b7cc-a45d62a89cd5";

fn named(id: &str) -> String {
    format!("rollout-2026-11-28T10-00-00-{id}.jsonl")
}

fn line(kind: &str, payload: Value) -> Value {
    json!({ "timestamp": "2026-11-28T10:00:01+01:00", "type": kind, "payload": payload })
}

fn item(role: &str, text: &str) -> Value {
    let kind = if role == "user" { "input_text" } else { "output_text" };
    json!({ "type": "message", "role": role, "content": [{ "type": kind, "text": text }] })
}

fn event(text: &str) -> Value {
    line("event_msg", json!({ "type": "user_message", "message": text, "kind": "plain", "images": [] }))
}

fn about(world: &World) -> Value {
    let instructions = "You are Codex. ".repeat(5_000);
    let about =
        json!({ "id": ID, "instructions": instructions, "cwd": world.shop, "source": "cli", "git": {} });
    line("session_meta", about)
}

#[test]
fn what_stands_there_as_item_and_as_event_is_one_request() {
    let world = World::new();
    let lines = [
        about(&world),
        line("response_item", item("developer", "<permissions instructions>no</permissions instructions>")),
        line(
            "response_item",
            item("user", "# AGENTS.md instructions for /shop\n\n<INSTRUCTIONS>no</INSTRUCTIONS>"),
        ),
        line(
            "response_item",
            item("user", "<environment_context>\n  <cwd>/no</cwd>\n</environment_context>"),
        ),
        line("response_item", item("user", "first")),
        event("first"),
        line("turn_context", json!({ "cwd": "/no", "model": "gpt-5-codex" })),
        line("event_msg", json!({ "type": "agent_message", "message": "no" })),
        line("response_item", item("assistant", "no")),
        line("response_item", json!({ "type": "function_call", "arguments": "{\"message\":\"no\"}" })),
        line("response_item", item("user", "<turn_aborted>\nno\n</turn_aborted>")),
        line("response_item", item("user", "first")),
        event("first"),
        line("response_item", item("user", "something that Codex added")),
    ];
    world.codex(&named(ID), &lines);
    assert_eq!(world.words(ID), ["first", "first"]);
    let requests = world.requests(ID).unwrap();
    assert_eq!(requests.get(1, GOING).unwrap().at, Some(Timestamp(1_795_856_401_000)));
    assert_eq!(world.list()[0].source, Source::Codex);
}

#[test]
fn items_count_where_there_are_no_events() {
    let world = World::new();
    let lines = [
        about(&world),
        line("response_item", item("user", "<user_instructions>\n\nno\n\n</user_instructions>")),
        line("response_item", item("user", "first")),
        line("response_item", item("user", "second")),
    ];
    world.codex(&named(ID), &lines);
    assert_eq!(world.words(ID), ["first", "second"]);
}

#[test]
fn texts_of_an_item_are_lines_of_their_own() {
    let world = World::new();
    let texts = ["<environment_context>no", "look", "and mend"].map(|text| json!({ "text": text }));
    let item = json!({ "type": "message", "role": "user", "content": texts });
    world.codex(&named(ID), &[about(&world), line("response_item", item)]);
    assert_eq!(world.words(ID), ["look\nand mend"]);
}

#[test]
fn a_session_that_began_before_there_were_events_keeps_what_was_asked_then() {
    let world = World::new();
    let lines = [
        about(&world),
        line("response_item", item("user", "before")),
        line("response_item", item("assistant", "yes")),
        line("response_item", item("user", "after")),
        event("after"),
    ];
    world.codex(&named(ID), &lines);
    assert_eq!(world.words(ID), ["before", "after"]);
}

#[test]
fn the_oldest_shape_has_no_payload_and_says_where_it_worked_in_the_surroundings() {
    let world = World::new();
    for (id, surroundings) in [
        ("tagged", format!("<environment_context>\n<cwd>{}</cwd>\n", world.shop.display())),
        (
            "by-line",
            format!("<environment_context>\nCurrent working directory: {}\nSandbox: x", world.shop.display()),
        ),
    ] {
        let lines = [
            json!({ "id": id, "timestamp": "2025-06-01T00:00:00.000Z", "instructions": null, "git": {} }),
            json!({ "record_type": "state" }),
            item("user", &surroundings),
            json!({ "type": "reasoning", "id": "rs_1", "summary": [] }),
            item("user", "asked long ago"),
        ];
        world.codex(&format!("{id}.jsonl"), &lines);
        assert_eq!(world.words(id), ["asked long ago"], "{id}");
    }
}

#[test]
fn a_session_of_another_directory_is_of_another_project() {
    let world = World::new();
    let meta = line("session_meta", json!({ "id": ID, "cwd": "/elsewhere" }));
    world.codex(&named(ID), &[meta, event("x")]);
    assert_eq!(world.ids().len(), 0);
}
