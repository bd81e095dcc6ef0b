//! Rows of messages: how they are read, and the positions that each change of one gets.

use opentoolbar_core::model::{Message, MessageId, MessageRole, Timestamp};
use rusqlite::{Connection, OptionalExtension, Row, Transaction};

use super::super::fault::Fault;
use super::super::unreadable::Unreadable;
use super::parts::parts;

/// As [`readable`] takes them.
pub(super) const COLUMNS: &str = "id, session_id, context_id, role, content, agent, is_complete, parts, is_read, position, created_at, \
     answered_by IS NOT NULL, is_withdrawn";
/// What the person said, did not take back, and nobody has answered. What agents leave undone is among it.
pub(super) const WAITING: &str = "role = 0 AND is_withdrawn = 0 AND answered_by IS NULL";

/// A row, when it is told that one cannot be read.
pub(super) const MESSAGE: &str = "message";

/// What a row says before it is one of our types.
struct Raw {
    id: String,
    session_id: String,
    context_id: Option<String>,
    is_agents: bool,
    content: String,
    agent: Option<String>,
    is_complete: bool,
    parts: u32,
    is_read: bool,
    position: i64,
    created_at: i64,
    is_answered: bool,
    is_withdrawn: bool,
}

impl Raw {
    fn of(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get(0)?,
            session_id: row.get(1)?,
            context_id: row.get(2)?,
            is_agents: row.get::<_, i64>(3)? == 1,
            content: row.get(4)?,
            agent: row.get(5)?,
            is_complete: row.get(6)?,
            parts: row.get(7)?,
            is_read: row.get(8)?,
            position: row.get(9)?,
            created_at: row.get(10)?,
            is_answered: row.get(11)?,
            is_withdrawn: row.get(12)?,
        })
    }

    /// With the parts of an answer that still comes.
    fn whole(self, connection: &Connection) -> Result<Message, Fault> {
        let id: MessageId = self.id.parse().map_err(Fault::unreadable)?;
        let content = if self.is_complete { self.content } else { parts(connection, &id)? };
        Ok(Message {
            id,
            session_id: self.session_id.parse().map_err(Fault::unreadable)?,
            context_id: self.context_id.map(|id| id.parse()).transpose().map_err(Fault::unreadable)?,
            role: if self.is_agents { MessageRole::Assistant } else { MessageRole::User },
            content,
            agent: self.agent,
            is_complete: self.is_complete,
            parts: self.parts,
            is_read: self.is_read,
            is_answered: (!self.is_agents).then_some(self.is_answered),
            is_withdrawn: self.is_withdrawn,
            position: u64::try_from(self.position).unwrap_or(0),
            created_at: Timestamp(u64::try_from(self.created_at).unwrap_or(0)),
        })
    }
}

/// The id in the first column of a message's row, unless it cannot be read.
pub(super) fn id_of(row: &Row<'_>, unreadable: &Unreadable) -> Result<Option<MessageId>, Fault> {
    let id = row.get_ref(0)?.as_str().ok();
    let parsed = id.and_then(|id| id.parse().ok());
    if parsed.is_none() {
        unreadable.note(MESSAGE, id.unwrap_or("of no id"));
    }
    Ok(parsed)
}

/// The next position of any message of the project.
pub(super) fn next_position(transaction: &Transaction<'_>) -> Result<u64, Fault> {
    let next: i64 = transaction
        .prepare_cached("UPDATE positions SET last = last + 1 WHERE name = 'messages' RETURNING last")?
        .query_row([], |row| row.get(0))?;
    Ok(u64::try_from(next).unwrap_or(0))
}

/// The last position that was given.
pub(super) fn position(connection: &Connection) -> Result<u64, Fault> {
    let last: i64 = connection
        .prepare_cached("SELECT last FROM positions WHERE name = 'messages'")?
        .query_row([], |row| row.get(0))?;
    Ok(u64::try_from(last).unwrap_or(0))
}

/// A number as SQLite stores it.
pub(super) fn stored(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// The message of this row, unless this version cannot read it.
pub(super) fn readable(
    connection: &Connection,
    row: &Row<'_>,
    unreadable: &Unreadable,
) -> Result<Option<Message>, Fault> {
    let id = row.get_ref(0)?.as_str().unwrap_or("of no id").to_owned();
    let read = Raw::of(row).map_err(Fault::from).and_then(|raw| raw.whole(connection));
    unreadable.skip(MESSAGE, &id, read)
}

/// A message of the person's by its id, while it waits.
pub(crate) fn said(connection: &Connection, id: &str) -> Result<Option<Message>, Fault> {
    let sql = format!("SELECT {COLUMNS} FROM messages WHERE id = ?1 AND {WAITING}");
    let raw = connection.prepare_cached(&sql)?.query_row([id], Raw::of).optional()?;
    raw.map(|raw| raw.whole(connection)).transpose()
}
