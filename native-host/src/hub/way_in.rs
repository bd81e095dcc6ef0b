//! The gateway as the hub sees it. It stands above the hub, so that whoever runs the hub hands it over.

use std::fmt::Debug;
use std::net::SocketAddr;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use opentoolbar_core::model::Project;
use opentoolbar_core::protocol::{ErrorBody, Role};

use super::state::Hub;
use crate::home::Home;

impl Hub {
    /// The project that a caller names by its root, if it is known here.
    pub(crate) fn project_of_root(&self, root: &str) -> Option<Project> {
        // As paths, so that a slash at the end makes no other project.
        let known = self.registry.known().into_iter().find(|one| Path::new(&one.root) == Path::new(root));
        // Somebody may have asked a person there, over HTTP alone.
        known
            .or_else(|| self.deciding.project_at(root))
            // Chosen for a tab's pages.
            .or_else(|| self.live_projects().into_iter().find(|one| Path::new(&one.root) == Path::new(root)))
    }

    /// Those that are known here, for who has to choose.
    pub(crate) fn known_projects(&self) -> Vec<Project> {
        let mut known = self.registry.known();
        let asked = self.deciding.projects();
        let is_new = |one: &Project| !known.iter().any(|other| other.root == one.root);
        let others: Vec<Project> = asked.into_iter().filter(is_new).collect();
        known.extend(others);
        known
    }

    /// Those with an open tab or an agent.
    pub(crate) fn live_projects(&self) -> Vec<Project> {
        let live = self.live();
        let agents = live.peers.values().filter(|peer| peer.hello.role == Role::Agent);
        let of_agents = agents.filter_map(|peer| peer.project.clone());
        let mut projects: Vec<Project> =
            live.sessions.values().filter_map(|tab| tab.project().cloned()).chain(of_agents).collect();
        projects.sort_by(|a, b| a.root.cmp(&b.root));
        projects.dedup_by(|a, b| a.root == b.root);
        projects
    }
}

/// One connection that came in, served until it ends by whoever polls it.
pub(crate) type Visit = Pin<Box<dyn Future<Output = ()> + Send>>;

/// How a gateway is opened.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gateways {
    /// Whether the home's settings want one in every hub.
    pub(crate) are_wanted: fn(&Home) -> Result<bool, ErrorBody>,
    /// Opens one, on this port, else on that of the settings. Connections that are let in go to the hub's visits.
    pub(crate) open: fn(Arc<Hub>, Option<u16>) -> Opening,
}

pub(crate) type Opening = Pin<Box<dyn Future<Output = Result<Box<dyn Opened>, ErrorBody>> + Send>>;

/// A gateway that is open. Closes when dropped, with everybody who came in.
pub(crate) trait Opened: Debug + Send + Sync {
    fn address(&self) -> SocketAddr;
}

/// What requests ask of the gateway while it is open.
pub(crate) trait Gateway: Debug + Send + Sync {
    fn address(&self) -> SocketAddr;

    /// What the person should know of its ports and settings, a sentence each.
    fn warnings(&self) -> Vec<String>;

    /// What an agent needs that comes over HTTP, as JSON for people to keep.
    ///
    /// # Errors
    /// `internal` when that is no JSON, which is a defect.
    fn config(&self, with_token: bool) -> Result<String, ErrorBody>;

    /// A new code for one browser, and how long it is good.
    ///
    /// # Errors
    /// `internal` when the system gives no randomness.
    fn begin_pairing(&self) -> Result<(String, Duration), ErrorBody>;

    /// Ends every pairing and closes the browsers that came in by one.
    ///
    /// # Errors
    /// `storage` when that cannot be kept; the pairings then stand.
    fn end_pairings(&self) -> Result<(), ErrorBody>;
}
