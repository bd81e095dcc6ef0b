//! `history.db`: the latest conversations of a project in a small SQLite file, for others to read. It is made whole in memory and
//! put in place whole, when things are quiet. It is never read or opened here: whatever stands at its name may be a stranger's.

mod size;

pub(super) use size::Room;

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError};

use opentoolbar_core::model::{Message, MessageRole, SessionId};
use opentoolbar_core::prompt::neutralise;
use rusqlite::{Connection, params};
use sha2::{Digest as _, Sha256};

use super::applied::millis;
use super::conversation;
use super::fault::Fault;
use super::mirror::Mirror;
use super::worker::Worker;
use crate::files::Directory;

/// Its name in the project.
pub(super) const FILE: &str = "history.db";
/// Sessions in it, those in which something was said last.
const MOST_SESSIONS: usize = 50;
/// Messages of each, the last.
const MOST_MESSAGES: u32 = 200;
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

/// What can be read, as far as the file has room.
#[derive(Debug, Default)]
struct Found {
    sessions: Vec<Session>,
    is_whole: bool,
    /// Bytes of words that were read for it.
    bytes: usize,
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

/// What the file will say; `None` when it is to stay as it is. While the database cannot be read whole the file says more than could be
/// read, and stays; but not what was taken back: then it says what can be read.
pub(super) fn read(worker: &mut Worker, taken_back: &TakenBack) -> Option<Content> {
    // Before anything is read: what is taken back meanwhile is left for the next time.
    let count = taken_back.count();
    let Found { sessions, is_whole, bytes } = readable(worker);
    tracing::debug!(bytes, sessions = sessions.len(), "words are read for the history");
    (is_whole || taken_back.is_there()).then_some(Content { sessions, is_whole, taken_back: count })
}

/// The sessions that can be read, and whether these are all.
fn readable(worker: &mut Worker) -> Found {
    let ids = match latest_sessions(worker) {
        Ok(ids) => ids,
        Err(fault) => {
            worker.warn_of_copy(FILE, fault);
            return Found::default();
        }
    };
    let mut sessions = Vec::new();
    let mut left = size::MOST_OF_ALL;
    let (mut is_whole, mut read) = (true, 0);
    for id in ids {
        if left < size::LEAST_OF_SESSION {
            break;
        }
        let room = size::Room::of(left.min(size::MOST_OF_SESSION));
        let mut found = match conversation::last_words(worker, &id, MOST_MESSAGES, room) {
            Ok(found) => found,
            Err(fault) => {
                worker.warn_of_copy(FILE, fault);
                is_whole = false;
                continue;
            }
        };
        read += found.messages.iter().map(|message| message.content.len()).sum::<usize>();
        // Agents read the file as it stands. Before anything is counted: what is written out is longer. What has no room was not read.
        for message in &mut found.messages {
            message.content = neutralise(&message.content);
            message.agent = message.agent.as_deref().map(neutralise);
        }
        let page = found.contexts.first();
        let page = page.map(|context| &context.selection.page);
        let page = page.map(|page| (neutralise(&page.url), neutralise(&page.title)));
        let of_session = size::of_session(id.as_str(), page.as_ref());
        let Some(room) = left.min(size::MOST_OF_SESSION).checked_sub(of_session) else { continue };
        let mut messages = found.messages;
        let bytes = of_session + size::shorten(&mut messages, room);
        if !messages.is_empty() {
            left -= bytes;
            sessions.push(Session { id, page, messages, bytes });
        }
    }
    Found { sessions, is_whole, bytes: read }
}

fn latest_sessions(worker: &mut Worker) -> Result<Vec<SessionId>, Fault> {
    let unreadable = worker.unreadable();
    let Some(database) = worker.reading()? else { return Ok(Vec::new()) };
    let sql = "SELECT session_id FROM messages GROUP BY session_id ORDER BY max(number) DESC";
    let mut statement = database.connection.prepare_cached(sql)?;
    unreadable.sessions("message", &mut statement, MOST_SESSIONS)
}

/// Puts the file in place, unless it is there as it was and nothing new is to be said. Where all was taken back it says nothing; it
/// is not made for that, but one that is there is written again, whatever became of the last try.
pub(super) fn write(root: &Path, ours: &Directory, content: &Content, mirror: &Mirror) {
    let Content { sessions, is_whole, taken_back } = content;
    let mut before = mirror.history.lock().unwrap_or_else(PoisonError::into_inner);
    if sessions.is_empty() && before.is_none() && !mirror.written.is_ours(ours, FILE, FILE) {
        return;
    }
    let database = match fitting(sessions) {
        Ok(database) => database,
        Err(error) => {
            remove_taken_back(ours, *taken_back, mirror);
            *before = None;
            return mirror.complaints.say(root, FILE, &error.to_string());
        }
    };
    let hash: [u8; 32] = Sha256::digest(&database).into();
    if before.as_ref().is_some_and(|(written, stamp)| *written == hash && ours.stamp(FILE) == Some(*stamp)) {
        mirror.taken_back.is_gone(*taken_back);
        return;
    }
    *before = None;
    let put = ours.put(FILE, &database);
    let is_put = put.is_ok();
    // What could not be read stays a complaint, so that it is tried again.
    if *is_whole || !is_put {
        mirror.complaints.note(root, FILE, put);
    }
    if is_put {
        let stamp = ours.stamp(FILE);
        mirror.written.note(FILE, stamp);
        mirror.taken_back.is_gone(*taken_back);
        *before = stamp.map(|stamp| (hash, stamp));
    } else {
        remove_taken_back(ours, *taken_back, mirror);
    }
}

/// A file that cannot be written anew goes when it may say what was taken back: until it can, there is none.
fn remove_taken_back(ours: &Directory, until: u64, mirror: &Mirror) {
    if mirror.taken_back.is_there() && ours.remove(FILE).is_ok() {
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
