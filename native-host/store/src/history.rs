//! `history.db`: the latest conversations of a project in a small SQLite file, for others to read. It is made whole in
//! memory and put in place whole, when things are quiet. It is never read or opened here: whatever stands at its name
//! may be a stranger's.

pub(super) mod gather;
mod size;

pub(super) use size::Room;

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError};

use opentoolbar_core::model::{Message, MessageRole, SessionId};
use rusqlite::{Connection, params};
use sha2::{Digest as _, Sha256};

use super::applied::millis;
use super::file_names::HISTORY;
use super::mirror::Mirror;
use opentoolbar_leaves::files::Directory;

/// Bytes of the file.
const MOST_BYTES: usize = 8 * 1024 * 1024;

/// Described in `docs/agents.md`. Columns are called as `list_sessions` and `get_conversation_history` call them.
const SCHEMA: &str = "
PRAGMA user_version = 1;
CREATE TABLE sessions (
    sessionId TEXT PRIMARY KEY,
    pageUrl TEXT,
    pageTitle TEXT,
    lastActive INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE messages (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    sessionId TEXT NOT NULL REFERENCES sessions (sessionId),
    role TEXT NOT NULL CHECK (role IN ('user', 'assistant')),
    content TEXT NOT NULL,
    contextId TEXT,
    timestamp INTEGER NOT NULL,
    agent TEXT,
    isComplete INTEGER NOT NULL
);
CREATE INDEX messages_by_session ON messages (sessionId, number);
";

/// One session with what was said last in it.
#[derive(Debug)]
pub(super) struct Session {
    id: SessionId,
    /// Address and title of the page that was pointed at last.
    page: Option<(String, String)>,
    /// Oldest first; at least one.
    messages: Vec<Message>,
    /// What it is expected to have in the file.
    bytes: usize,
}

/// What the file will say.
#[derive(Debug)]
pub(super) struct Content {
    /// The latest first.
    sessions: Vec<Session>,
    /// Whether that is all, as far as it has room.
    is_whole: bool,
    /// How often something had been taken back when this was read.
    taken_back: u64,
}

/// How often something was taken back, and what of that the file in the project has not any more.
#[derive(Clone, Debug, Default)]
pub(super) struct TakenBack(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    all: AtomicU64,
    gone: AtomicU64,
}

impl TakenBack {
    pub(super) fn note(&self) {
        self.0.all.fetch_add(1, Ordering::Relaxed);
    }

    fn count(&self) -> u64 {
        self.0.all.load(Ordering::Relaxed)
    }

    /// Whether the file may still say something that was taken back.
    pub(super) fn is_there(&self) -> bool {
        self.count() > self.0.gone.load(Ordering::Relaxed)
    }

    fn is_gone(&self, until: u64) {
        self.0.gone.fetch_max(until, Ordering::Relaxed);
    }
}

/// Puts the file in place, unless it is there as it was and nothing new is to be said. Where all was taken back it says
/// nothing; it is not made for that, but one that is there is written again, whatever became of the last try.
pub(super) fn write(root: &Path, ours: &Directory, content: &Content, mirror: &Mirror) {
    let Content { sessions, is_whole, taken_back } = content;
    let mut before = mirror.history.lock().unwrap_or_else(PoisonError::into_inner);
    if sessions.is_empty() && before.is_none() && !mirror.written.is_ours(ours, HISTORY, HISTORY) {
        return;
    }
    let database = match fitting(sessions) {
        Ok(database) => database,
        Err(error) => {
            remove_taken_back(ours, *taken_back, mirror);
            *before = None;
            return mirror.complaints.say(root, HISTORY, &error.to_string());
        }
    };
    let hash: [u8; 32] = Sha256::digest(&database).into();
    if before.as_ref().is_some_and(|(written, stamp)| *written == hash && ours.stamp(HISTORY) == Some(*stamp))
    {
        mirror.taken_back.is_gone(*taken_back);
        return;
    }
    *before = None;
    let put = ours.put(HISTORY, &database);
    let is_put = put.is_ok();
    // What could not be read stays a complaint, so that it is tried again.
    if *is_whole || !is_put {
        mirror.complaints.note(root, HISTORY, put);
    }
    if is_put {
        let stamp = ours.stamp(HISTORY);
        mirror.written.note(HISTORY, stamp);
        mirror.taken_back.is_gone(*taken_back);
        *before = stamp.map(|stamp| (hash, stamp));
    } else {
        remove_taken_back(ours, *taken_back, mirror);
    }
}

/// A file that cannot be written anew goes when it may say what was taken back: until it can, there is none.
fn remove_taken_back(ours: &Directory, until: u64, mirror: &Mirror) {
    if mirror.taken_back.is_there() && ours.remove(HISTORY).is_ok() {
        mirror.taken_back.is_gone(until);
    }
}

/// The whole file, without the oldest sessions when there is no room for all.
fn fitting(mut sessions: &[Session]) -> rusqlite::Result<Vec<u8>> {
    loop {
        let database = database(sessions)?;
        if database.len() <= MOST_BYTES || sessions.is_empty() {
            return Ok(database);
        }
        sessions = &sessions[..size::fewer(sessions, database.len(), MOST_BYTES)];
    }
}

/// The whole file, whatever it has.
fn database(sessions: &[Session]) -> rusqlite::Result<Vec<u8>> {
    let mut connection = Connection::open_in_memory()?;
    connection.execute_batch(SCHEMA)?;
    let transaction = connection.transaction()?;
    let mut all: Vec<&Message> = Vec::new();
    for Session { id, page, messages, bytes: _ } in sessions {
        let last = messages.last().map_or(0, |message| millis(message.created_at));
        let (url, title) = page.as_ref().map(|(url, title)| (url, title)).unzip();
        transaction.execute(
            "INSERT INTO sessions VALUES (?1, ?2, ?3, ?4)",
            params![id.as_str(), url, title, last],
        )?;
        all.extend(messages);
    }
    {
        let mut insert =
            transaction.prepare("INSERT INTO messages VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)")?;
        for (number, message) in (1_i64..).zip(all) {
            let role = match message.role {
                MessageRole::User => "user",
                MessageRole::Assistant => "assistant",
            };
            insert.execute(params![
                number,
                message.id.as_str(),
                message.session_id.as_str(),
                role,
                message.content,
                message.context_id.as_ref().map(|id| id.as_str()),
                millis(message.created_at),
                message.agent,
                message.is_complete,
            ])?;
        }
    }
    transaction.commit()?;
    Ok(connection.serialize(rusqlite::MAIN_DB)?.to_vec())
}

#[cfg(test)]
mod tests;
