//! Messages: said, read, taken back; a session's conversation as it stands.

use std::collections::BTreeSet;

use opentoolbar_core::model::{Context, ContextId, Message, MessageId, MessageRole, SessionId, Timestamp};
use rusqlite::{Connection, OptionalExtension, Row, Rows, Transaction, TransactionBehavior, params};

use super::super::applied::{self, Sent, millis};
use super::super::fault::{Fault, NamedBy};
use super::super::history::Room;
use super::super::unreadable::Unreadable;
use super::super::worker::Worker;
use super::super::{news, search};
use super::contexts::{self, Latest};
use super::parts::parts;

/// Messages in one answer.
const MOST: u32 = 200;
/// Bytes of all messages in one answer; at least one message is always there.
const MOST_BYTES: usize = 8 * 1024 * 1024;

const COLUMNS: &str = "id, session_id, context_id, role, content, agent, is_complete, parts, is_read, position, created_at, \
     answered_by IS NOT NULL, is_withdrawn";
/// What the person said, did not take back, and nobody has answered. What agents leave undone is among it.
pub(super) const WAITING: &str = "role = 0 AND is_withdrawn = 0 AND answered_by IS NULL";

/// A row, when it is told that one cannot be read.
pub(super) const MESSAGE: &str = "message";

/// Some of a session's conversation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conversation {
    /// Oldest first.
    pub messages: Vec<Message>,
    /// Those that the messages are about, and the latest.
    pub contexts: Vec<Context>,
    /// Ask for what comes after this.
    pub position: u64,
    /// Of the history: how many there are before these.
    pub older: u32,
    /// How many messages cannot be read; they are left out.
    pub unreadable: u32,
}

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
}

/// What a row says before it is one of our types.
struct Raw {
    id: String,
    session_id: String,
    context_id: Option<String>,
    is_agents: bool,
    content: String,
    agent: Option<String>,
    is_complete: bool,
    parts: u32,
    is_read: bool,
    position: i64,
    created_at: i64,
    is_answered: bool,
    is_withdrawn: bool,
}

impl Raw {
    fn of(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get(0)?,
            session_id: row.get(1)?,
            context_id: row.get(2)?,
            is_agents: row.get::<_, i64>(3)? == 1,
            content: row.get(4)?,
            agent: row.get(5)?,
            is_complete: row.get(6)?,
            parts: row.get(7)?,
            is_read: row.get(8)?,
            position: row.get(9)?,
            created_at: row.get(10)?,
            is_answered: row.get(11)?,
            is_withdrawn: row.get(12)?,
        })
    }

    /// With the parts of an answer that still comes.
    fn whole(self, connection: &Connection) -> Result<Message, Fault> {
        let id: MessageId = self.id.parse().map_err(damaged)?;
        let content = if self.is_complete { self.content } else { parts(connection, &id)? };
        Ok(Message {
            id,
            session_id: self.session_id.parse().map_err(damaged)?,
            context_id: self.context_id.map(|id| id.parse()).transpose().map_err(damaged)?,
            role: if self.is_agents { MessageRole::Assistant } else { MessageRole::User },
            content,
            agent: self.agent,
            is_complete: self.is_complete,
            parts: self.parts,
            is_read: self.is_read,
            is_answered: (!self.is_agents).then_some(self.is_answered),
            is_withdrawn: self.is_withdrawn,
            position: u64::try_from(self.position).unwrap_or(0),
            created_at: Timestamp(u64::try_from(self.created_at).unwrap_or(0)),
        })
    }
}

pub(super) fn damaged(error: impl std::fmt::Display) -> Fault {
    Fault::Document(serde::de::Error::custom(error))
}

/// The id in the first column of a message's row, unless it cannot be read.
pub(super) fn id_of(row: &Row<'_>, unreadable: &Unreadable) -> Result<Option<MessageId>, Fault> {
    let id = row.get_ref(0)?.as_str().ok();
    let parsed = id.and_then(|id| id.parse().ok());
    if parsed.is_none() {
        unreadable.note(MESSAGE, id.unwrap_or("of no id"));
    }
    Ok(parsed)
}

/// The next position of any message of the project.
pub(super) fn next_position(transaction: &Transaction<'_>) -> Result<u64, Fault> {
    let next: i64 = transaction
        .prepare_cached("UPDATE positions SET last = last + 1 WHERE name = 'messages' RETURNING last")?
        .query_row([], |row| row.get(0))?;
    Ok(u64::try_from(next).unwrap_or(0))
}

fn position(connection: &Connection) -> Result<u64, Fault> {
    let last: i64 = connection
        .prepare_cached("SELECT last FROM positions WHERE name = 'messages'")?
        .query_row([], |row| row.get(0))?;
    Ok(u64::try_from(last).unwrap_or(0))
}

/// What becomes of words about a selection that the session has not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) enum Missing {
    /// They are refused: who sent them can select again.
    IsRefused,
    /// They were acknowledged before: they are about nothing. Nor about what was selected after this moment.
    IsNone {
        /// When they were said.
        until: Timestamp,
    },
}

/// The person says something. Once for each id.
pub(in crate::store) fn say(
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
        return Ok(Said { id: message.clone(), position });
    }
    // Who kept it longer than it was remembered as applied gets the same answer.
    if let Some(position) = said_before(&transaction, message, session, text)? {
        return Ok(Said { id: message.clone(), position });
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
    search::index(&transaction, "message", message.as_str(), text)?;
    let news = news::note_message(&transaction, message)?;
    applied::remember(&transaction, message, &target, Some(&position.to_string()), at)?;
    transaction.commit()?;
    worker.news(news);
    worker.said(session);
    Ok(Said { id: message.clone(), position })
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

/// A number as SQLite stores it.
pub(super) fn stored(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A message of the person's by its id, while it waits.
pub(in crate::store) fn said(connection: &Connection, id: &str) -> Result<Option<Message>, Fault> {
    let sql = format!("SELECT {COLUMNS} FROM messages WHERE id = ?1 AND {WAITING}");
    let raw = connection.prepare_cached(&sql)?.query_row([id], Raw::of).optional()?;
    raw.map(|raw| raw.whole(connection)).transpose()
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
pub(in crate::store) fn with_unread(
    worker: &mut Worker,
    sessions: Vec<SessionId>,
) -> Result<Vec<SessionId>, Fault> {
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
pub(in crate::store) fn withdraw(worker: &mut Worker, session: &SessionId) -> Result<(), Fault> {
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

/// Which part of a session's history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// The last ones, at most so many.
    Last(u32),
    /// The last ones before this message.
    Before(MessageId, u32),
    /// This message alone.
    One(MessageId),
}

/// Messages of a session, oldest first, without what was taken back.
pub(in crate::store) fn history(
    worker: &mut Worker,
    session: &SessionId,
    part: &Part,
) -> Result<Conversation, Fault> {
    let unreadable = worker.unreadable();
    let unknown = |id: &MessageId| Fault::NoSuchMessage { id: id.clone(), session: session.clone() };
    let (named, limit) = match part {
        Part::Last(limit) => (None, *limit),
        Part::Before(id, limit) => (Some(id), *limit),
        Part::One(id) => (Some(id), 1),
    };
    let Some(database) = worker.reading()? else {
        return named.map_or_else(|| Ok(Conversation::default()), |id| Err(unknown(id)));
    };
    let connection = &database.connection;
    let number_of = |id: &MessageId| -> Result<i64, Fault> {
        let number = connection
            .prepare_cached(
                "SELECT number FROM messages WHERE id = ?1 AND session_id = ?2 AND is_withdrawn = 0",
            )?
            .query_row([id.as_str(), session.as_str()], |row| row.get(0))
            .optional()?;
        number.ok_or_else(|| unknown(id))
    };
    let end = match part {
        Part::Last(_) => i64::MAX,
        Part::Before(id, _) => number_of(id)?,
        Part::One(id) => number_of(id)?.saturating_add(1),
    };
    let found = latest(connection, session, limit, ("is_withdrawn = 0 AND number <", end), &unreadable)?;
    let all: u32 = connection
        .prepare_cached(
            "SELECT count(*) FROM messages WHERE session_id = ?1 AND is_withdrawn = 0 AND number < ?2",
        )?
        .query_row(params![session.as_str(), end], |row| row.get(0))?;
    let told = u32::try_from(found.messages.len()).unwrap_or(u32::MAX).saturating_add(found.unreadable);
    Ok(Conversation { older: all.saturating_sub(told), ..found })
}

/// The last messages of a session that were not taken back, oldest first, as far as they have room. Of one that has
/// not, its beginning. With the latest selection.
pub(in crate::store) fn last_words(
    worker: &mut Worker,
    session: &SessionId,
    limit: u32,
    mut room: Room,
) -> Result<Conversation, Fault> {
    let unreadable = worker.unreadable();
    let Some(database) = worker.reading()? else { return Ok(Conversation::default()) };
    let connection = &database.connection;
    // Neither column is read for its length.
    let mut lengths = connection.prepare_cached(
        "SELECT number, octet_length(content) FROM messages WHERE session_id = ?1 AND is_withdrawn = 0 \
         ORDER BY number DESC LIMIT ?2",
    )?;
    // The text is cut by characters, each of which has a byte at least. SQLite takes a zero for the end of a text.
    let beginning = " iif(instr(content, char(0)) > 0, content, substr(content, 1, ?2)),";
    let columns = COLUMNS.replace(" content,", beginning);
    let mut one = connection.prepare_cached(&format!("SELECT {columns} FROM messages WHERE number = ?1"))?;
    let mut rows = lengths.query(params![session.as_str(), limit])?;
    let mut found = Conversation::default();
    let mut read = 0;
    while let Some(row) = rows.next()? {
        let bytes: usize = row.get::<_, i64>(1)?.try_into().unwrap_or(0);
        read += bytes;
        if read > MOST_BYTES && !found.messages.is_empty() {
            break;
        }
        let Some(most) = room.next(bytes) else { break };
        let mut rows = one.query(params![row.get::<_, i64>(0)?, i64::try_from(most).unwrap_or(i64::MAX)])?;
        let Some(row) = rows.next()? else { continue };
        let Some(mut message) = readable(connection, row, &unreadable)? else {
            found.unreadable += 1;
            continue;
        };
        message.content.truncate(message.content.floor_char_boundary(most));
        room.took(message.content.len());
        found.messages.push(message);
    }
    found.messages.reverse();
    found.contexts.extend(contexts::latest_readable(connection, session, &unreadable)?);
    Ok(found)
}

/// The last messages of a session, whose condition is followed by this number.
fn latest(
    connection: &Connection,
    session: &SessionId,
    limit: u32,
    (condition, number): (&str, i64),
    unreadable: &Unreadable,
) -> Result<Conversation, Fault> {
    let sql = format!(
        "SELECT {COLUMNS} FROM messages WHERE session_id = ?1 AND {condition} ?2 ORDER BY number DESC LIMIT ?3"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params![session.as_str(), number, limit])?;
    let mut found = bounded(connection, &mut rows, unreadable)?;
    found.messages.reverse();
    with_contexts(connection, session, found, unreadable)
}

/// What a page of a conversation holds.
struct Bounded {
    messages: Vec<Message>,
    skipped: u32,
    is_all: bool,
}

/// As many as fit into one answer, with the parts of those that still come, and whether these are all.
fn bounded(connection: &Connection, rows: &mut Rows<'_>, unreadable: &Unreadable) -> Result<Bounded, Fault> {
    let mut found = Bounded { messages: Vec::new(), skipped: 0, is_all: false };
    let mut bytes = 0;
    while let Some(row) = rows.next()? {
        let Some(message) = readable(connection, row, unreadable)? else {
            found.skipped += 1;
            continue;
        };
        bytes += message.content.len();
        if bytes > MOST_BYTES && !found.messages.is_empty() {
            return Ok(found);
        }
        found.messages.push(message);
    }
    found.is_all = found.messages.len() + (found.skipped as usize) < MOST as usize;
    Ok(found)
}

/// The message of this row, unless this version cannot read it.
fn readable(
    connection: &Connection,
    row: &Row<'_>,
    unreadable: &Unreadable,
) -> Result<Option<Message>, Fault> {
    let id = row.get_ref(0)?.as_str().unwrap_or("of no id").to_owned();
    let read = Raw::of(row).map_err(Fault::from).and_then(|raw| raw.whole(connection));
    unreadable.skip(MESSAGE, &id, read)
}

/// Messages that changed after a position, by position; without one, the latest. For the person: with what was taken
/// back.
pub(in crate::store) fn conversation(
    worker: &mut Worker,
    session: &SessionId,
    after: Option<u64>,
) -> Result<Conversation, Fault> {
    let unreadable = worker.unreadable();
    let Some(database) = worker.reading()? else { return Ok(Conversation::default()) };
    let connection = &database.connection;
    let Some(after) = after else {
        return latest(connection, session, MOST, ("number <", i64::MAX), &unreadable);
    };
    // A position beyond the last is of a database that was deleted.
    let after = if after > position(connection)? { 0 } else { after };
    let sql = format!(
        "SELECT {COLUMNS} FROM messages WHERE session_id = ?1 AND position > ?2 ORDER BY position LIMIT {MOST}"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params![session.as_str(), stored(after)])?;
    let part = bounded(connection, &mut rows, &unreadable)?;
    let (is_all, last) = (part.is_all, part.messages.last().map(|message| message.position));
    let mut found = with_contexts(connection, session, part, &unreadable)?;
    if let (false, Some(last)) = (is_all, last) {
        found.position = last;
    }
    Ok(found)
}

fn with_contexts(
    connection: &Connection,
    session: &SessionId,
    Bounded { messages, skipped, .. }: Bounded,
    unreadable: &Unreadable,
) -> Result<Conversation, Fault> {
    let position = position(connection)?;
    let latest = contexts::latest_id(connection, session, unreadable)?;
    let ids: BTreeSet<ContextId> =
        messages.iter().filter_map(|message| message.context_id.clone()).chain(latest).collect();
    let mut about = Vec::new();
    for id in ids {
        let read = contexts::read(connection, &id);
        about.extend(unreadable.skip("context", id.as_str(), read)?.flatten());
    }
    Ok(Conversation { messages, contexts: about, position, older: 0, unreadable: skipped })
}
