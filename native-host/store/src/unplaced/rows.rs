//! The rows of what waits for its project.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use opentoolbar_core::model::{Context, ContextId, Session, SessionId, Timestamp};
use opentoolbar_core::protocol::{ErrorCode, UnplacedSummary};
use rusqlite::{Connection, OptionalExtension, Row, Rows, Transaction, params};

use super::bounds::{Counts, ROW_BYTES};
use super::{First, Page, Thing, Unplaced, Whereto};
use crate::applied::{Fingerprint, Sent, millis};
use crate::conversation::Pictures;
use crate::fault::Fault;
use crate::unreadable::Unreadable;
use opentoolbar_leaves::error::error;

/// A row, when it is told that one cannot be read.
pub(super) const WAITS: &str = "waiting message";

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
            "SELECT session_id = ?2 AND is_selection = ?3 AND (?3 = 0 OR context_id IS ?4) AND fingerprint = ?5 FROM \
             unplaced WHERE message_id = ?1",
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
            (Some(context.id.clone()), serde_json::to_string(context)?, pictures.clone())
        }
        Thing::Said { context, text } => {
            let about = match context {
                Some(named) => Some(named.clone()),
                None => latest_selection(transaction, page)?,
            };
            (about, text.clone(), Pictures::default())
        }
    };
    transaction
        .prepare_cached(
            "INSERT INTO unplaced (session_id, origin, url, title, message_id, fingerprint, is_selection, context_id, \
             document, element, viewport, bytes, at, made, root, is_left) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, \
             ?12, ?13, max(?13, (SELECT ifnull(max(made), 0) FROM unplaced WHERE session_id = ?1 AND origin = ?2 AND made <= ?14)), \
             (SELECT root FROM unplaced WHERE session_id = ?1 AND origin = ?2 ORDER BY number DESC LIMIT 1), \
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
            context_id.as_ref().map(ContextId::as_str),
            document,
            pictures.element,
            pictures.viewport,
            i64::try_from(bytes).unwrap_or(i64::MAX),
            millis(one.at),
            NO_MOMENT,
        ])?;
    Ok(())
}

/// What words are about that name no selection: the latest of their page, as long as its identifier can be read.
fn latest_selection(transaction: &Transaction<'_>, page: &Page) -> Result<Option<ContextId>, Fault> {
    let mut latest = transaction.prepare_cached(
        "SELECT context_id FROM unplaced WHERE session_id = ?1 AND origin = ?2 AND is_selection IS NOT 0 \
         ORDER BY number DESC LIMIT 1",
    )?;
    let mut rows = latest.query(params![page.session.as_str(), page.origin])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    // Where it is none, what the row was is looked for again when they are stored: it is still there.
    Ok(row.get_ref(0)?.as_str().ok().and_then(|id| id.parse().ok()))
}

/// When the latest selection of a page came that is before this row and still here.
pub(super) fn lost_before(
    connection: &Connection,
    page: &Page,
    number: i64,
) -> Result<Option<Timestamp>, Fault> {
    let at: Option<i64> = connection
        .prepare_cached(
            "SELECT max(CAST(at AS INTEGER)) FROM unplaced WHERE session_id = ?1 AND origin = ?2 AND number < ?3 AND \
             is_selection IS NOT 0",
        )?
        .query_row(params![page.session.as_str(), page.origin, number], |row| row.get(0))?;
    Ok(at.map(|at| Timestamp(u64::try_from(at).unwrap_or(0))))
}

/// Milliseconds since the epoch that are no moment of a thing that waits: the year 2100.
const NO_MOMENT: i64 = 4_102_444_800_000;

/// What is no moment is taken for the present one: nothing stays for ever, and nothing goes before it was there for as
/// long as everything else. One that is only yet to come stays: it may be the clock that is behind.
pub(super) fn date(connection: &Connection) -> Result<(), Fault> {
    let now = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";
    let is_none = format!("typeof(at) <> 'integer' OR at < 0 OR at > {NO_MOMENT}");
    connection.execute(&format!("UPDATE unplaced SET at = {now} WHERE {is_none}"), [])?;
    Ok(())
}

/// Whether the rows after one can be read, each once.
pub(super) fn check(
    connection: &Connection,
    checked: &mut i64,
    unreadable: &Unreadable,
) -> Result<(), Fault> {
    let mut all = connection.prepare_cached(
        "SELECT number, message_id, fingerprint, is_selection, context_id, document, iif(typeof(element) = 'blob', NULL, \
         element), iif(typeof(viewport) = 'blob', NULL, viewport), at, session_id, origin FROM unplaced WHERE number > ?1 \
         ORDER BY number",
    )?;
    let mut rows = all.query([*checked])?;
    while let Some(row) = rows.next()? {
        let number: i64 = row.get(0)?;
        let read = || {
            row.get::<_, String>(9)?.parse::<SessionId>().map_err(|_| unreadable_id())?;
            row.get::<_, String>(10)?;
            thing(row)
        };
        unreadable.skip(WAITS, &number.to_string(), read())?;
        *checked = number;
    }
    Ok(())
}

pub(super) fn summary(
    connection: &Connection,
    unreadable: &Unreadable,
) -> Result<Option<UnplacedSummary>, Fault> {
    let mut all = connection.prepare_cached("SELECT number, session_id, at FROM unplaced ORDER BY number")?;
    let mut rows = all.query([])?;
    let (mut things, mut unreadable_things) = (0, 0);
    let (mut oldest, mut oldest_unreadable) = (None::<Timestamp>, None::<Timestamp>);
    let mut sessions = BTreeSet::new();
    while let Some(row) = rows.next()? {
        let is_unreadable = unreadable.is_noted(WAITS, &row.get::<_, i64>(0)?.to_string());
        let (count, since) = match is_unreadable {
            true => (&mut unreadable_things, &mut oldest_unreadable),
            false => (&mut things, &mut oldest),
        };
        *count += 1;
        let at = Timestamp(row.get_ref(2)?.as_i64().ok().and_then(|at| u64::try_from(at).ok()).unwrap_or(0));
        *since = Some(since.map_or(at, |since| since.min(at)));
        if !is_unreadable {
            sessions.extend(row.get_ref(1)?.as_str().ok().map(str::to_owned));
        }
    }
    let sessions = u32::try_from(sessions.len()).unwrap_or(u32::MAX);
    let since = oldest.or(oldest_unreadable);
    Ok(since.map(|since| UnplacedSummary { things, sessions, since, unreadable: unreadable_things }))
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

/// What a row counts for; nothing when it cannot be read.
fn counted(row: &Row<'_>) -> rusqlite::Result<Option<(SessionId, u64)>> {
    let (session, bytes) = (row.get_ref(0)?.as_str(), row.get_ref(1)?.as_i64());
    let session = session.ok().and_then(|session| session.parse().ok());
    Ok(session.map(|session| (session, bytes.ok().and_then(|bytes| u64::try_from(bytes).ok()).unwrap_or(0))))
}

pub(super) fn pages(connection: &Connection, unreadable: &Unreadable) -> Result<Vec<Page>, Fault> {
    let mut statement = connection
        .prepare("SELECT session_id, origin, min(number) FROM unplaced GROUP BY session_id, origin")?;
    let mut rows = statement.query([])?;
    let mut pages = Vec::new();
    while let Some(row) = rows.next()? {
        let page = || {
            Ok(Page {
                session: row.get::<_, String>(0)?.parse().map_err(|_| unreadable_id())?,
                origin: row.get(1)?,
            })
        };
        pages.extend(unreadable.skip(WAITS, &row.get::<_, i64>(2)?.to_string(), page())?);
    }
    Ok(pages)
}

pub(super) fn earlier(connection: &Connection) -> Result<BTreeSet<SessionId>, Fault> {
    let mut statement = connection.prepare("SELECT session_id FROM earlier")?;
    let mut rows = statement.query([])?;
    let mut ids = BTreeSet::new();
    while let Some(row) = rows.next()? {
        // What is no session's is no client's either.
        ids.extend(row.get_ref(0)?.as_str().ok().and_then(|id| id.parse().ok()));
    }
    Ok(ids)
}

/// What of the latest row cannot be read is as if it were not known: what waits there can be stored all the same.
pub(super) fn whereto(connection: &Connection, page: &Page) -> Result<Option<Whereto>, Fault> {
    let mut latest = connection.prepare_cached(
        "SELECT url, root, is_left FROM unplaced WHERE session_id = ?1 AND origin = ?2 ORDER BY number DESC LIMIT 1",
    )?;
    let mut rows = latest.query(params![page.session.as_str(), page.origin])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    let text = |column: usize| Ok::<_, Fault>(row.get_ref(column)?.as_str().ok().map(str::to_owned));
    Ok(Some(Whereto {
        url: text(0)?.unwrap_or_else(|| page.origin.clone()),
        root: text(1)?.map(PathBuf::from),
        is_left: row.get_ref(2)?.as_i64().is_ok_and(|is_left| is_left != 0),
    }))
}

/// Of rows whose first column is their number, the first one that can be read.
fn first_readable<T>(
    rows: &mut Rows<'_>,
    unreadable: &Unreadable,
    mut read: impl FnMut(&Row<'_>) -> Result<T, Fault>,
) -> Result<Option<T>, Fault> {
    while let Some(row) = rows.next()? {
        let number = row.get::<_, i64>(0)?.to_string();
        if let Some(found) = unreadable.skip(WAITS, &number, read(row))? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

pub(super) fn latest_page(
    connection: &Connection,
    id: &SessionId,
    unreadable: &Unreadable,
) -> Result<Option<(Session, Timestamp)>, Fault> {
    let mut latest = connection.prepare_cached(
        "SELECT number, url, title, at FROM unplaced WHERE session_id = ?1 ORDER BY number DESC",
    )?;
    let mut rows = latest.query([id.as_str()])?;
    first_readable(&mut rows, unreadable, |row| {
        let at = Timestamp(u64::try_from(row.get::<_, i64>(3)?).unwrap_or(0));
        Ok((Session { id: id.clone(), url: row.get(1)?, title: row.get(2)?, last_active: at }, at))
    })
}

pub(super) fn page_of(
    connection: &Connection,
    id: &SessionId,
    context: &ContextId,
    unreadable: &Unreadable,
) -> Result<Option<(Page, Session)>, Fault> {
    let mut selected = connection.prepare_cached(
        "SELECT number, origin, url, title, at FROM unplaced WHERE context_id = ?1 AND is_selection = 1 AND \
         session_id = ?2",
    )?;
    let mut rows = selected.query([context.as_str(), id.as_str()])?;
    first_readable(&mut rows, unreadable, |row| {
        let at = Timestamp(u64::try_from(row.get::<_, i64>(4)?).unwrap_or(0));
        let page = Page { session: id.clone(), origin: row.get(1)? };
        Ok((page, Session { id: id.clone(), url: row.get(2)?, title: row.get(3)?, last_active: at }))
    })
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

/// The oldest thing of the page that can be read. An unreadable row holds up nothing else: words about a selection that
/// is lost are about nothing.
pub(super) fn first(
    connection: &Connection,
    page: &Page,
    unreadable: &Unreadable,
) -> Result<Option<First>, Fault> {
    let mut oldest = connection.prepare_cached(
        "SELECT number, message_id, fingerprint, is_selection, context_id, document, element, viewport, at, made FROM \
         unplaced WHERE session_id = ?1 AND origin = ?2 ORDER BY number",
    )?;
    let mut rows = oldest.query(params![page.session.as_str(), page.origin])?;
    let read = |row: &Row<'_>| Ok((row.get(0)?, thing(row)?, row.get_ref(9)?.as_i64().unwrap_or(0)));
    let Some((number, one, made)) = first_readable(&mut rows, unreadable, read)? else { return Ok(None) };
    let made = Timestamp(u64::try_from(made).unwrap_or(0)).max(one.at);
    Ok(Some(First { number, one, made, lost: lost_before(connection, page, number)? }))
}

fn thing(row: &Row<'_>) -> Result<Unplaced, Fault> {
    let document: String = row.get(5)?;
    let context: Option<String> = row.get(4)?;
    let thing = if row.get(3)? {
        let context: Context = serde_json::from_str(&document)?;
        Thing::Selected {
            context: Box::new(context),
            pictures: Pictures { element: row.get(6)?, viewport: row.get(7)? },
        }
    } else {
        let context = context.map(|context| context.parse()).transpose();
        Thing::Said { context: context.map_err(|_| unreadable_id())?, text: document }
    };
    let message = row.get::<_, String>(1)?.parse().map_err(|_| unreadable_id())?;
    let sent = Sent { message, fingerprint: Fingerprint::from_stored(row.get(2)?) };
    Ok(Unplaced { sent, at: Timestamp(u64::try_from(row.get::<_, i64>(8)?).unwrap_or(0)), thing })
}

fn unreadable_id() -> Fault {
    Fault::unreadable("an id in it is none")
}

pub(super) fn forget(connection: &Connection, number: i64) -> Result<Option<(SessionId, u64)>, Fault> {
    Ok(connection
        .prepare_cached("DELETE FROM unplaced WHERE number = ?1 RETURNING session_id, bytes")?
        .query_row([number], counted)
        .optional()?
        .flatten())
}

/// How many rows, and what those counted for.
pub(super) fn forget_before(
    connection: &Connection,
    at: Timestamp,
    unreadable: &Unreadable,
) -> Result<(usize, Vec<(SessionId, u64)>), Fault> {
    let mut statement = connection
        .prepare_cached("DELETE FROM unplaced WHERE at < ?1 RETURNING session_id, bytes, number")?;
    let row = |row: &Row<'_>| Ok((counted(row)?, row.get::<_, i64>(2)?));
    let rows = statement.query_map([millis(at)], row)?.collect::<Result<Vec<_>, _>>()?;
    rows.iter().for_each(|(_, number)| unreadable.is_gone(WAITS, &number.to_string()));
    Ok((rows.len(), rows.into_iter().filter_map(|(counted, _)| counted).collect()))
}

pub(super) fn take_back(
    connection: &Connection,
    session: &SessionId,
) -> Result<Vec<(SessionId, u64)>, Fault> {
    let mut statement = connection.prepare_cached(
        "DELETE FROM unplaced WHERE session_id = ?1 AND is_selection = 0 RETURNING session_id, bytes",
    )?;
    let rows = statement.query_map([session.as_str()], counted)?.collect::<Result<Vec<_>, _>>()?;
    Ok(rows.into_iter().flatten().collect())
}
