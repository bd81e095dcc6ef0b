//! Selections with their pictures.

use opentoolbar_core::model::{Context, ContextId, SessionId, Timestamp};
use opentoolbar_core::protocol::ErrorCode;
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};

use super::super::applied::{Sent, millis};
use super::super::fault::{Fault, NamedBy};
use super::super::unreadable::Unreadable;
use super::super::worker::Worker;
use super::super::{applied, screenshot};
use opentoolbar_leaves::error::error;
use opentoolbar_project::origin_of;

/// The pictures that come with a selection.
#[derive(Clone, Debug, Default)]
pub struct Pictures {
    /// PNG of the element.
    pub element: Option<Vec<u8>>,
    /// PNG of the viewport.
    pub viewport: Option<Vec<u8>>,
}

/// When a selection was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Made {
    /// Right now: it is the latest of its session, whatever the clock did.
    Now,
    /// At this moment, or before: it waited for its project.
    Before(Timestamp),
}

/// What words that name no selection may be about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Latest {
    /// Of the page that they were said on: a selection on another one is not meant.
    pub origin: String,
    /// A later one was lost: when it was made.
    pub lost: Option<Timestamp>,
}

/// Stores a selection, or nothing when it was stored before. Pictures are there before the selection names them.
pub(crate) fn store_context(
    worker: &mut Worker,
    sent: &Sent,
    mut context: Context,
    pictures: &Pictures,
    (made, at): (Made, Timestamp),
) -> Result<ContextId, Fault> {
    let shelf = worker.shelf()?;
    let database = worker.writing()?;
    let transaction = database.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let target = applied::target("context", &context.id, sent.fingerprint);
    if applied::before(&transaction, &sent.message, &target)?.is_some() {
        return Ok(context.id);
    }
    if let Some(stored) = read(&transaction, &context.id)? {
        // Another version may have redacted less.
        let is_same = || {
            stored.selection == context.selection || stored.selection.clone().redacted() == context.selection
        };
        return match stored.session_id == context.session_id && is_same() {
            true => Ok(context.id),
            false => Err(Fault::Refused(error(
                ErrorCode::Conflict,
                format!("the selection id {} was used for another selection", context.id),
                "Send it again with an id of its own; ids must be random.",
            ))),
        };
    }
    let element = pictures.element.as_deref();
    let viewport = pictures.viewport.as_deref();
    let names = screenshot::names_of(context.id.as_str());
    let kept = element.map(|png| shelf.keep(&names[0], png)).transpose()?;
    let kept_viewport = viewport.map(|png| shelf.keep(&names[1], png)).transpose()?;
    for kept in [&kept, &kept_viewport].into_iter().flatten() {
        kept.remember(&transaction)?;
    }
    context.screenshot = kept.as_ref().map(|kept| kept.name.clone());
    context.viewport_screenshot = kept_viewport.as_ref().map(|kept| kept.name.clone());
    let moment = match made {
        Made::Now => context.created_at,
        Made::Before(moment) => moment,
    };
    transaction
        .prepare_cached(
            "INSERT INTO contexts (id, session_id, document, at) VALUES (?1, ?2, ?3, iif(?5, max(?4, ifnull((SELECT max(at) \
             FROM contexts WHERE session_id = ?2), 0)), ?4))",
        )?
        .execute(params![
            context.id.as_str(),
            context.session_id.as_str(),
            serde_json::to_string(&context)?,
            millis(moment),
            made == Made::Now,
        ])?;
    let is_latest = matches!(newest(&transaction, &context.session_id)?, Newest::Is(id) if id == context.id);
    applied::remember(&transaction, &sent.message, &target, None, at)?;
    transaction.commit()?;
    for kept in [kept, kept_viewport].into_iter().flatten() {
        kept.commit();
    }
    if let Some(png) = element.filter(|_| is_latest) {
        // The name under which the latest of a session is looked for.
        shelf.keep_copy(&screenshot::latest_of(context.session_id.as_str()), png);
    }
    if element.is_some() || viewport.is_some() {
        shelf.tidy(&database.connection, at, context.id.as_str(), context.session_id.as_str());
    }
    worker.said(&context.session_id);
    Ok(context.id)
}

pub(super) fn read(connection: &Connection, id: &ContextId) -> Result<Option<Context>, Fault> {
    let document: Option<String> = connection
        .prepare_cached("SELECT document FROM contexts WHERE id = ?1")?
        .query_row([id.as_str()], |row| row.get(0))
        .optional()?;
    Ok(document.map(|document| serde_json::from_str(&document)).transpose()?)
}

/// What says which selection of a session was made last.
enum Newest {
    None,
    Is(ContextId),
    Unreadable,
}

fn newest(connection: &Connection, session: &SessionId) -> Result<Newest, Fault> {
    let mut statement = connection.prepare_cached(
        "SELECT id FROM contexts WHERE session_id = ?1 ORDER BY at DESC, number DESC LIMIT 1",
    )?;
    let mut rows = statement.query([session.as_str()])?;
    let Some(row) = rows.next()? else { return Ok(Newest::None) };
    let id = row.get_ref(0)?.as_str().ok().and_then(|id| id.parse().ok());
    Ok(id.map_or(Newest::Unreadable, Newest::Is))
}

/// Which selection of a session was made last; none when that cannot be read.
pub(crate) fn latest_id(
    connection: &Connection,
    session: &SessionId,
    unreadable: &Unreadable,
) -> Result<Option<ContextId>, Fault> {
    Ok(match newest(connection, session)? {
        Newest::Is(id) => Some(id),
        Newest::None => None,
        Newest::Unreadable => {
            unreadable.note("context", "the latest of a session");
            None
        }
    })
}

/// What words that name no selection are about: the latest of the session, when it was made on the page that they were
/// said on and not after them. None when it was lost or cannot be read, or when one of their page seems to be of after
/// them (what waits for its project is stored in its order: the clock has jumped): never another one.
pub(super) fn meant(
    connection: &Connection,
    session: &SessionId,
    Latest { origin, lost }: &Latest,
    until: Option<Timestamp>,
    unreadable: &Unreadable,
) -> Result<Option<ContextId>, Fault> {
    let mut statement = connection.prepare_cached(
        "SELECT id, document, at FROM contexts WHERE session_id = ?1 AND at <= ?2 ORDER BY at DESC, number DESC LIMIT 1",
    )?;
    let until = until.map_or(i64::MAX, millis);
    if is_any_after(connection, session, origin, until)? {
        return Ok(None);
    }
    let mut rows = statement.query(params![session.as_str(), until])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    let id: Option<ContextId> = row.get_ref(0)?.as_str().ok().and_then(|id| id.parse().ok());
    let Some(id) = id else {
        unreadable.note("context", "the latest of a session");
        return Ok(None);
    };
    let at: i64 = row.get(2)?;
    if lost.is_some_and(|lost| at <= millis(lost)) {
        return Ok(None);
    }
    Ok(may_be_of(row.get_ref(1)?.as_str().ok(), origin).then_some(id))
}

/// Whether a selection was made on pages of this origin. One that cannot be read, but by another version perhaps, may
/// have been.
fn may_be_of(document: Option<&str>, origin: &str) -> bool {
    let context: Option<Context> = document.and_then(|json| serde_json::from_str(json).ok());
    context.is_none_or(|context| origin_of(&context.selection.page.url) == *origin)
}

fn is_any_after(
    connection: &Connection,
    session: &SessionId,
    origin: &str,
    until: i64,
) -> Result<bool, Fault> {
    let mut later = connection.prepare_cached(
        "SELECT document FROM contexts WHERE session_id = ?1 AND at > ?2 ORDER BY at, number LIMIT 64",
    )?;
    let mut rows = later.query(params![session.as_str(), until])?;
    while let Some(row) = rows.next()? {
        if may_be_of(row.get_ref(0)?.as_str().ok(), origin) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The selection of a session that was made last.
pub(super) fn latest(connection: &Connection, session: &SessionId) -> Result<Option<Context>, Fault> {
    let document: Option<String> = connection
        .prepare_cached(
            "SELECT document FROM contexts WHERE session_id = ?1 ORDER BY at DESC, number DESC LIMIT 1",
        )?
        .query_row([session.as_str()], |row| row.get(0))
        .optional()?;
    Ok(document.map(|document| serde_json::from_str(&document)).transpose()?)
}

/// The session that a selection was made in.
pub(crate) fn session_of(worker: &mut Worker, id: &ContextId) -> Result<Option<SessionId>, Fault> {
    let Some(database) = worker.reading()? else { return Ok(None) };
    let found: Option<String> = database
        .connection
        .prepare_cached("SELECT session_id FROM contexts WHERE id = ?1")?
        .query_row([id.as_str()], |row| row.get(0))
        .optional()?;
    Ok(found.and_then(|session| session.parse().ok()))
}

/// The sessions in which something was selected last.
pub(crate) fn latest_selections(worker: &mut Worker, most: usize) -> Result<Vec<SessionId>, Fault> {
    let unreadable = worker.unreadable();
    let Some(database) = worker.reading()? else { return Ok(Vec::new()) };
    let sql = "SELECT session_id FROM contexts GROUP BY session_id ORDER BY max(at) DESC, max(number) DESC";
    let mut statement = database.connection.prepare_cached(sql)?;
    unreadable.sessions("context", &mut statement, most)
}

/// Whether the session has this selection.
pub(crate) fn must_have(worker: &mut Worker, id: &ContextId, session: &SessionId) -> Result<(), Fault> {
    let Some(database) = worker.reading()? else { return Err(unknown(id, session, NamedBy::Page)) };
    must_be_of(&database.connection, id, session, NamedBy::Page).map(drop)
}

pub(super) fn unknown(id: &ContextId, session: &SessionId, named_by: NamedBy) -> Fault {
    Fault::NoSuchSelection { id: id.clone(), session: session.clone(), named_by }
}

/// That the selection is one of this session.
pub(super) fn must_be_of(
    connection: &Connection,
    id: &ContextId,
    session: &SessionId,
    named_by: NamedBy,
) -> Result<Context, Fault> {
    match read(connection, id)? {
        Some(context) if context.session_id == *session => Ok(context),
        _ => Err(unknown(id, session, named_by)),
    }
}

/// The latest selection of a session.
pub(crate) fn latest_selection(worker: &mut Worker, session: &SessionId) -> Result<Option<Context>, Fault> {
    let unreadable = worker.unreadable();
    let Some(database) = worker.reading()? else { return Ok(None) };
    latest_readable(&database.connection, session, &unreadable)
}

/// The same, none where it cannot be read.
pub(super) fn latest_readable(
    connection: &Connection,
    session: &SessionId,
    unreadable: &Unreadable,
) -> Result<Option<Context>, Fault> {
    Ok(unreadable.skip("context", "of a session", latest(connection, session))?.flatten())
}

#[cfg(test)]
mod tests;
