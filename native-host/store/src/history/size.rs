//! What has room in `history.db`. Bytes are counted as they are written: those of every column, and again in an index.

use opentoolbar_core::model::Message;

use super::Session;

/// Bytes of one session, so that a long one leaves room to others, and of all; what pages leave empty comes on top.
pub(super) const MOST_OF_SESSION: usize = 1024 * 1024;
pub(super) const MOST_OF_ALL: usize = 6 * 1024 * 1024;
/// What the end of a message says that was cut.
const CUT: &str = "… (cut)";
/// Bytes of numbers, lengths and pointers of a row, in its table and its indexes; rounded up.
const ROW: usize = 64;
/// Bytes that each message has of its words, however long the later ones are.
const LEAST: usize = 1024;

/// A session of fewer bytes has nothing to say.
pub(super) const LEAST_OF_SESSION: usize = 2 * ROW;

/// What is worth reading of a session, latest first: more of its messages has no room.
#[derive(Debug)]
pub(crate) struct Room {
    /// Bytes that are left for whole messages.
    whole: usize,
    /// Bytes that are left when each is short.
    short: usize,
}

impl Room {
    pub(super) fn of(bytes: usize) -> Self {
        Self { whole: bytes, short: bytes }
    }

    /// How much is read of the next message, which has so many bytes, so that it is told from what it is cut to; `None`
    /// when it and what is before it have no room.
    pub(crate) fn next(&mut self, bytes: usize) -> Option<usize> {
        self.short = self.short.checked_sub(ROW + bytes.min(LEAST))?;
        Some(self.whole.max(LEAST) + 4)
    }

    /// So many bytes of it were read.
    pub(crate) fn took(&mut self, bytes: usize) {
        self.whole = self.whole.saturating_sub(bytes);
    }
}

/// Bytes of a session without its messages.
pub(super) fn of_session(id: &str, page: Option<&(String, String)>) -> usize {
    ROW + id.len() + page.map_or(0, |(url, title)| url.len() + title.len())
}

/// Bytes of a message without its words.
fn of_columns(message: &Message) -> usize {
    let in_index = message.id.as_str().len() + message.session_id.as_str().len();
    let context = message.context_id.as_ref().map_or(0, |id| id.as_str().len());
    let agent = message.agent.as_ref().map_or(0, String::len);
    ROW + 2 * in_index + context + agent
}

/// Cuts the messages of a session, oldest first, to so many bytes, and tells how many they have then. Of long ones the
/// later says more; those go that have no room even when they are short.
pub(super) fn shorten(messages: &mut Vec<Message>, room: usize) -> usize {
    let least = |message: &Message| message.content.len().min(LEAST);
    let mut free = room;
    let fitting = messages.iter().rev().map_while(|message| {
        free = free.checked_sub(of_columns(message) + least(message))?;
        Some(())
    });
    let fitting = fitting.count();
    messages.drain(..messages.len() - fitting);
    for message in messages.iter_mut().rev() {
        let least = least(message);
        cut(&mut message.content, least + free);
        free -= message.content.len().saturating_sub(least);
    }
    room - free
}

fn cut(words: &mut String, most: usize) {
    if words.len() > most {
        words.truncate(words.floor_char_boundary(most.saturating_sub(CUT.len())));
        words.push_str(CUT);
    }
}

/// How many of the sessions, the latest, are expected to fit when all of them made a file that is larger than it may
/// be. Fewer than all.
pub(super) fn fewer(sessions: &[Session], file: usize, most: usize) -> usize {
    let of = |session: &Session| session.bytes as u128;
    let all: u128 = sessions.iter().map(of).sum();
    let room = all * most as u128 / file.max(1) as u128;
    let mut taken = 0;
    let fitting = sessions.iter().take_while(|session| {
        taken += of(session);
        taken <= room
    });
    fitting.count().min(sessions.len().saturating_sub(1))
}
