//! Waiting for pages that may be back in a moment ([`super::lost_pages`]), and what becomes of those that are not.

use std::sync::Arc;
use std::time::Duration;

use opentoolbar_core::model::{Project, SessionId, Timestamp};
use tokio::time::Instant;

use super::lost_pages::{Awaited, PAGE_BACK_WITHIN};
use super::state::Hub;
use crate::clock::now;

/// After this it is closed for whoever waits for its person: links that broke for longer are back by then, too.
const CLOSED_AFTER: Duration = Duration::from_secs(10);
/// A project with a tab in this time may have it open still when a hub begins: a day, in milliseconds.
const OPEN_SINCE_MS: u64 = 24 * 60 * 60 * 1000;

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
        let until = Instant::from_std(self.started) + PAGE_BACK_WITHIN;
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
