//! Decodes a call's arguments into the tool's own type, or says exactly what is wrong and what would be right.

use opentoolbar_core::model::{AnnotationId, CommentRef, ContextId, MessageId, SessionId, VerificationId};
use rmcp::model::JsonObject;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize as _, Deserializer};
use serde_json::Value;

use super::outcome::Outcome;

/// `tool` and `parameters` are named when the arguments do not fit.
pub(super) fn decode<T: DeserializeOwned>(tool: &str, arguments: Option<JsonObject>) -> Result<T, Outcome> {
    // `null` means "not given": some clients fill in every parameter of the schema.
    let mut arguments = arguments.unwrap_or_default();
    arguments.retain(|_, value| !value.is_null());
    serde_path_to_error::deserialize(Value::Object(arguments)).map_err(|error| {
        let path = error.path().to_string();
        // serde names Rust's types; an agent knows JSON's.
        let problem = error.into_inner().to_string();
        let problem = problem.replace("u32", "a whole number").replace("u64", "a whole number");
        let place = if path == "." { String::new() } else { format!("`{path}`: ") };
        Outcome::refused(
            format!("The arguments of {tool} are wrong. {place}{problem}"),
            "Correct them and call again.",
        )
    })
}

/// A whole number within bounds.
pub(super) fn within(name: &str, value: u32, least: u32, most: u32) -> Result<u32, Outcome> {
    if (least..=most).contains(&value) {
        return Ok(value);
    }
    Err(Outcome::refused(
        format!("`{name}` must be a whole number from {least} to {most}, got {value}"),
        "Correct it and call again.",
    ))
}

/// Words that must not be empty nor longer than `most` characters.
pub(super) fn words(name: &str, value: String, most: usize) -> Result<String, Outcome> {
    let count = value.chars().count();
    if value.trim().is_empty() {
        return Err(Outcome::refused(
            format!("`{name}` is empty"),
            format!("Say it in 1 to {most} characters."),
        ));
    }
    if count > most {
        return Err(Outcome::refused(
            format!("`{name}` has {count} characters, at most {most} are allowed"),
            "Shorten it and call again.",
        ));
    }
    Ok(value)
}

/// A text of at most so many characters, empty or not.
pub(super) fn at_most(name: &str, value: String, most: usize) -> Result<String, Outcome> {
    let count = value.chars().count();
    if count <= most {
        return Ok(value);
    }
    Err(Outcome::refused(
        format!("`{name}` has {count} characters, at most {most} are allowed"),
        "Shorten it, or send it in parts.",
    ))
}

/// An id as `list_sessions` gives it, which is as the tab's client chose it.
pub(super) fn session_id(id: &str) -> Result<SessionId, Outcome> {
    id.parse().map_err(|error| {
        Outcome::refused(format!("`sessionId` is not an id: {error}"), "Take it from list_sessions.")
    })
}

/// An id as `get_ui_context` gives it.
pub(super) fn context_id(id: &str) -> Result<ContextId, Outcome> {
    id.parse().map_err(|error| {
        Outcome::refused(format!("`contextId` is not an id: {error}"), "Take it from get_ui_context.")
    })
}

/// An id as `request_annotation` gives it.
pub(super) fn annotation_id(id: &str) -> Result<AnnotationId, Outcome> {
    id.parse().map_err(|error| {
        Outcome::refused(format!("`annotationId` is not an id: {error}"), "Take it from the call before.")
    })
}

/// An id as `request_verification` gives it.
pub(super) fn verification_id(id: &str) -> Result<VerificationId, Outcome> {
    id.parse().map_err(|error| {
        Outcome::refused(
            format!("`verificationId` is not an id: {error}"),
            "Take it from the answer of request_verification.",
        )
    })
}

/// An id as `get_conversation_history` gives it.
pub(super) fn message_id(name: &str, id: &str) -> Result<MessageId, Outcome> {
    id.parse().map_err(|error| {
        Outcome::refused(format!("`{name}` is not an id: {error}"), "Take it from get_conversation_history.")
    })
}

/// What names a comment, as text: an answer gives its number as a number, so that comes too.
pub(super) fn comment_name<'de, D: Deserializer<'de>>(given: D) -> Result<String, D::Error> {
    match Value::deserialize(given)? {
        Value::String(name) => Ok(name),
        Value::Number(number) if number.is_u64() => Ok(number.to_string()),
        other => Err(D::Error::custom(format!("a comment is named by its number or id, got {other}"))),
    }
}

/// The same, where one may be named.
pub(super) fn comment_name_if_any<'de, D: Deserializer<'de>>(given: D) -> Result<Option<String>, D::Error> {
    comment_name(given).map(Some)
}

/// An id or a number as `get_ui_feedback` gives it.
pub(super) fn comment_ref(name: &str) -> Result<CommentRef, Outcome> {
    name.parse().map_err(|error| {
        Outcome::refused(
            format!("`commentId` is not an id: {error}"),
            "Take it from get_ui_feedback, for example c_abc123 or #3.",
        )
    })
}
