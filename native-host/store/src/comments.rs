//! Comments in the database: made, changed, read.

use opentoolbar_core::model::{Author, Comment, CommentChange, CommentId, MessageId, Timestamp};
use opentoolbar_core::protocol::ErrorBody;
use rusqlite::{Transaction, TransactionBehavior};

use super::applied::{self, Fingerprint, Sent};
use super::comment_rows::{read, write};
use super::fault::Fault;
use super::numbers::NUMBER;
use super::worker::Worker;
use super::{claims, news_log, screenshot};

/// A comment as it is after a request, and whether the request changed it (a repeated one does not).
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    /// As it is now.
    pub comment: Comment,
    /// False when the request had been applied before.
    pub changed: bool,
}

/// Who changes a comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct By {
    /// As people see it.
    pub author: Author,
    /// What tells an agent from others of its name; `None` for a person.
    pub answerer: Option<String>,
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
    write(&transaction, &mut comment)?;
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
    let mut comment = stored.apply(change, &by.author, at).map_err(|e| Fault::Refused(e.into()))?;
    let changed = comment != stored;
    write(&transaction, &mut comment)?;
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
    if comment.deleted_at.is_some() { Ok(None) } else { news_log::note(transaction, &comment.id).map(Some) }
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
    let sql =
        format!("SELECT id, document, {NUMBER} FROM comments WHERE origin = ?1 ORDER BY created_at, id");
    let mut statement = database.connection.prepare_cached(&sql)?;
    let mut rows = statement.query([origin])?;
    let (mut comments, mut skipped) = (Vec::new(), 0);
    while let Some(row) = rows.next()? {
        match unreadable.comment(row.get_ref(0)?, row.get_ref(1)?, row.get_ref(2)?) {
            Some(comment) => comments.push(comment),
            None => skipped += 1,
        }
    }
    Ok((comments, skipped))
}
