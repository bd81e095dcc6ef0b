//! How a request is worked on: in its turn, answered in time, and by itself, so that a defect costs the one who asked
//! an error and nobody anything more.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use opentoolbar_core::model::MessageId;
use opentoolbar_core::protocol::{Answer, ErrorBody};
use tokio::sync::OwnedSemaphorePermit;

use super::answering::{late, send_answer_as};
use super::outbox::Outbox;
use super::state::Peer;
use super::turns::Turn;
use crate::error::internal;

/// Who gets the answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asker<'a> {
    pub(super) outbox: &'a Outbox,
    pub(super) peer: &'a Peer,
    pub(super) id: &'a Option<MessageId>,
}

impl Asker<'_> {
    async fn answer(&self, answer: Answer) {
        // Who does not get an answer is gone.
        let _ = send_answer_as(self.outbox, self.peer, self.id.clone(), answer).await;
    }
}

/// How long a request is waited for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// By itself, for those before it: who has waited enough goes on all the same.
    pub(super) waits: Duration,
    /// By who asked.
    pub(super) within: Duration,
}

/// Works on a request when its turn comes, and answers it. `ahead`: what it counts for until then.
pub(super) async fn in_turn(
    turn: &Turn,
    asker: Asker<'_>,
    bounds: Bounds,
    ahead: Option<OwnedSemaphorePermit>,
    work: impl Future<Output = Result<Answer, ErrorBody>>,
) {
    let work = async {
        let _ = tokio::time::timeout(bounds.waits, turn.comes()).await;
        turn.begins().await;
        unless_defect(asker.peer, work).await.unwrap_or_else(|error| {
            tracing::info!(connection = asker.peer.id, code = ?error.code, "a request was refused");
            Answer::Error(error)
        })
    };
    let mut work = pin!(turn.holding(work));
    match tokio::time::timeout(bounds.within, &mut work).await {
        Ok(answer) => asker.answer(answer).await,
        Err(_) => {
            turn.is_late();
            asker.answer(Answer::Error(late())).await;
            drop(ahead);
            // Done all the same, in its order: those behind it may build on it.
            work.await;
        }
    }
}

/// What the work of a request comes to: `internal` when a defect ends it. The log says that, and nothing of what was
/// sent.
pub(super) async fn unless_defect(
    peer: &Peer,
    work: impl Future<Output = Result<Answer, ErrorBody>>,
) -> Result<Answer, ErrorBody> {
    let mut work = Box::pin(work);
    std::future::poll_fn(|context| {
        // Broken off in between, the work is not gone on with; what it shares with others stays whole behind its locks.
        let polled = catch_unwind(AssertUnwindSafe(|| work.as_mut().poll(context)));
        polled.unwrap_or_else(|_| {
            tracing::error!(connection = peer.id, "a defect ended the work on a request");
            Poll::Ready(Err(internal("a defect in opentoolbar ended the work on this request")))
        })
    })
    .await
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use std::sync::Arc;

    use opentoolbar_core::protocol::{AnswerEnvelope, ErrorCode, Hello, PROTOCOL_VERSION, Role};

    use super::*;
    use crate::budget::under_way::UnderWay;
    use crate::hub::subject::Subject;
    use crate::hub::turns::Turns;

    const MINUTE: Duration = Duration::from_secs(60);

    fn hello() -> Hello {
        Hello {
            protocol: PROTOCOL_VERSION,
            version: "0.1.0".into(),
            role: Role::Browser,
            client: "Chromium".into(),
            cwd: None,
            instance: None,
            last_asked: None,
            capabilities: Vec::new(),
        }
    }

    #[tokio::test]
    async fn a_defect_is_answered_at_once_and_those_behind_it_go_on() {
        let (outbox, mut messages) = Outbox::new();
        let (peer, _closed) = Peer::new(hello(), None, None, outbox.clone());
        let peer = Arc::new(peer);
        let (turns, under_way) = (Turns::default(), Arc::new(UnderWay::default()));
        let enter = || {
            let subject = Subject::in_project("s_1", "c_1", Some("/shop"));
            turns.enter(&under_way, subject, 20 * 1024 * 1024)
        };
        let begin = |turn: Turn, id: &str, is_defect: bool| {
            let (outbox, peer, id) = (outbox.clone(), Arc::clone(&peer), Some(id.parse().unwrap()));
            tokio::spawn(async move {
                let work = async {
                    // Not only in its first step.
                    tokio::task::yield_now().await;
                    assert!(!is_defect, "the text of a page");
                    Ok(Answer::Done)
                };
                let asker = Asker { outbox: &outbox, peer: &peer, id: &id };
                in_turn(&turn, asker, Bounds { waits: MINUTE, within: MINUTE }, None, work).await;
            })
        };
        let first = enter().unwrap();
        assert!(enter().is_err(), "what it holds is not let go yet");
        let second = turns.enter(&under_way, Subject::in_project("s_1", "c_1", Some("/shop")), 1).unwrap();
        let behind = begin(second, "m_behind", false);
        let ended = begin(first, "m_defect", true);
        for id in ["m_defect", "m_behind"] {
            let sent = messages.recv().await.unwrap();
            let answer: AnswerEnvelope = serde_json::from_slice(&sent.message.json).unwrap();
            assert_eq!(answer.reply_to, Some(id.parse().unwrap()));
            match answer.answer {
                Answer::Error(error) if id == "m_defect" => {
                    assert_eq!(error.code, ErrorCode::Internal);
                    assert!(!error.to_string().contains("page"), "{error}");
                }
                Answer::Done if id == "m_behind" => {}
                other => panic!("{id}: {other:?}"),
            }
        }
        ended.await.unwrap();
        behind.await.unwrap();
        enter().unwrap();
    }
}
