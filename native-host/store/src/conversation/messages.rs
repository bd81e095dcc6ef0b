//! Messages of the person's: said, waiting for an answer, taken back.

use opentoolbar_core::model::{ContextId, Message, MessageId, SessionId, Timestamp};
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};

use super::super::applied::{self, Sent, millis};
use super::super::fault::{Fault, NamedBy};
use super::super::unreadable::Unreadable;
use super::super::worker::Worker;
use super::super::{news_log, search};
use super::contexts::{self, Latest};
use super::rows::{COLUMNS, WAITING, id_of, next_position, readable, stored};

/// What the person's words are about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum About {
    /// The selection that they name.
    Named(ContextId),
    /// They name none: the latest of their moment and their page.
    Latest(Latest),
}

impl About {
    /// Of a message that may name one.
    pub fn of(named: Option<ContextId>, latest: Latest) -> Self {
        named.map_or(Self::Latest(latest), Self::Named)
    }
}

/// A message of the person's as it was stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// Which.
    pub id: MessageId,
    /// Its position.
    pub position: u64,
    /// Whether it is what the session is called by: the first of the person's, here for the first time.
    pub is_first: bool,
}

/// What becomes of words about a selection that the session has not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Missing {
    /// They are refused: who sent them can select again.
    IsRefused,
    /// They were acknowledged before: they are about nothing. Nor about what was selected after this moment.
    IsNone {
        /// When they were said.
        until: Timestamp,
    },
}

/// The person says something. Once for each id.
pub(crate) fn say(
    worker: &mut Worker,
    Sent { message, fingerprint }: &Sent,
    session: &SessionId,
    about: &About,
    text: &str,
    at: Timestamp,
    missing: Missing,
) -> Result<Said, Fault> {
    let unreadable = worker.unreadable();
    let database = worker.writing()?;
    let transaction = database.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let target = applied::target("say", session, *fingerprint);
    if let Some(answer) = applied::before(&transaction, message, &target)? {
        let position = answer.and_then(|answer| answer.parse().ok()).unwrap_or(0);
        return Ok(Said { id: message.clone(), position, is_first: false });
    }
    // Who kept it longer than it was remembered as applied gets the same answer.
    if let Some(position) = said_before(&transaction, message, session, text)? {
        return Ok(Said { id: message.clone(), position, is_first: false });
    }
    // What names no selection is about the one of its moment, whatever is selected later.
    let about = match about {
        About::Named(context) => {
            let found = contexts::must_be_of(&transaction, context, session, NamedBy::Page);
            match (found, missing) {
                (Ok(_), _) => Some(context.clone()),
                // Nor about another one: it would be taken for what the person meant.
                (Err(Fault::NoSuchSelection { .. }), Missing::IsNone { .. }) => None,
                (Err(fault), _) => return Err(fault),
            }
        }
        About::Latest(latest) => {
            let until = match missing {
                Missing::IsRefused => None,
                Missing::IsNone { until } => Some(until),
            };
            contexts::meant(&transaction, session, latest, until, &unreadable)?
        }
    };
    let position = next_position(&transaction)?;
    transaction
        .prepare_cached(
            "INSERT INTO messages (id, session_id, context_id, role, content, is_complete, is_read, parts, position, \
             created_at) VALUES (?1, ?2, ?3, 0, ?4, 1, 0, 1, ?5, ?6)",
        )?
        .execute(params![
            message.as_str(),
            session.as_str(),
            about.as_ref().map(ContextId::as_str),
            text,
            stored(position),
            millis(at),
        ])?;
    let is_first = !transaction
        .prepare_cached(
            "SELECT 1 FROM messages WHERE session_id = ?1 AND role = 0 AND is_withdrawn = 0 AND id <> ?2 LIMIT 1",
        )?
        .exists([session.as_str(), message.as_str()])?;
    search::index(&transaction, "message", message.as_str(), text)?;
    let news = news_log::note_message(&transaction, message)?;
    applied::remember(&transaction, message, &target, Some(&position.to_string()), at)?;
    transaction.commit()?;
    worker.news(news);
    worker.said(session);
    Ok(Said { id: message.clone(), position, is_first })
}

/// Where this very message is, if it was stored.
fn said_before(
    transaction: &Transaction<'_>,
    id: &MessageId,
    session: &SessionId,
    text: &str,
) -> Result<Option<u64>, Fault> {
    let position: Option<i64> = transaction
        .prepare_cached(
            "SELECT position FROM messages WHERE id = ?1 AND session_id = ?2 AND role = 0 AND content = ?3",
        )?
        .query_row(params![id.as_str(), session.as_str(), text], |row| row.get(0))
        .optional()?;
    Ok(position.and_then(|position| u64::try_from(position).ok()))
}

/// The oldest message that waits for an answer, of all or of those about a selection: what is handed to other agents
/// comes last. And how many others wait.
pub(super) fn oldest_waiting(
    connection: &Connection,
    session: &SessionId,
    about: Option<&ContextId>,
    answerer: &str,
    unreadable: &Unreadable,
) -> Result<(Option<Message>, u32), Fault> {
    let sql = format!(
        "SELECT {COLUMNS} FROM messages WHERE session_id = ?1 AND {WAITING} AND (?2 IS NULL OR context_id = ?2) \
         ORDER BY EXISTS (SELECT 1 FROM handed WHERE message_id = messages.id) AND NOT EXISTS (SELECT 1 FROM handed \
         WHERE message_id = messages.id AND answerer = ?3), number"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params![session.as_str(), about.map(ContextId::as_str), answerer])?;
    let mut oldest = None;
    while let (None, Some(row)) = (&oldest, rows.next()?) {
        oldest = readable(connection, row, unreadable)?;
    }
    let all = count_waiting(connection, session, unreadable)?;
    let others = all.saturating_sub(u32::from(oldest.is_some()));
    Ok((oldest, others))
}

/// How many messages of a session wait that can be handed over: a row that cannot be read is none. The texts are not
/// copied.
fn count_waiting(
    connection: &Connection,
    session: &SessionId,
    unreadable: &Unreadable,
) -> Result<u32, Fault> {
    let columns = COLUMNS.replace(" content,", " iif(typeof(content) = 'text', '', content),");
    let sql = format!("SELECT {columns} FROM messages WHERE session_id = ?1 AND {WAITING}");
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query([session.as_str()])?;
    let mut count = 0_u32;
    while let Some(row) = rows.next()? {
        count = count.saturating_add(u32::from(readable(connection, row, unreadable)?.is_some()));
    }
    Ok(count)
}

/// Whether anything was ever said in a session, taken back or not.
pub(super) fn is_any(worker: &mut Worker, session: &SessionId) -> Result<bool, Fault> {
    let Some(database) = worker.reading()? else { return Ok(false) };
    let mut statement =
        database.connection.prepare_cached("SELECT 1 FROM messages WHERE session_id = ?1 LIMIT 1")?;
    Ok(statement.exists([session.as_str()])?)
}

/// Which of the sessions have messages that no agent has read.
pub(crate) fn with_unread(worker: &mut Worker, sessions: Vec<SessionId>) -> Result<Vec<SessionId>, Fault> {
    let Some(database) = worker.reading()? else { return Ok(Vec::new()) };
    let mut statement = database.connection.prepare_cached(
        "SELECT 1 FROM messages WHERE session_id = ?1 AND role = 0 AND is_withdrawn = 0 AND answered_by IS NULL \
         AND is_read = 0 LIMIT 1",
    )?;
    let mut found = Vec::new();
    for session in sessions {
        if statement.exists([session.as_str()])? {
            found.push(session);
        }
    }
    Ok(found)
}

/// The person no longer waits: what nobody has answered is kept for the person alone, and handed to no agent. Also what
/// cannot be read here, which another version may read and tell.
pub(crate) fn withdraw(worker: &mut Worker, session: &SessionId) -> Result<(), Fault> {
    if worker.reading()?.is_none() {
        return Ok(());
    }
    let unreadable = worker.unreadable();
    let database = worker.writing()?;
    let transaction = database.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // By number: an id may be damaged.
    let mut numbers: Vec<i64> = Vec::new();
    {
        let sql = format!("SELECT id, number FROM messages WHERE session_id = ?1 AND {WAITING}");
        let mut statement = transaction.prepare_cached(&sql)?;
        let mut rows = statement.query([session.as_str()])?;
        while let Some(row) = rows.next()? {
            id_of(row, &unreadable)?;
            numbers.push(row.get(1)?);
        }
    }
    for number in numbers {
        let position = next_position(&transaction)?;
        transaction
            .prepare_cached("UPDATE messages SET is_withdrawn = 1, position = ?2 WHERE number = ?1")?
            .execute([number, stored(position)])?;
    }
    transaction.commit()?;
    worker.took_back(session);
    Ok(())
}
