//! What a call returns: the same value as JSON text and as structured content, in one of three shapes.

use opentoolbar_core::prompt::{escape_json, neutralise};
use opentoolbar_core::protocol::{ErrorBody, ErrorCode};
use rmcp::model::{CallToolResult, ContentBlock};
use serde::Serialize;
use serde_json::{Value, json};

use super::progress::Piece;

/// How a call ended.
#[derive(Debug)]
pub(super) enum Outcome {
    /// `{"success": true, ...}`.
    Success {
        /// The value as text, its fields in the order of the type.
        text: String,
        /// The same value.
        value: Value,
        /// Further content: an image.
        more: Vec<ContentBlock>,
        /// What it tells of the person's messages.
        pieces: Vec<Piece>,
    },
    /// `{"success": false, "error": ..., "nextStep": ...}`: the call was understood and cannot be done.
    Refused {
        /// What is in the way, without a full stop.
        error: String,
        /// What to do next, a sentence.
        next_step: String,
    },
    /// `{"isError": true, "message": ...}`: not the agent's doing.
    Unexpected(String),
}

#[derive(Serialize)]
struct Success<'a, T> {
    success: bool,
    #[serde(flatten)]
    fields: &'a T,
}

impl Outcome {
    /// `fields` must serialize as an object.
    pub(super) fn success<T: Serialize>(fields: &T) -> Self {
        let success = Success { success: true, fields };
        match (serde_json::to_string(&success), serde_json::to_value(&success)) {
            (Ok(text), Ok(mut value)) => {
                // The value has lost the order of the fields.
                let text = if neutralise_all(&mut value) { value.to_string() } else { text };
                Self::Success { text: escape_json(&text), value, more: Vec::new(), pieces: Vec::new() }
            }
            (Err(error), _) | (_, Err(error)) => {
                Self::Unexpected(format!("the answer cannot be written: {error}"))
            }
        }
    }

    /// The call cannot be done: why, without a full stop, and what to do next, a sentence.
    pub(super) fn refused(error: impl Into<String>, next_step: impl Into<String>) -> Self {
        Self::Refused { error: error.into(), next_step: next_step.into() }
    }

    /// With an image after the text.
    pub(super) fn with_image(mut self, base64: String, mime: &str) -> Self {
        if let Self::Success { more, .. } = &mut self {
            more.push(ContentBlock::image(base64, mime));
        }
        self
    }

    /// Whoever is given it is told these pieces of the person's messages.
    pub(super) fn telling(mut self, told: Vec<Piece>) -> Self {
        if let Self::Success { pieces, .. } = &mut self {
            *pieces = told;
        }
        self
    }

    /// With its `note` and its next step as `told` leaves them: nothing where nothing is left.
    pub(super) fn with_advice(self, told: impl Fn(&str) -> String) -> Self {
        match self {
            Self::Success { mut text, mut value, more, pieces } => {
                if let Some(note) = value.get("note").and_then(Value::as_str) {
                    let kept = told(note);
                    if kept != note {
                        let written =
                            |note: &str| format!(",\"note\":{}", escape_json(&json!(note).to_string()));
                        let instead = if kept.is_empty() { String::new() } else { written(&kept) };
                        // A quote inside a string is escaped, so nothing but the field itself is like this.
                        text = text.replacen(&written(note), &instead, 1);
                        if let Some(fields) = value.as_object_mut() {
                            fields.remove("note");
                            fields.extend((!kept.is_empty()).then(|| ("note".to_owned(), kept.into())));
                        }
                    }
                }
                Self::Success { text, value, more, pieces }
            }
            Self::Refused { error, next_step } => {
                let kept = told(&next_step);
                let next_step = if kept.is_empty() { "Ask the developer.".to_owned() } else { kept };
                Self::Refused { error, next_step }
            }
            Self::Unexpected(_) => self,
        }
    }

    /// For the log.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Success { .. } => "success",
            Self::Refused { .. } => "refused",
            Self::Unexpected(_) => "unexpected",
        }
    }

    /// What it tells of the person's messages.
    pub(super) fn pieces(&self) -> &[Piece] {
        if let Self::Success { pieces, .. } = self { pieces } else { &[] }
    }

    /// The hub answered with something else than this request is answered with.
    pub(super) fn mismatch(expected: &str) -> Self {
        Self::Unexpected(format!(
            "the hub did not answer with {expected}. It may be of another version: run `opentoolbar status`."
        ))
    }
}

/// Paths stay what they are, so that an agent can open them: as text they are written with escapes.
const PATHS: [&str; 4] = ["path", "project", "screenshotPath", "viewportScreenshotPath"];

/// Whatever pages, persons, clients and directories call themselves, in every string of an answer, so that no tool can
/// forget it. Says whether anything is different now. No deeper than an answer's type.
fn neutralise_all(value: &mut Value) -> bool {
    match value {
        Value::String(text) => {
            let harmless = neutralise(text);
            let is_other = harmless != *text;
            *text = harmless;
            is_other
        }
        // Every one of them, also after the first that is different.
        Value::Array(entries) => {
            entries.iter_mut().fold(false, |is_other, entry| neutralise_all(entry) | is_other)
        }
        Value::Object(fields) => {
            let mut is_other = false;
            *fields = std::mem::take(fields)
                .into_iter()
                .map(|(name, mut value)| {
                    let harmless = neutralise(&name);
                    is_other |= harmless != name;
                    if !PATHS.contains(&name.as_str()) {
                        is_other |= neutralise_all(&mut value);
                    }
                    (harmless, value)
                })
                .collect();
            is_other
        }
        _ => false,
    }
}

impl From<ErrorBody> for Outcome {
    fn from(error: ErrorBody) -> Self {
        match error.code {
            ErrorCode::Internal | ErrorCode::Incompatible => Self::Unexpected(error.to_string()),
            _ => Self::refused(error.message, error.next_step),
        }
    }
}

impl From<Outcome> for CallToolResult {
    fn from(outcome: Outcome) -> CallToolResult {
        match outcome {
            Outcome::Success { text, value, more, .. } => {
                let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
                result.content.extend(more);
                result.structured_content = Some(value);
                result
            }
            Outcome::Refused { error, next_step } => CallToolResult::structured(json!({
                "success": false,
                "error": neutralise(&error),
                "nextStep": neutralise(&next_step),
            })),
            Outcome::Unexpected(message) => {
                CallToolResult::structured_error(json!({ "isError": true, "message": neutralise(&message) }))
            }
        }
    }
}
