//! Tells agents that something of their project is not as it was: their clients look at it as resources.

use opentoolbar_core::protocol::{Changed, Event, Role};

use super::state::{Hub, Peer};

/// The capability of agents that are told.
pub(crate) const HEARS_CHANGES: &str = "changes";

impl Hub {
    /// Tells the agents of a project.
    pub(super) fn tell_changed(&self, root: &str, changed: Changed) {
        let hears = |peer: &Peer| {
            peer.hello.role == Role::Agent
                && peer.hello.capabilities.iter().any(|one| one == HEARS_CHANGES)
                && peer.project.as_ref().is_some_and(|project| project.root == root)
        };
        self.tell(&Event::Changed(changed).into(), hears);
    }
}
