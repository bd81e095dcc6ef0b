//! What was handed to an agent that has left waits again, once it is sure that it has left: a hub that restarts finds
//! its agents back in a moment, and an agent whose connection broke connects again at once.

use std::collections::BTreeSet;
use std::sync::Arc;

use opentoolbar_core::protocol::{ErrorBody, Event, Role};

use super::leaving::AGENT_BACK_WITHIN;
use super::pauses::Pauses;
use super::state::{Hub, Peer};
use crate::store::Of;

/// What an agent's process says that tells the hub itself what it handed over.
pub(crate) const HANDS_OVER: &str = "handed_over";

impl Hub {
    /// The agent's last connection may have ended.
    pub(super) fn agent_leaves(self: &Arc<Self>, peer: &Peer) {
        let Some(project) = &peer.project else { return };
        self.live().leaving.note(peer.answerer());
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
            let (mut pause, mut pauses) = (AGENT_BACK_WITHIN, None::<Pauses>);
            while hub.stays_for(pause).await {
                pause = match hub.release(&root).await {
                    Ok(true) => return,
                    Ok(false) => {
                        pauses = None;
                        // Since this was asked for others have left, each with a time of its own.
                        hub.live().leaving.until_one_has_left().unwrap_or(AGENT_BACK_WITHIN)
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
            live.leaving.give_up(root);
        }
        !is_in_use
    }

    /// Agents that are connected, or may be back in a moment; and whether there are none of the latter.
    fn agents_here(&self) -> (BTreeSet<String>, bool) {
        let mut live = self.live();
        let agents = live.peers.values().filter(|peer| peer.hello.role == Role::Agent);
        let connected: BTreeSet<String> = agents.map(|peer| peer.answerer().to_owned()).collect();
        let mut here = connected.clone();
        here.extend(live.leaving.may_be_back(&connected).cloned());
        let is_last = here.len() == connected.len();
        (here, is_last)
    }

    fn tell_unread(&self, root: &str, released: &[Of]) {
        for (message_id, session) in released {
            let event = Event::MessageRead { message_id: message_id.clone(), is_read: false };
            self.tell_session(root, session, event, None, None);
        }
    }
}
