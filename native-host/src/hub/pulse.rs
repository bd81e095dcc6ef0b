//! The signs of life of one connection, as they come.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use opentoolbar_core::model::{MessageId, Timestamp};
use opentoolbar_core::protocol::Presence;
use tokio::sync::{Notify, watch};
use tokio::time::Instant;

use crate::clock::now;

/// The signs of life of one peer.
#[derive(Debug)]
pub(super) struct Pulse {
    last_seen: Mutex<Timestamp>,
    has_asked: AtomicBool,
    /// Waits that are under way, and whether each is for what the person says or writes.
    waits: Mutex<BTreeMap<MessageId, (Arc<Notify>, bool)>>,
    /// What the last question came to.
    presence: Mutex<Presence>,
    /// The last question that was answered.
    answered: watch::Sender<u64>,
}

impl Default for Pulse {
    fn default() -> Self {
        Self {
            last_seen: Mutex::new(now()),
            has_asked: AtomicBool::new(false),
            waits: Mutex::default(),
            presence: Mutex::default(),
            answered: watch::Sender::new(0),
        }
    }
}

/// A wait; over when dropped.
pub(super) struct Waiting<'a> {
    pulse: &'a Pulse,
    id: MessageId,
    ended: Arc<Notify>,
}

impl Waiting<'_> {
    /// Returns when the peer does not wait any more.
    pub(super) async fn ended(&self) {
        self.ended.notified().await;
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.pulse.list().remove(&self.id);
    }
}

impl Pulse {
    /// The peer itself asked something, not its keep-alive. Whether it was the first time.
    pub(super) fn seen(&self) -> bool {
        *self.last_seen.lock().unwrap_or_else(PoisonError::into_inner) = now();
        !self.has_asked.swap(true, Ordering::Relaxed)
    }

    /// What it asked of an earlier hub counts: it is the same agent.
    pub(super) fn has_asked_at(&self, at: Timestamp) {
        *self.last_seen.lock().unwrap_or_else(PoisonError::into_inner) = at.min(now());
        self.has_asked.store(true, Ordering::Relaxed);
    }

    pub(super) fn last_seen(&self) -> Timestamp {
        *self.last_seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Nothing of what it sent was a question of its own yet.
    pub(super) fn is_new(&self) -> bool {
        !self.has_asked.load(Ordering::Relaxed)
    }

    /// The peer waits for what a person does, until what is returned is dropped.
    pub(super) fn waits(&self, id: MessageId) -> Waiting<'_> {
        self.begin(id, true)
    }

    /// The same for a yes or no, until which it does nothing else: nothing that is said to it would be read.
    pub(super) fn waits_for_a_decision(&self, id: MessageId) -> Waiting<'_> {
        self.begin(id, false)
    }

    fn begin(&self, id: MessageId, is_for_feedback: bool) -> Waiting<'_> {
        let ended = Arc::new(Notify::new());
        self.list().insert(id.clone(), (Arc::clone(&ended), is_for_feedback));
        Waiting { pulse: self, id, ended }
    }

    /// The peer does not wait any more for the answer to this message.
    pub(super) fn end_wait(&self, id: &MessageId) {
        if let Some((ended, _)) = self.list().get(id) {
            ended.notify_one();
        }
    }

    pub(super) fn is_waiting(&self) -> bool {
        self.list().values().any(|(_, is_for_feedback)| *is_for_feedback)
    }

    fn list(&self) -> MutexGuard<'_, BTreeMap<MessageId, (Arc<Notify>, bool)>> {
        self.waits.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the last question came to.
    pub(super) fn presence(&self) -> Presence {
        *self.presence.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives what was known before.
    fn set_presence(&self, presence: Presence) -> Presence {
        let mut known = self.presence.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *known, presence)
    }

    /// The agent answered a question. Whether that is news to whoever asked, who waits no more.
    pub(super) fn answered(&self, round: u64, presence: Presence) -> bool {
        let before = self.set_presence(presence);
        let is_first = self.answered.send_if_modified(|last| {
            let is_newer = *last < round;
            *last = round.max(*last);
            is_newer
        });
        before != presence && (!is_first || before == Presence::Silent)
    }

    /// Returns when this question is answered, or until then: the agent is silent.
    pub(super) async fn answers(&self, round: u64, until: Instant) {
        let mut answered = self.answered.subscribe();
        // The sender lives in the peer, which is held by who asks: only time can end this.
        if tokio::time::timeout_at(until, answered.wait_for(|last| *last >= round)).await.is_err() {
            self.set_presence(Presence::Silent);
        }
    }
}

/// Numbers the questions to agents.
#[derive(Debug, Default)]
pub(super) struct Rounds(AtomicU64);

impl Rounds {
    pub(super) fn next(&self) -> u64 {
        self.0.fetch_add(1, Ordering::Relaxed) + 1
    }
}
