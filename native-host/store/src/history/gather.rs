//! What the file will say, from the database.

use opentoolbar_core::model::SessionId;
use opentoolbar_core::prompt::neutralise;

use super::{Content, Session, TakenBack, size};
use crate::conversation;
use crate::fault::Fault;
use crate::file_names::HISTORY;
use crate::worker::Worker;

/// Sessions in it, those in which something was said last.
const MOST_SESSIONS: usize = 50;
/// Messages of each, the last.
const MOST_MESSAGES: u32 = 200;

/// What can be read, as far as the file has room.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) sessions: Vec<Session>,
    pub(super) is_whole: bool,
    /// Bytes of words that were read for it.
    pub(super) bytes: usize,
}

/// What the file will say; `None` when it is to stay as it is. While the database cannot be read whole the file says
/// more than could be read, and stays; but not what was taken back: then it says what can be read.
pub(crate) fn read(worker: &mut Worker, taken_back: &TakenBack) -> Option<Content> {
    // Before anything is read: what is taken back meanwhile is left for the next time.
    let count = taken_back.count();
    let Found { sessions, is_whole, bytes } = readable(worker);
    tracing::debug!(bytes, sessions = sessions.len(), "words are read for the history");
    (is_whole || taken_back.is_there()).then_some(Content { sessions, is_whole, taken_back: count })
}

/// The sessions that can be read, and whether these are all.
pub(super) fn readable(worker: &mut Worker) -> Found {
    let ids = match latest_sessions(worker) {
        Ok(ids) => ids,
        Err(fault) => {
            worker.warn_of_copy(HISTORY, fault);
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
                worker.warn_of_copy(HISTORY, fault);
                is_whole = false;
                continue;
            }
        };
        read += found.messages.iter().map(|message| message.content.len()).sum::<usize>();
        // Agents read the file as it stands. Before anything is counted: what is written out is longer. What has no
        // room was not read.
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
