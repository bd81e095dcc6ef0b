//! Whether agents are there: not that their connections are open, but that they answered when they were asked.

use std::sync::Arc;
use std::time::Duration;

use opentoolbar_core::protocol::{Event, Role};
use tokio::time::Instant;

use super::state::{Hub, Peer};

/// What an agent's process says that it answers `agent_ping`.
pub(crate) const CAN_BE_ASKED: &str = "agent_ping";
/// An agent that has not answered by then is silent; what it answers later counts for the next question.
const PATIENCE: Duration = Duration::from_secs(2);

impl Hub {
    /// A peer asked something. Of an agent's first time browsers hear at once, not after their next ping, and again
    /// when its program was asked in turn: only then can it be called connected.
    pub(super) fn asked_by(self: &Arc<Self>, peer: &Peer) {
        if peer.pulse.seen() && peer.hello.role == Role::Agent {
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
        let Some(peer) = self.live().peers.get(&peer.id).filter(|peer| can_be_asked(peer)).cloned() else {
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
        let asked = self.live().peers.values().filter(|peer| can_be_asked(peer)).cloned().collect();
        self.ask(asked).await;
    }

    async fn ask(&self, asked: Vec<Arc<Peer>>) {
        if asked.is_empty() {
            return;
        }
        let round = self.rounds.next();
        let event = Event::AgentPing { round }.into();
        self.tell(&event, |peer| asked.iter().any(|one| one.id == peer.id));
        let until = Instant::now() + PATIENCE;
        for peer in asked {
            peer.pulse.answers(round, until).await;
        }
    }
}

fn can_be_asked(peer: &Peer) -> bool {
    peer.hello.role == Role::Agent && peer.hello.capabilities.iter().any(|one| one == CAN_BE_ASKED)
}
