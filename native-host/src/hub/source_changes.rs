//! Changes of projects' source files: in which projects a browser wants to be told, and who is told.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use opentoolbar_core::model::Timestamp;
use opentoolbar_core::protocol::{Event, Role};

use super::peer::Peer;
use super::sources::{TAKES_SOURCE_CHANGES, WithTabs};
use super::state::Hub;
use crate::project::OnChange;

impl Hub {
    /// Watches the projects of open tabs whose browser wants to know, and no others. To be called when tabs come, go,
    /// or belong to another project.
    pub(super) fn watch_sources(self: &Arc<Self>) {
        let tabs = || {
            let live = self.live();
            let mut tabs = WithTabs::default();
            for session in live.sessions.values() {
                let Some(project) = session.project() else { continue };
                let root = PathBuf::from(&project.root);
                if live.peers.get(&session.peer).is_some_and(|peer| takes_source_changes(peer)) {
                    tabs.wanted.insert(root.clone());
                }
                tabs.open.insert(root);
            }
            tabs
        };
        self.sources.watch(tabs, |root| self.teller(root));
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
        self.tell(&event.into(), |peer| peers.contains(&peer.id) && takes_source_changes(peer));
    }
}

fn takes_source_changes(peer: &Peer) -> bool {
    peer.hello.role == Role::Browser && peer.hello.capabilities.iter().any(|one| one == TAKES_SOURCE_CHANGES)
}
