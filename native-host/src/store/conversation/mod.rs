//! The live conversation of a project: selections, messages, answers that come in parts.
//!
//! Knows how they are stored and in which order; nothing of connections, or of who may say what.

mod annotations;
mod contexts;
mod handed;
mod messages;
mod parts;
mod respond;

pub use annotations::AnsweredAnnotation;
pub use contexts::{Latest, Pictures, StoredContext, UiState};
pub use handed::Of;
pub use messages::{About, Conversation, Part, Said};
pub use respond::{Answered, Response};

pub(super) use annotations::{annotation, keep_annotation};
pub(super) use contexts::{
    Made, latest_selection, latest_selections, mirrored, must_have, session_of, store_context, ui_context,
};
pub(super) use handed::{hand_over, release};
pub(super) use messages::{Missing, conversation, history, last_words, said, say, with_unread, withdraw};
pub(super) use respond::respond;
