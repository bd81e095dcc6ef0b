//! Rows of comments: one read, one written.

use opentoolbar_core::model::{Comment, CommentId, Status};
use rusqlite::{Connection, Transaction, params};

use super::applied::millis;
use super::fault::Fault;
use super::numbers::{self, NUMBER};
use super::search;
use opentoolbar_project::origin_of;

/// The order of answers: active first, then outdated, then resolved.
pub(super) fn rank(status: Status) -> u8 {
    match status {
        Status::Active => 0,
        Status::Outdated => 1,
        Status::Resolved => 2,
    }
}

pub(super) fn read(connection: &Connection, id: &CommentId) -> Result<Option<Comment>, Fault> {
    let sql = format!("SELECT document, {NUMBER} FROM comments WHERE id = ?1");
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query([id.as_str()])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    let document = row.get_ref(0)?.as_str().map_err(Fault::unreadable)?;
    let number = numbers::read(row.get_ref(1)?);
    Ok(Some(Comment { number, ..serde_json::from_str(document)? }))
}

/// Inserts or replaces, columns and document together, and gives it its number.
pub(super) fn write(transaction: &Transaction<'_>, comment: &mut Comment) -> Result<(), Fault> {
    comment.number = Some(numbers::give(transaction, &comment.id)?);
    transaction
        .prepare_cached(
            "INSERT INTO comments (id, revision, origin, url, pathname, session_id, status, created_at, updated_at, \
             deleted_at, document) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) \
             ON CONFLICT (id) DO UPDATE SET revision = ?2, origin = ?3, url = ?4, pathname = ?5, session_id = ?6, \
             status = ?7, created_at = ?8, updated_at = ?9, deleted_at = ?10, document = ?11",
        )?
        .execute(params![
            comment.id.as_str(),
            comment.revision,
            origin_of(&comment.url),
            comment.url,
            comment.pathname,
            comment.session_id.as_ref().map(|id| id.as_str()),
            rank(comment.status),
            millis(comment.created_at),
            millis(comment.updated_at),
            comment.deleted_at.map(millis),
            serde_json::to_string(comment)?,
        ])?;
    search::index_comment(transaction, comment)
}
