//! What a person and agents say to one another in a session.

use serde::{Deserialize, Serialize};

use super::limits::{self, CommentError, Field};
use super::word::read_by_word;
use super::{ContextId, MessageId, SessionId, Timestamp};

/// Longest message, in bytes.
pub const MAX_MESSAGE_TEXT: usize = 1024 * 1024;
/// Longest detail of a status, in characters.
pub const MAX_DETAIL: usize = 200;

/// Whose words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case", try_from = "String")]
pub enum MessageRole {
    /// The person at the page.
    User,
    /// An agent.
    Assistant,
}

read_by_word!(MessageRole: User = "user", Assistant = "assistant");

/// What an agent is doing, in its own words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case", try_from = "String")]
pub enum AgentStatus {
    /// Nothing for this session.
    #[default]
    Idle,
    /// It thinks.
    Thinking,
    /// It looks for something.
    Searching,
    /// It changes files.
    Editing,
}

read_by_word!(AgentStatus: Idle = "idle", Thinking = "thinking", Searching = "searching", Editing = "editing");

/// One message of a session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct Message {
    /// Of the request that began it; applied once by this id.
    pub id: MessageId,
    /// The tab.
    pub session_id: SessionId,
    /// The selection it is about; absent when it was said before anything was selected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub context_id: Option<ContextId>,
    /// Whose.
    pub role: MessageRole,
    /// Markdown, never rendered as raw HTML.
    pub content: String,
    /// Name of the agent; absent for the person's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub agent: Option<String>,
    /// False while its parts still come.
    pub is_complete: bool,
    /// How many parts it was made of so far; what comes next has this index.
    pub parts: u32,
    /// Whether an agent that is still there was handed it, or has answered it; meaningless for an agent's own.
    pub is_read: bool,
    /// Whether an agent has answered it; absent of an agent's own, and from a version that does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub is_answered: Option<bool>,
    /// Whether the person has taken it back. Only the person's browser gets such messages.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<bool>"))]
    pub is_withdrawn: bool,
    /// Grows with every change of any message of the project: ask for what is after it to miss nothing.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub position: u64,
    /// When it began.
    pub created_at: Timestamp,
}

/// That a text can be a message, or a part of one.
///
/// # Errors
/// When it is longer than [`MAX_MESSAGE_TEXT`], or empty although it must not be.
pub fn check_message(field: &str, text: &str, may_be_empty: bool) -> Result<(), CommentError> {
    if !may_be_empty && text.trim().is_empty() {
        return Err(CommentError::Empty { field: Field::new(field) });
    }
    limits::at_most(field, text.len(), MAX_MESSAGE_TEXT, "bytes")
}
