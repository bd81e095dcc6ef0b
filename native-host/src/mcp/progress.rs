//! How far an agent was told each of the person's messages: one that does not fit into one answer is told in pieces, and is handed over once
//! all of it was told.

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
pub(super) struct Progress(Mutex<Vec<Told>>);

impl Progress {
    fn list(&self) -> std::sync::MutexGuard<'_, Vec<Told>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Remembers what is told; gives what was told to its end.
    pub(super) fn add(&self, pieces: Vec<Piece>) -> Vec<MessageId> {
        let mut list = self.list();
        pieces.into_iter().filter_map(|piece| add(&mut list, piece)).collect()
    }

    /// Remembers what is told of messages that were begun before; gives those that were told to their end by it.
    pub(super) fn go_on(&self, pieces: Vec<Piece>) -> Vec<MessageId> {
        let mut list = self.list();
        let is_begun =
            |list: &[Told], id: &MessageId| list.iter().any(|one| one.id == *id && one.end < one.all);
        pieces
            .into_iter()
            .filter_map(|piece| is_begun(&list, &piece.id).then(|| add(&mut list, piece))?)
            .collect()
    }

    /// Where the agent goes on with a message that was begun and is not told to its end; 0 for others.
    pub(super) fn next(&self, id: &MessageId) -> usize {
        self.list().iter().find(|one| one.id == *id && one.end < one.all).map_or(0, |one| one.end)
    }

    /// Messages that are not told to their end: how far they are.
    pub(super) fn begun(&self) -> Vec<Told> {
        self.list().iter().filter(|one| one.end < one.all).cloned().collect()
    }
}

/// The message, once it is told to its end. A piece behind a gap tells nothing of what is in between.
fn add(list: &mut Vec<Told>, Piece { id, session, from, end, all }: Piece) -> Option<MessageId> {
    let at = list.iter().position(|one| one.id == id);
    let before = at.map_or(0, |at| list.remove(at).end);
    let end = if from <= before { before.max(end) } else { before };
    list.push(Told { id: id.clone(), session, end, all });
    if list.len() > MOST {
        list.remove(0);
    }
    (end >= all).then_some(id)
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
        assert!(told.add(vec![piece("m_1", 0, 4)]).is_empty());
        assert_eq!(told.next(&piece("m_1", 0, 0).id), 4);
        assert!(told.go_on(vec![piece("m_1", 6, 10)]).is_empty(), "what is before it was not told");
        let begun: Vec<_> = told.begun().into_iter().map(|one| (one.id.to_string(), one.end)).collect();
        assert_eq!(begun, [("m_1".to_owned(), 4)]);
        assert_eq!(told.go_on(vec![piece("m_1", 3, 10)]), ["m_1".parse().unwrap()]);
        // Told once more from its beginning, and less of it.
        assert_eq!(told.add(vec![piece("m_1", 0, 4)]), ["m_1".parse().unwrap()]);
        assert!(told.begun().is_empty());
        assert_eq!(told.next(&piece("m_1", 0, 0).id), 0);
        // What nobody began is not handed over by being read.
        assert!(told.go_on(vec![piece("m_2", 0, 10)]).is_empty());
    }
}
