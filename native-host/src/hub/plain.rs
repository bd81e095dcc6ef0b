//! Plain clients: they say no hello, belong to one session, and speak the conversation alone.

use std::collections::BTreeMap;

use opentoolbar_core::model::SessionId;
use opentoolbar_core::protocol::{Hello, PROTOCOL_VERSION, Role};

/// Sessions whose plain clients' positions are remembered.
const MOST_HEARD: usize = 500;

/// A client of one session.
#[derive(Clone, Debug)]
pub(crate) struct Plain {
    /// As the client calls it.
    pub(crate) name: SessionId,
    /// The same, or the one that an earlier version kept for a client of this name.
    pub(crate) session: SessionId,
    /// Up to where it has heard everything, as it says itself.
    pub(crate) after: Option<u64>,
    /// Name for people.
    pub(crate) client: String,
}

impl Plain {
    /// Whether it is told where an answer's parts belong: one that counts positions is.
    pub(crate) fn hears_parts(&self) -> bool {
        self.after.is_some()
    }

    pub(super) fn hello(&self) -> Hello {
        Hello {
            protocol: PROTOCOL_VERSION,
            version: String::new(),
            role: Role::Browser,
            client: self.client.clone(),
            cwd: None,
            instance: None,
            last_asked: None,
            capabilities: Vec::new(),
        }
    }
}

/// Positions up to which plain clients have heard their sessions.
#[derive(Debug, Default)]
pub(super) struct Heard(BTreeMap<SessionId, u64>);

impl Heard {
    pub(super) fn note(&mut self, session: &SessionId, position: u64) {
        if self.0.len() >= MOST_HEARD && !self.0.contains_key(session) {
            // Which one goes matters little: its client hears its last answer again when it comes back.
            self.0.pop_first();
        }
        let last = self.0.entry(session.clone()).or_default();
        *last = (*last).max(position);
    }

    /// Up to where the session's client has heard, if this hub knows.
    pub(super) fn until(&self, session: &SessionId) -> Option<u64> {
        self.0.get(session).copied()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn positions_only_grow_and_the_memory_does_not() {
        let mut heard = Heard::default();
        for n in 0..MOST_HEARD + 10 {
            heard.note(&format!("s_{n}").parse().unwrap(), 1);
        }
        assert_eq!(heard.0.len(), MOST_HEARD);
        let id: SessionId = "s_9".parse().unwrap();
        heard.note(&id, 7);
        heard.note(&id, 3);
        assert_eq!(heard.0[&id], 7);
    }
}
