//! What the hub does for each request; one file per family. Every request gets exactly one answer.

mod status;

use opentoolbar_core::model::MessageId;
use opentoolbar_core::protocol::{Answer, ErrorBody, Request, RequestEnvelope, decode_request};

use super::error::internal;
use super::state::{Hub, Peer};

/// Decodes a message at the edge. The id is there when the message could be read that far.
pub(super) fn decode(json: &[u8]) -> Result<RequestEnvelope, (Option<MessageId>, ErrorBody)> {
    decode_request(json).map_err(|refusal| (refusal.reply_to, refusal.error))
}

/// Everything but `hello` as the first message and the waits.
pub(super) async fn handle(hub: &Hub, peer: &Peer, envelope: RequestEnvelope) -> Result<Answer, ErrorBody> {
    let RequestEnvelope { id: _, request } = envelope;
    if !matches!(request, Request::Ping) {
        peer.seen();
    }
    match request {
        Request::Hello(_) => Ok(Answer::Hello(hub.hello())),
        Request::Ping => Ok(Answer::Pong { agents: hub.agents() }),
        Request::Status => Ok(status::status(hub)),
        Request::Shutdown => {
            hub.ask_to_leave();
            Ok(Answer::Done)
        }
        _ => Err(internal("this hub does not know that request")),
    }
}

pub(super) async fn wait_for_feedback(
    _hub: &Hub,
    peer: &Peer,
    _after: Option<u64>,
    _timeout_ms: u32,
) -> Result<Answer, ErrorBody> {
    peer.seen();
    Err(internal("this hub does not know that request"))
}
