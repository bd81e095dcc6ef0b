//! Our own chats as dialogs: a session's conversation, whether its tab is open or not. The hub keeps them.

use opentoolbar_core::element::redact_text;
use opentoolbar_core::model::{SessionId, Timestamp};
use opentoolbar_core::protocol::{
    Answer, ConversationSummary, ErrorBody, ErrorCode, Hit, MAX_HISTORY_LIMIT, PersonsRequest, Request,
};

use super::asked::{Asked, Said};
use crate::mcp::context::Context;

/// What the source is called.
pub(super) const SOURCE: &str = "opentoolbar";

/// So many of those of the agent's project that come behind that place, the latest first.
pub(super) async fn conversations(
    context: &Context,
    limit: usize,
    behind: Option<&Behind>,
) -> Result<Vec<ConversationSummary>, ErrorBody> {
    let (until, behind) = match behind {
        None => (None, None),
        Some(Behind { until, id }) => (Some(*until), id.clone()),
    };
    let limit = u32::try_from(limit).unwrap_or(u32::MAX).min(MAX_HISTORY_LIMIT);
    match context.link.ask(Request::ListConversations { limit, until, behind }).await {
        Ok(Answer::Conversations { conversations, .. }) => Ok(conversations),
        Ok(_) => Ok(Vec::new()),
        // Nothing is kept for it.
        Err(error) if error.code == ErrorCode::NoProject => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// A place in the order of our own.
pub(super) struct Behind {
    /// Their last messages are no later.
    pub(super) until: Timestamp,
    /// Of those of that moment only the ones behind this one.
    pub(super) id: Option<SessionId>,
}

/// For a note: histories on disk are told all the same.
pub(super) fn left_out(error: &ErrorBody) -> String {
    format!(
        "The chat beside the page could not be read and is left out: {}. {}",
        error.message, error.next_step
    )
}

/// A request of the session in which the person said something last, if anything was said.
pub(super) async fn latest(context: &Context, number: u64) -> Result<Option<Requests>, ErrorBody> {
    match asked(context, None, (number, 1)).await {
        Ok(found) => Ok(found),
        Err(error) if matches!(error.code, ErrorCode::NoProject | ErrorCode::UnknownSession) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Messages with these words before that place, the newest first, whether there are more, and the place of the last.
pub(super) async fn search(
    context: &Context,
    query: String,
    limit: u32,
    before: Option<u64>,
) -> Result<Found, ErrorBody> {
    match context.link.ask(Request::SearchMessages { query, limit, before }).await {
        Ok(Answer::Found { hits, more, last, .. }) => Ok(Found { hits, more, last }),
        Ok(_) => Ok(Found::default()),
        Err(error) if error.code == ErrorCode::NoProject => Ok(Found::default()),
        Err(error) => Err(error),
    }
}

/// What was found in our own.
#[derive(Default)]
pub(super) struct Found {
    pub(super) hits: Vec<Hit>,
    pub(super) more: bool,
    pub(super) last: Option<u64>,
}

/// What the person said in one session.
pub(super) struct Requests {
    asked: Asked,
    /// When the person said something last.
    pub(super) last: Option<Timestamp>,
}

impl Requests {
    pub(super) fn into_asked(self) -> Asked {
        self.asked
    }
}

/// So many from one on, counted from 1. None where nothing is known of the session, or no hub tells.
pub(super) async fn requests(context: &Context, session: &SessionId, wanted: (u64, u64)) -> Option<Requests> {
    match asked(context, Some(session.clone()), wanted).await {
        Ok(found) => found,
        Err(error) => {
            if error.code != ErrorCode::UnknownSession {
                tracing::warn!(%error, "our own chats are left out");
            }
            None
        }
    }
}

async fn asked(
    context: &Context,
    session_id: Option<SessionId>,
    (first, count): (u64, u64),
) -> Result<Option<Requests>, ErrorBody> {
    let number = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    let (first, limit) = (number(first), number(count).min(MAX_HISTORY_LIMIT));
    match context.link.ask(Request::GetRequests { session_id, first, limit }).await? {
        Answer::Requests { session_id, total, requests, last, unreadable } => {
            let said =
                |one: PersonsRequest| Said { words: redact_text(&one.text), at: Some(one.at), is_cut: false };
            let asked = Asked {
                session_id: session_id.to_string(),
                total: total.into(),
                requests: requests.into_iter().map(said).collect(),
                unreadable,
                note: None,
            };
            Ok(Some(Requests { asked, last }))
        }
        _ => Ok(None),
    }
}
