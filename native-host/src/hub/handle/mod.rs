//! What the hub does for each request; one file per family. Every request gets exactly one answer.

mod comments;
mod feedback;
mod projects;
mod roles;
mod sessions;
mod status;
mod wait;

use std::sync::Arc;

use opentoolbar_core::model::MessageId;
use opentoolbar_core::protocol::{Answer, ErrorBody, Request, RequestEnvelope, decode_request};

use super::state::{Hub, Peer};

pub(super) use wait::wait_for_feedback;

/// Decodes a message at the edge. The id is there when the message could be read that far.
pub(super) fn decode(json: &[u8]) -> Result<RequestEnvelope, (Option<MessageId>, ErrorBody)> {
    decode_request(json).map_err(|refusal| (refusal.reply_to, refusal.error))
}

/// Everything but `hello` as the first message and the waits.
pub(super) async fn handle(
    hub: &Arc<Hub>,
    peer: &Peer,
    envelope: RequestEnvelope,
) -> Result<Answer, ErrorBody> {
    let RequestEnvelope { id, request } = envelope;
    if !matches!(request, Request::Ping) {
        peer.seen();
    }
    roles::check(peer, &request)?;
    match request {
        Request::Hello(_) => Ok(Answer::Hello(hub.hello())),
        Request::Ping => Ok(status::ping(hub, peer)),
        Request::OpenSession(session) => Ok(sessions::open(hub, peer, session).await),
        Request::CloseSession { session_id } => sessions::close(hub, peer, &session_id),
        Request::ListComments { session_id } => sessions::list_comments(hub, peer, session_id).await,
        Request::CreateComment { session_id, comment, screenshot } => {
            comments::create(hub, peer, id, session_id, *comment, screenshot).await
        }
        Request::ChangeComment { comment_id, change, at } => {
            comments::change(hub, peer, id, comment_id, change, at).await
        }
        Request::ImportComments { session_id, comments } => {
            comments::import(hub, id, session_id, comments).await
        }
        Request::GetComment { comment_id } => comments::get(hub, peer, comment_id).await,
        Request::GetScreenshot { comment_id } => comments::screenshot(hub, peer, comment_id).await,
        Request::ListProjects => projects::list(hub, peer).await,
        Request::SetOriginProject { origin, root } => projects::choose(hub, origin, root).await,
        Request::GetFeedback(query) => feedback::get(hub, peer, query).await,
        Request::WaitForFeedback { after, timeout_ms } => {
            wait_for_feedback(hub, peer, after, timeout_ms).await
        }
        Request::Status => Ok(status::status(hub, peer).await),
        Request::Shutdown => {
            hub.ask_to_leave();
            Ok(Answer::Done)
        }
    }
}
