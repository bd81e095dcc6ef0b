//! The gateway as the hub sees it. It stands above the hub, so that whoever runs the hub hands it over.

use std::fmt::Debug;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use opentoolbar_core::model::Project;
use opentoolbar_core::protocol::{ErrorBody, Role};

use super::state::Hub;
use crate::home::Home;

impl Hub {
    /// For callers that say no project of their own: those that are known here, and those with an open tab or an agent.
    pub(crate) fn projects_of_callers(&self) -> (Vec<Project>, Vec<Project>) {
        let mut live: Vec<Project> = {
            let live = self.live();
            let agents = live.peers.values().filter(|peer| peer.hello.role == Role::Agent);
            let of_agents = agents.filter_map(|peer| peer.project.clone());
            live.sessions.values().filter_map(|tab| tab.project().cloned()).chain(of_agents).collect()
        };
        live.sort_by(|a, b| a.root.cmp(&b.root));
        live.dedup_by(|a, b| a.root == b.root);
        let mut known = self.registry.known();
        // Somebody asked a person there, over HTTP alone perhaps.
        let asked = self.deciding.projects();
        known.extend(
            asked
                .into_iter()
                .filter(|one| !known.iter().any(|other| other.root == one.root))
                .collect::<Vec<_>>(),
        );
        (known, live)
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
