//! Comments in the database: made, changed, read.

use opentoolbar_core::model::{Author, Comment, CommentChange, CommentId, MessageId, Status, Timestamp};
use opentoolbar_core::protocol::ErrorBody;
use rusqlite::{Connection, Transaction, TransactionBehavior, params};

use super::applied::{self, Fingerprint, Sent, millis};
use super::fault::Fault;
use super::worker::Worker;
use super::{By, Written, claims, news, screenshot, search};
use crate::project::origin_of;

/// The order of answers: active first, then outdated, then resolved.
pub(super) fn rank(status: Status) -> u8 {
    match status {
        Status::Active => 0,
        Status::Outdated => 1,
        Status::Resolved => 2,
    }
}

pub(super) fn create(
    worker: &mut Worker,
    message: &MessageId,
    mut comment: Comment,
    png: Option<&[u8]>,
    at: Timestamp,
) -> Result<Written, Fault> {
    let shelf = worker.shelf()?;
    let database = worker.writing()?;
    let transaction = database.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // The comment's id says enough: one that is stored is answered, with whatever content it is sent again.
    let target = applied::target("create", &comment.id, Fingerprint::of(&())?);
    let repeated = applied::before(&transaction, message, &target)?.is_some();
    if let Some(stored) = read(&transaction, &comment.id)? {
        if !repeated {
            applied::remember(&transaction, message, &target, None, at)?;
            transaction.commit()?;
        }
        return Ok(Written { comment: stored, changed: false });
    }
    let kept = png.map(|png| shelf.keep(&screenshot::name(&comment.id), png)).transpose()?;
    comment.screenshot = kept.as_ref().map(|kept| kept.name.clone());
    if let Some(kept) = &kept {
        kept.remember(&transaction)?;
    }
    write(&transaction, &comment)?;
    let position = note(&transaction, &comment)?;
    applied::remember(&transaction, message, &target, None, at)?;
    transaction.commit()?;
    if let Some(kept) = kept {
        kept.commit();
    }
    worker.changed(position);
    Ok(Written { comment, changed: true })
}

pub(super) fn change(
    worker: &mut Worker,
    sent: &Sent,
    id: &CommentId,
    (change, by, at): (&CommentChange, &By, Timestamp),
    may: impl FnOnce(&Comment, Option<&str>) -> Result<(), ErrorBody>,
) -> Result<Option<Written>, Fault> {
    // Looking first: a project without the comment must not get a database because somebody asked.
    if get(worker, id)?.is_none() {
        return Ok(None);
    }
    let unreadable = worker.unreadable();
    let database = worker.writing()?;
    let transaction = database.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let Some(stored) = read(&transaction, id)? else { return Ok(None) };
    let target = applied::target(kind(change), id, sent.fingerprint);
    if applied::before(&transaction, &sent.message, &target)?.is_some() {
        return Ok(Some(Written { comment: stored, changed: false }));
    }
    may(&stored, claims::holder(&transaction, &stored, &unreadable)?.as_deref()).map_err(Fault::Refused)?;
    let comment = stored.apply(change, &by.author, at).map_err(|e| Fault::Refused(e.into()))?;
    let changed = comment != stored;
    write(&transaction, &comment)?;
    claims::keep(&transaction, &comment, change, by.answerer.as_deref())?;
    // A look at the page is the browser's doing, not a wish of the person's.
    let wish = by.author == Author::Person && !matches!(change, CommentChange::ReportStates { .. });
    let position = if wish && changed { note(&transaction, &comment)? } else { None };
    applied::remember(&transaction, &sent.message, &target, None, at)?;
    transaction.commit()?;
    if changed {
        worker.changed(position);
    }
    Ok(Some(Written { comment, changed }))
}

fn kind(change: &CommentChange) -> &'static str {
    match change {
        CommentChange::Edit { .. } => "edit",
        CommentChange::Resolve { .. } => "resolve",
        CommentChange::Reopen => "reopen",
        CommentChange::SetStage { .. } => "set_stage",
        CommentChange::Reply { .. } => "reply",
        CommentChange::ReportStates { .. } => "report_states",
        CommentChange::Repin { .. } => "repin",
        CommentChange::Delete => "delete",
        CommentChange::Restore => "restore",
    }
}

/// A person's wish, unless it is to be hidden: agents never hear of deleted comments.
fn note(transaction: &Transaction<'_>, comment: &Comment) -> Result<Option<u64>, Fault> {
    if comment.deleted_at.is_some() { Ok(None) } else { news::note(transaction, &comment.id).map(Some) }
}

pub(super) fn get(worker: &mut Worker, id: &CommentId) -> Result<Option<Comment>, Fault> {
    match worker.reading()? {
        Some(database) => read(&database.connection, id),
        None => Ok(None),
    }
}

/// Those that can be read, and how many cannot.
pub(super) fn on_origin(worker: &mut Worker, origin: &str) -> Result<(Vec<Comment>, u32), Fault> {
    let unreadable = worker.unreadable();
    let Some(database) = worker.reading()? else { return Ok((Vec::new(), 0)) };
    let mut statement = database
        .connection
        .prepare_cached("SELECT id, document FROM comments WHERE origin = ?1 ORDER BY created_at, id")?;
    let mut rows = statement.query([origin])?;
    let (mut comments, mut skipped) = (Vec::new(), 0);
    while let Some(row) = rows.next()? {
        match unreadable.comment(row.get_ref(0)?, row.get_ref(1)?) {
            Some(comment) => comments.push(comment),
            None => skipped += 1,
        }
    }
    Ok((comments, skipped))
}

pub(super) fn read(connection: &Connection, id: &CommentId) -> Result<Option<Comment>, Fault> {
    let mut statement = connection.prepare_cached("SELECT document FROM comments WHERE id = ?1")?;
    let mut rows = statement.query([id.as_str()])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    let damaged = |error| Fault::Document(serde::de::Error::custom(error));
    let document = row.get_ref(0)?.as_str().map_err(damaged)?;
    Ok(Some(serde_json::from_str(document)?))
}

/// Inserts or replaces, columns and document together.
pub(super) fn write(transaction: &Transaction<'_>, comment: &Comment) -> Result<(), Fault> {
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
