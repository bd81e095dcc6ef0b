//! The numbers by which person and agent call the comments of a project: `#3`. What was given is never given to
//! another comment, whatever becomes of its own: rows are only ever added, and SQLite keeps the highest one ever used.
//! What a comment's document says of its number counts for nothing.

use opentoolbar_core::model::limits::MAX_IMPORTED_NUMBER;
use opentoolbar_core::model::{Comment, CommentId};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, Transaction};

use super::fault::Fault;

/// A column of a query over `comments`: what [`read`] takes.
pub(super) const NUMBER: &str = "(SELECT number FROM numbers WHERE comment_id = comments.id)";

/// What stands in that column; none for what is no number of ours.
pub(super) fn read(column: ValueRef<'_>) -> Option<u32> {
    column.as_i64().ok().and_then(|number| u32::try_from(number).ok()).filter(|number| *number > 0)
}

fn of(connection: &Connection, id: &CommentId) -> Result<Option<i64>, Fault> {
    let mut statement = connection.prepare_cached("SELECT number FROM numbers WHERE comment_id = ?1")?;
    Ok(statement.query_row([id.as_str()], |row| row.get(0)).optional()?)
}

/// The number of this comment: the one that it was given before, else the one after the highest that any was given.
pub(super) fn give(transaction: &Transaction<'_>, id: &CommentId) -> Result<u32, Fault> {
    let number = match of(transaction, id)? {
        Some(number) => number,
        None => {
            let sql = "INSERT INTO numbers (comment_id) VALUES (?1)";
            transaction.prepare_cached(sql)?.execute([id.as_str()])?;
            transaction.last_insert_rowid()
        }
    };
    u32::try_from(number).map_err(|_| Fault::unreadable("a comment's number"))
}

/// Gives comments of a file the numbers that they have there, as far as nobody was given them here. One that has a
/// number here keeps that.
pub(super) fn keep(transaction: &Transaction<'_>, comments: &[Comment]) -> Result<(), Fault> {
    for comment in comments {
        let Some(wanted) = comment.number.filter(|number| (1..=MAX_IMPORTED_NUMBER).contains(number)) else {
            continue;
        };
        // Not `OR IGNORE`: what SQLite leaves out then counts as used all the same.
        transaction
            .prepare_cached(
                "INSERT INTO numbers (number, comment_id) SELECT ?1, ?2 \
                 WHERE NOT EXISTS (SELECT 1 FROM numbers WHERE number = ?1 OR comment_id = ?2)",
            )?
            .execute((wanted, comment.id.as_str()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
