//! What was handed to an agent that has left waits again, once it is sure that it has left: a hub that restarts finds
//! its agents back in a moment, and an agent whose connection broke connects again at once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use opentoolbar_core::protocol::{ErrorBody, Event, Role};

use super::pauses::Pauses;
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
    /// How often it was asked to look at a project that is looked at in a moment, by its root.
    looked_at: BTreeMap<String, u64>,
}

impl Leaving {
    /// Whether this agent's last connection has ended a moment ago.
    pub(super) fn has_left(&self, answerer: &str) -> bool {
        self.since.contains_key(answerer)
    }

    /// False when somebody looks at the project already; then that one will look once more.
    fn begin(&mut self, root: &str) -> bool {
        let asked = self.looked_at.entry(root.to_owned()).or_default();
        *asked += 1;
        *asked == 1
    }

    fn asked(&self, root: &str) -> u64 {
        self.looked_at.get(root).copied().unwrap_or_default()
    }

    /// False when somebody asked since: an agent may have left after it was looked who is there.
    fn end(&mut self, root: &str, asked: u64) -> bool {
        let is_last = self.asked(root) == asked;
        if is_last {
            self.looked_at.remove(root);
        }
        is_last
    }
}

impl Hub {
    /// The agent's last connection may have ended.
    pub(super) fn agent_leaves(self: &Arc<Self>, peer: &Peer) {
        let Some(project) = &peer.project else { return };
        self.live().leaving.since.insert(peer.answerer().to_owned(), Instant::now());
        self.release_soon(&project.root);
    }

    /// Looks in a moment whether anything of the project was handed to agents that are not there any more: until it
    /// worked, or nobody has the project open. By one task a project.
    pub(super) fn release_soon(self: &Arc<Self>, root: &str) {
        if !self.live().leaving.begin(root) {
            return;
        }
        let (hub, root) = (Arc::clone(self), root.to_owned());
        tokio::spawn(async move {
            let (mut pause, mut pauses) = (BACK_WITHIN, None::<Pauses>);
            while hub.stays_for(pause).await {
                pause = match hub.release(&root).await {
                    Ok(true) => return,
                    Ok(false) => {
                        pauses = None;
                        BACK_WITHIN
                    }
                    // Whoever comes into the project has it looked at again.
                    Err(_) if hub.gives_up(&root) => return,
                    Err(error) => {
                        if pauses.is_none() {
                            tracing::warn!(code = ?error.code, "what agents left behind is looked at again later");
                        }
                        pauses.get_or_insert_default().next()
                    }
                };
            }
        });
    }

    /// False when it is to be looked again: an agent may be back in a moment, or has left meanwhile.
    async fn release(self: &Arc<Self>, root: &str) -> Result<bool, ErrorBody> {
        // Before it is looked who is there.
        let asked = self.live().leaving.asked(root);
        let (here, is_last) = self.agents_here();
        let (hub, of) = (Arc::clone(self), root.to_owned());
        let told = move |released: &[Of]| hub.tell_unread(&of, released);
        self.stores.of(root.as_ref()).release(here, told).await?;
        Ok(is_last && self.live().leaving.end(root, asked))
    }

    fn gives_up(&self, root: &str) -> bool {
        let mut live = self.live();
        let is_in_use = live.is_in_use(root);
        if !is_in_use {
            live.leaving.looked_at.remove(root);
        }
        !is_in_use
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

    fn tell_unread(&self, root: &str, released: &[Of]) {
        for (message_id, session) in released {
            let event = Event::MessageRead { message_id: message_id.clone(), is_read: false };
            self.tell_session(root, session, event, None, None);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_looks_at_a_project_and_looks_again_when_asked_meanwhile() {
        let mut leaving = Leaving::default();
        assert!(leaving.begin("/shop"));
        let asked = leaving.asked("/shop");
        // An agent leaves, after it was looked who is there.
        assert!(!leaving.begin("/shop"));
        assert!(!leaving.end("/shop", asked));
        let asked = leaving.asked("/shop");
        assert!(leaving.end("/shop", asked));
        assert!(leaving.begin("/shop"), "the next one is looked at too");
    }
}
