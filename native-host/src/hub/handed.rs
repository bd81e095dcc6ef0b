//! What was handed to an agent that has left waits again, once it is sure that it has left: a hub that restarts finds its agents
//! back in a moment, and an agent whose connection broke connects again at once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use opentoolbar_core::protocol::{Event, Role};

use super::state::{Hub, Peer};
use crate::store::Of;

/// What an agent's process says that tells the hub itself what it handed over.
pub(crate) const HANDS_OVER: &str = "handed_over";
/// An agent that is not back by then has left.
const BACK_WITHIN: Duration = Duration::from_secs(5);

/// Agents whose last connection ended, and projects that are looked at for them.
#[derive(Debug, Default)]
pub(super) struct Leaving {
    /// By [`Peer::answerer`].
    since: BTreeMap<String, Instant>,
    /// Roots of projects that are looked at in a moment.
    looked_at: BTreeSet<String>,
}

impl Leaving {
    /// Whether this agent's last connection has ended a moment ago.
    pub(super) fn has_left(&self, answerer: &str) -> bool {
        self.since.contains_key(answerer)
    }
}

impl Hub {
    /// The agent's last connection may have ended.
    pub(super) fn agent_leaves(self: &Arc<Self>, peer: &Peer) {
        let Some(project) = &peer.project else { return };
        self.live().leaving.since.insert(peer.answerer().to_owned(), Instant::now());
        self.release_soon(&project.root);
    }

    /// Looks in a moment whether anything of the project was handed to agents that are not there any more.
    pub(super) fn release_soon(self: &Arc<Self>, root: &str) {
        if !self.live().leaving.looked_at.insert(root.to_owned()) {
            return;
        }
        let (hub, root) = (Arc::clone(self), root.to_owned());
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(BACK_WITHIN).await;
                let (here, is_last) = hub.agents_here();
                if is_last {
                    hub.live().leaving.looked_at.remove(&root);
                }
                let told = {
                    let hub = Arc::clone(&hub);
                    move |released: &[Of]| hub.tell_unread(released)
                };
                if let Err(error) = hub.stores.of(root.as_ref()).release(here, told).await {
                    tracing::info!(code = ?error.code, "what agents left behind could not be looked at");
                }
                if is_last {
                    return;
                }
            }
        });
    }

    /// Agents that are connected, or may be back in a moment; and whether there are none of the latter.
    fn agents_here(&self) -> (BTreeSet<String>, bool) {
        let mut live = self.live();
        live.leaving.since.retain(|_, since| since.elapsed() < BACK_WITHIN);
        let agents = live.peers.values().filter(|peer| peer.hello.role == Role::Agent);
        let connected: BTreeSet<String> = agents.map(|peer| peer.answerer().to_owned()).collect();
        live.leaving.since.retain(|answerer, _| !connected.contains(answerer));
        let is_last = live.leaving.since.is_empty();
        (connected.into_iter().chain(live.leaving.since.keys().cloned()).collect(), is_last)
    }

    fn tell_unread(&self, released: &[Of]) {
        for (message_id, session) in released {
            let event = Event::MessageRead { message_id: message_id.clone(), is_read: false };
            self.tell_session(session, event, None, None);
        }
    }
}
