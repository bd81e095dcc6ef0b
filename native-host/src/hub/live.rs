//! What the hub knows of this moment: who is connected, which tabs are open or about to be back.

use std::collections::BTreeMap;
use std::sync::Arc;

use opentoolbar_core::model::{AnnotationId, Project, SessionId};
use opentoolbar_core::protocol::{ErrorBody, ErrorCode, Role};
use tokio::time::Instant;

use super::leaving::Leaving;
use super::live_session::{LiveAnnotation, LiveSession};
use super::lost_pages::{Awaited, LostPages};
use super::peer::Peer;
use super::plain::Heard;
use super::unplaced::Pages;
use crate::error::error;

#[derive(Debug, Default)]
pub(super) struct Live {
    pub(super) last_id: u64,
    pub(super) peers: BTreeMap<u64, Arc<Peer>>,
    pub(super) sessions: BTreeMap<SessionId, LiveSession>,
    pub(super) annotations: BTreeMap<AnnotationId, LiveAnnotation>,
    /// Counts what happens in sessions: the latest active one is told by this, not by a clock.
    pub(super) events: u64,
    /// Up to which position the plain clients of sessions have heard.
    pub(super) heard: Heard,
    pub(super) leaving: Leaving,
    pub(super) unplaced: Pages,
    pub(super) lost_pages: LostPages,
}

impl Live {
    /// The smallest number that no other agent of this name has in the project. The same agent over another connection
    /// keeps its own, and one that an earlier hub gave a number has that when it is free.
    pub(super) fn number_for(&self, peer: &Peer, before: Option<u32>) -> u32 {
        if peer.hello.role != Role::Agent {
            return 1;
        }
        let is_namesake = |other: &&Arc<Peer>| {
            other.hello.role == Role::Agent
                && other.hello.client == peer.hello.client
                && other.project.as_ref().map(|project| &project.root)
                    == peer.project.as_ref().map(|project| &project.root)
        };
        let namesakes: Vec<_> = self.peers.values().filter(is_namesake).collect();
        let is_same = |other: &&&Arc<Peer>| {
            peer.hello.instance.is_some() && other.hello.instance == peer.hello.instance
        };
        if let Some(same) = namesakes.iter().find(is_same) {
            return same.number;
        }
        let is_free = |number: &u32| namesakes.iter().all(|other| other.number != *number);
        before.filter(is_free).or_else(|| (1..).find(is_free)).unwrap_or(1)
    }

    /// The projects of open tabs, and of agents and verbs that are connected; some more than once.
    pub(super) fn in_use(&self) -> impl Iterator<Item = &Project> {
        let of_tabs = self.sessions.values().filter_map(|session| session.project());
        let of_peers = self.peers.values().filter_map(|peer| peer.project.as_ref());
        of_tabs.chain(of_peers)
    }

    pub(super) fn is_in_use(&self, root: &str) -> bool {
        self.in_use().any(|project| project.root == root)
    }

    /// Whether the page is open that is meant, or any of the project of this root.
    pub(super) fn has(&self, root: &str, awaited: Awaited<'_>) -> bool {
        let is_meant = |id: &SessionId| !matches!(awaited, Awaited::Named(named) if named != id);
        self.sessions.iter().any(|(id, session)| is_meant(id) && session.is_of(root))
    }

    /// These were lost long ago. One that came back, and may have been lost once more since, is not closed by that.
    pub(super) fn close_unless_back(&mut self, pages: &[SessionId]) {
        self.lost_pages.forget_late();
        for id in pages {
            if !self.sessions.contains_key(id) && !self.lost_pages.has(id) {
                self.close_annotations_of(id);
            }
        }
    }

    /// Who waits for the person to point at something there is told that the page is closed.
    pub(super) fn close_annotations_of(&mut self, id: &SessionId) {
        self.annotations.retain(|_, one| one.session != *id || !one.is_open());
    }

    /// Until when a page of the project of this root may come back that is waited for.
    pub(super) fn lost_until(&self, root: &str, awaited: Awaited<'_>) -> Option<Instant> {
        let open = self.sessions.values().filter(|session| session.is_of(root));
        let latest = open.map(|session| session.active).max();
        self.lost_pages.until(|id, session| {
            session.is_of(root)
                && match awaited {
                    Awaited::Named(named) => named == id,
                    Awaited::Latest => latest.is_none_or(|latest| session.active > latest),
                    Awaited::All => true,
                }
        })
    }

    /// Who has the session open, or is its plain client.
    pub(super) fn owner(&self, id: &SessionId) -> Option<&Arc<Peer>> {
        let is_plain_of = |other: &&Arc<Peer>| other.plain.as_ref().is_some_and(|plain| plain.session == *id);
        let opened = self.sessions.get(id).and_then(|session| self.peers.get(&session.peer));
        opened.or_else(|| self.peers.values().find(is_plain_of))
    }

    /// Two tabs of one id would take one another's messages. The same browser over a new connection may go on.
    pub(super) fn must_be_free(&self, peer: &Peer, id: &SessionId) -> Result<(), ErrorBody> {
        let Some(owner) = self.owner(id).filter(|owner| owner.id != peer.id) else { return Ok(()) };
        if owner.hello.instance.is_some() && owner.hello.instance == peer.hello.instance {
            return Ok(());
        }
        Err(error(
            ErrorCode::Conflict,
            format!("another connection has the session {id} open"),
            "Open the tab with a session id of its own, or close the other connection first.",
        ))
    }
}
