//! Pages that are neither open nor closed: their browser lost its connection a moment ago. Browsers end an extension's
//! background when they like, and it is back within a second with the same tabs.
//!
//! Until then nobody is told that the page is not open; what was known of the tab goes on when it is back.

use std::collections::BTreeMap;
use std::time::Duration;

use opentoolbar_core::model::SessionId;
use opentoolbar_core::protocol::Role;
use tokio::time::Instant;

use super::live_session::LiveSession;
use super::peer::Peer;

/// How long a page is taken to come back. One whose browser was closed costs an agent that asks right then this wait,
/// once.
pub(super) const PAGE_BACK_WITHIN: Duration = Duration::from_secs(5);

/// For which pages an agent waits.
#[derive(Clone, Copy, Debug)]
pub(super) enum Awaited<'a> {
    Named(&'a SessionId),
    /// The one that was active last, of all that are open or about to come back.
    Latest,
    All,
}

/// A page, the browser that had it open, and until when it may come back.
#[derive(Debug)]
struct Lost {
    session: LiveSession,
    instance: String,
    until: Instant,
}

impl Lost {
    fn may_be_back(&self) -> bool {
        self.until > Instant::now()
    }
}

/// The pages that may come back, by their sessions.
#[derive(Debug, Default)]
pub(super) struct LostPages(BTreeMap<SessionId, Lost>);

impl LostPages {
    /// The connection is gone, and these were open over it. Only an extension comes back by itself.
    pub(super) fn add(&mut self, peer: &Peer, pages: BTreeMap<SessionId, LiveSession>) {
        let is_extension = peer.hello.role == Role::Browser && peer.plain.is_none();
        let Some(instance) = peer.hello.instance.clone().filter(|_| is_extension) else { return };
        let until = Instant::now() + PAGE_BACK_WITHIN;
        let lost = |session| Lost { session, instance: instance.clone(), until };
        self.0.extend(pages.into_iter().map(|(id, session)| (id, lost(session))));
    }

    /// What was known of a tab that the same browser opens again. It counts as lost until its project is looked for.
    pub(super) fn of(&self, id: &SessionId, peer: &Peer) -> Option<&LiveSession> {
        let is_same = |lost: &&Lost| peer.hello.instance.as_ref() == Some(&lost.instance);
        self.0.get(id).filter(is_same).filter(|lost| lost.may_be_back()).map(|lost| &lost.session)
    }

    /// The tab is open, and its project was looked for; or it is closed.
    pub(super) fn remove(&mut self, id: &SessionId) {
        self.0.remove(id);
    }

    /// Tabs that come back keep their numbers.
    pub(super) fn numbers_in<'a>(&'a self, root: &'a str) -> impl Iterator<Item = u32> + 'a {
        let of_project = move |lost: &&Lost| lost.may_be_back() && lost.session.is_of(root);
        self.0.values().filter(of_project).map(|lost| lost.session.number)
    }

    pub(super) fn session_mut(&mut self, id: &SessionId) -> Option<&mut LiveSession> {
        self.0.get_mut(id).filter(|lost| lost.may_be_back()).map(|lost| &mut lost.session)
    }

    pub(super) fn has(&self, id: &SessionId) -> bool {
        self.0.contains_key(id)
    }

    /// Those that are not back in time.
    pub(super) fn forget_late(&mut self) {
        self.0.retain(|_, lost| lost.may_be_back());
    }

    /// An agent is gone, by [`Peer::answerer`]: it does nothing any more.
    pub(super) fn forget_agent(&mut self, answerer: &str) {
        for lost in self.0.values_mut() {
            lost.session.activities.remove(answerer);
        }
    }

    /// Until when one of these may come back; `None` when none of them does.
    pub(super) fn until(&self, is_meant: impl Fn(&SessionId, &LiveSession) -> bool) -> Option<Instant> {
        let meant = self.0.iter().filter(|(id, lost)| lost.may_be_back() && is_meant(id, &lost.session));
        meant.map(|(_, lost)| lost.until).max()
    }
}
