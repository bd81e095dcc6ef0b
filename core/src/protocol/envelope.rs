//! A request read straight from its text. Serde's own reading of a flattened, tagged enum keeps every value of the
//! message in a buffer first, fields that nobody knows too, which takes many times the message's size.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::{DeserializeSeed, IntoDeserializer, MapAccess, value::MapAccessDeserializer};
use serde_json::value::RawValue;

use super::{Request, RequestEnvelope};
use crate::model::{MessageId, SessionId};

/// The fields beside the payload, and where in the text that stands.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Outline<'a> {
    #[serde(default)]
    id: Option<MessageId>,
    #[serde(default)]
    session_id: Option<SessionId>,
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    #[serde(default, borrow)]
    payload: Option<&'a RawValue>,
}

/// `type` and then `payload`: a reader that knows the type before the payload buffers nothing.
struct Tagged<'a> {
    kind: Option<&'a str>,
    payload: Option<&'a RawValue>,
}

impl<'de> MapAccess<'de> for Tagged<'de> {
    type Error = serde_json::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Self::Error> {
        let key = match (&self.kind, &self.payload) {
            (Some(_), _) => "type",
            (None, Some(_)) => "payload",
            (None, None) => return Ok(None),
        };
        seed.deserialize(key.into_deserializer()).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Self::Error> {
        if let Some(kind) = self.kind.take() {
            return seed.deserialize(kind.into_deserializer());
        }
        match self.payload.take() {
            Some(payload) => seed.deserialize(payload),
            None => seed.deserialize(().into_deserializer()),
        }
    }
}

/// The same as `RequestEnvelope::deserialize`, in not much more memory than what comes out.
pub(super) fn read(json: &[u8]) -> Result<RequestEnvelope, serde_json::Error> {
    let outline: Outline<'_> = serde_json::from_slice(json)?;
    let Outline { id, session_id, kind, payload } = &outline;
    let tagged = Tagged { kind: Some(kind), payload: *payload };
    let request = Request::deserialize(MapAccessDeserializer::new(tagged))?;
    Ok(RequestEnvelope { id: id.clone(), session_id: session_id.clone(), request })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at what cannot be")]
    use super::*;

    #[test]
    fn it_reads_what_serde_reads() {
        for json in [
            r#"{"type":"ping"}"#,
            r#"{"type":"ping","payload":null}"#,
            r#"{"type":"ping","payload":{}}"#,
            r#"{"type":"ping","payload":[]}"#,
            r#"{"payload":{"sessionId":"s_1"},"id":"m_1","type":"close_session","someday":[1]}"#,
            r#"{"type":"close_session","payload":{"sessionId":"s_1","x":{}},"sessionId":"s_2"}"#,
            r#"{"type":"close_session","payload":["s_1"]}"#,
            r#"{"type":"close_session"}"#,
            r#"{"type":"get_conversation","payload":{}}"#,
            r#"{"type":"get_conversation","payload":null}"#,
            r#"{"type":"get_conversation"}"#,
            r#"{"type":"list_\u0070rojects"}"#,
            r#"{"type":"user_message","payload":{"message":"a\n\u00e9"}}"#,
            r#"{"type":"user_message","payload":{"message":1}}"#,
            r#"{"type":"get_feedback","payload":{"limit":3,"url":null}}"#,
            r#"{"type":"ping","type":"ping"}"#,
            r#"{"type":"set_context","payload":{"element":{"tagName":"a"},"ancestors":[],"page":{"url":"u","title":""},"screenshot":"x","x":[[]]}}"#,
            r#"{"type":"set_context","payload":{"element":{"tagName":"a"},"page":{"url":"u","title":""}}}"#,
            r#"{"type":"set_context","payload":{"element":{"tagName":"a"},"ancestors":[{}],"children":null,"page":{"url":"u","title":""},"contextId":"ctx_1"}}"#,
            r#"{"type":5}"#,
            r#"{"id":5,"type":"ping"}"#,
            r#"{"id":null,"sessionId":null,"type":"ping"}"#,
            "{}",
            "[]",
            "{",
        ] {
            let (own, serdes) = (read(json.as_bytes()), serde_json::from_str::<RequestEnvelope>(json));
            assert_eq!(own.is_ok(), serdes.is_ok(), "{json}: {own:?} {serdes:?}");
            if let (Ok(own), Ok(serdes)) = (own, serdes) {
                assert_eq!(own, serdes, "{json}");
            }
        }
    }
}
