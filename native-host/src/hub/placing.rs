//! Which projects open tabs belong to: looked for by what is true now, and told to those who have the tabs open.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use opentoolbar_core::model::{Project, SessionId};
use opentoolbar_core::protocol::{ErrorBody, ErrorCode, Event};

use super::changed::Stored;
use super::live::Live;
use super::live_session::{LiveSession, unknown_session};
use super::state::{Hub, Peer};
use crate::clock::now;
use crate::error::error;
use crate::project::{Evidence, Placement, look_ahead, loopback_port, origin_of, owner_of_port, place};

/// What was found for the page that a tab was on.
#[derive(Debug)]
pub(super) struct Placed {
    id: SessionId,
    page: u64,
    placement: Placement,
}

/// Tabs for which a fact has changed: looking costs as much as there are, and a person may have thousands open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Settle {
    /// They appeared or went elsewhere: all that did until one's turn comes, so that silent disks are waited for
    /// together.
    New,
    /// The person chose for this origin.
    Origin(String),
    /// A project became known.
    WithoutProject,
    /// An agent came or left.
    All,
}

impl Settle {
    fn is(&self, tab: &LiveSession) -> bool {
        match self {
            Self::New => tab.placement.is_none(),
            Self::Origin(origin) => tab.origin == *origin,
            Self::WithoutProject => tab.project().is_none(),
            Self::All => true,
        }
    }
}

impl Hub {
    pub(super) async fn port_of(self: &Arc<Self>, origin: &str) -> Option<(u16, String, PathBuf)> {
        let port = loopback_port(origin)?;
        let (name, directory) = self.blocking(move |_| owner_of_port(port)).await??;
        Some((port, name, directory))
    }

    /// Returns the tabs that have a project now and had none.
    pub(super) async fn settle_some(self: &Arc<Self>, which: Settle) -> Vec<SessionId> {
        let sessions: Vec<LiveSession> = {
            let live = self.live();
            live.sessions.values().filter(|session| which.is(session)).cloned().collect()
        };
        if sessions.is_empty() {
            return Vec::new();
        }
        #[cfg(test)]
        self.placed.fetch_add(sessions.len(), std::sync::atomic::Ordering::Relaxed);
        let placed = self.blocking(move |hub| hub.place_all(sessions)).await.unwrap_or_default();
        self.put_placements(placed).await
    }

    /// Gives the tabs what was found for the pages they are on. A tab that went elsewhere meanwhile waits for its own
    /// look: what was found is of the page that it left.
    pub(super) async fn put_placements(self: &Arc<Self>, placed: Vec<Placed>) -> Vec<SessionId> {
        let mut found = Vec::new();
        let mut remembered = Vec::new();
        for Placed { id, page, placement } in placed {
            let root = placement.project.as_ref().map(|project| project.root.clone());
            let now = root.clone();
            let told = {
                let mut live = self.live();
                let Some(session) = live.sessions.get_mut(&id).filter(|session| session.page == page) else {
                    continue;
                };
                remembered.extend(root.clone().map(|root| (id.clone(), root)));
                let before = session.placement.replace(placement.clone());
                live.lost_pages.remove(&id);
                number(&mut live, &id, root.as_deref());
                let Some(session) = live.sessions.get(&id) else { continue };
                if let Some(root) =
                    root.filter(|_| before.as_ref().is_none_or(|before| before.project.is_none()))
                {
                    found.push((id.clone(), root));
                }
                // A new one is told by the answer to its request.
                let moved = before.filter(|before| before.project != placement.project);
                moved.map(|before| (session.peer, before.project))
            };
            self.end_of_others(&id, now.as_deref());
            if let Some((peer, before)) = told {
                let left = before.map(|project| project.root);
                for root in [left.as_deref(), now.as_deref()].into_iter().flatten() {
                    self.tell_stored(root, Stored::Session(&id));
                }
                let Placement { project, reason, .. } = placement;
                let event = Event::SessionChanged { session_id: id, project, reason };
                self.tell(&event.into(), |other| other.id == peer);
            }
        }
        self.blocking(move |hub| hub.remember_tabs(&remembered)).await;
        self.save_registry_soon().await;
        self.placed_tabs.send_replace(());
        self.watch_sources();
        for (_, root) in &found {
            // An earlier hub may have handed what was said there to agents that are not back.
            self.release_soon(root);
        }
        found.into_iter().map(|(id, _)| id).collect()
    }

    /// Blocks.
    fn remember_tabs(&self, tabs: &[(SessionId, String)]) {
        for (id, root) in tabs {
            if let Err(error) = self.registry.remember_session(id, root.as_ref(), now()) {
                tracing::warn!(%error, "a session is not remembered");
            }
        }
    }

    pub(super) fn place_all(&self, sessions: Vec<LiveSession>) -> Vec<Placed> {
        let agents: Vec<Project> = self.agents().into_iter().map(|agent| agent.project).collect();
        let known = self.registry.known();
        let over_gateway: BTreeSet<u64> = {
            let live = self.live();
            live.peers.values().filter(|peer| peer.is_over_gateway()).map(|peer| peer.id).collect()
        };
        let evidence_of = |session: LiveSession| {
            let stays = session.stays().map(PathBuf::from);
            let id = session.session.id;
            let evidence = Evidence {
                port: session.port,
                is_known_only: over_gateway.contains(&session.peer),
                stays,
                ..self.evidence(&id, session.session.url)
            };
            ((id, session.page), evidence)
        };
        let (tabs, pages): (Vec<_>, Vec<_>) = sessions.into_iter().map(evidence_of).unzip();
        look_ahead(&pages);
        tabs.into_iter()
            .zip(pages)
            .map(|((id, page), evidence)| {
                let placement = place(&Evidence { agents: agents.clone(), known: known.clone(), ..evidence });
                Placed { id, page, placement }
            })
            .collect()
    }

    /// What is remembered of a page.
    fn evidence(&self, id: &SessionId, url: String) -> Evidence {
        let origin = origin_of(&url);
        Evidence {
            chosen: self.registry.chosen(&origin),
            before: self.registry.session(id),
            origin,
            url,
            ..Evidence::default()
        }
    }

    /// The project that a comment of this tab goes to. The tab may be long closed: an outbox outlives it, and says of
    /// whose page the comment is. A tab of another browser's decides nothing then.
    pub(super) async fn project_for(
        self: &Arc<Self>,
        id: &SessionId,
        page: Option<(&Peer, String)>,
    ) -> Result<Project, ErrorBody> {
        let (live, is_others) = {
            let live = self.live();
            let is_others = page.as_ref().is_some_and(|(peer, _)| live.must_be_free(peer, id).is_err());
            (live.sessions.get(id).and_then(|session| session.placement.clone()), is_others)
        };
        let placement = match (live, page) {
            (Some(placement), _) if !is_others => placement,
            (_, Some((peer, url))) => {
                let port = self.port_of(&origin_of(&url)).await;
                let agents: Vec<Project> = self.agents().into_iter().map(|agent| agent.project).collect();
                let known = self.registry.known();
                let is_known_only = peer.is_over_gateway();
                let mut evidence = Evidence { port, agents, known, is_known_only, ..self.evidence(id, url) };
                if is_others {
                    // Where that tab belongs says nothing of this page.
                    evidence.before = None;
                }
                self.blocking(move |_| place(&evidence))
                    .await
                    .ok_or_else(|| crate::error::internal("the project could not be looked for"))?
            }
            (_, None) => return Err(unknown_session(id)),
        };
        placement.project.ok_or_else(|| {
            error(
                ErrorCode::NoProject,
                format!("it is not known to which project this page belongs: {}", placement.reason),
                "Choose the project in the panel, or start an agent in it; until then the message waits.",
            )
        })
    }
}

/// Gives a session the smallest number that no other of its project has, unless it has one.
fn number(live: &mut Live, id: &SessionId, root: Option<&str>) {
    let Some(root) = root else { return };
    let of_project = live.sessions.iter().filter(|(other, session)| *other != id && session.is_of(root));
    let open = of_project.map(|(_, session)| session.number);
    let taken: BTreeSet<u32> = open.chain(live.lost_pages.numbers_in(root)).collect();
    if let Some(session) = live.sessions.get_mut(id)
        && (session.number == 0 || taken.contains(&session.number))
    {
        session.number = (1..).find(|number| !taken.contains(number)).unwrap_or(0);
    }
}
