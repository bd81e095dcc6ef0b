//! What an earlier version kept of the WebSocket's client `x` as the session `s_x` is still that client's: it has this
//! session, and who calls it `x` means it. It ends when somebody opens that session by its own name; a browser's is
//! never a client's ([`crate::project::Registry::earlier_session`]).

use std::sync::Arc;

use opentoolbar_core::model::SessionId;
use opentoolbar_core::protocol::{Request, RequestEnvelope, Role};

use super::plain::Plain;
use super::state::{Hub, Peer};

impl Hub {
    /// The client with the session that was kept for it, while anything of it is and nobody else has it.
    pub(crate) async fn with_earlier_session(self: &Arc<Self>, plain: Plain) -> Plain {
        self.may_know_unplaced().await;
        let Some(session) = self.registry.earlier_session(&plain.name) else { return plain };
        let live = self.live();
        let is_known = |id: &SessionId| self.registry.session(id).is_some() || live.unplaced.is_of(id);
        // Who has talked by its own name since goes on by it.
        let is_kept = is_known(&session) && !is_known(&plain.name);
        let is_own = |other: &Arc<Peer>| other.plain.as_ref().is_some_and(|other| other.name == plain.name);
        let is_free = live.owner(&session).is_none_or(is_own);
        if is_kept && is_free { Plain { session, ..plain } } else { plain }
    }

    /// A session that is opened by its own name is no other client's.
    pub(super) fn end_earlier_name(&self, peer: &Peer, session: &SessionId) {
        if peer.plain.as_ref().is_none_or(|plain| plain.name == *session) {
            self.registry.end_earlier_session(session);
        }
    }

    /// Has a request name the session that it means: by the name of its client it is the one that was kept for it.
    pub(super) fn resolve_earlier_names(&self, peer: &Peer, envelope: &mut RequestEnvelope) {
        let RequestEnvelope { session_id, request, .. } = envelope;
        let named = session_id.iter_mut().chain(session_of(request));
        match &peer.plain {
            Some(plain) => named.filter(|id| **id == plain.name).for_each(|id| *id = plain.session.clone()),
            None if peer.hello.role == Role::Browser => {}
            None => named.for_each(|id| {
                if let Some(session) = self.meant_by(id) {
                    *id = session;
                }
            }),
        }
    }

    fn meant_by(&self, name: &SessionId) -> Option<SessionId> {
        let live = self.live();
        if live.sessions.contains_key(name) || self.registry.session(name).is_some() {
            return None;
        }
        let mut clients = live.peers.values().filter_map(|peer| peer.plain.as_ref());
        let client = clients.find(|plain| plain.name == *name);
        client.map(|plain| plain.session.clone()).or_else(|| self.registry.earlier_session(name))
    }

    /// Notes which sessions that wait are of that time, where a session's end can be noted too. Blocks.
    pub(super) fn know_earlier_sessions(&self) {
        let known = self.waiting.earlier().and_then(|earlier| {
            if earlier.is_empty() {
                return Ok(());
            }
            self.registry.add_earlier_sessions(&earlier)?;
            self.waiting.knows_earlier()
        });
        if let Err(error) = known {
            tracing::warn!(%error, "it is not noted whose those are that wait since an earlier version");
        }
    }
}

/// The session that an agent or a verb names.
fn session_of(request: &mut Request) -> Option<&mut SessionId> {
    match request {
        Request::GetFeedback(query) => query.session_id.as_mut(),
        Request::GetUiContext { session_id, .. }
        | Request::GetRequests { session_id, .. }
        | Request::SelectSession { session_id }
        | Request::RequestAnnotation { session_id, .. } => session_id.as_mut(),
        Request::RespondToBrowser { session_id, .. }
        | Request::UpdateStatus { session_id, .. }
        | Request::GetConversationHistory { session_id, .. } => Some(session_id),
        _ => None,
    }
}
