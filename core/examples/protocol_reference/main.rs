//! Prints `docs/protocol.md`: every message by its documentation in the source, with an example that was decoded into
//! our types and encoded again. Fails when a message has no example. `cargo xtask codegen` runs it.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a generator stops at what cannot be, and prints what it makes"
)]

mod examples;
mod source;

use std::fmt::Write as _;

use opentoolbar_core::protocol::{AnswerEnvelope, EventEnvelope, Request, decode_request};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Longest example on one line.
const LINE: usize = 200;
const HEAD: &str = include_str!("head.md");
const REQUESTS: &str = include_str!("../../src/protocol/request.rs");
const ANSWERS: &str = include_str!("../../src/protocol/answer.rs");
const EVENTS: &str = include_str!("../../src/protocol/event.rs");

fn main() {
    let mut text = format!("{HEAD}\n");
    text.push_str("## A plain client's conversation\n\nEvery message of the conversation, as it stands on the wire.\n\n");
    text.push_str("| from | message |\n| --- | --- |\n");
    for message in examples::plain() {
        let kind = message["type"].as_str().unwrap().to_owned();
        let (from, json) = match known::<Request>().contains(&kind) {
            true => ("page", serde_json::to_string(&request(&message)).unwrap()),
            false => ("hub", plain(&message)),
        };
        let _ = writeln!(text, "| {from} | `{json}` |");
    }
    text.push_str("\n## Requests\n\nTo the hub. Each has one answer.\n");
    section::<Request>(&mut text, "Request", REQUESTS, &examples::requests(), |example| {
        pretty(&request(example))
    });
    text.push_str("\n## Answers\n\nOf the hub.\n");
    section::<opentoolbar_core::protocol::Answer>(
        &mut text,
        "Answer",
        ANSWERS,
        &examples::answers(),
        |example| pretty(&decoded::<AnswerEnvelope>(example)),
    );
    text.push_str("\n## Events\n\nOf the hub, unasked.\n");
    section::<opentoolbar_core::protocol::Event>(
        &mut text,
        "Event",
        EVENTS,
        &examples::events(),
        |example| pretty(&decoded::<EventEnvelope>(example)),
    );
    print!("{text}");
}

/// One chapter: every message of the enum in the order of the source.
fn section<T: DeserializeOwned>(
    text: &mut String,
    name: &str,
    source: &str,
    examples: &[Value],
    shown: impl Fn(&Value) -> String,
) {
    let messages = source::messages(source, name);
    let documented: Vec<&str> = messages.iter().map(|message| message.kind.as_str()).collect();
    assert_eq!(documented, known::<T>(), "the source of {name} was read as it is decoded");
    for message in &messages {
        let _ = writeln!(text, "\n### `{}`\n\n{}", message.kind, message.about);
        if let Some(payload) = &message.payload {
            let _ = writeln!(text, "\nPayload: [`{payload}`](../extension/generated/{payload}.ts).");
        }
        if !message.fields.is_empty() {
            let _ = writeln!(text);
        }
        for (field, about) in &message.fields {
            let _ = writeln!(text, "- `{field}`: {about}");
        }
        let example = examples.iter().find(|example| example["type"] == message.kind.as_str());
        let example = example.unwrap_or_else(|| panic!("{} has no example", message.kind));
        let _ = writeln!(text, "\n```json\n{}\n```", shown(example));
    }
}

/// The kinds of message that a type decodes, by its own word.
fn known<T: DeserializeOwned>() -> Vec<String> {
    let refusal = serde_json::from_str::<T>(r#"{"type":"?"}"#).err().unwrap().to_string();
    let (_, list) = refusal.split_once("expected one of ").unwrap();
    list.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// As the hub takes it, limits and all.
fn request(example: &Value) -> impl Serialize + use<> {
    decode_request(example.to_string().as_bytes()).unwrap_or_else(|refusal| panic!("{example}: {refusal}"))
}

fn decoded<T: DeserializeOwned>(example: &Value) -> T {
    serde_json::from_value(example.clone()).unwrap_or_else(|error| panic!("{example}: {error}"))
}

fn plain(example: &Value) -> String {
    if example["type"] == "pong" {
        // The one answer that says less to a plain client.
        return example.to_string();
    }
    let event = serde_json::from_value::<opentoolbar_core::protocol::Event>(example.clone());
    match event {
        Ok(event) => serde_json::to_string(&event).unwrap(),
        Err(_) => serde_json::to_string(&decoded::<opentoolbar_core::protocol::Answer>(example)).unwrap(),
    }
}

fn pretty(message: &impl Serialize) -> String {
    let line = serde_json::to_string(message).unwrap();
    if line.len() <= LINE { line } else { serde_json::to_string_pretty(message).unwrap() }
}
