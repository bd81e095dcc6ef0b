//! Full-text search over what persons and agents said: comments with their threads, and messages.

use opentoolbar_core::model::{Comment, Timestamp};
use opentoolbar_core::protocol::Hit;
use rusqlite::{OptionalExtension, Transaction, params};

use super::fault::Fault;
use super::worker::Worker;

/// Words of an excerpt.
const EXCERPT: u32 = 24;
/// Characters of one, whatever a word is.
const LONGEST: u32 = 2_000;

/// Which of what has the words is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Of comments and messages the best, at most so many.
    Best(u32),
    /// Messages, the newest first.
    Messages {
        /// At most so many.
        limit: u32,
        /// Behind so many.
        offset: u32,
    },
}

/// Puts a text into the index, in place of what the index had of it.
pub(super) fn index(transaction: &Transaction<'_>, kind: &str, id: &str, text: &str) -> Result<(), Fault> {
    forget(transaction, kind, id)?;
    transaction.prepare_cached("INSERT INTO indexed (kind, id) VALUES (?1, ?2)")?.execute([kind, id])?;
    let number = transaction.last_insert_rowid();
    transaction
        .prepare_cached("INSERT INTO search (rowid, text) VALUES (?1, ?2)")?
        .execute(params![number, text])?;
    Ok(())
}

/// A comment's own words and its thread's; a deleted one is not found.
pub(super) fn index_comment(transaction: &Transaction<'_>, comment: &Comment) -> Result<(), Fault> {
    if comment.deleted_at.is_some() {
        return forget(transaction, "comment", comment.id.as_str());
    }
    let mut text = comment.text.clone();
    for reply in &comment.replies {
        text.push('\n');
        text.push_str(&reply.text);
    }
    index(transaction, "comment", comment.id.as_str(), &text)
}

fn forget(transaction: &Transaction<'_>, kind: &str, id: &str) -> Result<(), Fault> {
    let number: Option<i64> = transaction
        .prepare_cached("DELETE FROM indexed WHERE kind = ?1 AND id = ?2 RETURNING number")?
        .query_row([kind, id], |row| row.get(0))
        .optional()?;
    if let Some(number) = number {
        transaction.prepare_cached("DELETE FROM search WHERE rowid = ?1")?.execute([number])?;
    }
    Ok(())
}

/// Texts that have all the words and were not taken back, and whether there are more. Words are taken as
/// they stand: nothing in them is an operator.
pub(super) fn search(worker: &mut Worker, query: &str, wanted: Wanted) -> Result<(Vec<Hit>, bool), Fault> {
    let unreadable = worker.unreadable();
    let Some(database) = worker.reading()? else { return Ok((Vec::new(), false)) };
    // SQLite reads a query up to the first zero.
    let words = query.split(|c: char| c.is_whitespace() || c == '\0').filter(|word| !word.is_empty());
    let words: Vec<String> = words.map(|word| format!("\"{}\"*", word.replace('"', "\"\""))).collect();
    if words.is_empty() {
        return Ok((Vec::new(), false));
    }
    let (only, order, limit, offset) = match wanted {
        Wanted::Best(limit) => ("", "rank, indexed.number DESC", limit, 0),
        Wanted::Messages { limit, offset } => {
            ("AND indexed.kind = 'message'", "messages.number DESC", limit, offset)
        }
    };
    let sql = format!(
        "SELECT indexed.kind, indexed.id, substr(snippet(search, 0, '', '', '…', {EXCERPT}), 1, {LONGEST}), \
         coalesce(messages.session_id, comments.session_id), \
         coalesce(messages.created_at, comments.created_at, 0) \
         FROM search JOIN indexed ON indexed.number = search.rowid \
         LEFT JOIN messages ON indexed.kind = 'message' AND messages.id = indexed.id \
         LEFT JOIN comments ON indexed.kind = 'comment' AND comments.id = indexed.id \
         WHERE search MATCH ?1 AND messages.is_withdrawn IS NOT 1 {only} ORDER BY {order} LIMIT ?2 OFFSET ?3"
    );
    let mut statement = database.connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params![words.join(" "), limit.saturating_add(1), offset])?;
    let (mut hits, mut count) = (Vec::new(), 0_u32);
    while let Some(row) = rows.next()? {
        count = count.saturating_add(1);
        let hit = || {
            // A row that is damaged beside its words is found by them all the same.
            let session = row.get::<_, Option<String>>(3).unwrap_or_default();
            let at = row.get::<_, i64>(4).unwrap_or_default();
            Ok(Hit {
                kind: row.get(0)?,
                id: row.get(1)?,
                session_id: session.and_then(|session| session.parse().ok()),
                excerpt: row.get(2)?,
                at: Timestamp(u64::try_from(at).unwrap_or(0)),
            })
        };
        let id = row.get_ref(1)?.as_str().unwrap_or("of no id");
        hits.extend(unreadable.skip("word index", id, hit())?);
    }
    // Where one of these could not be read there may be no more.
    let more = count > limit;
    hits.truncate(limit as usize);
    Ok((hits, more))
}
