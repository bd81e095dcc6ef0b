//! Pages that are neither open nor closed: their browser lost its connection a moment ago. Browsers end an extension's
//! background when they like, and it is back within a second with the same tabs.
//!
//! Until then nobody is told that the page is not open; what was known of the tab goes on when it is back.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use opentoolbar_core::model::{Project, SessionId, Timestamp};
use opentoolbar_core::protocol::Role;
use tokio::time::Instant;

use super::sessions::LiveSession;
use super::state::{Hub, Live, Peer};
use crate::clock::now;

/// How long a page is taken to come back. One whose browser was closed costs an agent that asks right then this wait,
/// once.
const BACK_WITHIN: Duration = Duration::from_secs(5);
/// After this it is closed for whoever waits for its person: links that broke for longer are back by then, too.
const CLOSED_AFTER: Duration = Duration::from_secs(10);
/// A project with a tab in this time may have it open still when a hub begins: a day, in milliseconds.
const OPEN_SINCE_MS: u64 = 24 * 60 * 60 * 1000;

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
pub(crate) struct LostPages(BTreeMap<SessionId, Lost>);

impl LostPages {
    /// The connection is gone, and these were open over it. Only an extension comes back by itself.
    pub(super) fn add(&mut self, peer: &Peer, pages: BTreeMap<SessionId, LiveSession>) {
        let is_extension = peer.hello.role == Role::Browser && peer.plain.is_none();
        let Some(instance) = peer.hello.instance.clone().filter(|_| is_extension) else { return };
        let until = Instant::now() + BACK_WITHIN;
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

    /// An agent is gone, by [`Peer::answerer`]: it does nothing any more.
    pub(super) fn forget_agent(&mut self, answerer: &str) {
        for lost in self.0.values_mut() {
            lost.session.activities.remove(answerer);
        }
    }

    /// Until when one of these may come back; `None` when none of them does.
    fn until(&self, is_meant: impl Fn(&SessionId, &LiveSession) -> bool) -> Option<Instant> {
        let meant = self.0.iter().filter(|(id, lost)| lost.may_be_back() && is_meant(id, &lost.session));
        meant.map(|(_, lost)| lost.until).max()
    }
}

impl Live {
    /// Whether the page is open that is meant, or any of the project of this root.
    fn has(&self, root: &str, awaited: Awaited<'_>) -> bool {
        let is_meant = |id: &SessionId| !matches!(awaited, Awaited::Named(named) if named != id);
        self.sessions.iter().any(|(id, session)| is_meant(id) && session.is_of(root))
    }

    /// These were lost long ago. One that came back, and may have been lost once more since, is not closed by that.
    pub(super) fn close_unless_back(&mut self, pages: &[SessionId]) {
        self.lost_pages.0.retain(|_, lost| lost.may_be_back());
        for id in pages {
            if !self.sessions.contains_key(id) && !self.lost_pages.0.contains_key(id) {
                self.close_annotations_of(id);
            }
        }
    }

    /// Who waits for the person to point at something there is told that the page is closed.
    pub(super) fn close_annotations_of(&mut self, id: &SessionId) {
        self.annotations.retain(|_, one| one.session != *id || !one.is_open());
    }

    /// Until when a page of the project of this root may come back that is waited for.
    fn lost_until(&self, root: &str, awaited: Awaited<'_>) -> Option<Instant> {
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
}

impl Hub {
    /// Returns when no page that is waited for is about to come back.
    pub(super) async fn wait_for_lost_pages(self: &Arc<Self>, project: &Project, awaited: Awaited<'_>) {
        // Watching begins before the first look, so that nothing falls in between.
        let mut placed = self.placed_tabs.subscribe();
        let before = self.may_have_pages_of_before(project);
        loop {
            let until = {
                let live = self.live();
                live.lost_until(&project.root, awaited).or_else(|| {
                    before.filter(|until| *until > Instant::now() && !live.has(&project.root, awaited))
                })
            };
            let Some(until) = until else { return };
            if !matches!(tokio::time::timeout_at(until, placed.changed()).await, Ok(Ok(()))) {
                return;
            }
        }
    }

    /// A hub that has just begun knows no page, and browsers that knew the one before it are about to connect: until
    /// then.
    fn may_have_pages_of_before(&self, project: &Project) -> Option<Instant> {
        let until = Instant::from_std(self.started) + BACK_WITHIN;
        let lives_ms = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let began = now().0.saturating_sub(lives_ms);
        let before = Timestamp(began.saturating_sub(OPEN_SINCE_MS))..Timestamp(began);
        let had_pages = || self.registry.had_page(project.root.as_ref(), before);
        (until > Instant::now() && had_pages()).then_some(until)
    }

    /// Who waits for the person on a page that does not come back is told that it is closed.
    pub(super) fn close_later_unless_back(self: &Arc<Self>, pages: Vec<SessionId>) {
        if pages.is_empty() {
            return;
        }
        let hub = Arc::clone(self);
        tokio::spawn(async move {
            tokio::time::sleep(CLOSED_AFTER).await;
            hub.live().close_unless_back(&pages);
        });
    }
}
