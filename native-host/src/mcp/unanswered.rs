//! What the hub was asked to change and did not answer in time, or nobody waited for: asked again in the same words it
//! is the same request, so that a hub that answers late has not done it twice.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use opentoolbar_core::model::{CommentChange, MessageId};
use opentoolbar_core::protocol::Request;

/// An agent asks again at once or not at all. The same words later are another message.
const REMEMBERED: Duration = Duration::from_secs(120);
/// More than an agent has under way.
const MOST: usize = 32;

/// The requests of one agent.
#[derive(Debug, Default)]
pub(super) struct Unanswered(Mutex<Vec<(Instant, MessageId, Request)>>);

/// A request that is under way. Dropped without an answer, it is remembered.
pub(super) struct Asking<'a> {
    unanswered: &'a Unanswered,
    pub(super) id: MessageId,
    pub(super) request: Request,
    is_answered: bool,
}

impl Unanswered {
    /// The request with its id: the earlier one that said the same and was not answered, with what was told of messages
    /// since.
    pub(super) fn begin(&self, id: MessageId, request: Request) -> Asking<'_> {
        let mut list = self.list();
        list.retain(|(since, ..)| since.elapsed() < REMEMBERED);
        let found = list.iter().position(|(.., earlier)| is_same(earlier, &request));
        let (id, request) = match found {
            Some(at) => {
                let (_, id, earlier) = list.remove(at);
                // Of an answer nothing but what it is said behind is other; of a change its reply's id and its time are
                // the earlier ones.
                let is_answer = matches!(request, Request::RespondToBrowser { .. });
                (id, if is_answer { request } else { earlier })
            }
            None => (id, request),
        };
        Asking { unanswered: self, id, request, is_answered: false }
    }

    fn list(&self) -> MutexGuard<'_, Vec<(Instant, MessageId, Request)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Asking<'_> {
    /// The hub said what became of it.
    pub(super) fn answered(mut self) {
        self.is_answered = true;
    }
}

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        if self.is_answered || !is_same(&self.request, &self.request) {
            return;
        }
        let mut list = self.unanswered.list();
        if list.len() >= MOST {
            list.remove(0);
        }
        list.push((Instant::now(), self.id.clone(), self.request.clone()));
    }
}

/// Of requests that change something for good: whether the agent said the same, whatever was made up anew for it.
fn is_same(one: &Request, other: &Request) -> bool {
    match (one, other) {
        (
            Request::ChangeComment { comment_id, change, .. },
            Request::ChangeComment { comment_id: other_id, change: other, .. },
        ) => {
            comment_id == other_id
                && match (change, other) {
                    (CommentChange::Reply { text, .. }, CommentChange::Reply { text: other, .. }) => {
                        text == other
                    }
                    (one, other) => one == other,
                }
        }
        (Request::RespondToBrowser { .. }, Request::RespondToBrowser { .. }) => {
            let words = |request: &Request| match request.clone() {
                Request::RespondToBrowser { session_id, context_id, message, is_complete, index, .. } => {
                    Some((session_id, context_id, message, is_complete, index))
                }
                _ => None,
            };
            words(one) == words(other)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use opentoolbar_core::model::Timestamp;

    use super::*;

    fn reply(id: &str, text: &str, at: u64) -> Request {
        let change = CommentChange::Reply { id: id.parse().unwrap(), text: text.into() };
        Request::ChangeComment { comment_id: "c_1".parse().unwrap(), change, at: Timestamp(at) }
    }

    fn id(text: &str) -> MessageId {
        text.parse().unwrap()
    }

    #[test]
    fn the_same_answer_is_the_same_request_also_when_more_was_read_meanwhile() {
        let answer = |told_in_part: &[&str], message: &str| Request::RespondToBrowser {
            session_id: "s_1".parse().unwrap(),
            context_id: None,
            message: message.into(),
            is_complete: true,
            index: None,
            told_in_part: told_in_part.iter().map(|one| id(one)).collect(),
        };
        let unanswered = Unanswered::default();
        drop(unanswered.begin(id("m_1"), answer(&["m_0"], "Done.")));
        assert_eq!(unanswered.begin(id("m_2"), answer(&["m_0"], "Not yet.")).id, id("m_2"));
        for told_in_part in [&[][..], &["m_0", "m_4"]] {
            let again = unanswered.begin(id("m_3"), answer(told_in_part, "Done."));
            // What was read since counts: if the hub never got the first one, this is the one it goes by.
            assert_eq!((&again.id, &again.request), (&id("m_1"), &answer(told_in_part, "Done.")));
        }
    }

    #[test]
    fn the_same_words_after_silence_are_the_same_request_and_after_an_answer_another() {
        let unanswered = Unanswered::default();
        drop(unanswered.begin(id("m_1"), reply("r_1", "Which?", 1)));
        let other = unanswered.begin(id("m_2"), reply("r_2", "What?", 2));
        assert_eq!(other.id, id("m_2"));
        other.answered();
        let again = unanswered.begin(id("m_3"), reply("r_3", "Which?", 3));
        assert_eq!((&again.id, &again.request), (&id("m_1"), &reply("r_1", "Which?", 1)));
        again.answered();
        assert_eq!(unanswered.begin(id("m_4"), reply("r_4", "Which?", 4)).id, id("m_4"));
    }

    #[test]
    fn what_changes_nothing_is_not_remembered_and_the_rest_is_bounded() {
        let unanswered = Unanswered::default();
        drop(unanswered.begin(id("m_1"), Request::Status));
        assert!(unanswered.list().is_empty());
        for number in 0..100 {
            drop(unanswered.begin(id(&format!("m_{number}")), reply("r_1", &number.to_string(), 1)));
        }
        assert_eq!(unanswered.list().len(), MOST);
    }
}
