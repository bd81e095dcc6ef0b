//! The rows of what waits for its project.

use std::path::{Path, PathBuf};

use opentoolbar_core::model::{Context, ContextId, Session, SessionId, Timestamp};
use opentoolbar_core::protocol::{ErrorCode, UnplacedSummary};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

use super::bounds::{Counts, ROW_BYTES};
use super::{Page, Thing, Unplaced, Whereto};
use crate::hub::error::error;
use crate::store::applied::{Fingerprint, Sent, millis};
use crate::store::conversation::Pictures;
use crate::store::fault::Fault;

/// What it costs to keep it.
pub(super) fn bytes(page: &Page, session: &Session, one: &Unplaced) -> Result<u64, Fault> {
    let own = match &one.thing {
        Thing::Selected { context, pictures } => {
            let pictures = [&pictures.element, &pictures.viewport].into_iter().flatten();
            pictures.map(Vec::len).sum::<usize>() + serde_json::to_string(context)?.len()
        }
        Thing::Said { text, .. } => text.len(),
    };
    // Ids and origin stand in the indexes, too.
    let ids = 2 * (page.session.as_str().len() + page.origin.len() + one.sent.message.as_str().len());
    let bytes = own + ids + session.url.len() + session.title.len();
    Ok(u64::try_from(bytes).unwrap_or(u64::MAX).saturating_add(ROW_BYTES))
}

/// Whether the very same is kept.
///
/// # Errors
/// When something else of its id is, or what it is about is not.
pub(super) fn is_repeated(transaction: &Transaction<'_>, page: &Page, one: &Unplaced) -> Result<bool, Fault> {
    let fingerprint = one.sent.fingerprint.stored();
    let (is_selection, context) = match &one.thing {
        Thing::Selected { context, .. } => (true, Some(&context.id)),
        Thing::Said { context, .. } => (false, context.as_ref()),
    };
    let refused = |code, message: String| {
        Err(Fault::Refused(error(code, message, "Send it again with an id of its own; ids must be random.")))
    };
    let same_message = transaction
        .prepare_cached(
            "SELECT session_id = ?2 AND is_selection = ?3 AND context_id IS ?4 AND fingerprint = ?5 FROM unplaced \
             WHERE message_id = ?1",
        )?
        .query_row(
            params![
                one.sent.message.as_str(),
                page.session.as_str(),
                is_selection,
                context.map(ContextId::as_str),
                fingerprint
            ],
            |row| row.get::<_, bool>(0),
        )
        .optional()?;
    match same_message {
        Some(true) => return Ok(true),
        Some(false) => {
            let message = format!("the message id {} was used for another message", one.sent.message);
            return refused(ErrorCode::BadRequest, message);
        }
        None => {}
    }
    let Some(context) = context else { return Ok(false) };
    let selected = transaction
        .prepare_cached(
            "SELECT session_id = ?2 AND origin = ?3, fingerprint = ?4 FROM unplaced WHERE context_id = ?1 AND \
             is_selection = 1",
        )?
        .query_row(
            params![context.as_str(), page.session.as_str(), page.origin, fingerprint],
            |row| Ok((row.get::<_, bool>(0)?, row.get::<_, bool>(1)?)),
        )
        .optional()?;
    match (is_selection, selected) {
        (true, None) | (false, Some((true, _))) => Ok(false),
        (true, Some((true, true))) => Ok(true),
        (true, Some(_)) => {
            refused(ErrorCode::Conflict, format!("the selection id {context} was used for another selection"))
        }
        (false, _) => Err(Fault::Refused(error(
            ErrorCode::UnknownContext,
            format!("there is no selection {context} in the session {}", page.session),
            "Select the element again.",
        ))),
    }
}

pub(super) fn insert(
    transaction: &Transaction<'_>,
    page: &Page,
    session: &Session,
    one: &Unplaced,
    bytes: u64,
) -> Result<(), Fault> {
    let (context_id, document, pictures) = match &one.thing {
        Thing::Selected { context, pictures } => {
            (Some(&context.id), serde_json::to_string(context)?, pictures.clone())
        }
        Thing::Said { context, text } => (context.as_ref(), text.clone(), Pictures::default()),
    };
    transaction
        .prepare_cached(
            "INSERT INTO unplaced (session_id, origin, url, title, message_id, fingerprint, is_selection, context_id, \
             document, element, viewport, bytes, at, root, is_left) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, \
             ?12, ?13, (SELECT root FROM unplaced WHERE session_id = ?1 AND origin = ?2 ORDER BY number DESC LIMIT 1), \
             (SELECT ifnull(max(is_left), 0) FROM unplaced WHERE session_id = ?1 AND origin = ?2))",
        )?
        .execute(params![
            page.session.as_str(),
            page.origin,
            session.url,
            session.title,
            one.sent.message.as_str(),
            one.sent.fingerprint.stored(),
            matches!(one.thing, Thing::Selected { .. }),
            context_id.map(ContextId::as_str),
            document,
            pictures.element,
            pictures.viewport,
            i64::try_from(bytes).unwrap_or(i64::MAX),
            millis(one.at),
        ])?;
    Ok(())
}

pub(super) fn summary(connection: &Connection) -> Result<Option<UnplacedSummary>, Fault> {
    let sql = "SELECT count(*), count(DISTINCT session_id), min(at) FROM unplaced";
    let row = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get::<_, Option<i64>>(2)?));
    let (things, sessions, since): (u32, u32, _) = connection.prepare_cached(sql)?.query_row([], row)?;
    let since = since.map(|since| Timestamp(u64::try_from(since).unwrap_or(0)));
    Ok(since.map(|since| UnplacedSummary { things, sessions, since }))
}

pub(super) fn counts(connection: &Connection) -> Result<Counts, Fault> {
    let mut counts = Counts::default();
    let mut statement = connection.prepare("SELECT session_id, bytes FROM unplaced")?;
    let rows = statement.query_map([], counted)?;
    for row in rows {
        if let Some((session, bytes)) = row? {
            counts.add(&session, bytes);
        }
    }
    Ok(counts)
}

fn counted(row: &Row<'_>) -> rusqlite::Result<Option<(SessionId, u64)>> {
    let session: String = row.get(0)?;
    let bytes: i64 = row.get(1)?;
    Ok(session.parse().ok().map(|session| (session, u64::try_from(bytes).unwrap_or(0))))
}

pub(super) fn pages(connection: &Connection) -> Result<Vec<Page>, Fault> {
    let mut statement = connection.prepare("SELECT DISTINCT session_id, origin FROM unplaced")?;
    let rows = statement.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get(1)?)))?;
    let rows = rows.collect::<Result<Vec<_>, _>>()?;
    let page = |(session, origin): (String, String)| Some(Page { session: session.parse().ok()?, origin });
    Ok(rows.into_iter().filter_map(page).collect())
}

pub(super) fn whereto(connection: &Connection, page: &Page) -> Result<Option<Whereto>, Fault> {
    let latest = "SELECT url, root, is_left FROM unplaced WHERE session_id = ?1 AND origin = ?2 ORDER BY number DESC LIMIT 1";
    let row = |row: &Row<'_>| {
        let root: Option<String> = row.get(1)?;
        Ok(Whereto { url: row.get(0)?, root: root.map(PathBuf::from), is_left: row.get(2)? })
    };
    Ok(connection
        .prepare_cached(latest)?
        .query_row(params![page.session.as_str(), page.origin], row)
        .optional()?)
}

pub(super) fn latest_page(
    connection: &Connection,
    id: &SessionId,
) -> Result<Option<(Session, Timestamp)>, Fault> {
    let row = |row: &Row<'_>| {
        let at = Timestamp(u64::try_from(row.get::<_, i64>(2)?).unwrap_or(0));
        Ok((Session { id: id.clone(), url: row.get(0)?, title: row.get(1)?, last_active: at }, at))
    };
    Ok(connection
        .prepare_cached(
            "SELECT url, title, at FROM unplaced WHERE session_id = ?1 ORDER BY number DESC LIMIT 1",
        )?
        .query_row([id.as_str()], row)
        .optional()?)
}

pub(super) fn page_of(
    connection: &Connection,
    id: &SessionId,
    context: &ContextId,
) -> Result<Option<(Page, Session)>, Fault> {
    let row = |row: &Row<'_>| {
        let at = Timestamp(u64::try_from(row.get::<_, i64>(3)?).unwrap_or(0));
        let page = Page { session: id.clone(), origin: row.get(0)? };
        Ok((page, Session { id: id.clone(), url: row.get(1)?, title: row.get(2)?, last_active: at }))
    };
    Ok(connection
        .prepare_cached(
            "SELECT origin, url, title, at FROM unplaced WHERE context_id = ?1 AND is_selection = 1 AND session_id = ?2",
        )?
        .query_row([context.as_str(), id.as_str()], row)
        .optional()?)
}

pub(super) fn is_on(connection: &Connection, page: &Page) -> Result<(), Fault> {
    connection
        .prepare_cached(
            "UPDATE unplaced SET is_left = (origin <> ?2) WHERE session_id = ?1 AND is_left <> (origin <> ?2)",
        )?
        .execute(params![page.session.as_str(), page.origin])?;
    Ok(())
}

pub(super) fn goes_to(connection: &Connection, page: &Page, root: &Path) -> Result<(), Fault> {
    connection
        .prepare_cached(
            "UPDATE unplaced SET root = ?3 WHERE session_id = ?1 AND origin = ?2 AND root IS NOT ?3",
        )?
        .execute(params![page.session.as_str(), page.origin, root.to_str()])?;
    Ok(())
}

pub(super) fn first(connection: &Connection, page: &Page) -> Result<Option<(i64, Unplaced)>, Fault> {
    let row = |row: &Row<'_>| {
        let texts: (String, Option<String>, String) = (row.get(1)?, row.get(4)?, row.get(5)?);
        let pictures = Pictures { element: row.get(6)?, viewport: row.get(7)? };
        let (fingerprint, is_selection, at): (i64, bool, i64) = (row.get(2)?, row.get(3)?, row.get(8)?);
        Ok((row.get::<_, i64>(0)?, texts, fingerprint, is_selection, pictures, at))
    };
    let found = connection
        .prepare_cached(
            "SELECT number, message_id, fingerprint, is_selection, context_id, document, element, viewport, at FROM \
             unplaced WHERE session_id = ?1 AND origin = ?2 ORDER BY number LIMIT 1",
        )?
        .query_row(params![page.session.as_str(), page.origin], row)
        .optional()?;
    let Some((number, (message, context, document), fingerprint, is_selection, pictures, at)) = found else {
        return Ok(None);
    };
    let thing = if is_selection {
        let context: Context = serde_json::from_str(&document)?;
        Thing::Selected { context: Box::new(context), pictures }
    } else {
        let context = context.map(|context| context.parse()).transpose();
        Thing::Said { context: context.map_err(|_| unreadable())?, text: document }
    };
    let message = message.parse().map_err(|_| unreadable())?;
    let sent = Sent { message, fingerprint: Fingerprint::from_stored(fingerprint) };
    Ok(Some((number, Unplaced { sent, at: Timestamp(u64::try_from(at).unwrap_or(0)), thing })))
}

fn unreadable() -> Fault {
    Fault::Home(std::io::Error::other("an id in it is none"))
}

pub(super) fn forget(connection: &Connection, number: i64) -> Result<Option<(SessionId, u64)>, Fault> {
    Ok(connection
        .prepare_cached("DELETE FROM unplaced WHERE number = ?1 RETURNING session_id, bytes")?
        .query_row([number], counted)
        .optional()?
        .flatten())
}

pub(super) fn forget_before(connection: &Connection, at: Timestamp) -> Result<Vec<(SessionId, u64)>, Fault> {
    let mut statement =
        connection.prepare_cached("DELETE FROM unplaced WHERE at < ?1 RETURNING session_id, bytes")?;
    let rows = statement.query_map([millis(at)], counted)?.collect::<Result<Vec<_>, _>>()?;
    Ok(rows.into_iter().flatten().collect())
}
