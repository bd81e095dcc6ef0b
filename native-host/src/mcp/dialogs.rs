//! The dialog that a call means, and what the person asked in it: of another program's history or of our own chat.
//!
//! "Current" is the latest active one of VS Code's and ours in the agent's project. What Claude Code and Codex keep is
//! reached by its id alone: the latest would be the caller's own.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use opentoolbar_core::element::redact_text;
use opentoolbar_core::model::{Message, MessageId, MessageRole, SessionId, Timestamp};
use opentoolbar_core::prompt::neutralise;
use opentoolbar_core::protocol::{Answer, ErrorBody, ErrorCode, MAX_HISTORY_LIMIT, Request};
use opentoolbar_dialogs::{Dialog, Error, Histories, Scope, preview};

use super::context::Context;
use super::outcome::Outcome;
use crate::project::root_of;

/// What the person asked in one dialog.
pub(super) struct Asked {
    /// The dialog's id.
    pub(super) session_id: String,
    /// How many requests there are.
    pub(super) total: u64,
    /// The wanted one; none where there are not as many.
    pub(super) request: Option<Said>,
}

/// One request, without what is secret in it.
pub(super) struct Said {
    pub(super) words: String,
    /// When, if the history says so.
    pub(super) at: Option<Timestamp>,
}

impl Said {
    /// Its first line, in at most 80 characters; none where nothing is in it.
    pub(super) fn preview(&self) -> Option<String> {
        Some(preview(&neutralise(&self.words))).filter(|line| !line.is_empty())
    }
}

/// A request of a dialog, counted from 1; of the current dialog without an id.
pub(super) async fn request(context: &Context, id: Option<&str>, number: u64) -> Result<Asked, Outcome> {
    // Some clients fill in every parameter.
    let Some(id) = id.filter(|id| !id.trim().is_empty()) else { return current(context, number).await };
    let not_found = || {
        Outcome::refused(
            format!("Session not found: {id}"),
            "Leave sessionId out for the current dialog. Sessions of other projects are not told.",
        )
    };
    let scope = scope(context).await.ok_or_else(not_found)?;
    if let Ok(session) = id.parse::<SessionId>()
        && let Some(own) = own(context, &session, number).await
    {
        return Ok(own);
    }
    let wanted = id.to_owned();
    let dialog = in_background(context, move |histories, going| histories.find(&scope, &wanted, going)).await;
    match dialog? {
        Ok(dialog) => theirs(context, dialog, number).await,
        Err(Error::NotFound) => Err(not_found()),
        Err(error) => Err(failed(error)),
    }
}

async fn current(context: &Context, number: u64) -> Result<Asked, Outcome> {
    let scope = scope(context).await.ok_or_else(none_is_active)?;
    let listed = in_background(context, move |histories, going| histories.list(&scope, going)).await?;
    let mut dialogs = listed.map_err(failed)?.dialogs;
    let latest = dialogs.iter().position(|dialog| dialog.source.is_vs_code());
    let latest = latest.map(|at| dialogs.swap_remove(at));
    let own = latest_of_ours(context).await?;
    match (latest, own) {
        (Some(dialog), Some((_, at))) if at <= dialog.last_active => theirs(context, dialog, number).await,
        (_, Some((session, _))) => own_or_none(context, &session, number).await,
        (Some(dialog), None) => theirs(context, dialog, number).await,
        (None, None) => Err(none_is_active()),
    }
}

async fn own_or_none(context: &Context, session: &SessionId, number: u64) -> Result<Asked, Outcome> {
    own(context, session, number).await.ok_or_else(none_is_active)
}

fn none_is_active() -> Outcome {
    Outcome::refused(
        "No active dialog found",
        "Nothing was asked in this project yet, in VS Code's chat or beside the page. Give the sessionId of another dialog.",
    )
}

/// Of a history of another program.
async fn theirs(context: &Context, dialog: Dialog, number: u64) -> Result<Asked, Outcome> {
    let session_id = dialog.id.clone();
    let read = in_background(context, move |histories, going| {
        let requests = histories.requests(&dialog, going)?;
        match requests.get(number, going) {
            Ok(asked) => Ok((requests.count(), Some(asked))),
            Err(Error::NoSuchRequest { total, .. }) => Ok((total, None)),
            Err(error) => Err(error),
        }
    });
    let (total, asked) = read.await?.map_err(failed)?;
    let request = asked.map(|asked| Said { words: redact_text(&asked.words), at: asked.at });
    Ok(Asked { session_id, total, request })
}

/// Of our own chat: what the person said in a tab. None where no tab has the id, or no hub tells.
async fn own(context: &Context, session: &SessionId, number: u64) -> Option<Asked> {
    let mut said = Vec::new();
    let mut before: Option<MessageId> = None;
    loop {
        let (messages, older) = match page(context, session, before.take()).await {
            Ok(page) => page,
            Err(error) => {
                if error.code != ErrorCode::UnknownSession {
                    // Histories on disk are there without a hub.
                    tracing::warn!(%error, "our own chats are left out");
                }
                return None;
            }
        };
        before = messages.first().map(|oldest| oldest.id.clone());
        // Pages go back in time, each of them in order.
        said.extend(messages.into_iter().rev().filter(|message| message.role == MessageRole::User));
        if older == 0 || before.is_none() {
            break;
        }
    }
    let total = said.len() as u64;
    let at = total.checked_sub(number).and_then(|at| usize::try_from(at).ok());
    let request = at
        .and_then(|at| said.get(at))
        .map(|message| Said { words: redact_text(&message.content), at: Some(message.created_at) });
    Some(Asked { session_id: session.to_string(), total, request })
}

/// A page of a conversation, oldest first, and how many messages are before it.
async fn page(
    context: &Context,
    session: &SessionId,
    before: Option<MessageId>,
) -> Result<(Vec<Message>, u32), ErrorBody> {
    let request = Request::GetConversationHistory {
        session_id: session.clone(),
        limit: Some(MAX_HISTORY_LIMIT),
        before,
        message_id: None,
    };
    match context.link.ask(request).await? {
        Answer::Conversation { messages, older, .. } => Ok((messages, older)),
        _ => Ok((Vec::new(), 0)),
    }
}

/// The open tab of the project in which the person said something last, and when.
async fn latest_of_ours(context: &Context) -> Result<Option<(SessionId, Timestamp)>, Outcome> {
    let sessions = match context.link.ask(Request::ListSessions).await {
        Ok(Answer::Sessions { sessions, .. }) => sessions,
        Ok(_) => return Err(Outcome::mismatch("sessions")),
        // Histories on disk are there without a hub.
        Err(error) => {
            tracing::warn!(%error, "our own chats are left out");
            return Ok(None);
        }
    };
    let mut latest: Option<(SessionId, Timestamp)> = None;
    for session in sessions {
        let Ok((messages, _)) = page(context, &session.session_id, None).await else { continue };
        let said = messages.iter().filter(|message| message.role == MessageRole::User);
        if let Some(at) = said.map(|message| message.created_at).max()
            && latest.as_ref().is_none_or(|(_, before)| *before < at)
        {
            latest = Some((session.session_id, at));
        }
    }
    Ok(latest)
}

/// The agent's project. An agent in no project, as in the home directory, has no dialogs: all of them are others'.
async fn scope(context: &Context) -> Option<Scope> {
    let directory = context.directory.clone();
    // Asks the disk.
    tokio::task::spawn_blocking(move || root_of(&directory)).await.ok().flatten().map(Scope::Project)
}

fn failed(error: Error) -> Outcome {
    match error {
        Error::NoData(why) => Outcome::refused(
            "Chat data not available for session",
            format!(
                "Its history cannot be had: {why}. Ask the developer, or give the sessionId of another dialog."
            ),
        ),
        Error::NoRequests | Error::NoSuchRequest { .. } => {
            Outcome::refused("First request not available", "Nothing was asked in this dialog yet.")
        }
        Error::NotFound => none_is_active(),
        Error::Changed => Outcome::refused("The history was written meanwhile", "Call again."),
        Error::Stopped => {
            Outcome::refused("The histories could not be read in time", "Call again: what was read is kept.")
        }
        Error::Io(error) => Outcome::Unexpected(format!("the history cannot be read: {error}")),
    }
}

/// Reads on a thread of its own, and no longer than the answer is waited for.
async fn in_background<T: Send + 'static>(
    context: &Context,
    read: impl FnOnce(&Histories, &dyn Fn() -> bool) -> Result<T, Error> + Send + 'static,
) -> Result<Result<T, Error>, Outcome> {
    let wanted = Wanted(Arc::new(AtomicBool::new(true)));
    let (histories, still) = (Arc::clone(&context.histories), Arc::clone(&wanted.0));
    let reading = tokio::task::spawn_blocking(move || read(&histories, &|| still.load(Ordering::Relaxed)));
    reading.await.map_err(|_| Outcome::Unexpected("the histories could not be read".to_owned()))
}

/// Dropped with the call, when its client does not want the answer any more.
struct Wanted(Arc<AtomicBool>);

impl Drop for Wanted {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}
