//! Pages that are neither open nor closed: their browser lost its connection a moment ago. Browsers end an extension's background
//! when they like, and it is back within a second with the same tabs.
//!
//! Until then nobody is told that the page is not open; what was known of the tab goes on when it is back.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use opentoolbar_core::model::{Project, SessionId};
use opentoolbar_core::protocol::Role;
use tokio::time::Instant;

use super::sessions::LiveSession;
use super::state::{Hub, Peer};

/// How long a page is taken to come back. One whose browser was closed costs an agent that asks right then this wait, once.
const BACK_WITHIN: Duration = Duration::from_secs(5);

/// A page, the browser that had it open, and until when it may come back.
#[derive(Debug)]
struct Lost {
    session: LiveSession,
    instance: String,
    until: Instant,
}

/// The pages that may come back, by their sessions.
#[derive(Debug, Default)]
pub(crate) struct LostPages(BTreeMap<SessionId, Lost>);

impl LostPages {
    /// The connection is gone, and these were open over it. Only an extension comes back by itself.
    pub(super) fn add(&mut self, peer: &Peer, pages: BTreeMap<SessionId, LiveSession>) {
        let now = Instant::now();
        self.0.retain(|_, lost| lost.until > now);
        let is_extension = peer.hello.role == Role::Browser && peer.plain.is_none();
        let Some(instance) = peer.hello.instance.clone().filter(|_| is_extension) else { return };
        let until = now + BACK_WITHIN;
        let lost = |session| Lost { session, instance: instance.clone(), until };
        self.0.extend(pages.into_iter().map(|(id, session)| (id, lost(session))));
    }

    /// What was known of a tab that the same browser opens again. It counts as lost until its project is looked for.
    pub(super) fn of(&self, id: &SessionId, peer: &Peer) -> Option<LiveSession> {
        let is_same = |lost: &&Lost| peer.hello.instance.as_ref() == Some(&lost.instance);
        let lost = self.0.get(id).filter(is_same)?;
        (lost.until > Instant::now()).then(|| lost.session.clone())
    }

    /// The tab is open, and its project was looked for.
    pub(super) fn is_back(&mut self, id: &SessionId) {
        self.0.remove(id);
    }

    /// An agent is gone, by [`Peer::answerer`]: it does nothing any more.
    pub(super) fn forget_agent(&mut self, answerer: &str) {
        for lost in self.0.values_mut() {
            lost.session.activities.remove(answerer);
        }
    }

    /// Until when one of these may come back; `None` when none of them does.
    fn until(&self, is_meant: impl Fn(&SessionId, &LiveSession) -> bool) -> Option<Instant> {
        let meant = self.0.iter().filter(|(id, lost)| is_meant(id, &lost.session));
        meant.map(|(_, lost)| lost.until).max().filter(|until| *until > Instant::now())
    }
}

impl Hub {
    /// Returns when no page of the project is about to come back: of all, since the one that was active last may be the last to
    /// come, or of the one that is named.
    pub(super) async fn wait_for_lost_pages(self: &Arc<Self>, project: &Project, named: Option<&SessionId>) {
        let is_meant = |id: &SessionId, session: &LiveSession| {
            named.is_none_or(|named| named == id)
                && session.project().is_some_and(|of| of.root == project.root)
        };
        // Watching begins before the first look, so that nothing falls in between.
        let mut placed = self.placed_tabs.subscribe();
        loop {
            let until = self.live().lost_pages.until(is_meant);
            let Some(until) = until else { return };
            if !matches!(tokio::time::timeout_at(until, placed.changed()).await, Ok(Ok(()))) {
                return;
            }
        }
    }
}
