//! A connection that has said hello becomes one that everybody knows of, and stops being one.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use opentoolbar_core::model::{Project, SessionId};
use opentoolbar_core::protocol::{ErrorBody, Role};

use super::life::ENDS_AT_LAST;
use super::outbox::Outgoing;
use super::peer::Peer;
use super::placing::Settle;
use super::state::Hub;
use crate::clock::now;
use crate::project::{known_around, project_at, root_of_in_more_time};

impl Hub {
    /// `greeting` answers the peer's hello. It is sent in the moment in which the peer is known, before anything else:
    /// who has heard it can rely on being seen by everybody's next question.
    ///
    /// # Errors
    /// `conflict` when the session of a plain client is open elsewhere.
    pub(super) async fn enter(
        self: &Arc<Self>,
        mut peer: Peer,
        greeting: Option<Vec<u8>>,
    ) -> Result<Arc<Peer>, ErrorBody> {
        if peer.hello.role != Role::Browser {
            let cwd = peer.hello.cwd.clone().unwrap_or_default();
            // Who comes over HTTP was asked for its project there: this one, though another may be around it.
            let is_known = peer.process == Some(std::process::id());
            let find = move |hub: &Self| {
                let known = is_known.then(|| hub.project_of_root(&cwd)).flatten();
                known.or_else(|| hub.project_of(&cwd))
            };
            peer.project = self.blocking(find).await.flatten();
            if let Some(project) = &peer.project {
                self.stores.somebody_is_in(project.root.as_ref());
            }
        }
        let instance = peer.hello.instance.clone().filter(|_| peer.hello.role == Role::Agent);
        let before = instance.as_deref().and_then(|instance| self.registry.number_of(instance));
        let peer = {
            let mut live = self.live();
            if let Some(plain) = &peer.plain {
                live.must_be_free(&peer, &plain.session)?;
            }
            live.last_id += 1;
            peer.id = live.last_id;
            peer.number = live.number_for(&peer, before);
            if let Some(at) = peer.hello.last_asked {
                peer.pulse.has_asked_at(at);
            }
            let peer = Arc::new(peer);
            if let Some(greeting) = greeting {
                peer.tell(Outgoing::new(greeting));
            }
            live.peers.insert(peer.id, Arc::clone(&peer));
            peer
        };
        if peer.hello.role == Role::Agent {
            if let Some(project) = &peer.project {
                // Others may have ended with an earlier hub, or could not be looked after when they left.
                self.release_soon(&project.root);
            }
            self.tell_agents();
            if peer.hello.last_asked.is_some() {
                self.ask_new(&peer);
            }
            self.settle(Settle::All).await;
        }
        // The first of a name has the number that is free.
        if let Some(instance) = instance.filter(|_| peer.number > 1 && before != Some(peer.number)) {
            let number = peer.number;
            let remembered = self.blocking(move |hub| hub.registry.remember_number(&instance, number)).await;
            if let Some(Err(error)) = remembered {
                tracing::warn!(%error, "an agent's number is not remembered");
            }
        }
        Ok(peer)
    }

    /// The project that this directory is in. On a disk that does not answer only a known one is found.
    fn project_of(&self, cwd: &str) -> Option<Project> {
        let cwd = Path::new(cwd);
        let Ok(root) = root_of_in_more_time(cwd) else { return known_around(cwd, &self.registry.known()) };
        let root = root?;
        if let Err(error) = self.registry.remember_project(&root, now()) {
            tracing::warn!(%error, "the project is not remembered");
        }
        project_at(&root)
    }

    pub(super) async fn exit(self: &Arc<Self>, peer: &Peer) {
        let lost: Vec<SessionId> = {
            let mut live = self.live();
            live.peers.remove(&peer.id);
            let lost: BTreeMap<_, _> =
                live.sessions.extract_if(.., |_, session| session.peer == peer.id).collect();
            let ids = lost.keys().cloned().collect();
            live.lost_pages.add(peer, lost);
            ids
        };
        self.close_later_unless_back(lost);
        self.watch_sources();
        peer.is_gone();
        if peer.hello.role == Role::Cli {
            // Closes with the verb that opened it.
            self.opening.lock().await.take_if(|(owner, _)| *owner == peer.id);
        }
        if peer.hello.role == Role::Agent {
            self.forget_agent(peer);
            self.end_claims(peer);
            self.agent_leaves(peer);
            self.tell_agents();
            self.settle(Settle::All).await;
        }
    }

    /// Takes a session from a connection whose other end does not answer any more, lest its own client be kept out
    /// until the hub notices by itself.
    pub(super) async fn make_room(self: &Arc<Self>, id: &SessionId) {
        let before = self.live().owner(id).cloned();
        if let Some(before) = before
            && !before.is_there().await
        {
            tracing::info!(connection = before.id, "its client is back");
            if !before.has_left() {
                before.close();
            }
            // What it said comes before what is said now.
            before.goes(ENDS_AT_LAST).await;
            before.close();
            self.exit(&before).await;
        }
    }
}
