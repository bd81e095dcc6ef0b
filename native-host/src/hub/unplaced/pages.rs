//! The pages of which something is kept until their project is known, and what is done with each.

use std::collections::BTreeMap;
use std::sync::Arc;

use opentoolbar_core::model::SessionId;
use opentoolbar_core::protocol::ErrorBody;
use tokio::sync::{Notify, Semaphore, watch};

use crate::store::{Page, Waiting};

/// Pages whose project is looked for at once.
const SOUGHT_AT_ONCE: usize = 8;

/// What is done with the things of one page.
#[derive(Clone, Debug, Default)]
pub(super) enum Storing {
    /// Nothing, until a fact changes.
    #[default]
    Rests,
    /// Its project is looked for.
    Seeks,
    /// They are stored in the project of this root.
    Goes(String),
    /// The project did not take them; it is asked again.
    Failed(String, ErrorBody),
}

#[derive(Debug, Default)]
pub(super) struct Kept {
    /// Goes when all of it is stored.
    pub(super) storing: watch::Sender<Storing>,
    /// A fact has changed since its project was looked for.
    pub(super) is_asked_again: bool,
    pub(super) again: Arc<Notify>,
}

/// The pages of which something is kept.
#[derive(Debug)]
pub(in crate::hub) struct Pages {
    pub(super) kept: BTreeMap<Page, Kept>,
    /// What an earlier hub left is among them: until then it is not known whether there is more.
    pub(super) is_read: bool,
    pub(super) sought: Arc<Semaphore>,
}

impl Pages {
    /// With those that an earlier hub left.
    pub(in crate::hub) fn of(waiting: &Waiting) -> Self {
        match waiting.pages() {
            Ok(left) => {
                let kept = left.into_iter().map(|page| (page, Kept::default())).collect();
                Self { kept, is_read: true, ..Self::default() }
            }
            Err(error) => {
                tracing::error!(%error, "what waits for its project cannot be read");
                Self::default()
            }
        }
    }

    pub(in crate::hub) fn is_of(&self, session: &SessionId) -> bool {
        let first = Page { session: session.clone(), origin: String::new() };
        self.kept.range(first..).next().is_some_and(|(page, _)| page.session == *session)
    }

    pub(super) fn note(&mut self, page: &Page, storing: Storing) {
        if let Some(kept) = self.kept.get(page) {
            kept.storing.send_replace(storing);
        }
    }
}

impl Default for Pages {
    fn default() -> Self {
        Self { kept: BTreeMap::new(), is_read: false, sought: Arc::new(Semaphore::new(SOUGHT_AT_ONCE)) }
    }
}
