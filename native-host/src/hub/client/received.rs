//! What the hub sends, decoded once. A hub of a newer version may use words that this one does not know: in a list they
//! cost the entry that has them, elsewhere the answer, and nobody waits for what has come.

use std::fmt;
use std::mem;

use opentoolbar_core::model::MessageId;
use opentoolbar_core::protocol::{Answer, ErrorBody, ErrorCode, EventEnvelope, HubEnvelope};
use serde::Deserialize;
use serde::de::{Deserializer as _, IgnoredAny, MapAccess, Visitor};
use serde_json::{Map, Value, json};

use crate::error::error;

/// Longest part of a reason that is told, in characters.
const MOST_OF_A_REASON: usize = 300;

/// What came.
#[derive(Debug)]
pub(super) enum Received {
    /// To the request of this id; or why it cannot be read.
    Answer(MessageId, Result<Answer, ErrorBody>),
    Event(EventEnvelope),
    /// It is not for this version, or for nobody.
    Nothing,
}

pub(super) fn read(json: &[u8]) -> Received {
    match serde_json::from_slice(json) {
        Ok(HubEnvelope::Answer(answer)) => {
            answer.reply_to.map_or(Received::Nothing, |id| Received::Answer(id, Ok(answer.answer)))
        }
        Ok(HubEnvelope::Event(event)) => Received::Event(event),
        // Only relays split messages, towards browsers.
        Ok(HubEnvelope::Chunk(_)) => Received::Nothing,
        // An event of a kind that this version does not know is not for it.
        Err(_) => reply_to(json).map_or(Received::Nothing, |id| Received::Answer(id, read_leniently(json))),
    }
}

/// Whose answer it is, whatever else it holds: nothing behind the id is read, and what stands before it is skipped,
/// however deep it is.
fn reply_to(json: &[u8]) -> Option<MessageId> {
    struct Head<'a>(&'a mut Option<MessageId>);
    impl<'de> Visitor<'de> for Head<'_> {
        type Value = ();
        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("an answer")
        }
        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
            while let Some(key) = map.next_key::<String>()? {
                if key == "replyTo" {
                    *self.0 = Some(map.next_value()?);
                    return Ok(());
                }
                map.next_value::<IgnoredAny>()?;
            }
            Ok(())
        }
    }
    let mut id = None;
    // It complains of the rest, which nobody has read.
    let _ = serde_json::Deserializer::from_slice(json).deserialize_map(Head(&mut id));
    id
}

/// An answer without the entries of its lists that cannot be read, and without words for programs that need not be
/// known.
pub(super) fn read_leniently(json: &[u8]) -> Result<Answer, ErrorBody> {
    let mut answer: Value = serde_json::from_slice(json).map_err(|why| unread(&why))?;
    let is_of = |kind: &str| answer.get("type").is_some_and(|own| own == kind);
    let (is_error, is_hello, is_stored) = (is_of("error"), is_of("hello"), is_of("stored"));
    if let Some(payload) = payload_of(&mut answer) {
        if is_error {
            // What went wrong, and what to do, are sentences; the code is for programs.
            payload.insert("code".into(), Value::from("internal"));
        }
        if is_hello {
            // A hub has no role here: it is who was asked for.
            payload.insert("role".into(), Value::from("cli"));
        }
        let left_out = keep_readable(&mut answer)?;
        if left_out > 0 {
            tracing::warn!(left_out, "the hub told of what this version cannot read; update opentoolbar");
            if let Some(payload) = payload_of(&mut answer) {
                count(payload, left_out, is_stored);
            }
        }
    }
    Answer::deserialize(&answer).map_err(|why| unread(&why))
}

fn payload_of(answer: &mut Value) -> Option<&mut Map<String, Value>> {
    answer.get_mut("payload").and_then(Value::as_object_mut)
}

/// Takes every entry out of the answer's lists that cannot be read, whatever the lists are of: an entry can be read
/// when the answer can with that entry alone. How many were taken out.
fn keep_readable(answer: &mut Value) -> Result<usize, ErrorBody> {
    let lists: Vec<(String, Vec<Value>)> = payload_of(answer)
        .into_iter()
        .flat_map(Map::iter_mut)
        .filter_map(|(name, value)| value.as_array_mut().map(|entries| (name.clone(), mem::take(entries))))
        .collect();
    parsed(answer).map_err(|why| unread(&why))?;
    let (mut left_out, mut readable) = (0, Vec::new());
    for (name, entries) in lists {
        let mut kept = Vec::new();
        for entry in entries {
            set(answer, &name, vec![entry]);
            let is_readable = parsed(answer)
                .inspect_err(|why| tracing::debug!(%why, list = name, "an entry cannot be read"))
                .is_ok();
            match taken(answer, &name) {
                Some(entry) if is_readable => kept.push(entry),
                _ => left_out += 1,
            }
        }
        readable.push((name, kept));
    }
    // Only now: an entry of the next list would be parsed with all of these.
    for (name, kept) in readable {
        set(answer, &name, kept);
    }
    Ok(left_out)
}

fn parsed(answer: &Value) -> serde_json::Result<Answer> {
    #[cfg(test)]
    tests::PARSED.set(tests::PARSED.get() + tests::entries(answer));
    Answer::deserialize(answer)
}

fn set(answer: &mut Value, list: &str, entries: Vec<Value>) {
    if let Some(payload) = payload_of(answer) {
        payload.insert(list.to_owned(), Value::Array(entries));
    }
}

fn taken(answer: &mut Value, list: &str) -> Option<Value> {
    payload_of(answer)?.get_mut(list)?.as_array_mut()?.pop()
}

/// Says in the answer how many entries were left out. Answers without a place for it ignore it.
fn count(payload: &mut Map<String, Value>, left_out: usize, is_stored: bool) {
    let told = payload.entry("unreadable").or_insert(if is_stored { json!([]) } else { json!(0) });
    match told {
        Value::Array(told) => told.push(json!({
            "id": "",
            "message": format!("{left_out} entries of the hub's answer cannot be read by this version"),
            "nextStep": "Update opentoolbar.",
        })),
        told => *told = json!(told.as_u64().unwrap_or(0).saturating_add(left_out as u64)),
    }
}

fn unread(why: &serde_json::Error) -> ErrorBody {
    let why = why.to_string();
    // What is known is a long list, of use to nobody.
    let why = why.split(", expected one of").next().unwrap_or_default();
    let why: String = why.chars().take(MOST_OF_A_REASON).collect();
    error(
        ErrorCode::Incompatible,
        format!(
            "the hub has answered, but this version of opentoolbar ({}) cannot read it: {why}",
            env!("CARGO_PKG_VERSION")
        ),
        "The hub is newer: update opentoolbar and start this program again. What was asked may be done.",
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use std::cell::Cell;

    use super::*;

    thread_local! {
        /// How many entries of lists were parsed.
        pub(super) static PARSED: Cell<usize> = const { Cell::new(0) };
    }

    pub(super) fn entries(answer: &Value) -> usize {
        let payload = answer.get("payload").and_then(Value::as_object);
        payload.into_iter().flat_map(Map::values).filter_map(Value::as_array).map(Vec::len).sum()
    }

    #[test]
    fn each_entry_of_a_newer_hubs_lists_is_parsed_a_few_times_however_many_there_are() {
        const MANY: usize = 300;
        let project = |n: usize| {
            let of = json!({ "id": format!("p{n}"), "root": "/shop", "isThere": true, "bytes": 1, "firstUsed": 1, "lastUsed": 1 });
            if n.is_multiple_of(2) { of } else { json!({ "id": n }) }
        };
        let offer = |n: usize| {
            let of = json!({
                "id": format!("o{n}"), "project": { "root": "/shop", "name": "shop" }, "kind": "moved",
                "from": "/old", "bytes": 1, "reason": ""
            });
            if n.is_multiple_of(2) { of } else { json!({ "kind": "of tomorrow" }) }
        };
        let list = |of: &dyn Fn(usize) -> Value| (0..MANY).map(of).collect::<Vec<Value>>();
        let payload = json!({ "projects": list(&project), "offers": list(&offer), "news": list(&project) });
        let answer = json!({ "type": "stored", "payload": payload });
        PARSED.set(0);
        match read_leniently(answer.to_string().as_bytes()).unwrap() {
            Answer::Stored { projects, offers, unreadable } => {
                assert_eq!((projects.len(), offers.len()), (MANY / 2, MANY / 2));
                assert!(unreadable[0].message.contains(&format!("{MANY} entries")), "{unreadable:?}");
            }
            other => panic!("{other:?}"),
        }
        let parsed = PARSED.get();
        assert!((3 * MANY..10 * MANY).contains(&parsed), "{parsed}");
    }
}
