//! What failed and must not be given up is tried again, after pauses that grow, as long as somebody could see that it
//! is not done.

use std::time::Duration;

use opentoolbar_core::model::Project;

use super::state::{Hub, Live};

const FIRST: Duration = Duration::from_millis(500);
const LONGEST: Duration = Duration::from_secs(30);

/// The next pause before another try, from half a second to half a minute.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pauses(Duration);

impl Default for Pauses {
    fn default() -> Self {
        Self(FIRST)
    }
}

impl Pauses {
    pub(super) fn next(&mut self) -> Duration {
        let pause = self.0;
        self.0 = (pause * 2).min(LONGEST);
        pause
    }

    /// Whether it was tried for a minute about.
    pub(super) fn are_long(self) -> bool {
        self.0 == LONGEST
    }
}

impl Live {
    /// The projects of open tabs, and of agents and verbs that are connected; some more than once.
    pub(super) fn in_use(&self) -> impl Iterator<Item = &Project> {
        let of_tabs = self.sessions.values().filter_map(|session| session.project());
        let of_peers = self.peers.values().filter_map(|peer| peer.project.as_ref());
        of_tabs.chain(of_peers)
    }

    pub(super) fn is_in_use(&self, root: &str) -> bool {
        self.in_use().any(|project| project.root == root)
    }
}

impl Hub {
    /// Waits. False when the hub leaves meanwhile.
    pub(super) async fn stays_for(&self, pause: Duration) -> bool {
        let mut leaving = self.leaving();
        tokio::time::timeout(pause, leaving.wait_for(|leaves| *leaves)).await.is_err()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_half_a_minute() {
        let mut pauses = Pauses::default();
        let millis: Vec<u128> = (0..9).map(|_| pauses.next().as_millis()).collect();
        assert_eq!(millis, [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
    }
}
