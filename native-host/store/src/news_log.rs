//! The log of what persons made or changed. A position is a number that only grows, kept with the project.

use opentoolbar_core::model::{CommentId, MessageId};
use rusqlite::{Connection, OptionalExtension, Transaction};

use super::fault::Fault;

/// One entry per comment: its latest. Returns the position.
pub(super) fn note(transaction: &Transaction<'_>, id: &CommentId) -> Result<u64, Fault> {
    transaction.prepare_cached("DELETE FROM news WHERE comment_id = ?1")?.execute([id.as_str()])?;
    transaction.prepare_cached("INSERT INTO news (comment_id) VALUES (?1)")?.execute([id.as_str()])?;
    Ok(u64::try_from(transaction.last_insert_rowid()).unwrap_or(0))
}

/// A message of a person's. Returns the position.
pub(super) fn note_message(transaction: &Transaction<'_>, id: &MessageId) -> Result<u64, Fault> {
    // One that waits again is news again.
    transaction.prepare_cached("DELETE FROM news WHERE message_id = ?1")?.execute([id.as_str()])?;
    transaction.prepare_cached("INSERT INTO news (message_id) VALUES (?1)")?.execute([id.as_str()])?;
    Ok(u64::try_from(transaction.last_insert_rowid()).unwrap_or(0))
}

/// The last position given.
pub(super) fn position(connection: &Connection) -> Result<u64, Fault> {
    let last: Option<i64> = connection
        .prepare_cached("SELECT seq FROM sqlite_sequence WHERE name = 'news'")?
        .query_row([], |row| row.get(0))
        .optional()?;
    Ok(last.and_then(|last| u64::try_from(last).ok()).unwrap_or(0))
}
