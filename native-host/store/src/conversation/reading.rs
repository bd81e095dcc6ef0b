//! A session's conversation as it stands: its history, and what changed of it.

use std::collections::BTreeSet;

use opentoolbar_core::model::{Context, ContextId, Message, MessageId, SessionId};
use rusqlite::{Connection, OptionalExtension, Rows, params};

use super::super::fault::Fault;
use super::super::history::Room;
use super::super::unreadable::Unreadable;
use super::super::worker::Worker;
use super::contexts;
use super::rows::{COLUMNS, position, readable, stored};

/// Messages in one answer.
const MOST: u32 = 200;
/// Bytes of all messages in one answer; at least one message is always there.
const MOST_BYTES: usize = 8 * 1024 * 1024;

/// Some of a session's conversation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conversation {
    /// Oldest first.
    pub messages: Vec<Message>,
    /// Those that the messages are about, and the latest.
    pub contexts: Vec<Context>,
    /// Ask for what comes after this.
    pub position: u64,
    /// Of the history: how many there are before these.
    pub older: u32,
    /// How many messages cannot be read; they are left out.
    pub unreadable: u32,
}

/// Which part of a session's history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// The last ones, at most so many.
    Last(u32),
    /// The last ones before this message.
    Before(MessageId, u32),
    /// This message alone.
    One(MessageId),
}

/// Messages of a session, oldest first, without what was taken back.
pub(crate) fn history(worker: &mut Worker, session: &SessionId, part: &Part) -> Result<Conversation, Fault> {
    let unreadable = worker.unreadable();
    let unknown = |id: &MessageId| Fault::NoSuchMessage { id: id.clone(), session: session.clone() };
    let (named, limit) = match part {
        Part::Last(limit) => (None, *limit),
        Part::Before(id, limit) => (Some(id), *limit),
        Part::One(id) => (Some(id), 1),
    };
    let Some(database) = worker.reading()? else {
        return named.map_or_else(|| Ok(Conversation::default()), |id| Err(unknown(id)));
    };
    let connection = &database.connection;
    let number_of = |id: &MessageId| -> Result<i64, Fault> {
        let number = connection
            .prepare_cached(
                "SELECT number FROM messages WHERE id = ?1 AND session_id = ?2 AND is_withdrawn = 0",
            )?
            .query_row([id.as_str(), session.as_str()], |row| row.get(0))
            .optional()?;
        number.ok_or_else(|| unknown(id))
    };
    let end = match part {
        Part::Last(_) => i64::MAX,
        Part::Before(id, _) => number_of(id)?,
        Part::One(id) => number_of(id)?.saturating_add(1),
    };
    let found = latest(connection, session, limit, ("is_withdrawn = 0 AND number <", end), &unreadable)?;
    let all: u32 = connection
        .prepare_cached(
            "SELECT count(*) FROM messages WHERE session_id = ?1 AND is_withdrawn = 0 AND number < ?2",
        )?
        .query_row(params![session.as_str(), end], |row| row.get(0))?;
    let told = u32::try_from(found.messages.len()).unwrap_or(u32::MAX).saturating_add(found.unreadable);
    Ok(Conversation { older: all.saturating_sub(told), ..found })
}

/// The last messages of a session that were not taken back, oldest first, as far as they have room. Of one that has
/// not, its beginning. With the latest selection.
pub(crate) fn last_words(
    worker: &mut Worker,
    session: &SessionId,
    limit: u32,
    mut room: Room,
) -> Result<Conversation, Fault> {
    let unreadable = worker.unreadable();
    let Some(database) = worker.reading()? else { return Ok(Conversation::default()) };
    let connection = &database.connection;
    // Neither column is read for its length.
    let mut lengths = connection.prepare_cached(
        "SELECT number, octet_length(content) FROM messages WHERE session_id = ?1 AND is_withdrawn = 0 \
         ORDER BY number DESC LIMIT ?2",
    )?;
    // The text is cut by characters, each of which has a byte at least. SQLite takes a zero for the end of a text.
    let beginning = " iif(instr(content, char(0)) > 0, content, substr(content, 1, ?2)),";
    let columns = COLUMNS.replace(" content,", beginning);
    let mut one = connection.prepare_cached(&format!("SELECT {columns} FROM messages WHERE number = ?1"))?;
    let mut rows = lengths.query(params![session.as_str(), limit])?;
    let mut found = Conversation::default();
    let mut read = 0;
    while let Some(row) = rows.next()? {
        let bytes: usize = row.get::<_, i64>(1)?.try_into().unwrap_or(0);
        read += bytes;
        if read > MOST_BYTES && !found.messages.is_empty() {
            break;
        }
        let Some(most) = room.next(bytes) else { break };
        let mut rows = one.query(params![row.get::<_, i64>(0)?, i64::try_from(most).unwrap_or(i64::MAX)])?;
        let Some(row) = rows.next()? else { continue };
        let Some(mut message) = readable(connection, row, &unreadable)? else {
            found.unreadable += 1;
            continue;
        };
        message.content.truncate(message.content.floor_char_boundary(most));
        room.took(message.content.len());
        found.messages.push(message);
    }
    found.messages.reverse();
    found.contexts.extend(contexts::latest_readable(connection, session, &unreadable)?);
    Ok(found)
}

/// The last messages of a session, whose condition is followed by this number.
fn latest(
    connection: &Connection,
    session: &SessionId,
    limit: u32,
    (condition, number): (&str, i64),
    unreadable: &Unreadable,
) -> Result<Conversation, Fault> {
    let sql = format!(
        "SELECT {COLUMNS} FROM messages WHERE session_id = ?1 AND {condition} ?2 ORDER BY number DESC LIMIT ?3"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params![session.as_str(), number, limit])?;
    let mut found = bounded(connection, &mut rows, unreadable)?;
    found.messages.reverse();
    with_contexts(connection, session, found, unreadable)
}

/// What a page of a conversation holds.
struct Bounded {
    messages: Vec<Message>,
    skipped: u32,
    is_all: bool,
}

/// As many as fit into one answer, with the parts of those that still come, and whether these are all.
fn bounded(connection: &Connection, rows: &mut Rows<'_>, unreadable: &Unreadable) -> Result<Bounded, Fault> {
    let mut found = Bounded { messages: Vec::new(), skipped: 0, is_all: false };
    let mut bytes = 0;
    while let Some(row) = rows.next()? {
        let Some(message) = readable(connection, row, unreadable)? else {
            found.skipped += 1;
            continue;
        };
        bytes += message.content.len();
        if bytes > MOST_BYTES && !found.messages.is_empty() {
            return Ok(found);
        }
        found.messages.push(message);
    }
    found.is_all = found.messages.len() + (found.skipped as usize) < MOST as usize;
    Ok(found)
}

/// Messages that changed after a position, by position; without one, the latest. For the person: with what was taken
/// back.
pub(crate) fn conversation(
    worker: &mut Worker,
    session: &SessionId,
    after: Option<u64>,
) -> Result<Conversation, Fault> {
    let unreadable = worker.unreadable();
    let Some(database) = worker.reading()? else { return Ok(Conversation::default()) };
    let connection = &database.connection;
    let Some(after) = after else {
        return latest(connection, session, MOST, ("number <", i64::MAX), &unreadable);
    };
    // A position beyond the last is of a database that was deleted.
    let after = if after > position(connection)? { 0 } else { after };
    let sql = format!(
        "SELECT {COLUMNS} FROM messages WHERE session_id = ?1 AND position > ?2 ORDER BY position LIMIT {MOST}"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params![session.as_str(), stored(after)])?;
    let part = bounded(connection, &mut rows, &unreadable)?;
    let (is_all, last) = (part.is_all, part.messages.last().map(|message| message.position));
    let mut found = with_contexts(connection, session, part, &unreadable)?;
    if let (false, Some(last)) = (is_all, last) {
        found.position = last;
    }
    Ok(found)
}

fn with_contexts(
    connection: &Connection,
    session: &SessionId,
    Bounded { messages, skipped, .. }: Bounded,
    unreadable: &Unreadable,
) -> Result<Conversation, Fault> {
    let position = position(connection)?;
    let latest = contexts::latest_id(connection, session, unreadable)?;
    let ids: BTreeSet<ContextId> =
        messages.iter().filter_map(|message| message.context_id.clone()).chain(latest).collect();
    let mut about = Vec::new();
    for id in ids {
        let read = contexts::read(connection, &id);
        about.extend(unreadable.skip("context", id.as_str(), read)?.flatten());
    }
    Ok(Conversation { messages, contexts: about, position, older: 0, unreadable: skipped })
}
