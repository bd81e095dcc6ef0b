//! Which messages were handed to which agent. What an agent answers is what it was handed; what was handed to agents that have
//! all left waits again.

use std::collections::BTreeSet;

use opentoolbar_core::model::{MessageId, SessionId};
use rusqlite::{OptionalExtension, Transaction, TransactionBehavior, params};

use super::super::fault::Fault;
use super::super::news;
use super::super::worker::Worker;
use super::messages::{WAITING, next_position, stored};
use super::respond::Response;

/// A message with the session it was said in.
pub type Of = (MessageId, SessionId);

/// Remembers what an agent was handed. Returns those that no agent had been handed before.
pub(in crate::store) fn hand_over(
    worker: &mut Worker,
    ids: &[MessageId],
    answerer: &str,
) -> Result<Vec<Of>, Fault> {
    if ids.is_empty() || worker.reading()?.is_none() {
        return Ok(Vec::new());
    }
    let database = worker.writing()?;
    let transaction = database.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut read = Vec::new();
    for id in ids {
        let sql = format!("SELECT session_id, is_read FROM messages WHERE id = ?1 AND {WAITING}");
        let found: Option<(String, bool)> = transaction
            .prepare_cached(&sql)?
            .query_row([id.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        // Taken back or answered meanwhile.
        let Some((session, is_read)) = found else { continue };
        transaction
            .prepare_cached("INSERT OR IGNORE INTO handed (message_id, answerer) VALUES (?1, ?2)")?
            .execute([id.as_str(), answerer])?;
        if !is_read {
            set_read(&transaction, id.as_str(), true)?;
            read.extend(session.parse().ok().map(|session| (id.clone(), session)));
        }
    }
    transaction.commit()?;
    Ok(read)
}

fn set_read(transaction: &Transaction<'_>, id: &str, is_read: bool) -> Result<(), Fault> {
    let position = next_position(transaction)?;
    transaction
        .prepare_cached("UPDATE messages SET is_read = ?2, position = ?3 WHERE id = ?1")?
        .execute(params![id, is_read, stored(position)])?;
    Ok(())
}

/// Forgets what was handed to agents other than these. Returns what waits again for that; it is news once more.
pub(in crate::store) fn release(worker: &mut Worker, here: &BTreeSet<String>) -> Result<Vec<Of>, Fault> {
    let Some(database) = worker.reading()? else { return Ok(Vec::new()) };
    let connection = &database.connection;
    let mut gone: Vec<String> = {
        let mut statement = connection.prepare_cached("SELECT DISTINCT answerer FROM handed")?;
        statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?
    };
    gone.retain(|answerer| !here.contains(answerer));
    // Of a version that did not say to whom, it is handed to nobody.
    let left = format!(
        "SELECT id, session_id FROM messages WHERE {WAITING} AND is_read = 1 AND NOT EXISTS \
         (SELECT 1 FROM handed WHERE message_id = messages.id)"
    );
    if gone.is_empty() && !connection.prepare_cached(&left)?.exists([])? {
        return Ok(Vec::new());
    }
    let database = worker.writing()?;
    let transaction = database.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for answerer in gone {
        transaction.prepare_cached("DELETE FROM handed WHERE answerer = ?1")?.execute([answerer])?;
    }
    let found: Vec<(String, String)> = {
        let mut statement = transaction.prepare_cached(&left)?;
        statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?
    };
    let (mut released, mut position) = (Vec::new(), None);
    for (id, session) in found {
        let (Ok(id), Ok(session)) = (id.parse::<MessageId>(), session.parse()) else { continue };
        set_read(&transaction, id.as_str(), false)?;
        position = Some(news::note_message(&transaction, &id)?);
        released.push((id, session));
    }
    transaction.commit()?;
    if let Some(position) = position {
        worker.news(position);
    }
    Ok(released)
}

/// Marks what a whole answer answers: of what its agent was handed in the session, what is about the answer's selection or about
/// none; where nothing is, all of it. An agent that was handed nothing there answers what is about the selection.
pub(super) fn answer(
    transaction: &Transaction<'_>,
    response: &Response,
    answer: &MessageId,
) -> Result<Vec<MessageId>, Fault> {
    let Response { session, context, answerer, .. } = response;
    let was_handed: bool = transaction
        .prepare_cached(
            "SELECT EXISTS (SELECT 1 FROM handed JOIN messages ON messages.id = handed.message_id \
             WHERE handed.answerer = ?2 AND messages.session_id = ?1)",
        )?
        .query_row([session.as_str(), answerer], |row| row.get(0))?;
    let which = if was_handed {
        "id IN (SELECT message_id FROM handed WHERE answerer = ?2)"
    } else {
        // What was said when the answer had begun is not answered by it. What is about nothing is about what was selected last.
        "number < (SELECT number FROM messages AS answer WHERE answer.id = ?3) AND (context_id = ?4 OR \
         context_id IS NULL AND ?4 = (SELECT id FROM contexts WHERE session_id = ?1 ORDER BY number DESC LIMIT 1))"
    };
    let sql = format!(
        "SELECT id, context_id IS NULL OR context_id = ?4 FROM messages WHERE session_id = ?1 AND {WAITING} AND {which} \
         ORDER BY number"
    );
    let found: Vec<(String, bool)> = {
        let mut statement = transaction.prepare_cached(&sql)?;
        let about = params![session.as_str(), answerer, answer.as_str(), context.as_str()];
        statement.query_map(about, |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?
    };
    let is_any_about_it = found.iter().any(|(_, is_about_it)| *is_about_it);
    let mut answered = Vec::new();
    for (id, _) in found.into_iter().filter(|(_, is_about_it)| *is_about_it || !is_any_about_it) {
        let position = next_position(transaction)?;
        transaction
            .prepare_cached("UPDATE messages SET answered_by = ?2, is_read = 1, position = ?3 WHERE id = ?1")?
            .execute(params![id, answer.as_str(), stored(position)])?;
        answered.extend(id.parse().ok());
    }
    Ok(answered)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::time::Duration;

    use opentoolbar_core::model::Timestamp;

    use super::*;
    use crate::project::Catalogue;
    use crate::store::Stores;

    #[tokio::test]
    async fn that_a_message_was_read_is_told_also_when_the_agent_has_left_meanwhile() {
        let home = tempfile::tempdir().unwrap();
        let stores = Stores::new(Catalogue::at(home.path().join("projects")));
        let store = stores.of(home.path());
        let id: MessageId = "m_1".parse().unwrap();
        let session: SessionId = "s_1".parse().unwrap();
        store.say(id.clone(), session.clone(), None, "make it blue".into(), Timestamp(1)).await.unwrap();
        for expected in [vec![(id.clone(), session.clone())], Vec::new()] {
            let (told, mut heard) = tokio::sync::mpsc::unbounded_channel();
            let marking =
                store.hand_over(vec![id.clone()], "a".into(), move |read| drop(told.send(read.to_vec())));
            tokio::select! {
                biased;
                // Asked once, and dropped before the answer came, as a connection that ends drops it.
                _ = marking => {}
                () = std::future::ready(()) => {}
            }
            let heard = tokio::time::timeout(Duration::from_secs(20), heard.recv()).await.unwrap();
            assert_eq!(heard, Some(expected), "told once");
        }
    }
}
