//! What a plain client missed while it was away it is told when it comes back.

use std::sync::Arc;

use opentoolbar_core::model::{Message, MessageRole, Session, SessionId};
use opentoolbar_core::protocol::{ErrorBody, Event, EventEnvelope, Part};

use super::outbox::Outgoing;
use super::plain::Plain;
use super::state::{Hub, Peer, encoded};
use crate::clock::now;
use crate::store::Conversation;

impl Hub {
    /// A plain client has received everything up to a position.
    pub(crate) fn heard(&self, session: &SessionId, position: u64) {
        self.live().heard.note(session, position);
    }

    /// Opens a plain client's session again when it is known, tells what the client missed, and from then on what
    /// happens.
    ///
    /// # Errors
    /// `conflict` when another connection has the session open; `storage`.
    pub(super) async fn resume(self: &Arc<Self>, peer: &Peer) -> Result<(), ErrorBody> {
        let Some(plain) = &peer.plain else { return Ok(()) };
        let told_until =
            if self.reopen(peer, &plain.session).await? { self.tell_missed(peer, plain).await? } else { 0 };
        peer.release(told_until);
        Ok(())
    }

    /// The session that a browser's message belongs to. That of a plain client may be open only by what waits, and is
    /// opened now when that could not be read before.
    ///
    /// # Errors
    /// `unknown_session`; `storage` when it is not known because what waits cannot be read.
    pub(super) async fn session_of(
        self: &Arc<Self>,
        peer: &Peer,
        named: Option<SessionId>,
    ) -> Result<SessionId, ErrorBody> {
        let found = self.open_session_of(peer, named.clone());
        let Some(plain) = &peer.plain else { return found };
        if found.is_ok() || self.knows_unplaced() {
            return found;
        }
        self.know_unplaced().await.map_err(|error| ErrorBody {
            message: format!(
                "whether anything was selected in the session {} is not known, as what waits for its project cannot be read: \
                 {}",
                plain.name, error.message
            ),
            ..error
        })?;
        self.reopen(peer, &plain.session).await?;
        self.open_session_of(peer, named)
    }

    /// False when nothing was ever selected in the session; it opens with its first selection.
    async fn reopen(self: &Arc<Self>, peer: &Peer, id: &SessionId) -> Result<bool, ErrorBody> {
        let unplaced = self.unplaced_page(id).await?;
        let stored = match self.registry.session(id) {
            Some(root) => match self.stores.of(&root).latest_selection(id.clone()).await {
                Err(error) if unplaced.is_none() => return Err(error),
                latest => latest.ok().flatten(),
            },
            None => None,
        };
        let session = match (unplaced, stored) {
            // The page on which it was last.
            (Some((session, at)), stored)
                if stored.as_ref().is_none_or(|context| context.created_at <= at) =>
            {
                Session { last_active: now(), ..session }
            }
            (_, Some(context)) => {
                let page = context.selection.page;
                Session { id: id.clone(), url: page.url, title: page.title, last_active: now() }
            }
            (_, None) => return Ok(false),
        };
        let placement = self.open_session(peer, session).await?;
        Ok(placement.project.is_some())
    }

    /// Every answer that changed since the client heard the last one, as it is now. Returns up to which position.
    async fn tell_missed(self: &Arc<Self>, peer: &Peer, plain: &Plain) -> Result<u64, ErrorBody> {
        let project = self.project_for(&plain.session, None).await?;
        let store = self.stores.of(project.root.as_ref());
        let known = plain.after.or_else(|| self.live().heard.until(&plain.session));
        let mut after = known;
        loop {
            let Conversation { mut messages, position, .. } =
                store.conversation(plain.session.clone(), after).await?;
            let is_end = messages.is_empty() || after.is_none();
            if known.is_none() {
                // This hub does not know what the client has heard: what answers the person's last words, again if need
                // be.
                let last = messages.iter().rposition(|message| message.role == MessageRole::User);
                messages.drain(..last.map_or(0, |last| last + 1));
            }
            for message in messages {
                if let Some(outgoing) = answer(message, plain) {
                    // Waits for a slow reader: nobody else waits for this.
                    let _ = peer.outbox.send(outgoing).await;
                }
            }
            if is_end {
                return Ok(position);
            }
            after = Some(position);
        }
    }
}

/// An agent's message as the client would have heard it at once.
fn answer(message: Message, plain: &Plain) -> Option<Outgoing> {
    let Message { id, session_id, context_id, role, content, agent, is_complete, parts, position, .. } =
        message;
    if role != MessageRole::Assistant {
        return None;
    }
    let event = Event::AgentResponse { context_id, message: content, is_complete };
    let json = if plain.hears_parts() {
        let part = Part { message_id: id, index: parts.saturating_sub(1), position, answers: None };
        encoded(&EventEnvelope { session_id: Some(session_id), agent, part: Some(part), event })
    } else {
        encoded(&event)
    };
    json.map(|json| Outgoing { json, position: Some(position) })
}
