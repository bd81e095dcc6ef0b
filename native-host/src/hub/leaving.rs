//! Agents that may be back in a moment, and the projects that are looked at for what they were handed.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// An agent that is not back by then has left.
pub(super) const AGENT_BACK_WITHIN: Duration = Duration::from_secs(5);

/// Agents whose last connection ended, and projects that are looked at for them.
#[derive(Debug, Default)]
pub(super) struct Leaving {
    /// By [`super::peer::Peer::answerer`].
    since: BTreeMap<String, Instant>,
    /// How often it was asked to look at a project that is looked at in a moment, by its root.
    looked_at: BTreeMap<String, u64>,
}

impl Leaving {
    /// This agent's last connection may have ended now.
    pub(super) fn note(&mut self, answerer: &str) {
        self.since.insert(answerer.to_owned(), Instant::now());
    }

    /// Whether this agent's last connection has ended a moment ago.
    pub(super) fn has_left(&self, answerer: &str) -> bool {
        self.since.contains_key(answerer)
    }

    /// False when somebody looks at the project already; then that one will look once more.
    pub(super) fn begin(&mut self, root: &str) -> bool {
        let asked = self.looked_at.entry(root.to_owned()).or_default();
        *asked += 1;
        *asked == 1
    }

    pub(super) fn asked(&self, root: &str) -> u64 {
        self.looked_at.get(root).copied().unwrap_or_default()
    }

    /// False when somebody asked since: an agent may have left after it was looked who is there.
    pub(super) fn end(&mut self, root: &str, asked: u64) -> bool {
        let is_last = self.asked(root) == asked;
        if is_last {
            self.looked_at.remove(root);
        }
        is_last
    }

    /// The project is not looked at any more.
    pub(super) fn give_up(&mut self, root: &str) {
        self.looked_at.remove(root);
    }

    /// How long it is until the first of those that may be back now has left.
    pub(super) fn until_one_has_left(&self) -> Option<Duration> {
        self.since.values().map(|since| AGENT_BACK_WITHIN.saturating_sub(since.elapsed())).min()
    }

    /// Agents that may be back in a moment, when these are connected.
    pub(super) fn may_be_back(&mut self, connected: &BTreeSet<String>) -> impl Iterator<Item = &String> {
        self.since
            .retain(|answerer, since| since.elapsed() < AGENT_BACK_WITHIN && !connected.contains(answerer));
        self.since.keys()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// Who left a while after another one is waited for no longer than that one was.
    #[test]
    fn it_is_known_when_the_next_agent_has_left() {
        let mut leaving = Leaving::default();
        assert_eq!(leaving.until_one_has_left(), None);
        leaving.since.insert("a".into(), Instant::now().checked_sub(Duration::from_secs(3)).unwrap());
        leaving.note("b");
        let until = leaving.until_one_has_left().unwrap();
        assert!(until <= Duration::from_secs(2) && until > Duration::from_millis(1_500), "{until:?}");
    }

    #[test]
    fn one_looks_at_a_project_and_looks_again_when_asked_meanwhile() {
        let mut leaving = Leaving::default();
        assert!(leaving.begin("/shop"));
        let asked = leaving.asked("/shop");
        // An agent leaves, after it was looked who is there.
        assert!(!leaving.begin("/shop"));
        assert!(!leaving.end("/shop", asked));
        let asked = leaving.asked("/shop");
        assert!(leaving.end("/shop", asked));
        assert!(leaving.begin("/shop"), "the next one is looked at too");
    }
}
