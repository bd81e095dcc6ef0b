//! Which messages were handed to which agent. What an agent answers is what it was handed; what was handed to agents
//! that have all left waits again.

use std::collections::{BTreeMap, BTreeSet};

use opentoolbar_core::model::{ContextId, MessageId, SessionId};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, TransactionBehavior, params};

use super::super::fault::Fault;
use super::super::news_log;
use super::super::unreadable::Unreadable;
use super::super::worker::Worker;
use super::respond::Response;
use super::rows::{MESSAGE, WAITING, id_of, next_position, stored};

/// A row, when it is told that one cannot be read.
const HANDED: &str = "message handed over";

/// A message with the session it was said in.
pub type Of = (MessageId, SessionId);

/// Remembers what an agent was handed. Returns those that no agent had been handed before.
pub(crate) fn hand_over(worker: &mut Worker, ids: &[MessageId], answerer: &str) -> Result<Vec<Of>, Fault> {
    if ids.is_empty() || worker.reading()?.is_none() {
        return Ok(Vec::new());
    }
    let unreadable = worker.unreadable();
    let database = worker.writing()?;
    let transaction = database.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut read = Vec::new();
    for id in ids {
        // Not taken back, answered or damaged meanwhile.
        let found = waiting(&transaction, id, &unreadable)?.flatten();
        let Some(Waiting { session, is_read, .. }) = found else { continue };
        transaction
            .prepare_cached("INSERT OR IGNORE INTO handed (message_id, answerer) VALUES (?1, ?2)")?
            .execute([id.as_str(), answerer])?;
        if !is_read {
            set_read(&transaction, id.as_str(), true)?;
            read.push((id.clone(), session));
        }
    }
    transaction.commit()?;
    Ok(read)
}

/// A message that nobody has answered or taken back.
struct Waiting {
    number: i64,
    session: SessionId,
    is_read: bool,
}

/// `None` when it cannot be read, `Some(None)` when there is none such.
fn waiting(
    transaction: &Transaction<'_>,
    id: &MessageId,
    unreadable: &Unreadable,
) -> Result<Option<Option<Waiting>>, Fault> {
    let sql = format!("SELECT number, session_id, is_read FROM messages WHERE id = ?1 AND {WAITING}");
    let row = |row: &Row<'_>| Ok((row.get(0)?, row.get::<_, String>(1)?, row.get(2)?));
    let found = transaction.prepare_cached(&sql)?.query_row([id.as_str()], row).optional();
    let found = found.map_err(Fault::from).and_then(|found| {
        let Some((number, session, is_read)) = found else { return Ok(None) };
        Ok(Some(Waiting { number, session: session.parse().map_err(Fault::unreadable)?, is_read }))
    });
    unreadable.skip(MESSAGE, id.as_str(), found)
}

fn set_read(transaction: &Transaction<'_>, id: &str, is_read: bool) -> Result<(), Fault> {
    let position = next_position(transaction)?;
    transaction
        .prepare_cached("UPDATE messages SET is_read = ?2, position = ?3 WHERE id = ?1")?
        .execute(params![id, is_read, stored(position)])?;
    Ok(())
}

/// Forgets what was handed to agents other than these. Returns what waits again for that; it is news once more. What
/// cannot be read stays as it is; who cannot be read holds nothing.
pub(crate) fn release(worker: &mut Worker, here: &BTreeSet<String>) -> Result<Vec<Of>, Fault> {
    let unreadable = worker.unreadable();
    let Some(database) = worker.reading()? else { return Ok(Vec::new()) };
    let left = left_by_others(&database.connection, here, &unreadable)?;
    if left.is_empty() {
        return Ok(Vec::new());
    }
    let database = worker.writing()?;
    let transaction = database.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Only what they were handed: what an earlier version, which did not say to whom, stored as read stays read.
    // In the order in which it was said.
    let mut found: BTreeMap<i64, Of> = BTreeMap::new();
    for (id, answerer) in left {
        let Some(message) = waiting(&transaction, &id, &unreadable)? else { continue };
        if let Some(answerer) = answerer {
            transaction
                .prepare_cached("DELETE FROM handed WHERE message_id = ?1 AND answerer = ?2")?
                .execute([id.as_str(), &answerer])?;
        }
        if let Some(Waiting { number, session, is_read: true }) = message {
            found.insert(number, (id, session));
        }
    }
    let (mut released, mut position) = (Vec::new(), None);
    for (id, session) in found.into_values() {
        if is_held(&transaction, &id)? {
            continue;
        }
        set_read(&transaction, id.as_str(), false)?;
        position = Some(news_log::note_message(&transaction, &id)?);
        released.push((id, session));
    }
    transaction.commit()?;
    if let Some(position) = position {
        worker.news(position);
    }
    Ok(released)
}

/// What was handed to agents other than these, with the agent unless it cannot be read.
fn left_by_others(
    connection: &Connection,
    here: &BTreeSet<String>,
    unreadable: &Unreadable,
) -> Result<Vec<(MessageId, Option<String>)>, Fault> {
    let mut statement = connection.prepare_cached("SELECT message_id, answerer FROM handed")?;
    let mut rows = statement.query([])?;
    let mut left = Vec::new();
    while let Some(row) = rows.next()? {
        let (id, answerer) = (row.get_ref(0)?.as_str().ok(), row.get_ref(1)?.as_str().ok());
        let Some(parsed) = id.and_then(|id| id.parse().ok()) else {
            unreadable.note(HANDED, id.unwrap_or("of no id"));
            continue;
        };
        match answerer {
            Some(answerer) if here.contains(answerer) => {}
            Some(answerer) => left.push((parsed, Some(answerer.to_owned()))),
            None => {
                unreadable.note(HANDED, id.unwrap_or_default());
                left.push((parsed, None));
            }
        }
    }
    Ok(left)
}

fn is_held(transaction: &Transaction<'_>, id: &MessageId) -> Result<bool, Fault> {
    let mut statement = transaction.prepare_cached("SELECT answerer FROM handed WHERE message_id = ?1")?;
    let mut rows = statement.query([id.as_str()])?;
    while let Some(row) = rows.next()? {
        if row.get_ref(0)?.as_str().is_ok() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Marks what a whole answer answers: of what its agent was handed in the session, what is about the answer's
/// selection; where nothing is, all of it. An agent that was handed nothing there, and told no part of anything,
/// answers what is about the selection. One answer about no selection is to what was said before any. What cannot be
/// read was told to nobody and is not answered, nor is that of which a part alone was told.
pub(super) fn answer(
    transaction: &Transaction<'_>,
    response: &Response,
    answer: &MessageId,
    unreadable: &Unreadable,
) -> Result<Vec<MessageId>, Fault> {
    let Response { session, context, answerer, told_in_part, .. } = response;
    let which = if was_handed_any(transaction, response)? {
        "id IN (SELECT message_id FROM handed WHERE answerer = ?2)"
    } else {
        // What was said when the answer had begun is not answered by it.
        "number < (SELECT number FROM messages AS answer WHERE answer.id = ?3) AND context_id IS ?4"
    };
    let sql = format!(
        "SELECT id, context_id IS ?4 FROM messages WHERE session_id = ?1 AND {WAITING} AND {which} \
         ORDER BY number"
    );
    let mut found: Vec<(MessageId, bool)> = Vec::new();
    {
        let mut statement = transaction.prepare_cached(&sql)?;
        let context = context.as_ref().map(ContextId::as_str);
        let mut rows = statement.query(params![session.as_str(), answerer, answer.as_str(), context])?;
        while let Some(row) = rows.next()? {
            if let Some(id) = id_of(row, unreadable)?.filter(|id| !told_in_part.contains(id)) {
                found.push((id, row.get(1)?));
            }
        }
    }
    let is_any_about_it = found.iter().any(|(_, is_about_it)| *is_about_it);
    let mut answered = Vec::new();
    for (id, _) in found.into_iter().filter(|(_, is_about_it)| *is_about_it || !is_any_about_it) {
        let position = next_position(transaction)?;
        transaction
            .prepare_cached("UPDATE messages SET answered_by = ?2, is_read = 1, position = ?3 WHERE id = ?1")?
            .execute(params![id.as_str(), answer.as_str(), stored(position)])?;
        answered.push(id);
    }
    Ok(answered)
}

/// Of the messages of which the answer's agent was told a part alone those that nobody has answered or taken back.
pub(super) fn waiting_in_part(
    transaction: &Transaction<'_>,
    response: &Response,
) -> Result<Vec<MessageId>, Fault> {
    let mut waiting =
        transaction.prepare_cached(&format!("SELECT 1 FROM messages WHERE id = ?1 AND {WAITING}"))?;
    let mut found = Vec::new();
    for id in &response.told_in_part {
        if waiting.exists([id.as_str()])? {
            found.push(id.clone());
        }
    }
    Ok(found)
}

/// Whether the agent was handed anything in the answer's session, or told a part of something. Also when it is answered
/// or taken back by now: the agent answers what it was told, and nothing else.
fn was_handed_any(transaction: &Transaction<'_>, response: &Response) -> Result<bool, Fault> {
    let Response { session, answerer, told_in_part, .. } = response;
    let handed = "SELECT 1 FROM handed JOIN messages ON messages.id = handed.message_id \
                  WHERE messages.session_id = ?1 AND handed.answerer = ?2";
    if transaction.prepare_cached(handed)?.exists([session.as_str(), answerer])? {
        return Ok(true);
    }
    let mut said = transaction.prepare_cached("SELECT 1 FROM messages WHERE session_id = ?1 AND id = ?2")?;
    for id in told_in_part {
        if said.exists([session.as_str(), id.as_str()])? {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::time::Duration;

    use opentoolbar_core::model::Timestamp;

    use super::*;
    use crate::migrations::schema_of;
    use crate::{About, Fingerprint, Latest, Sent, Store, Stores};
    use opentoolbar_project::Catalogue;

    async fn say(store: &Store, id: &MessageId, text: &str) {
        let sent = Sent { message: id.clone(), fingerprint: Fingerprint::of(&text).unwrap() };
        let about = About::Latest(Latest { origin: String::new(), lost: None });
        store.say(sent, "s_1".parse().unwrap(), about, text.into(), Timestamp(1)).await.unwrap();
    }

    #[tokio::test]
    async fn that_a_message_was_read_is_told_also_when_the_agent_has_left_meanwhile() {
        let home = tempfile::tempdir().unwrap();
        let stores = Stores::new(Catalogue::at(home.path().join("projects")));
        let store = stores.of(home.path());
        let id: MessageId = "m_1".parse().unwrap();
        let session: SessionId = "s_1".parse().unwrap();
        say(&store, &id, "make it blue").await;
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

    /// As when the hub's answer was lost, and its agent was told a part of another message meanwhile.
    #[tokio::test]
    async fn an_answer_that_comes_again_says_which_messages_wait_of_those_that_it_names_now() {
        let home = tempfile::tempdir().unwrap();
        let store = Stores::new(Catalogue::at(home.path().join("projects"))).of(home.path());
        for id in ["m_1", "m_2"] {
            say(&store, &id.parse().unwrap(), id).await;
        }
        let waiting = async |told_in_part: &[&str]| {
            let response = Response {
                message: "m_answer".parse().unwrap(),
                session: "s_1".parse().unwrap(),
                context: None,
                agent: "X".into(),
                answerer: "a".into(),
                text: "I am reading.".into(),
                is_complete: true,
                index: None,
                told_in_part: told_in_part.iter().map(|id| id.parse().unwrap()).collect(),
            };
            let answered = store.respond(response, Timestamp(2), |_| ()).await.unwrap();
            answered.told_in_part.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(waiting(&["m_1"]).await, ["m_1"]);
        assert_eq!(waiting(&["m_2", "m_0", "m_1"]).await, ["m_2", "m_1"]);
        store.withdraw("s_1".parse().unwrap()).await.unwrap();
        assert!(waiting(&["m_1", "m_2"]).await.is_empty());
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
            say(&store, &id(said), said).await;
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
