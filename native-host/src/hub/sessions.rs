//! Open tabs and the projects they belong to, looked at again whenever the facts change.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use opentoolbar_core::model::{Comment, Project, Session, SessionId};
use opentoolbar_core::protocol::{ErrorBody, ErrorCode, Event, next_step};

use super::life::ENDS_AT_LAST;
use super::live::Live;
use super::live_session::LiveSession;
use super::state::{Hub, Peer};
use crate::clock::now;
use crate::error::error;
use crate::project::{Evidence, Placement, look_ahead, loopback_port, origin_of, owner_of_port, place};

/// Tabs that one connection may have open: more than any person has.
const MOST_OF_A_CONNECTION: usize = 2_000;

/// What was found for the page that a tab was on.
#[derive(Debug)]
struct Placed {
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
    /// A tab appeared or went elsewhere.
    ///
    /// # Errors
    /// `conflict` when another connection has a tab of this id open.
    pub(super) async fn open_session(
        self: &Arc<Self>,
        peer: &Peer,
        session: Session,
    ) -> Result<Placement, ErrorBody> {
        must_be_free(&self.live(), peer, &session.id)?;
        let origin = origin_of(&session.url);
        let port = self.port_of(&origin).await;
        let session = self.redact(move || session.redacted()).await?;
        let id = session.id.clone();
        {
            let mut live = self.live();
            // Somebody may have been faster meanwhile.
            must_be_free(&live, peer, &session.id)?;
            must_be_latest(&live, peer, &session.id)?;
            must_have_room(&live, peer, &session.id)?;
            live.events += 1;
            let (page, active) = (live.events, live.events);
            // The same tab on another page, or after a link that broke: what is known of it stays.
            let lost = live.lost_pages.of(&id, peer).cloned();
            // Its browser came back, which is nothing that happened in it.
            let active = lost.as_ref().filter(|l| l.session.url == session.url).map_or(active, |l| l.active);
            let before = live.sessions.remove(&id).or(lost);
            let held = before.as_ref().filter(|before| before.origin == origin).and_then(LiveSession::stays);
            let (number, activities) = before.map(|b| (b.number, b.activities)).unwrap_or_default();
            let session = LiveSession {
                peer: peer.id,
                session,
                origin: origin.clone(),
                port,
                placement: None,
                page,
                held,
                active,
                number,
                activities,
            };
            live.sessions.insert(id.clone(), session);
        }
        self.end_earlier_name(peer, &id);
        self.note_unplaced_page(&id, &origin).await;
        self.settle(Settle::New).await;
        let placement = self.live().sessions.get(&id).and_then(|session| session.placement.clone());
        Ok(placement.unwrap_or(Placement {
            project: None,
            reason: "the tab was closed meanwhile".into(),
            choices: Vec::new(),
        }))
    }

    /// Takes a session from a connection whose other end does not answer any more, lest its own client be kept out
    /// until the hub notices by itself.
    pub(super) async fn make_room(self: &Arc<Self>, id: &SessionId) {
        let before = owner(&self.live(), id).cloned();
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

    pub(super) async fn port_of(self: &Arc<Self>, origin: &str) -> Option<(u16, String, PathBuf)> {
        let port = loopback_port(origin)?;
        let (name, directory) = self.blocking(move |_| owner_of_port(port)).await??;
        Some((port, name, directory))
    }

    /// Gives these open tabs their project by what is true now, and tells the browsers of those that changed.
    pub(super) async fn settle(self: &Arc<Self>, mut which: Settle) {
        let mut placed = Vec::new();
        {
            let mut settled = self.settling.lock().await;
            placed.extend(self.settle_some(which.clone()).await);
            // A project that became known may be that of tabs that have none, and can be chosen for them.
            let learnt = self.registry.learnt();
            if std::mem::replace(&mut *settled, learnt) != learnt {
                placed.extend(self.settle_some(Settle::WithoutProject).await);
                which = Settle::All;
            }
        }
        self.settle_unplaced(&which, &placed).await;
    }

    /// Returns the tabs that have a project now and had none.
    async fn settle_some(self: &Arc<Self>, which: Settle) -> Vec<SessionId> {
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
    async fn put_placements(self: &Arc<Self>, placed: Vec<Placed>) -> Vec<SessionId> {
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
                before.filter(|before| before.project != placement.project).map(|_| session.peer)
            };
            self.end_of_others(&id, now.as_deref());
            if let Some(peer) = told {
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

    fn place_all(&self, sessions: Vec<LiveSession>) -> Vec<Placed> {
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
            let is_others = page.as_ref().is_some_and(|(peer, _)| must_be_free(&live, peer, id).is_err());
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

    /// Whether the session may be this connection's: no other one has it open.
    pub(super) fn is_free_for(&self, peer: &Peer, id: &SessionId) -> bool {
        must_be_free(&self.live(), peer, id).is_ok()
    }

    /// Tells the browsers that show pages of the comment's origin and project, and no one else.
    pub(super) fn tell_comment(&self, root: &str, comment: &Comment) {
        let origin = origin_of(&comment.url);
        let peers: BTreeSet<u64> = {
            let live = self.live();
            let concerned =
                live.sessions.values().filter(|session| session.origin == origin && session.is_of(root));
            concerned.map(|session| session.peer).collect()
        };
        if !peers.is_empty() {
            let event = Event::CommentChanged { comment: Box::new(comment.clone()) };
            self.tell(&event.into(), |peer| peers.contains(&peer.id));
        }
    }
}

pub(super) fn owner<'a>(live: &'a Live, id: &SessionId) -> Option<&'a Arc<Peer>> {
    let is_plain_of = |other: &&Arc<Peer>| other.plain.as_ref().is_some_and(|plain| plain.session == *id);
    let opened = live.sessions.get(id).and_then(|session| live.peers.get(&session.peer));
    opened.or_else(|| live.peers.values().find(is_plain_of))
}

/// Two tabs of one id would take one another's messages. The same browser over a new connection may go on.
pub(super) fn must_be_free(live: &Live, peer: &Peer, id: &SessionId) -> Result<(), ErrorBody> {
    let Some(owner) = owner(live, id).filter(|owner| owner.id != peer.id) else { return Ok(()) };
    if owner.hello.instance.is_some() && owner.hello.instance == peer.hello.instance {
        return Ok(());
    }
    Err(error(
        ErrorCode::Conflict,
        format!("another connection has the session {id} open"),
        "Open the tab with a session id of its own, or close the other connection first.",
    ))
}

/// What a connection sent is done for a moment when it is gone, and its browser may have opened the tab over the next
/// one.
fn must_be_latest(live: &Live, peer: &Peer, id: &SessionId) -> Result<(), ErrorBody> {
    let is_newer = |owner: &Arc<Peer>| owner.id > peer.id;
    if live.peers.contains_key(&peer.id) && !owner(live, id).is_some_and(is_newer) {
        return Ok(());
    }
    Err(error(
        ErrorCode::Conflict,
        format!("this connection is closed, or a newer one of its browser has the session {id} open"),
        "Go on over the newer connection.",
    ))
}

/// A connection that opens tabs without end would have all of them looked after.
fn must_have_room(live: &Live, peer: &Peer, id: &SessionId) -> Result<(), ErrorBody> {
    let own = live.sessions.iter().filter(|(other, session)| session.peer == peer.id && *other != id);
    if own.count() < MOST_OF_A_CONNECTION {
        return Ok(());
    }
    Err(error(
        ErrorCode::TooLarge,
        format!("{MOST_OF_A_CONNECTION} tabs are open over this connection, and no more are taken"),
        "Close tabs that are not worked on.",
    ))
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

/// For agents and verbs, which open no tabs.
pub(super) fn no_such_page(id: &SessionId) -> ErrorBody {
    error(
        ErrorCode::UnknownSession,
        format!("no page of this project is open as {id}"),
        next_step::SEE_WHICH_PAGES_ARE_OPEN,
    )
}

/// For requests that only an open tab can make.
pub(super) fn unknown_session(id: &SessionId) -> ErrorBody {
    error(
        ErrorCode::UnknownSession,
        format!("the session {id} is not open on this connection"),
        "Send `open_session` for the tab first.",
    )
}

#[cfg(test)]
mod tests;
