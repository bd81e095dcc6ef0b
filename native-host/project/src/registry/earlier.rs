//! Sessions of when that of the WebSocket's client `x` was called `s_x`: until somebody opens such a session by this
//! name, it is that of the client `x`.

use std::collections::BTreeSet;

use opentoolbar_core::model::SessionId;
use opentoolbar_core::protocol::ErrorBody;

use super::Registry;
use super::content::Content;

/// What that version put before a client's name.
const PREFIX: &str = "s_";
/// Hexadecimal digits behind it in a session of our extension, in every version.
const DIGITS: usize = 32;

/// Whether a session of that time can be told to be no browser's: those of our extension are `s_` and 32 hexadecimal
/// digits.
fn is_of_a_client(id: &SessionId) -> bool {
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    id.as_str()
        .strip_prefix(PREFIX)
        .is_some_and(|name| !(name.is_empty() || name.len() == DIGITS && name.bytes().all(is_digit)))
}

impl Content {
    /// Of a registry of that time they are those that it has.
    pub(super) fn know_earlier_sessions(&mut self) {
        if self.earlier_sessions.is_none() {
            let earlier = self.sessions.keys().filter(|id| is_of_a_client(id)).cloned().collect();
            self.earlier_sessions = Some(earlier);
        }
    }
}

impl Registry {
    /// The session that was kept for the client of this name, unless somebody has opened it by its own name since.
    pub fn earlier_session(&self, name: &SessionId) -> Option<SessionId> {
        let earlier = format!("{PREFIX}{name}").parse().ok()?;
        let memory = self.memory();
        let known = memory.content.earlier_sessions.as_ref();
        known.is_some_and(|known| known.contains(&earlier)).then_some(earlier)
    }

    /// Remembers more sessions of that time. One that was remembered since, and is none of them, somebody has opened by
    /// its own name. Blocks.
    ///
    /// # Errors
    /// `storage`; they are then not remembered.
    pub fn add_earlier_sessions(&self, sessions: &BTreeSet<SessionId>) -> Result<(), ErrorBody> {
        self.update(|content| {
            let Content { sessions: remembered, earlier_sessions, .. } = content;
            let known = earlier_sessions.get_or_insert_default();
            let before = known.len();
            let is_new = |id: &&SessionId| is_of_a_client(id) && !remembered.contains_key(*id);
            known.extend(sessions.iter().filter(is_new).cloned());
            known.len() > before
        })
    }

    /// Somebody has opened it by its own name: it is no other client's any more. Written with [`Self::save_due`].
    pub fn end_earlier_session(&self, id: &SessionId) {
        let mut memory = self.memory();
        if memory.content.earlier_sessions.as_mut().is_some_and(|known| known.remove(id)) {
            memory.changes += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use opentoolbar_core::model::Timestamp;

    fn id(id: &str) -> SessionId {
        id.parse().unwrap()
    }

    #[test]
    fn those_of_a_registry_of_that_time_are_known_and_end_for_good() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("registry.json");
        let of_extension = format!("s_{}", "0a".repeat(16));
        let session = serde_json::json!({ "root": "/a", "lastActive": 1 });
        let registry = serde_json::json!({
            "version": 1,
            "sessions": { "s_tab": session, "s_other": session, "tab": session, &of_extension: session },
        });
        std::fs::write(&path, registry.to_string()).unwrap();
        let registry = Registry::open(path.clone());
        assert_eq!(registry.earlier_session(&id("tab")), Some(id("s_tab")));
        assert_eq!(registry.earlier_session(&id("s_tab")), None);
        assert_eq!(registry.earlier_session(&id(&of_extension[2..])), None, "the extension's own");
        registry.end_earlier_session(&id("s_tab"));
        registry.save_due().unwrap();
        // What was remembered since is of no earlier version.
        registry.remember_session(&id("s_new"), dir.path(), Timestamp(1)).unwrap();
        registry.save_due().unwrap();
        let registry = Registry::open(path);
        for ended in ["tab", "new"] {
            assert_eq!(registry.earlier_session(&id(ended)), None, "{ended}");
        }
        assert_eq!(registry.earlier_session(&id("other")), Some(id("s_other")));
        let waited = ["s_waited", "s_tab", "s_new", of_extension.as_str()].map(id);
        registry.add_earlier_sessions(&BTreeSet::from(waited)).unwrap();
        assert_eq!(registry.earlier_session(&id("waited")), Some(id("s_waited")));
        for others in ["tab", "new", &of_extension[2..]] {
            assert_eq!(registry.earlier_session(&id(others)), None, "{others}");
        }
    }
}
