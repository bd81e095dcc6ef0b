//! The dialog that a call means, and what the person asked in it: of another program's history or of our own chat.
//!
//! "Current" is the latest active one of VS Code's and ours in the agent's project. What Claude Code and Codex keep is
//! reached by its id alone: the latest would be the caller's own.

mod asked;
mod background;
mod list;
mod own;
mod scope;
mod search;
mod whole;

use opentoolbar_core::element::redact_text;
use opentoolbar_core::model::SessionId;
use opentoolbar_dialogs::{Dialog, Error};

use super::context::Context;
use super::outcome::Outcome;
use asked::none_is_active;
use background::{PATIENCE, failed, read};

pub(super) use asked::{Asked, Said};
pub(super) use list::{Page, list};
pub(super) use search::{Hit, Wanted, search};
pub(super) use whole::whole;

/// Chats without a request that are passed over to find the current dialog.
const MOST_EMPTY: usize = 20;

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
    let scope = scope::allowed(context).await.0.ok_or_else(not_found)?;
    if let Ok(session) = id.parse::<SessionId>()
        && let Some(own) = own::request(context, &session, number).await
    {
        return Ok(own);
    }
    let wanted = id.to_owned();
    let find = read(context, PATIENCE, move |histories, going| histories.find(&scope, &wanted, going));
    match find.await? {
        Ok(dialog) => theirs(context, dialog, number).await,
        Err(Error::NotFound) => Err(not_found()),
        Err(error) => Err(failed(error)),
    }
}

/// The latest of VS Code's and ours in which something was asked.
async fn current(context: &Context, number: u64) -> Result<Asked, Outcome> {
    let scope = scope::of_project(context).await.ok_or_else(none_is_active)?;
    let reading = read(context, PATIENCE, move |histories, going| {
        let mut dialogs = histories.list(&scope, going)?.dialogs;
        dialogs.retain(|dialog| dialog.source.is_vs_code());
        // A window's new chat is listed before anything is asked in it.
        let mut asked = 0;
        for dialog in dialogs.iter().take(MOST_EMPTY) {
            match histories.requests(dialog, going) {
                Ok(requests) if requests.count() == 0 => asked += 1,
                Err(Error::Stopped) => return Err(Error::Stopped),
                _ => break,
            }
        }
        let at = if asked < dialogs.len().min(MOST_EMPTY) { asked } else { 0 };
        Ok(dialogs.into_iter().nth(at))
    });
    let latest = reading.await?.map_err(failed)?;
    match (latest, own::latest(context).await) {
        (Some(dialog), Some((_, at))) if at <= dialog.last_active => theirs(context, dialog, number).await,
        (_, Some((session, _))) => own::request(context, &session, number).await.ok_or_else(none_is_active),
        (Some(dialog), None) => theirs(context, dialog, number).await,
        (None, None) => Err(none_is_active()),
    }
}

/// Of a history of another program.
async fn theirs(context: &Context, dialog: Dialog, number: u64) -> Result<Asked, Outcome> {
    let session_id = dialog.id.clone();
    let reading = read(context, PATIENCE, move |histories, going| {
        let requests = histories.requests(&dialog, going)?;
        match requests.get(number) {
            Ok(asked) => Ok((requests.count(), Some(asked))),
            Err(Error::NoSuchRequest { total, .. }) => Ok((total, None)),
            Err(error) => Err(error),
        }
    });
    let (total, asked) = reading.await?.map_err(failed)?;
    let request = asked.map(|asked| Said { words: redact_text(&asked.words), at: asked.at });
    Ok(Asked { session_id, total, request, unreadable: 0 })
}
