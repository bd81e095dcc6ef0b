//! Whether the other end of a WebSocket is still there: asked when somebody else wants its session, because a link that
//! broke without a word looks like one on which nothing is said.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::sync::{Notify, watch};

/// How long the other end may take to answer a ping: a machine under load is slow, and a connection that is closed
/// wrongly costs more than a wait.
const ANSWER_WITHIN: Duration = Duration::from_secs(5);

/// How long what a connection began may go on after its end, however much that is.
pub(super) const ENDS_AT_LAST: Duration = Duration::from_secs(20);

/// Shared by a connection's reader, its writer and those who ask.
#[derive(Debug, Default)]
pub(crate) struct Life {
    wanted: Notify,
    asked: AtomicU64,
    heard: watch::Sender<Signs>,
}

/// What was heard of the other end.
#[derive(Clone, Copy, Debug, Default)]
struct Signs {
    count: u64,
    /// The last question that was answered.
    answered: u64,
    /// Nothing will be heard any more.
    is_over: bool,
}

impl Life {
    /// The other end sent something, whatever it is.
    pub(crate) fn heard(&self) {
        self.heard.send_modify(|signs| signs.count = signs.count.wrapping_add(1));
    }

    /// The other end answered a ping that carried this number.
    pub(crate) fn answered(&self, question: u64) {
        self.heard.send_modify(|signs| signs.answered = signs.answered.max(question));
    }

    /// The other end is gone, or its time is up.
    pub(crate) fn over(&self) {
        self.heard.send_modify(|signs| signs.is_over = true);
    }

    /// Whether nothing will be heard any more.
    pub(super) fn is_over(&self) -> bool {
        self.heard.borrow().is_over
    }

    /// For the writer: returns when a ping is to be sent.
    pub(crate) async fn wanted(&self) {
        self.wanted.notified().await;
    }

    /// The number of the last question, for every ping to carry.
    pub(crate) fn question(&self) -> u64 {
        self.asked.load(Ordering::Acquire)
    }

    /// True when the other end answers in time. What it sent before it was asked proves nothing: it may have left
    /// since. It comes before the answer, and is waited for.
    pub(super) async fn prove(&self) -> bool {
        self.prove_within(ANSWER_WITHIN).await
    }

    async fn prove_within(&self, patience: Duration) -> bool {
        let mut heard = self.heard.subscribe();
        let question = self.asked.fetch_add(1, Ordering::AcqRel) + 1;
        self.wanted.notify_one();
        loop {
            let Signs { count, answered, is_over } = *heard.borrow_and_update();
            if is_over || answered >= question {
                return !is_over;
            }
            let sign = heard.wait_for(|now| now.is_over || now.answered >= question || now.count != count);
            if !matches!(tokio::time::timeout(patience, sign).await, Ok(Ok(_))) {
                return false;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_the_answer_of_the_other_end_proves_that_it_is_there() {
        let life = Life::default();
        let answers = async {
            life.wanted().await;
            life.answered(life.question());
        };
        assert!(tokio::join!(life.prove(), answers).0);
        let ends = async {
            life.wanted().await;
            life.over();
        };
        assert!(!tokio::join!(life.prove(), ends).0, "its time ran out while it was asked");
    }

    #[tokio::test]
    async fn what_was_sent_before_the_question_proves_nothing() {
        let life = Life::default();
        let had_left = async {
            life.wanted().await;
            life.answered(life.question() - 1);
            life.heard();
            // Whoever looks in between has seen no answer.
            for _ in 0..3 {
                tokio::task::yield_now().await;
            }
            life.over();
        };
        assert!(!tokio::join!(life.prove(), had_left).0, "it had left after it said that");
    }

    #[tokio::test]
    async fn who_sends_much_has_as_much_longer_to_answer() {
        let (life, patience) = (Life::default(), Duration::from_secs(2));
        let is_slow = async {
            life.wanted().await;
            for _ in 0..5 {
                tokio::time::sleep(patience / 4).await;
                life.heard();
            }
            life.answered(life.question());
        };
        assert!(tokio::join!(life.prove_within(patience), is_slow).0);
    }
}
