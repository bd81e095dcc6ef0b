//! Whether agents are there: not that their connections are open, but that they answered when they were asked.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use opentoolbar_core::model::Timestamp;
use opentoolbar_core::protocol::{AgentLink, Event, Presence, Role};
use tokio::sync::watch;
use tokio::time::Instant;

use super::state::{Hub, Peer};
use crate::clock::now;

/// What an agent's process says that it answers `agent_ping`.
pub(crate) const CAN_BE_ASKED: &str = "agent_ping";
/// An agent that has not answered by then is silent; what it answers later counts for the next question.
const PATIENCE: Duration = Duration::from_secs(2);

/// The signs of life of one peer.
#[derive(Debug)]
pub(super) struct Pulse {
    last_seen: Mutex<Timestamp>,
    has_asked: AtomicBool,
    /// Waits for feedback that are under way.
    waits: AtomicU32,
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
            waits: AtomicU32::new(0),
            presence: Mutex::default(),
            answered: watch::Sender::new(0),
        }
    }
}

/// A wait for feedback; over when dropped.
pub(crate) struct Waiting<'a>(&'a Pulse);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.waits.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Peer {
    /// The peer itself asked something, not its keep-alive. Whether it was the first time.
    pub(super) fn seen(&self) -> bool {
        *self.pulse.last_seen.lock().unwrap_or_else(PoisonError::into_inner) = now();
        !self.pulse.has_asked.swap(true, Ordering::Relaxed)
    }

    /// The peer waits for what a person does, until what is returned is dropped.
    pub(super) fn waits(&self) -> Waiting<'_> {
        self.pulse.waits.fetch_add(1, Ordering::Relaxed);
        Waiting(&self.pulse)
    }

    /// The agent answered a question. Whether that is news to whoever asked, who waits no more.
    pub(super) fn answered(&self, round: u64, presence: Presence) -> bool {
        let before = self.set_presence(presence);
        let is_first = self.pulse.answered.send_if_modified(|last| {
            let is_newer = *last < round;
            *last = round.max(*last);
            is_newer
        });
        before != presence && (!is_first || before == Presence::Silent)
    }

    /// Gives what was known before.
    fn set_presence(&self, presence: Presence) -> Presence {
        let mut known = self.pulse.presence.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *known, presence)
    }

    /// What it asked of an earlier hub counts: it is the same agent.
    pub(super) fn has_asked_before(&self) {
        let Some(at) = self.hello.last_asked else { return };
        *self.pulse.last_seen.lock().unwrap_or_else(PoisonError::into_inner) = at.min(now());
        self.pulse.has_asked.store(true, Ordering::Relaxed);
    }

    fn can_be_asked(&self) -> bool {
        self.hello.role == Role::Agent && self.hello.capabilities.iter().any(|one| one == CAN_BE_ASKED)
    }

    /// What browsers are told of an agent; nothing of one without a project, and of other peers.
    pub(super) fn agent_link(&self) -> Option<AgentLink> {
        if self.hello.role != Role::Agent {
            return None;
        }
        Some(AgentLink {
            client: self.agent_name(),
            project: self.project.clone()?,
            last_seen: *self.pulse.last_seen.lock().unwrap_or_else(PoisonError::into_inner),
            presence: *self.pulse.presence.lock().unwrap_or_else(PoisonError::into_inner),
            is_waiting: self.pulse.waits.load(Ordering::Relaxed) > 0,
            is_new: !self.pulse.has_asked.load(Ordering::Relaxed),
            version: self.hello.version.clone(),
        })
    }
}

/// Numbers the questions to agents.
#[derive(Debug, Default)]
pub(super) struct Rounds(AtomicU64);

impl Hub {
    /// A peer asked something. Of an agent's first time browsers hear at once, not after their next ping, and again
    /// when its program was asked in turn: only then can it be called connected.
    pub(super) fn asked_by(self: &Arc<Self>, peer: &Peer) {
        if peer.seen() && peer.hello.role == Role::Agent {
            self.ask_new(peer);
        }
    }

    /// Tells browsers of an agent that has asked for something, and again what it answers.
    pub(super) fn ask_new(self: &Arc<Self>, peer: &Peer) {
        let is_browser = |other: &Arc<Peer>| other.hello.role == Role::Browser && other.plain.is_none();
        if !self.live().peers.values().any(is_browser) {
            // Nobody wants to know; a browser that comes asks by itself.
            return;
        }
        self.tell_agents();
        let Some(peer) = self.live().peers.get(&peer.id).filter(|peer| peer.can_be_asked()).cloned() else {
            return;
        };
        let hub = Arc::clone(self);
        tokio::spawn(async move {
            hub.ask(vec![peer]).await;
            hub.tell_agents();
        });
    }

    /// Asks every agent that can be asked whether it is there, and waits until all have answered or time is up.
    pub(super) async fn ask_agents(&self) {
        let asked = self.live().peers.values().filter(|peer| peer.can_be_asked()).cloned().collect();
        self.ask(asked).await;
    }

    async fn ask(&self, asked: Vec<Arc<Peer>>) {
        if asked.is_empty() {
            return;
        }
        let round = self.rounds.0.fetch_add(1, Ordering::Relaxed) + 1;
        let event = Event::AgentPing { round }.into();
        self.tell(&event, |peer| asked.iter().any(|one| one.id == peer.id));
        let until = Instant::now() + PATIENCE;
        for peer in asked {
            let mut answered = peer.pulse.answered.subscribe();
            // The sender lives in the peer, which is held here: only time can end this.
            if tokio::time::timeout_at(until, answered.wait_for(|last| *last >= round)).await.is_err() {
                peer.set_presence(Presence::Silent);
            }
        }
    }
}
