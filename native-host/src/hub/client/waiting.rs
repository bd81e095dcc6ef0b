//! Requests that wait for their answers, and what became of those that got none.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use opentoolbar_core::model::{MessageId, Timestamp};
use opentoolbar_core::protocol::{Answer, ErrorBody, EventEnvelope, NewsQuery, Request, RequestEnvelope};
use tokio::sync::{broadcast, oneshot, watch};
use tokio::time::Instant;

use super::connector::Connector;
use super::received::{self, Received};
use crate::budget::Share;
use crate::ids::random_id;

/// Events that a slow reader may be behind before it loses the oldest.
const EVENT_BACKLOG: usize = 256;

/// Why a request has no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RequestError {
    /// The hub answered: it refuses, or has failed. The connection is as good as before.
    #[error(transparent)]
    Answered(ErrorBody),
    /// No hub can be reached or started. The next request looks again.
    #[error(transparent)]
    Unreachable(ErrorBody),
    /// A hub is there and has not answered in time. What was asked may still be done; sent again with the same id it is
    /// done once.
    #[error(transparent)]
    Late(ErrorBody),
    /// The hub answered in words that this version does not know. What was asked may be done; sent again with the same
    /// id it is done once.
    #[error(transparent)]
    Unread(ErrorBody),
    /// It was not sent.
    #[error(transparent)]
    Unsent(ErrorBody),
    /// The connection is over for good.
    #[error(transparent)]
    Over(ErrorBody),
}

impl From<RequestError> for ErrorBody {
    fn from(error: RequestError) -> Self {
        match error {
            RequestError::Answered(body)
            | RequestError::Unreachable(body)
            | RequestError::Late(body)
            | RequestError::Unread(body)
            | RequestError::Unsent(body)
            | RequestError::Over(body) => body,
        }
    }
}

#[derive(Debug)]
pub(super) struct Asked {
    pub(super) id: MessageId,
    pub(super) json: Arc<[u8]>,
    /// What waits for something, and since when.
    pub(super) wait: Option<(Box<RequestEnvelope>, Instant)>,
    pub(super) answer: oneshot::Sender<Result<Answer, RequestError>>,
    /// Given back with the answer.
    pub(super) _share: Share,
}

/// What those who ask, the driver and the reader of the connection share.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) connector: Connector,
    pub(super) events: broadcast::Sender<EventEnvelope>,
    /// How often a hub has greeted us.
    pub(super) greetings: watch::Sender<u64>,
    waiting: Mutex<Waiting>,
    /// When the speaker itself last asked for something, milliseconds since 1970; 0: never.
    last_asked: AtomicU64,
}

/// Requests without an answer.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    /// In the order asked, so that a reconnect repeats them in that order.
    pub(super) asked: BTreeMap<u64, Asked>,
    sent: u64,
}

impl Asked {
    /// As it is sent over another connection: what waits for something does so for the rest of its time, so that its
    /// answer comes when it was promised.
    pub(super) fn again(&self) -> Arc<[u8]> {
        let shorter = self.wait.as_ref().and_then(|(envelope, since)| {
            let mut envelope = RequestEnvelope::clone(envelope);
            let waits = timeout_of(&mut envelope.request)?;
            let passed = u32::try_from(since.elapsed().as_millis()).unwrap_or(u32::MAX);
            *waits = waits.saturating_sub(passed);
            serde_json::to_vec(&envelope).ok()
        });
        shorter.map_or_else(|| Arc::clone(&self.json), Arc::from)
    }
}

/// How long this request waits for something, in milliseconds; none of what waits for nothing, or not at all.
pub(super) fn timeout_of(request: &mut Request) -> Option<&mut u32> {
    match request {
        Request::WaitForFeedback(NewsQuery { timeout_ms, .. })
        | Request::RequestAnnotation { timeout_ms, .. }
        | Request::RequestVerification { timeout_ms, .. }
        | Request::GetVerification { timeout_ms, .. } => Some(timeout_ms).filter(|ms| **ms > 0),
        _ => None,
    }
}

impl Shared {
    pub(super) fn new(connector: Connector) -> Self {
        let (events, _) = broadcast::channel(EVENT_BACKLOG);
        Self {
            connector,
            events,
            greetings: watch::Sender::default(),
            waiting: Mutex::default(),
            last_asked: AtomicU64::new(0),
        }
    }

    /// When the speaker itself last asked for something.
    pub(super) fn last_asked(&self) -> Option<Timestamp> {
        Some(self.last_asked.load(Ordering::Relaxed)).filter(|at| *at > 0).map(Timestamp)
    }

    pub(super) fn asked_at(&self, at: Timestamp) {
        self.last_asked.fetch_max(at.0, Ordering::Relaxed);
    }

    pub(super) fn waiting(&self) -> MutexGuard<'_, Waiting> {
        // A panic in between leaves the map whole: every change is one insert or remove.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on it has an answer to come. `None` when nobody waits for that any more.
    pub(super) fn add(&self, asked: Asked) -> Option<(u64, Arc<[u8]>)> {
        if asked.answer.is_closed() {
            return None;
        }
        let mut waiting = self.waiting();
        // Who has given up need not be remembered.
        waiting.asked.retain(|_, asked| !asked.answer.is_closed());
        waiting.sent += 1;
        let number = waiting.sent;
        let json = Arc::clone(&asked.json);
        waiting.asked.insert(number, asked);
        Some((number, json))
    }

    /// What came over the connection. Never waits: a reader that did could keep the hub from reading us.
    pub(super) fn received(&self, json: &[u8]) {
        match received::read(json) {
            Received::Answer(id, answered) => {
                let asked = {
                    let mut waiting = self.waiting();
                    let found = waiting.asked.iter().find(|(_, asked)| asked.id == id).map(|(n, _)| *n);
                    found.and_then(|n| waiting.asked.remove(&n))
                };
                if let Some(asked) = asked {
                    // The asker may have given up; its answer is then nobody's.
                    let _ = asked.answer.send(answered.map_err(RequestError::Unread));
                }
            }
            Received::Event(event) => {
                let _ = self.events.send(event);
            }
            Received::Nothing => {}
        }
    }
}

/// A fresh id, unique without asking anybody.
///
/// # Errors
/// `internal` when the system gives no randomness.
pub fn new_message_id() -> Result<MessageId, ErrorBody> {
    random_id("m_")
}
