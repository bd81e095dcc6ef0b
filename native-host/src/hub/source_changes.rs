//! Changes of projects' source files: who is told, and what is watched for them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use opentoolbar_core::model::Timestamp;
use opentoolbar_core::protocol::{Event, Role};
use tokio::sync::Semaphore;

use super::peer::Peer;
use super::state::Hub;
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
}

impl Peer {
    fn takes_source_changes(&self) -> bool {
        self.hello.role == Role::Browser
            && self.hello.capabilities.iter().any(|one| one == TAKES_SOURCE_CHANGES)
    }
}

impl Hub {
    /// Watches the projects of open tabs whose browser wants to know, and no others. To be called when tabs come, go,
    /// or belong to another project.
    pub(super) fn watch_sources(self: &Arc<Self>) {
        // Held all the while, so that of two calls the later one looks later.
        let mut sources = self.sources.all();
        let (mut open, mut wanted) = (BTreeSet::new(), BTreeSet::new());
        {
            let live = self.live();
            for session in live.sessions.values() {
                let Some(project) = session.project() else { continue };
                let root = PathBuf::from(&project.root);
                if live.peers.get(&session.peer).is_some_and(|peer| peer.takes_source_changes()) {
                    wanted.insert(root.clone());
                }
                open.insert(root);
            }
        }
        for root in wanted.iter().take(MOST_WATCHED) {
            let source = sources.entry(root.clone()).or_default();
            if !source.watch.as_ref().is_some_and(Watch::goes_on) {
                source.watch = Watch::begin(root, Arc::clone(&source.known), self.teller(root));
            }
        }
        for (_, source) in sources.iter().filter(|(root, _)| !wanted.contains(*root)) {
            source.watch.iter().for_each(Watch::end);
        }
        // One that hangs in its disk stays, lest each tab that opens begin another one.
        let is_over = |source: &Source| source.watch.as_ref().is_none_or(Watch::has_ended);
        sources.retain(|root, source| open.contains(root) || !is_over(source));
    }

    fn teller(self: &Arc<Self>, root: &Path) -> OnChange {
        let (hub, root) = (Arc::downgrade(self), root.to_string_lossy().into_owned());
        Arc::new(move |at| {
            if let Some(hub) = hub.upgrade() {
                hub.tell_source_changed(&root, Timestamp(at));
            }
        })
    }

    fn tell_source_changed(&self, root: &str, at: Timestamp) {
        let peers: BTreeSet<u64> = {
            let live = self.live();
            let of_project = live.sessions.values().filter(|session| session.is_of(root));
            of_project.map(|session| session.peer).collect()
        };
        let event = Event::SourceChanged { root: root.to_owned(), at };
        self.tell(&event.into(), |peer| peers.contains(&peer.id) && peer.takes_source_changes());
    }
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
