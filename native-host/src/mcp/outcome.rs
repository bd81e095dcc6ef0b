//! What a call returns: the same value as JSON text and as structured content, in one of three shapes.

use opentoolbar_core::protocol::{ErrorBody, ErrorCode};
use rmcp::model::{CallToolResult, ContentBlock};
use serde::Serialize;
use serde_json::{Value, json};

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
    },
    /// `{"success": false, "error": ...}`: the call was understood and cannot be done; `error` says what to do next.
    Refused(String),
    /// `{"success": false, "message": ...}` and `isError`: not the agent's doing.
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
            (Ok(text), Ok(value)) => Self::Success { text, value, more: Vec::new() },
            (Err(error), _) | (_, Err(error)) => {
                Self::Unexpected(format!("the answer cannot be written: {error}"))
            }
        }
    }

    /// With an image after the text.
    pub(super) fn with_image(self, base64: String, mime: &str) -> Self {
        match self {
            Self::Success { text, value, mut more } => {
                more.push(ContentBlock::image(base64, mime));
                Self::Success { text, value, more }
            }
            other => other,
        }
    }

    /// The hub answered with something else than this request is answered with.
    pub(super) fn mismatch(expected: &str) -> Self {
        Self::Unexpected(format!(
            "the hub did not answer with {expected}. It may be of another version: run `opentoolbar status`."
        ))
    }
}

impl From<ErrorBody> for Outcome {
    fn from(error: ErrorBody) -> Self {
        match error.code {
            ErrorCode::Internal | ErrorCode::Incompatible => Self::Unexpected(error.to_string()),
            _ => Self::Refused(error.to_string()),
        }
    }
}

impl From<Outcome> for CallToolResult {
    fn from(outcome: Outcome) -> CallToolResult {
        match outcome {
            Outcome::Success { text, value, more } => {
                let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
                result.content.extend(more);
                result.structured_content = Some(value);
                result
            }
            Outcome::Refused(error) => {
                CallToolResult::structured(json!({ "success": false, "error": error }))
            }
            Outcome::Unexpected(message) => {
                CallToolResult::structured_error(json!({ "success": false, "message": message }))
            }
        }
    }
}
