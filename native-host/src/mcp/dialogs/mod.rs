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
mod source;
mod whole;

use std::time::Instant;

use opentoolbar_core::element::redact_text;
use opentoolbar_core::model::SessionId;
use opentoolbar_dialogs::{Dialog, Error};

use super::context::Context;
use super::outcome::Outcome;
use asked::none_is_active;
use background::{PATIENCE, failed, read};

pub(super) use asked::{Asked, Said};
pub(super) use list::{COUNTING, Which, ids, list};
pub(super) use scope::{NOTICE, NOWHERE, not_known};
pub(super) use search::{Hit, Wanted, search};
pub(super) use source::Source;
pub(super) use whole::whole;

/// Chats without a request that are passed over to find the current dialog.
const MOST_EMPTY: usize = 20;
/// Bytes of the words that are read of several requests.
const MOST_BYTES: usize = 256 * 1024;

/// Where a dialog is.
enum Place {
    /// With the wanted requests.
    Own(own::Requests),
    Theirs(Dialog),
}

/// A request of a dialog, counted from 1; of the current dialog without an id.
pub(super) async fn request(context: &Context, id: Option<&str>, number: u64) -> Result<Asked, Outcome> {
    let until = Instant::now() + PATIENCE;
    // Some clients fill in every parameter.
    let wanted = (number, 1);
    let (place, note) = match id.filter(|id| !id.trim().is_empty()) {
        Some(id) => (find(context, id, wanted, until).await?, None),
        None => current(context, wanted, until).await?,
    };
    let asked = requests(context, place, wanted, until).await?;
    let notes: Vec<String> = note.into_iter().chain(asked.note).collect();
    Ok(Asked { note: (!notes.is_empty()).then(|| notes.join(" ")), ..asked })
}

/// The dialog with this id; `wanted`: which of its requests, from one on, and how many.
async fn find(context: &Context, id: &str, wanted: (u64, u64), until: Instant) -> Result<Place, Outcome> {
    let not_found = || {
        Outcome::refused(
            format!("Session not found: {id}"),
            "Leave sessionId out for the current dialog. Sessions of other projects are not told.",
        )
    };
    let scope = scope::allowed(context).await.0.ok_or_else(not_found)?;
    if let Ok(session) = id.parse::<SessionId>()
        && let Some(own) = own::requests(context, &session, wanted).await
    {
        return Ok(Place::Own(own));
    }
    let named = id.to_owned();
    let find = read(context, until, move |histories, going| histories.find(&scope, &named, going));
    match find.await? {
        Ok(dialog) => Ok(Place::Theirs(dialog)),
        Err(Error::NotFound) => Err(not_found()),
        Err(error) => Err(failed(error)),
    }
}

/// The latest of VS Code's and ours in which something was asked, and what is to be said of it.
async fn current(
    context: &Context,
    (number, _): (u64, u64),
    until: Instant,
) -> Result<(Place, Option<String>), Outcome> {
    let scope = scope::of_project(context).await.ok_or_else(none_is_active)?;
    let reading = read(context, until, move |histories, going| {
        let mut dialogs = histories.list(&scope, going)?.dialogs;
        // A window's new chat is listed before anything is asked in it. Of a large one it is not known yet.
        dialogs.retain(|dialog| dialog.source.is_vs_code() && dialog.is_empty != Some(true));
        let mut empty = 0;
        for dialog in dialogs.iter().take(MOST_EMPTY) {
            match histories.requests(dialog, going) {
                Ok(requests) if requests.count() == 0 => empty += 1,
                Err(Error::Stopped) => return Err(Error::Stopped),
                _ => break,
            }
        }
        let at = if empty < dialogs.len().min(MOST_EMPTY) { empty } else { 0 };
        Ok(dialogs.into_iter().nth(at))
    });
    let theirs = reading.await?.map_err(failed)?;
    let (own, note) = match own::latest(context, number).await {
        Ok(own) => (own, None),
        // Which is the latest is not known then.
        Err(error) => (None, Some(own::left_out(&error))),
    };
    match (theirs, own) {
        (Some(dialog), Some(own)) if own.last.is_none_or(|at| at <= dialog.last_active) => {
            Ok((Place::Theirs(dialog), note))
        }
        (_, Some(own)) => Ok((Place::Own(own), note)),
        (Some(dialog), None) => Ok((Place::Theirs(dialog), note)),
        (None, None) => Err(none_is_active()),
    }
}

/// So many requests from one on, fewer where there are no more or they are long; without what is secret in them.
async fn requests(
    context: &Context,
    place: Place,
    (first, count): (u64, u64),
    until: Instant,
) -> Result<Asked, Outcome> {
    let dialog = match place {
        Place::Own(own) => return Ok(own.into_asked()),
        Place::Theirs(dialog) => dialog,
    };
    let session_id = dialog.id.clone();
    let reading = read(context, until, move |histories, going| {
        let requests = histories.requests(&dialog, going)?;
        let (mut told, mut bytes) = (Vec::new(), 0);
        for number in first..first.saturating_add(count) {
            match requests.get(number, going) {
                Ok(asked) => {
                    bytes += asked.words.len();
                    let is_cut = asked.is_cut();
                    told.push(Said { words: redact_text(&asked.words), at: asked.at, is_cut });
                }
                Err(Error::NoSuchRequest { .. }) => break,
                Err(error) => return Err(error),
            }
            if bytes > MOST_BYTES {
                break;
            }
        }
        let mut notes = Vec::new();
        if requests.is_cut() {
            notes.push("The last line of the history is not whole and is left out.".to_owned());
        }
        if requests.broken_lines() > 0 {
            notes.push(format!("{} lines of the history are broken and left out.", requests.broken_lines()));
        }
        Ok((requests.count(), told, notes))
    });
    let (total, requests, notes) = reading.await?.map_err(failed)?;
    let note = (!notes.is_empty()).then(|| notes.join(" "));
    Ok(Asked { session_id, total, requests, unreadable: 0, note })
}
