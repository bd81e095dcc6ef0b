//! Answers as they go out: encoded, in the form that the client understands, and the refusals that a connection gives
//! by itself.

use opentoolbar_core::model::MessageId;
use opentoolbar_core::protocol::{
    Answer, AnswerEnvelope, ErrorBody, ErrorCode, Hello, MAX_MESSAGE, PROTOCOL_VERSION,
};

use super::frame::FrameError;
use super::outbox::{Outbox, Outgoing};
use super::state::Peer;
use crate::error::error;

/// A plain client is answered in the plainest form, and hears nothing when there is nothing to tell.
pub(super) async fn send_answer_as(
    outbox: &Outbox,
    peer: &Peer,
    id: Option<MessageId>,
    answer: Answer,
) -> bool {
    if peer.plain.is_none() || id.is_some() {
        return send_answer(outbox, id, answer).await;
    }
    let json = match &answer {
        Answer::MessageStored { .. } | Answer::Done => return true,
        Answer::Pong { .. } => Ok(br#"{"type":"pong"}"#.to_vec()),
        answer => serde_json::to_vec(answer),
    };
    match json {
        Ok(json) => outbox.send(Outgoing::new(json)).await.is_ok(),
        Err(error) => {
            tracing::error!(%error, "an answer could not be encoded");
            false
        }
    }
}

pub(super) async fn send_answer(outbox: &Outbox, reply_to: Option<MessageId>, answer: Answer) -> bool {
    match encode(reply_to, answer) {
        Ok(json) => outbox.send(Outgoing::new(json)).await.is_ok(),
        Err(error) => {
            tracing::error!(%error, "an answer could not be encoded");
            false
        }
    }
}

/// An answer that nobody could receive would end the connection, and its asker would connect and ask again for ever: it
/// is told that there is too much instead.
pub(super) fn encode(reply_to: Option<MessageId>, answer: Answer) -> serde_json::Result<Vec<u8>> {
    let json = serde_json::to_vec(&AnswerEnvelope { reply_to: reply_to.clone(), answer })?;
    if json.len() <= MAX_MESSAGE {
        return Ok(json);
    }
    let too_much = error(
        ErrorCode::TooLarge,
        format!("the answer has {} bytes; at most {MAX_MESSAGE} can be sent", json.len()),
        "Ask for less at once; `opentoolbar export` writes everything to a file.",
    );
    serde_json::to_vec(&AnswerEnvelope { reply_to, answer: Answer::Error(too_much) })
}

/// Projects whose disk is slow or does not answer gather work; what comes meanwhile stays with who sends it.
pub(super) fn busy() -> ErrorBody {
    error(
        ErrorCode::RateLimited,
        "too many earlier requests are still being worked on",
        "Wait a moment, then send it again; nothing of it was done.",
    )
}

/// The disk of a project has not answered in time. Whether the request is done later, its sender cannot know: asked
/// again with its own id, it is done once.
pub(super) fn late() -> ErrorBody {
    error(
        ErrorCode::Storage,
        "the disk of this project does not answer",
        "See whether it is mounted and its server is there. A change is sent again and made once; ask again for what you wanted to see.",
    )
}

pub(super) fn bad_frame(fault: &FrameError) -> ErrorBody {
    let (code, next) = match fault {
        FrameError::Version(_) => (ErrorCode::Incompatible, "Update the older of the two programs."),
        _ => (ErrorCode::BadRequest, "Send frames as `hub::frame` describes them."),
    };
    error(code, fault.to_string(), next)
}

/// For a client of another protocol: which of the two is to be updated.
pub(super) fn incompatible(hello: &Hello) -> ErrorBody {
    let older = if hello.protocol < PROTOCOL_VERSION {
        format!("Update {}: its opentoolbar {} is older than the hub's.", hello.client, hello.version)
    } else {
        format!(
            "Update the opentoolbar program on this machine, then stop the running hub (process {}); \
             a new one starts by itself.",
            std::process::id()
        )
    };
    error(
        ErrorCode::Incompatible,
        format!("{} speaks protocol {}, this hub speaks {PROTOCOL_VERSION}", hello.client, hello.protocol),
        older,
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;

    #[test]
    fn an_answer_that_nobody_could_receive_becomes_an_error() {
        let id: MessageId = "m_1".parse().unwrap();
        let small = encode(Some(id.clone()), Answer::Screenshot { path: "x".repeat(1_000) }).unwrap();
        assert!(small.len() > 1_000);
        let large = encode(Some(id.clone()), Answer::Screenshot { path: "x".repeat(MAX_MESSAGE) }).unwrap();
        let answer: AnswerEnvelope = serde_json::from_slice(&large).unwrap();
        assert_eq!(answer.reply_to, Some(id));
        assert!(matches!(answer.answer, Answer::Error(error) if error.code == ErrorCode::TooLarge));
    }
}
