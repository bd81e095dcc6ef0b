//! An agent's answer, whole or part by part.

use opentoolbar_core::model::{ContextId, MAX_MESSAGE_TEXT, MessageId, SessionId, Timestamp};
use opentoolbar_core::protocol::{ErrorBody, ErrorCode};
use rusqlite::{Connection, Transaction, TransactionBehavior, params};

use super::super::applied::{self, Fingerprint, millis};
use super::super::fault::{Fault, NamedBy};
use super::super::search;
use super::super::unreadable::Unreadable;
use super::super::worker::Worker;
use super::parts::take_parts;
use super::rows::{MESSAGE, id_of, next_position, stored};
use super::{contexts, handed};
use opentoolbar_leaves::error::error;

/// Longest answer of all its parts together, in bytes.
const MAX_ANSWER: usize = 4 * MAX_MESSAGE_TEXT;

/// What each part asks for and writes, whatever came before it.
const OPEN: &str = "SELECT id, parts, bytes FROM messages WHERE session_id = ?1 AND context_id IS ?2 AND answerer = ?3 AND \
    role = 1 AND is_complete = 0 ORDER BY number DESC LIMIT 1";
const ADD_PART: &str = "INSERT INTO parts (message_id, at, text) VALUES (?1, ?2, ?3)";
const COUNT_PART: &str = "UPDATE messages SET parts = ?2, position = ?3, is_complete = ?4, content = ?5, bytes = ?6 \
    WHERE id = ?1";

/// An answer that is about no selection is one to what was said in this session before anything was selected. Nothing
/// else names no selection: a session of another project and one that is not there have no such words here.
fn may_be_about_nothing(connection: &Connection, session: &SessionId) -> Result<(), Fault> {
    let is_any =
        "SELECT EXISTS (SELECT 1 FROM messages WHERE session_id = ?1 AND role = 0 AND context_id IS NULL)";
    if connection.prepare_cached(is_any)?.query_row([session.as_str()], |row| row.get(0))? {
        return Ok(());
    }
    Err(Fault::NoSelection { session: session.clone() })
}

/// What an agent says.
#[derive(Clone, Debug)]
pub struct Response {
    /// Of the request: applied once.
    pub message: MessageId,
    /// In which tab.
    pub session: SessionId,
    /// About what; `None`: about what was said before any selection.
    pub context: Option<ContextId>,
    /// Name of the agent, for people.
    pub agent: String,
    /// Tells this agent from others of its name.
    pub answerer: String,
    /// A part, or the last part, or all of it.
    pub text: String,
    /// Whether nothing more comes.
    pub is_complete: bool,
    /// Which part this is, when the agent counts.
    pub index: Option<u32>,
    /// Messages that it does not answer, as its agent was told a part of them alone.
    pub told_in_part: Vec<MessageId>,
}

/// What was stored.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Answered {
    /// The message that the response is, or is part of.
    pub id: MessageId,
    /// How many parts it has now.
    pub parts: u32,
    /// Its position.
    pub position: u64,
    /// The whole answer, when it is complete.
    pub whole: Option<String>,
    /// The person's messages that it answers, when it is complete.
    #[serde(default)]
    pub answers: Vec<MessageId>,
    /// Of the messages of which its agent was told a part alone those that still wait.
    #[serde(skip)]
    pub told_in_part: Vec<MessageId>,
    /// False when the response had been applied before.
    #[serde(skip)]
    pub is_new: bool,
}

/// Adds a part to the agent's open answer about this selection, or completes it, or begins one.
pub(crate) fn respond(worker: &mut Worker, response: &Response, at: Timestamp) -> Result<Answered, Fault> {
    let Response { message, session, context, agent, answerer, text, is_complete, index, .. } = response;
    let unreadable = worker.unreadable();
    let database = worker.writing()?;
    let transaction = database.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let about = context.as_ref().map(ContextId::as_str);
    let of = about.unwrap_or(session.as_str());
    let target = applied::target("respond", of, Fingerprint::of(&(session, text, is_complete, index))?);
    if let Some(answer) = applied::before(&transaction, message, &target)? {
        let answer = answer.ok_or_else(|| Fault::unreadable("no answer is kept"))?;
        // Those that wait now, of those that are named now.
        let told_in_part = handed::waiting_in_part(&transaction, response)?;
        return Ok(Answered { told_in_part, ..serde_json::from_str(&answer)? });
    }
    match context {
        Some(context) => drop(contexts::must_be_of(&transaction, context, session, NamedBy::Answer)?),
        None => may_be_about_nothing(&transaction, session)?,
    }
    // One that cannot be read stays as it is, and another begins.
    let (id, count, before) = match open(&transaction, response, &unreadable)? {
        Some((id, count, bytes)) => (id, count, usize::try_from(bytes).unwrap_or(usize::MAX)),
        None => {
            may_begin(&transaction, response)?;
            (message.clone(), 0, 0)
        }
    };
    if index.is_some_and(|index| index != count) {
        return Err(Fault::Refused(out_of_order(count)));
    }
    let length = text.len().saturating_add(before);
    if length > MAX_ANSWER {
        return Err(Fault::Refused(error(
            ErrorCode::TooLarge,
            format!("the answer would have {length} bytes, at most {MAX_ANSWER} are kept"),
            "Complete it with `isComplete: true` and an empty message, and say the rest in another answer.",
        )));
    }
    let position = next_position(&transaction)?;
    if count == 0 {
        transaction
            .prepare_cached(
                "INSERT INTO messages (id, session_id, context_id, role, agent, answerer, content, is_complete, is_read, \
                 parts, position, created_at) VALUES (?1, ?2, ?3, 1, ?4, ?5, '', 0, 1, 0, ?6, ?7)",
            )?
            .execute(params![
                id.as_str(), session.as_str(), about, agent, answerer, stored(position), millis(at),
            ])?;
    }
    let whole = match is_complete {
        true if count == 0 => Some(text.clone()),
        true => Some(joined(take_parts(&transaction, &id, &unreadable)?, text, index.is_some())),
        false => None,
    };
    match &whole {
        None => {
            transaction.prepare_cached(ADD_PART)?.execute(params![id.as_str(), count, text])?;
        }
        Some(whole) => {
            search::index(&transaction, "message", id.as_str(), whole)?;
        }
    }
    transaction.prepare_cached(COUNT_PART)?.execute(params![
        id.as_str(),
        count + 1,
        stored(position),
        is_complete,
        whole.as_deref().unwrap_or_default(),
        if *is_complete { 0 } else { stored(length as u64) },
    ])?;
    let answers = match is_complete {
        true => handed::answer(&transaction, response, &id, &unreadable)?,
        false => Vec::new(),
    };
    let told_in_part = handed::waiting_in_part(&transaction, response)?;
    let mut answered =
        Answered { id, parts: count + 1, position, whole: None, answers, told_in_part, is_new: false };
    applied::remember(&transaction, message, &target, Some(&serde_json::to_string(&answered)?), at)?;
    transaction.commit()?;
    answered.is_new = true;
    answered.whole = whole;
    if *is_complete {
        worker.said(session);
    }
    Ok(answered)
}

/// The answer that still comes from this agent about this selection, with its count of parts and their bytes.
fn open(
    transaction: &Transaction<'_>,
    response: &Response,
    unreadable: &Unreadable,
) -> Result<Option<(MessageId, u32, i64)>, Fault> {
    let Response { session, context, answerer, .. } = response;
    let about = context.as_ref().map(ContextId::as_str);
    let mut statement = transaction.prepare_cached(OPEN)?;
    let mut rows = statement.query(params![session.as_str(), about, answerer])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    let Some(id) = id_of(row, unreadable)? else { return Ok(None) };
    let counts = || Ok((row.get(1)?, row.get(2)?));
    let counts = unreadable.skip(MESSAGE, id.as_str(), counts())?;
    Ok(counts.map(|(count, bytes)| (id, count, bytes)))
}

/// The whole answer: some agents end with the last part, others say everything again. Who counts its parts says that
/// this is one; of others, what begins with everything said before is the whole.
fn joined(before: String, last: &str, is_counted: bool) -> String {
    if !is_counted && last.starts_with(&before) { last.to_owned() } else { before + last }
}

/// A part that comes when the answer was complete is a mistake of the agent's, not the beginning of another answer,
/// unless the person has said something since, or something still waits.
fn may_begin(transaction: &Transaction<'_>, response: &Response) -> Result<(), Fault> {
    if response.is_complete {
        return Ok(());
    }
    let is_over: bool = transaction
        .prepare_cached(
            "SELECT EXISTS (SELECT 1 FROM messages WHERE session_id = ?1 AND context_id IS ?2 AND answerer = ?3 AND \
             role = 1 AND is_complete = 1 AND number > coalesce((SELECT max(number) FROM messages WHERE \
             session_id = ?1 AND role = 0), 0)) AND NOT EXISTS (SELECT 1 FROM messages WHERE session_id = ?1 AND \
             role = 0 AND is_withdrawn = 0 AND answered_by IS NULL)",
        )?
        .query_row(
            params![
                response.session.as_str(),
                response.context.as_ref().map(ContextId::as_str),
                response.answerer
            ],
            |row| row.get(0),
        )?;
    if !is_over {
        return Ok(());
    }
    Err(Fault::AnswerIsComplete { about: response.context.clone() })
}

fn out_of_order(next: u32) -> ErrorBody {
    error(
        ErrorCode::Conflict,
        format!("the next part of this answer has the index {next}"),
        "Send the parts in order, each once; what was stored before stays.",
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_last_part_ends_the_answer_and_the_whole_replaces_it() {
        for (before, last, whole) in [
            ("Hel", "lo", "Hello"),
            ("Hel", "Hello", "Hello"),
            ("Hello", "Hello", "Hello"),
            ("Hello", "", "Hello"),
            ("", "Hello", "Hello"),
            // All that was said, and not at the beginning: a part.
            ("ha", "- ha", "ha- ha"),
        ] {
            assert_eq!(joined(before.into(), last, false), whole, "{before} {last}");
        }
    }

    /// Steps of SQLite's machine, not time.
    #[test]
    fn a_part_costs_the_same_however_many_came_before() {
        let cost = |before: u32| {
            let mut connection = rusqlite::Connection::open_in_memory().unwrap();
            super::super::super::migrations::migrate(&mut connection).unwrap();
            let insert = "INSERT INTO messages (id, session_id, context_id, role, answerer, content, is_complete, is_read, \
                          parts, position, created_at) VALUES (?1, 's_1', 'x_1', 1, 'a', '', ?2, 1, ?3, 1, 1)";
            for n in 0..before {
                connection.execute(insert, params![format!("m_{n}"), true, 1]).unwrap();
            }
            connection.execute(insert, params!["m_open", false, before]).unwrap();
            for n in 0..before {
                connection.execute(ADD_PART, params!["m_open", n, "part"]).unwrap();
            }
            let steps =
                |statement: &rusqlite::Statement<'_>| statement.get_status(rusqlite::StatementStatus::VmStep);
            let mut open = connection.prepare(OPEN).unwrap();
            let id: String = open.query_row(["s_1", "x_1", "a"], |row| row.get(0)).unwrap();
            assert_eq!(id, "m_open");
            let mut add = connection.prepare(ADD_PART).unwrap();
            add.execute(params!["m_open", before, "part"]).unwrap();
            let mut count = connection.prepare(COUNT_PART).unwrap();
            count.execute(params!["m_open", before + 1, 2, false, "", 8]).unwrap();
            steps(&open) + steps(&add) + steps(&count)
        };
        let (first, late) = (cost(2), cost(3_000));
        assert!(late <= first + 8, "{first} steps for the third part, {late} for the 3,001st");
    }

    #[test]
    fn what_is_counted_as_a_part_is_one_whatever_it_says() {
        assert_eq!(joined("ha".into(), "ha!", true), "haha!");
        assert_eq!(joined("Hel".into(), "lo", true), "Hello");
        assert_eq!(joined("Hello".into(), "", true), "Hello");
    }
}
