//! Comments from an export, merged by id as the core says.

use opentoolbar_core::model::{Comment, MessageId, Timestamp};
use rusqlite::TransactionBehavior;

use super::applied::Fingerprint;
use super::fault::Fault;
use super::worker::Worker;
use super::{applied, comment_rows, news_log, numbers, screenshot};

/// What an import did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Imported {
    /// How many were new.
    pub added: u32,
    /// Of how many the import knew something more.
    pub updated: u32,
    /// Of how many the import knew nothing more.
    pub skipped: u32,
    /// How many stay as they are, because both copies together are more than a comment can hold, or the one that is
    /// here cannot be read.
    pub left_out: u32,
    /// How many of the new ones have another number than in the file, because that was given to another comment.
    pub renumbered: u32,
    /// Those that were added or updated; empty when the message had been applied before.
    pub changed: Vec<Comment>,
}

pub(super) fn import(
    worker: &mut Worker,
    message: &MessageId,
    incoming: Vec<Comment>,
    at: Timestamp,
) -> Result<Imported, Fault> {
    let (unreadable, pulse) = (worker.unreadable(), worker.pulse());
    let database = worker.writing()?;
    let transaction = database.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let content: Vec<_> =
        incoming.iter().map(|comment| (&comment.id, comment.revision, comment.updated_at)).collect();
    let target = applied::target("import", incoming.len(), Fingerprint::of(&content)?);
    if let Some(answer) = applied::before(&transaction, message, &target)? {
        let counts: Vec<u32> = serde_json::from_str(answer.as_deref().unwrap_or("[]"))?;
        // Earlier versions kept three or four.
        let count = |at: usize| counts.get(at).copied().unwrap_or_default();
        let [added, updated, skipped, left_out, renumbered] = [0, 1, 2, 3, 4].map(count);
        return Ok(Imported { added, updated, skipped, left_out, renumbered, changed: Vec::new() });
    }
    // Before any of them is given a new one, which another may have in the file.
    numbers::keep(&transaction, &incoming)?;
    let mut done = Imported::default();
    let mut position = None;
    for comment in incoming {
        pulse.beat();
        // Whatever the file says: these are not the words of this person or of an agent here.
        let comment = comment.imported(at);
        let wanted = comment.number;
        let stored = comment_rows::read(&transaction, &comment.id);
        let stored = unreadable.skip("comment", comment.id.as_str(), stored)?;
        let is_new = matches!(stored, Some(None));
        let mut comment = match stored {
            // What cannot be read is not written over.
            None => {
                done.left_out += 1;
                continue;
            }
            Some(None) => {
                done.added += 1;
                comment
            }
            Some(Some(stored)) => {
                let Ok(merged) = stored.merge_imported(&comment) else {
                    // One that is full costs itself alone.
                    done.left_out += 1;
                    continue;
                };
                if merged == stored {
                    done.skipped += 1;
                    continue;
                }
                done.updated += 1;
                merged
            }
        };
        // An export carries no pictures: the name counts only where one was taken.
        comment.screenshot = screenshot::known(&transaction, &comment.id)?;
        comment_rows::write(&transaction, &mut comment)?;
        if is_new && wanted.is_some() && wanted != comment.number {
            done.renumbered += 1;
        }
        if comment.deleted_at.is_none() {
            position = Some(news_log::note(&transaction, &comment.id)?);
        }
        done.changed.push(comment);
    }
    let counts = [done.added, done.updated, done.skipped, done.left_out, done.renumbered];
    let answer = serde_json::to_string(&counts)?;
    applied::remember(&transaction, message, &target, Some(&answer), at)?;
    transaction.commit()?;
    if !done.changed.is_empty() {
        worker.changed(position);
    }
    Ok(done)
}
