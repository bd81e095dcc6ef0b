//! Our own chats as dialogs: a session's conversation, whether its tab is open or not. The hub keeps them.

use opentoolbar_core::element::redact_text;
use opentoolbar_core::model::{Message, MessageId, MessageRole, SessionId, Timestamp};
use opentoolbar_core::protocol::{
    Answer, ConversationSummary, ErrorBody, ErrorCode, Hit, MAX_HISTORY_LIMIT, Request,
};

use super::asked::{Asked, Said};
use crate::mcp::context::Context;

/// What the source is called.
pub(super) const SOURCE: &str = "opentoolbar";

/// Those of the agent's project, the latest first.
pub(super) async fn conversations(context: &Context) -> Result<Vec<ConversationSummary>, ErrorBody> {
    match context.link.ask(Request::ListConversations).await {
        Ok(Answer::Conversations { conversations }) => Ok(conversations),
        Ok(_) => Ok(Vec::new()),
        // Nothing is kept for it.
        Err(error) if error.code == ErrorCode::NoProject => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// For a note: histories on disk are told all the same.
pub(super) fn left_out(error: &ErrorBody) -> String {
    format!(
        "The chat beside the page could not be read and is left out: {}. {}",
        error.message, error.next_step
    )
}

/// The one in which the person said something last, and when.
pub(super) async fn latest(context: &Context) -> Result<Option<(SessionId, Timestamp)>, ErrorBody> {
    let said = conversations(context).await?.into_iter();
    Ok(said.filter_map(|one| Some((one.session_id, one.last_request?))).max_by_key(|(_, at)| *at))
}

/// Messages with these words behind so many, the newest first, and whether there are more.
pub(super) async fn search(
    context: &Context,
    query: String,
    limit: u32,
    offset: u32,
) -> Result<(Vec<Hit>, bool), ErrorBody> {
    match context.link.ask(Request::SearchMessages { query, limit, offset }).await {
        Ok(Answer::Found { hits, more, .. }) => Ok((hits, more)),
        Ok(_) => Ok((Vec::new(), false)),
        Err(error) if error.code == ErrorCode::NoProject => Ok((Vec::new(), false)),
        Err(error) => Err(error),
    }
}

/// What the person said in one session.
pub(super) struct Requests {
    /// The newest first.
    said: Vec<Message>,
    unreadable: u32,
}

impl Requests {
    /// So many from one on, counted from 1.
    pub(super) fn asked(&self, session: &SessionId, first: u64, count: u64) -> Asked {
        let number = |at: u64| usize::try_from(at.saturating_sub(1)).unwrap_or(usize::MAX);
        let wanted = self.said.iter().rev().skip(number(first));
        let requests = wanted
            .take(usize::try_from(count).unwrap_or(usize::MAX))
            .map(|message| Said {
                words: redact_text(&message.content),
                at: Some(message.created_at),
                is_cut: false,
            })
            .collect();
        Asked {
            session_id: session.to_string(),
            total: self.said.len() as u64,
            requests,
            unreadable: self.unreadable,
            note: None,
        }
    }
}

/// None where nothing is known of the session, or no hub tells.
pub(super) async fn requests(context: &Context, session: &SessionId) -> Option<Requests> {
    let mut said = Vec::new();
    let mut before: Option<MessageId> = None;
    let mut unreadable = 0;
    loop {
        let page = match page(context, session, before.take()).await {
            Ok(page) => page,
            Err(error) => {
                if error.code != ErrorCode::UnknownSession {
                    tracing::warn!(%error, "our own chats are left out");
                }
                return None;
            }
        };
        unreadable += page.unreadable;
        before = page.messages.first().map(|oldest| oldest.id.clone());
        // Pages go back in time, each of them in order.
        let users = page.messages.into_iter().rev().filter(|message| message.role == MessageRole::User);
        said.extend(users);
        if page.older == 0 || before.is_none() {
            break;
        }
    }
    Some(Requests { said, unreadable })
}

#[derive(Default)]
struct Page {
    /// Oldest first.
    messages: Vec<Message>,
    older: u32,
    unreadable: u32,
}

async fn page(context: &Context, session: &SessionId, before: Option<MessageId>) -> Result<Page, ErrorBody> {
    let request = Request::GetConversationHistory {
        session_id: session.clone(),
        limit: Some(MAX_HISTORY_LIMIT),
        before,
        message_id: None,
    };
    match context.link.ask(request).await? {
        Answer::Conversation { messages, older, unreadable, .. } => Ok(Page { messages, older, unreadable }),
        _ => Ok(Page::default()),
    }
}
