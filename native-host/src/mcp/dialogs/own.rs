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

/// Those of the agent's project, the latest first; none where no hub tells: histories on disk are there without one.
pub(super) async fn conversations(context: &Context) -> Vec<ConversationSummary> {
    match context.link.ask(Request::ListConversations).await {
        Ok(Answer::Conversations { conversations }) => conversations,
        Ok(_) => Vec::new(),
        Err(error) => {
            tracing::warn!(%error, "our own chats are left out");
            Vec::new()
        }
    }
}

/// The one in which the person said something last, and when.
pub(super) async fn latest(context: &Context) -> Option<(SessionId, Timestamp)> {
    let said = conversations(context).await;
    said.into_iter().filter_map(|one| Some((one.session_id, one.last_request?))).max_by_key(|(_, at)| *at)
}

/// Messages with these words, and whether there are more.
pub(super) async fn search(context: &Context, query: String) -> (Vec<Hit>, bool) {
    match context.link.ask(Request::Search { query, limit: MAX_HISTORY_LIMIT }).await {
        Ok(Answer::Found { mut hits, more, .. }) => {
            hits.retain(|hit| hit.kind == "message");
            hits.sort_by_key(|hit| std::cmp::Reverse(hit.at));
            (hits, more)
        }
        Ok(_) => (Vec::new(), false),
        Err(error) => {
            tracing::warn!(%error, "our own chats are left out");
            (Vec::new(), false)
        }
    }
}

/// What the person said in a session. None where nothing is known of it, or no hub tells.
pub(super) async fn request(context: &Context, session: &SessionId, number: u64) -> Option<Asked> {
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
    let total = said.len() as u64;
    let at = total.checked_sub(number).and_then(|at| usize::try_from(at).ok());
    let request = at
        .and_then(|at| said.get(at))
        .map(|message| Said { words: redact_text(&message.content), at: Some(message.created_at) });
    Some(Asked { session_id: session.to_string(), total, request, unreadable })
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
