//! The edge: bytes in, valid messages out, or an answer that says what was wrong with them.

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny};
use serde_json::value::RawValue;

use super::check::check_request;
use super::chunk::MAX_MESSAGE;
use super::weight::{self, Overweight};
use super::{
    Answer, AnswerEnvelope, ChunkError, ErrorBody, ErrorCode, HubEnvelope, Request, RequestEnvelope, envelope,
};
use crate::model::{ChangeError, CommentError, MessageId};

/// A message that is not taken, with the answer to send back.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{error}")]
pub struct Refusal {
    /// The request's id, where it could be read.
    pub reply_to: Option<MessageId>,
    /// What is wrong, and what to do.
    pub error: ErrorBody,
}

impl From<Refusal> for AnswerEnvelope {
    fn from(refusal: Refusal) -> Self {
        AnswerEnvelope { reply_to: refusal.reply_to, answer: Answer::Error(refusal.error) }
    }
}

/// As much of a request as can be read whatever the rest is.
#[derive(Deserialize)]
struct RequestHead<'a> {
    #[serde(default, borrow)]
    id: Option<&'a RawValue>,
}

/// What tells apart what the hub sends.
#[derive(Deserialize)]
struct HubHead {
    #[serde(default, rename = "replyTo", deserialize_with = "present")]
    has_reply_to: bool,
    #[serde(default, rename = "transfer", deserialize_with = "present")]
    has_transfer: bool,
}

/// The id of a request that is refused, when it has one of the right form.
fn id_of(bytes: &[u8]) -> Option<MessageId> {
    let head: RequestHead<'_> = serde_json::from_slice(bytes).ok()?;
    serde_json::from_str(head.id?.get()).ok()
}

/// Whether the field is there, even as null.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    IgnoredAny::deserialize(deserializer).map(|_| true)
}

pub(super) fn bad(message: String, next_step: &str) -> ErrorBody {
    ErrorBody { code: ErrorCode::BadRequest, message, next_step: next_step.to_owned() }
}

pub(super) fn too_large(message: String, next_step: &str) -> ErrorBody {
    ErrorBody { code: ErrorCode::TooLarge, message, next_step: next_step.to_owned() }
}

fn check_size(bytes: &[u8]) -> Result<(), ErrorBody> {
    if bytes.len() <= MAX_MESSAGE {
        return Ok(());
    }
    let message = format!("the message has {} bytes, at most {MAX_MESSAGE} are taken", bytes.len());
    Err(too_large(message, "Send less at once: smaller screenshots, fewer comments."))
}

/// Reads a request. What comes out is valid: comments within their limits, ids well-formed, numbers in range.
///
/// # Errors
/// A [`Refusal`] with the request's id wherever that can be read, ready to be answered.
pub fn decode_request(bytes: &[u8]) -> Result<RequestEnvelope, Refusal> {
    check_size(bytes).map_err(|error| Refusal { reply_to: None, error })?;
    // The lists are looked at before anything is made of them.
    let decoded = weight::check(bytes).map_err(ErrorBody::from).and_then(|()| {
        envelope::read(bytes).map_err(|error| {
            let next =
                "Check the message against the protocol; update opentoolbar if the other half is newer.";
            bad(format!("the message is not a request of this protocol: {error}"), next)
        })
    });
    let envelope = decoded.map_err(|error| Refusal { reply_to: id_of(bytes), error })?;
    match check_envelope(&envelope).and_then(|()| check_request(&envelope.request)) {
        Ok(()) => Ok(envelope),
        Err(error) => Err(Refusal { reply_to: envelope.id, error }),
    }
}

/// What must have an id: everything that is stored for good on a sender's word, so that sending it again is safe. A
/// plain client of the conversation has no outbox.
fn check_envelope(envelope: &RequestEnvelope) -> Result<(), ErrorBody> {
    let plain =
        matches!(envelope.request, Request::SetContext(_) | Request::UserMessage { .. } | Request::Ping);
    if plain || envelope.id.is_some() {
        return Ok(());
    }
    Err(bad(
        "the message has no id".to_owned(),
        "Send it with a random `id` of its own: m_ and up to 64 characters.",
    ))
}

/// Reads what the hub sends.
///
/// # Errors
/// What is wrong with the message. An event of a kind that this half does not know is such an error too; the
/// reader reports it and goes on.
pub fn decode_hub(bytes: &[u8]) -> Result<HubEnvelope, ErrorBody> {
    check_size(bytes)?;
    let not_known = |error: serde_json::Error| {
        let next = "Update the browser extension or opentoolbar, whichever is older.";
        bad(format!("the hub sent a message that is not of this protocol: {error}"), next)
    };
    let head: HubHead = serde_json::from_slice(bytes).map_err(not_known)?;
    if head.has_transfer {
        serde_json::from_slice(bytes).map(HubEnvelope::Chunk).map_err(not_known)
    } else if head.has_reply_to {
        serde_json::from_slice(bytes).map(HubEnvelope::Answer).map_err(not_known)
    } else {
        serde_json::from_slice(bytes).map(HubEnvelope::Event).map_err(not_known)
    }
}

impl From<Overweight> for ErrorBody {
    fn from(error: Overweight) -> Self {
        let next = match error {
            Overweight::ManyEntries { field, most } => format!("Send at most {most} entries in {field}."),
            Overweight::ShortEntries { .. } | Overweight::Depth => {
                "Send less at once, in several messages.".to_owned()
            }
        };
        too_large(error.to_string(), &next)
    }
}

impl From<CommentError> for ErrorBody {
    fn from(error: CommentError) -> Self {
        let code = match error {
            CommentError::TooLong { .. } => ErrorCode::TooLarge,
            CommentError::Empty { .. } | CommentError::Malformed { .. } => ErrorCode::BadRequest,
        };
        ErrorBody { code, message: error.to_string(), next_step: error.next_step() }
    }
}

impl From<ChangeError> for ErrorBody {
    fn from(error: ChangeError) -> Self {
        let (message, next_step) = (error.to_string(), error.next_step());
        let code = match error {
            ChangeError::Invalid(error) => return error.into(),
            ChangeError::WrongStateCount { .. } => ErrorCode::BadRequest,
            ChangeError::Full { .. } => ErrorCode::TooLarge,
            ChangeError::TextChanged { .. }
            | ChangeError::UnknownRevision { .. }
            | ChangeError::AlreadyResolved { .. }
            | ChangeError::Resolved { .. }
            | ChangeError::NotResolved { .. }
            | ChangeError::Deleted { .. }
            | ChangeError::NotDeleted { .. } => ErrorCode::Conflict,
        };
        ErrorBody { code, message, next_step }
    }
}

impl From<ChunkError> for ErrorBody {
    fn from(error: ChunkError) -> Self {
        let message = error.to_string();
        match error {
            ChunkError::TooLong { .. } | ChunkError::TooManyTransfers => {
                too_large(message, "Send less at once.")
            }
            _ => bad(message, "Send the message again, its parts in order under a new transfer number."),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at what cannot be")]
    use super::super::limits::MAX_FILES;
    use super::*;
    use crate::anchor::MAX_WORDS;
    use crate::model::arbitrary;
    use proptest::prelude::*;
    use serde_json::json;

    fn refused(message: serde_json::Value) -> Refusal {
        decode_request(message.to_string().as_bytes()).unwrap_err()
    }

    #[test]
    fn a_request_comes_back_as_it_was() {
        let message = json!({ "id": "m_1", "type": "ping", "someday": 1 });
        let envelope = decode_request(message.to_string().as_bytes()).unwrap();
        assert_eq!(envelope.id.as_ref().map(MessageId::as_str), Some("m_1"));
        assert_eq!(envelope.request, Request::Ping);
    }

    #[test]
    fn a_refusal_names_the_request_and_says_what_to_do() {
        let refusal = refused(json!({ "id": "m_7", "type": "no_such_thing", "payload": {} }));
        assert_eq!(refusal.reply_to.as_ref().map(MessageId::as_str), Some("m_7"));
        assert_eq!(refusal.error.code, ErrorCode::BadRequest);
        assert!(refusal.error.message.contains("no_such_thing"), "{refusal}");
        let answer = serde_json::to_value(AnswerEnvelope::from(refusal)).unwrap();
        assert_eq!(answer["replyTo"], "m_7");
        assert_eq!(answer["type"], "error");

        assert_eq!(refused(json!({ "id": "not an id", "type": "ping" })).reply_to, None);
        assert_eq!(decode_request(b"{\"id\": \"m_1\"").unwrap_err().reply_to, None);
        assert_eq!(decode_request(b"\xff").unwrap_err().error.code, ErrorCode::BadRequest);
    }

    #[test]
    fn a_comment_over_its_limits_is_refused_with_its_field() {
        let mut comment = serde_json::to_value(arbitrary::sample("c_1")).unwrap();
        comment["text"] = " ".into();
        let payload = json!({ "sessionId": "s_1", "comment": comment });
        let refusal = refused(json!({ "id": "m_1", "type": "create_comment", "payload": payload }));
        assert!(refusal.error.message.contains("comment c_1: text is empty"), "{refusal}");
    }

    #[test]
    fn numbers_out_of_range_are_refused() {
        let wait = json!({ "id": "m_1", "type": "wait_for_feedback", "payload": { "timeoutMs": 45_001 } });
        assert!(refused(wait).error.message.contains("45001"));
        let query = json!({ "id": "m_1", "type": "get_feedback", "payload": { "limit": 0 } });
        assert!(refused(query).error.message.contains("from 1 to 200"));
    }

    #[test]
    fn a_name_that_is_none_is_refused() {
        let hello = |client: &str| {
            json!({ "id": "m_1", "type": "hello", "payload": {
            "protocol": 1, "version": "0.1.0", "role": "agent", "client": client } })
        };
        assert!(refused(hello(&"x".repeat(1_001))).error.message.contains("client has 1001 bytes"));
        assert!(decode_request(hello("claude-code 2.1").to_string().as_bytes()).is_ok());
        let query = json!({ "id": "m_1", "type": "get_feedback", "payload": { "url": "x".repeat(8_193) } });
        assert!(refused(query).error.message.contains("url has 8193 bytes"));
    }

    #[test]
    fn files_that_are_asked_for_are_bounded_in_number_and_length() {
        let of = |files: &[String]| {
            let payload = json!({ "sessionId": "s_1", "since": 1, "files": files });
            json!({ "id": "m_1", "type": "get_source_changes", "payload": payload })
        };
        let most = vec!["/src/Shop.tsx".to_owned(); MAX_FILES];
        assert!(decode_request(of(&most).to_string().as_bytes()).is_ok());
        assert_eq!(refused(of(&vec![String::new(); MAX_FILES + 1])).error.code, ErrorCode::TooLarge);
        assert_eq!(refused(of(&["x".repeat(8_193)])).error.code, ErrorCode::BadRequest);
    }

    #[test]
    fn words_that_are_asked_for_are_bounded_in_number_and_length() {
        let of = |queries: Vec<serde_json::Value>| {
            let payload = json!({ "sessionId": "s_1", "queries": queries });
            json!({ "id": "m_1", "type": "find_in_source", "payload": payload })
        };
        let query = |words: Vec<String>| json!({ "file": "src/A.tsx", "since": 1, "words": words });
        let most = vec![query(vec!["é".repeat(80); MAX_WORDS]); 20];
        assert!(decode_request(of(most).to_string().as_bytes()).is_ok());
        assert_eq!(refused(of(vec![query(vec![]); MAX_FILES + 1])).error.code, ErrorCode::TooLarge);
        assert_eq!(
            refused(of(vec![query(vec!["word".into(); MAX_WORDS + 1])])).error.code,
            ErrorCode::TooLarge
        );
        assert_eq!(refused(of(vec![query(vec!["x".repeat(161)])])).error.code, ErrorCode::BadRequest);
    }

    #[test]
    fn what_the_hub_sends_is_told_apart() {
        let chunk = br#"{"transfer":1,"index":0,"total":1,"data":"x"}"#;
        assert!(matches!(decode_hub(chunk), Ok(HubEnvelope::Chunk(_))));
        let answer = br#"{"replyTo":null,"type":"done"}"#;
        assert!(matches!(decode_hub(answer), Ok(HubEnvelope::Answer(_))));
        let event = br#"{"type":"agents_changed","payload":{"agents":[]}}"#;
        assert!(matches!(decode_hub(event), Ok(HubEnvelope::Event(_))));
        let unknown = decode_hub(br#"{"type":"from_the_future","payload":{}}"#).unwrap_err();
        assert!(unknown.message.contains("from_the_future"), "{unknown}");
    }

    proptest! {
        #[test]
        fn no_bytes_panic_a_decoder(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = decode_request(&bytes);
            let _ = decode_hub(&bytes);
        }

        #[test]
        fn no_json_panics_a_decoder(json in "[{}\\[\\]\":,a-z0-9_ ]{0,80}") {
            let _ = decode_request(json.as_bytes());
            let _ = decode_hub(json.as_bytes());
        }

        #[test]
        fn any_valid_comment_passes_the_wire(comment in arbitrary::comment()) {
            let request = Request::CreateComment {
                session_id: "s_1".parse().unwrap(), comment: Box::new(comment), screenshot: None,
            };
            let envelope = RequestEnvelope { id: "m_1".parse().ok(), session_id: None, request };
            let bytes = serde_json::to_vec(&envelope).unwrap();
            prop_assert_eq!(decode_request(&bytes).unwrap(), envelope);
        }
    }
}
