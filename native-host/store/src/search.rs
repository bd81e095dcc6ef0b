//! Full-text search over what persons and agents said: comments with their threads, and messages.

use opentoolbar_core::model::{Comment, MessageRole, Timestamp};
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
        /// Only those before this place.
        before: Option<u64>,
    },
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// As many as were wanted, or fewer.
    pub hits: Vec<Hit>,
    /// Whether there is more.
    pub more: bool,
    /// Of messages: the place of the last one.
    pub last: Option<u64>,
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
pub(super) fn search(worker: &mut Worker, query: &str, wanted: Wanted) -> Result<Found, Fault> {
    let unreadable = worker.unreadable();
    let Some(database) = worker.reading()? else { return Ok(Found::default()) };
    // SQLite reads a query up to the first zero.
    let words = query.split(|c: char| c.is_whitespace() || c == '\0').filter(|word| !word.is_empty());
    let words: Vec<String> = words.map(|word| format!("\"{}\"*", word.replace('"', "\"\""))).collect();
    if words.is_empty() {
        return Ok(Found::default());
    }
    let (only, order, limit, before) = match wanted {
        Wanted::Best(limit) => ("?2 > 0", "rank, indexed.number DESC", limit, None),
        Wanted::Messages { limit, before } => {
            ("indexed.kind = 'message' AND messages.number < ?2", "messages.number DESC", limit, before)
        }
    };
    let before = before.map_or(i64::MAX, |before| i64::try_from(before).unwrap_or(i64::MAX));
    // Which of the person's messages it is: of an answer, the last of those that it answers.
    let of_person = "asked.session_id = messages.session_id AND asked.role = 0 AND asked.is_withdrawn = 0";
    let request = format!(
        "(SELECT count(*) FROM messages AS asked WHERE {of_person} AND asked.number <= iif(messages.role = 0, \
         messages.number, (SELECT max(number) FROM messages AS asked WHERE {of_person} AND asked.answered_by = \
         messages.id)))"
    );
    let sql = format!(
        "SELECT indexed.kind, indexed.id, substr(snippet(search, 0, '', '', '…', {EXCERPT}), 1, {LONGEST}), \
         coalesce(messages.session_id, comments.session_id), \
         coalesce(messages.created_at, comments.created_at, 0), messages.number, messages.role, {request} \
         FROM search JOIN indexed ON indexed.number = search.rowid \
         LEFT JOIN messages ON indexed.kind = 'message' AND messages.id = indexed.id \
         LEFT JOIN comments ON indexed.kind = 'comment' AND comments.id = indexed.id \
         WHERE search MATCH ?1 AND messages.is_withdrawn IS NOT 1 AND {only} ORDER BY {order} LIMIT ?3"
    );
    let mut statement = database.connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params![words.join(" "), before, limit.saturating_add(1)])?;
    let (mut hits, mut count, mut last) = (Vec::new(), 0_u32, None);
    while let Some(row) = rows.next()? {
        count = count.saturating_add(1);
        if count > limit {
            break;
        }
        // Also of one that cannot be read: what comes behind it is asked for next.
        last = row.get::<_, Option<i64>>(5)?.and_then(|number| u64::try_from(number).ok());
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
                role: row.get::<_, Option<i64>>(6).unwrap_or_default().map(|role| match role {
                    0 => MessageRole::User,
                    _ => MessageRole::Assistant,
                }),
                request: row.get::<_, Option<u32>>(7).unwrap_or_default().filter(|number| *number > 0),
            })
        };
        let id = row.get_ref(1)?.as_str().unwrap_or("of no id");
        hits.extend(unreadable.skip("word index", id, hit())?);
    }
    Ok(Found { hits, more: count > limit, last })
}
