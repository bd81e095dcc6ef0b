//! What the hub sends, decoded once. A hub of a newer version may use words that this one does not know: in a list they
//! cost the item that has them, elsewhere the answer, and nobody waits for what has come.

use opentoolbar_core::model::{Comment, Context, Message, MessageId};
use opentoolbar_core::protocol::{
    Activity, AnnotationRequest, Answer, ErrorBody, ErrorCode, EventEnvelope, HubEnvelope,
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::hub::error::error;

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
        Err(_) => match serde_json::from_slice(json) {
            Ok(Value::Object(mut envelope)) => {
                let id = envelope.remove("replyTo").and_then(|id| serde_json::from_value(id).ok());
                // An event of a kind that this version does not know is not for it.
                id.map_or(Received::Nothing, |id| Received::Answer(id, read_leniently(envelope)))
            }
            _ => Received::Nothing,
        },
    }
}

/// Without the items of its lists that cannot be read.
fn read_leniently(mut answer: Map<String, Value>) -> Result<Answer, ErrorBody> {
    let is_error = answer.get("type").is_some_and(|kind| kind == "error");
    if let Some(payload) = answer.get_mut("payload").and_then(Value::as_object_mut) {
        if is_error {
            // What went wrong, and what to do, are sentences; the code is for programs.
            payload.insert("code".into(), Value::from("internal"));
        }
        let left_out =
            LISTS.iter().map(|(list, is_readable)| keep(payload, list, *is_readable)).sum::<usize>();
        if left_out > 0 {
            let before = payload.get("unreadable").and_then(Value::as_u64).unwrap_or(0);
            payload.insert("unreadable".into(), Value::from(before.saturating_add(left_out as u64)));
            tracing::warn!(left_out, "the hub told of what this version cannot read; update opentoolbar");
        }
    }
    serde_json::from_value(Value::Object(answer)).map_err(|error| unknown_words(&error))
}

/// Whether an item is one of a list's type.
type IsReadable = fn(&Value) -> bool;

/// The lists in answers that say how many of their items could not be read.
const LISTS: [(&str, IsReadable); 5] = [
    ("comments", reads::<Comment>),
    ("messages", reads::<Message>),
    ("contexts", reads::<Context>),
    ("activities", reads::<Activity>),
    ("annotations", reads::<AnnotationRequest>),
];

fn reads<T: DeserializeOwned>(value: &Value) -> bool {
    T::deserialize(value).is_ok()
}

/// Leaves out of a list what cannot be read, and says how many that were.
fn keep(payload: &mut Map<String, Value>, list: &str, is_readable: IsReadable) -> usize {
    let Some(Value::Array(items)) = payload.get_mut(list) else { return 0 };
    let before = items.len();
    items.retain(is_readable);
    before - items.len()
}

fn unknown_words(why: &serde_json::Error) -> ErrorBody {
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
