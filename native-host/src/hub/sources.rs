//! What is known of the source files of projects that have a tab open, and what watches them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Semaphore;

use crate::project::{Known, OnChange, Watch};

/// What a browser says that takes `source_changed`, and a hub that answers `get_source_changes`.
pub(super) const TAKES_SOURCE_CHANGES: &str = "source_changes";
/// Projects that are watched at once; others are looked through when somebody asks.
const MOST_WATCHED: usize = 64;

/// By root, as long as a tab of the project is open.
#[derive(Debug, Default)]
pub(super) struct Sources(Mutex<BTreeMap<PathBuf, Source>>);

#[derive(Debug)]
struct Source {
    known: Arc<Mutex<Known>>,
    /// For who searches the project's files, one at a time: a disk that does not answer holds up the searches of its
    /// own project.
    search: Arc<Semaphore>,
    watch: Option<Watch>,
}

impl Default for Source {
    fn default() -> Self {
        Self { known: Arc::default(), search: Arc::new(Semaphore::new(1)), watch: None }
    }
}

impl Sources {
    fn all(&self) -> MutexGuard<'_, BTreeMap<PathBuf, Source>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was seen of a project that has a tab open.
    pub(super) fn known(&self, root: &Path) -> Arc<Mutex<Known>> {
        Arc::clone(&self.all().entry(root.to_owned()).or_default().known)
    }

    /// To be held by who searches the project's files.
    pub(super) fn search(&self, root: &Path) -> Arc<Semaphore> {
        Arc::clone(&self.all().entry(root.to_owned()).or_default().search)
    }

    /// Watches the projects in which a browser wants to be told, and keeps what is known of those with an open tab.
    /// `tabs` says which these are; `teller` makes what is called when files of a project changed.
    pub(super) fn watch(&self, tabs: impl FnOnce() -> WithTabs, teller: impl Fn(&Path) -> OnChange) {
        // Held all the while, so that of two calls the later one looks later.
        let mut sources = self.all();
        let WithTabs { open, wanted } = tabs();
        for root in wanted.iter().take(MOST_WATCHED) {
            let source = sources.entry(root.clone()).or_default();
            if !source.watch.as_ref().is_some_and(Watch::goes_on) {
                source.watch = Watch::begin(root, Arc::clone(&source.known), teller(root));
            }
        }
        for (_, source) in sources.iter().filter(|(root, _)| !wanted.contains(*root)) {
            source.watch.iter().for_each(Watch::end);
        }
        // One that hangs in its disk stays, lest each tab that opens begin another one.
        let is_over = |source: &Source| source.watch.as_ref().is_none_or(Watch::has_ended);
        sources.retain(|root, source| open.contains(root) || !is_over(source));
    }
}

/// Roots of projects that have a tab open.
#[derive(Debug, Default)]
pub(super) struct WithTabs {
    pub(super) open: BTreeSet<PathBuf>,
    /// Those in which a browser wants to be told of changes.
    pub(super) wanted: BTreeSet<PathBuf>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_searches_a_project_at_a_time_and_holds_up_no_search_of_another() {
        let sources = Sources::default();
        let (dead, good) = (sources.search(Path::new("/dead")), sources.search(Path::new("/good")));
        let hangs = dead.try_acquire();
        assert!(hangs.is_ok() && sources.search(Path::new("/dead")).try_acquire().is_err());
        assert!(good.try_acquire().is_ok());
        drop(hangs);
        assert!(dead.try_acquire().is_ok());
    }
}
