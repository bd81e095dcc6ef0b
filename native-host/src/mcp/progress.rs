//! How far an agent was told each of the person's messages: one that does not fit into one answer is told in pieces,
//! and is handed over once all of it was told.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use opentoolbar_core::model::{Message, MessageId, SessionId};

/// Messages that are remembered; those that were told longest ago go.
const MOST: usize = 200;

/// A piece of a message that is told, in characters of its words as agents are told them.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) id: MessageId,
    pub(super) session: SessionId,
    /// The first one that is told, and the first one that is not.
    pub(super) from: usize,
    pub(super) end: usize,
    /// The message has so many.
    pub(super) all: usize,
}

impl Piece {
    pub(super) fn of(message: &Message, from: usize, end: usize, all: usize) -> Self {
        Self { id: message.id.clone(), session: message.session_id.clone(), from, end, all }
    }
}

/// Told from the beginning to `end` of `all` characters.
#[derive(Clone, Debug)]
pub(super) struct Told {
    pub(super) id: MessageId,
    pub(super) session: SessionId,
    pub(super) end: usize,
    pub(super) all: usize,
}

/// What one agent was told.
#[derive(Debug, Default)]
pub(super) struct Progress {
    messages: Mutex<Vec<Told>>,
    /// No message at or before this position of the news is still to be told.
    passed: AtomicU64,
}

impl Progress {
    fn list(&self) -> std::sync::MutexGuard<'_, Vec<Told>> {
        self.messages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Messages that are told to their end once these pieces are.
    pub(super) fn ended_by(&self, pieces: &[Piece]) -> Vec<MessageId> {
        let list = self.list();
        let ended = pieces.iter().filter(|piece| end_of(&list, piece) >= piece.all);
        ended.map(|piece| piece.id.clone()).collect()
    }

    /// Remembers what was told.
    pub(super) fn add(&self, pieces: &[Piece]) {
        let mut list = self.list();
        for piece in pieces {
            let end = end_of(&list, piece);
            list.retain(|one| one.id != piece.id);
            let Piece { id, session, all, .. } = piece.clone();
            list.push(Told { id, session, end, all });
            if list.len() > MOST {
                list.remove(0);
            }
        }
    }

    /// Whether it was begun and is not told to its end.
    pub(super) fn is_begun(&self, id: &MessageId) -> bool {
        self.list().iter().any(|one| one.id == *id && one.end < one.all)
    }

    /// Whether it is told to its end.
    pub(super) fn is_whole(&self, id: &MessageId) -> bool {
        self.list().iter().any(|one| one.id == *id && one.end >= one.all)
    }

    /// Where the agent goes on with a message that was begun and is not told to its end; 0 for others.
    pub(super) fn next(&self, id: &MessageId) -> usize {
        self.list().iter().find(|one| one.id == *id && one.end < one.all).map_or(0, |one| one.end)
    }

    /// Where the news begin of which some are still to be told; nothing for an agent that was told none.
    pub(super) fn passed(&self) -> Option<u64> {
        Some(self.passed.load(Ordering::Relaxed)).filter(|position| *position > 0)
    }

    /// Everything up to this position was told. Says whether that is news.
    pub(super) fn pass(&self, position: u64) -> bool {
        self.passed.swap(position, Ordering::Relaxed) != position
    }

    /// Messages that are not told to their end: how far they are.
    pub(super) fn begun(&self) -> Vec<Told> {
        self.list().iter().filter(|one| one.end < one.all).cloned().collect()
    }
}

/// How far a message is told with this piece. A piece behind a gap tells nothing of what is in between.
fn end_of(list: &[Told], piece: &Piece) -> usize {
    let before = list.iter().find(|one| one.id == piece.id).map_or(0, |one| one.end);
    if piece.from <= before { before.max(piece.end) } else { before }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn piece(id: &str, from: usize, end: usize) -> Piece {
        Piece { id: id.parse().unwrap(), session: "s_1".parse().unwrap(), from, end, all: 10 }
    }

    #[test]
    fn a_message_is_told_to_its_end_once_no_piece_of_it_is_lacking() {
        let told = Progress::default();
        let id = piece("m_1", 0, 0).id;
        // Asked before it is told: whoever is not given the answer was told nothing.
        let tell = |from, end| {
            let ended = told.ended_by(&[piece("m_1", from, end)]);
            assert_eq!(told.ended_by(&[piece("m_1", from, end)]), ended);
            told.add(&[piece("m_1", from, end)]);
            ended
        };
        assert!(!told.is_begun(&id));
        assert!(tell(0, 4).is_empty());
        assert!(told.is_begun(&id));
        assert_eq!(told.next(&id), 4);
        assert!(tell(6, 10).is_empty(), "what is before it was not told");
        let begun: Vec<_> = told.begun().into_iter().map(|one| (one.id.to_string(), one.end)).collect();
        assert_eq!(begun, [("m_1".to_owned(), 4)]);
        assert_eq!(tell(3, 10), ["m_1".parse().unwrap()]);
        // Told once more from its beginning, and less of it.
        assert_eq!(tell(0, 4), ["m_1".parse().unwrap()]);
        assert!(told.begun().is_empty() && told.is_whole(&id));
        assert_eq!(told.next(&id), 0);
        assert!(!told.is_begun(&id));
    }
}
