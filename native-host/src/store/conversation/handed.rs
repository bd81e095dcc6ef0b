//! Which messages were handed to which agent. What an agent answers is what it was handed; what was handed to agents that have
//! all left waits again.

use std::collections::{BTreeMap, BTreeSet};

use opentoolbar_core::model::{ContextId, MessageId, SessionId};
use rusqlite::{OptionalExtension, Row, Transaction, TransactionBehavior, params};

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
    if gone.is_empty() {
        return Ok(Vec::new());
    }
    let database = worker.writing()?;
    let transaction = database.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Only what they were handed: what an earlier version, which did not say to whom, stored as read stays read.
    let mut forgotten = BTreeSet::new();
    for answerer in gone {
        let mut statement =
            transaction.prepare_cached("DELETE FROM handed WHERE answerer = ?1 RETURNING message_id")?;
        for id in statement.query_map([answerer], |row| row.get::<_, String>(0))? {
            forgotten.insert(id?);
        }
    }
    let left = format!(
        "SELECT number, id, session_id FROM messages WHERE id = ?1 AND {WAITING} AND is_read = 1 AND NOT EXISTS \
         (SELECT 1 FROM handed WHERE message_id = messages.id)"
    );
    // In the order in which it was said.
    let mut found: BTreeMap<i64, (String, String)> = BTreeMap::new();
    for id in forgotten {
        let row = |row: &Row<'_>| Ok((row.get(0)?, (row.get(1)?, row.get(2)?)));
        found.extend(transaction.prepare_cached(&left)?.query_row([id], row).optional()?);
    }
    let (mut released, mut position) = (Vec::new(), None);
    for (id, session) in found.into_values() {
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

/// Marks what a whole answer answers: of what its agent was handed in the session, what is about the answer's selection; where
/// nothing is, all of it. An agent that was handed nothing there answers what is about the selection. One answer about no selection is
/// to what was said before any.
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
        // What was said when the answer had begun is not answered by it.
        "number < (SELECT number FROM messages AS answer WHERE answer.id = ?3) AND context_id IS ?4"
    };
    let sql = format!(
        "SELECT id, context_id IS ?4 FROM messages WHERE session_id = ?1 AND {WAITING} AND {which} \
         ORDER BY number"
    );
    let found: Vec<(String, bool)> = {
        let mut statement = transaction.prepare_cached(&sql)?;
        let context = context.as_ref().map(ContextId::as_str);
        let about = params![session.as_str(), answerer, answer.as_str(), context];
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
    use crate::store::migrations::schema_of;

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

    fn here(agents: &[&str]) -> BTreeSet<String> {
        agents.iter().map(|agent| (*agent).to_owned()).collect()
    }

    fn ids(of: &[Of]) -> Vec<String> {
        of.iter().map(|(id, _)| id.to_string()).collect()
    }

    /// An agent that is still connected keeps what it was handed, alone or with the one that leaves.
    #[tokio::test]
    async fn who_stays_keeps_what_it_holds_when_another_leaves() {
        let home = tempfile::tempdir().unwrap();
        let store = Stores::new(Catalogue::at(home.path().join("projects"))).of(home.path());
        let id = |id: &str| id.parse::<MessageId>().unwrap();
        for (said, agents) in
            [("m_stays", &["stays"][..]), ("m_both", &["leaves", "stays"]), ("m_leaves", &["leaves"])]
        {
            store.say(id(said), "s_1".parse().unwrap(), None, said.into(), Timestamp(1)).await.unwrap();
            for agent in agents {
                store.hand_over(vec![id(said)], (*agent).into(), |_| ()).await.unwrap();
            }
        }
        let released = |agents: &'static [&'static str]| {
            let store = std::sync::Arc::clone(&store);
            async move {
                let (told, heard) = std::sync::mpsc::channel();
                store.release(here(agents), move |of| drop(told.send(ids(of)))).await.unwrap();
                heard.try_recv().unwrap_or_default()
            }
        };
        assert_eq!(released(&["leaves", "stays"]).await, Vec::<String>::new());
        assert_eq!(released(&["stays"]).await, ["m_leaves"]);
        assert_eq!(released(&["stays"]).await, Vec::<String>::new(), "once");
        assert_eq!(released(&[]).await, ["m_stays", "m_both"]);
    }

    /// The version before did not say to whom a message was handed.
    #[tokio::test]
    async fn what_an_earlier_version_stored_as_read_stays_read() {
        let home = tempfile::tempdir().unwrap();
        let catalogue = Catalogue::at(home.path().join("projects"));
        let old = schema_of(11).unwrap();
        old.execute_batch(
            "INSERT INTO messages (id, session_id, role, content, is_complete, is_read, parts, position, created_at) VALUES \
             ('m_read', 's_1', 0, 'Bigger', 1, 1, 1, 1, 1), ('m_unread', 's_1', 0, 'And blue', 1, 0, 1, 2, 2)",
        )
        .unwrap();
        let file = catalogue.make(home.path(), Timestamp(1)).unwrap().join("opentoolbar.db");
        old.execute("VACUUM INTO ?1", [file.to_str().unwrap()]).unwrap();
        // What a copy by SQL does not keep.
        rusqlite::Connection::open(&file).unwrap().pragma_update(None, "user_version", 11).unwrap();
        let store = Stores::new(catalogue).of(home.path());
        let (told, heard) = std::sync::mpsc::channel();
        store.release(here(&[]), move |of| drop(told.send(ids(of)))).await.unwrap();
        assert_eq!(heard.try_recv().unwrap_or_default(), Vec::<String>::new());
        let read: Vec<bool> = {
            let now = rusqlite::Connection::open(&file).unwrap();
            let mut statement = now.prepare("SELECT is_read FROM messages ORDER BY number").unwrap();
            statement.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
        };
        assert_eq!(read, [true, false]);
        // It still waits for an answer, and is handed to whoever asks.
        store.hand_over(vec!["m_read".parse().unwrap()], "a".into(), |_| ()).await.unwrap();
        let (told, heard) = std::sync::mpsc::channel();
        store.release(here(&[]), move |of| drop(told.send(ids(of)))).await.unwrap();
        assert_eq!(heard.try_recv().unwrap(), ["m_read"]);
    }
}
