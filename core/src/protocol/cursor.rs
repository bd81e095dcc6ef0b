//! Where a page of feedback ended. Names a place in the order of answers, not a count, so that comments that come
//! meanwhile neither repeat nor hide others. Opaque to agents; whoever holds the comments can make one.

use base64ct::{Base64UrlUnpadded, Encoding};

use crate::model::{Comment, CommentId, Status, Timestamp};

/// The last comment of a page, as the order sees it: by status, then oldest first, then by id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedbackCursor {
    /// Its status.
    pub status: Status,
    /// When it was made.
    pub created_at: Timestamp,
    /// Its id.
    pub id: CommentId,
    /// Where the log of news stood at the first page: what changed while the others were asked for is news after it.
    /// Absent in a cursor of an earlier version.
    pub since: Option<u64>,
}

impl FeedbackCursor {
    /// The place right behind a comment, of an answer with this position.
    #[must_use]
    pub fn after(comment: &Comment, since: u64) -> Self {
        let Comment { status, created_at, id, .. } = comment;
        Self { status: *status, created_at: *created_at, id: id.clone(), since: Some(since) }
    }

    /// As it stands in `nextCursor` and `cursor`.
    #[must_use]
    pub fn encode(&self) -> String {
        let rank = match self.status {
            Status::Active => 0,
            Status::Outdated => 1,
            Status::Resolved => 2,
        };
        let (at, id) = (self.created_at.0, &self.id);
        let text = match self.since {
            Some(since) => format!("2:{rank}:{at}:{since}:{id}"),
            None => format!("1:{rank}:{at}:{id}"),
        };
        Base64UrlUnpadded::encode_string(text.as_bytes())
    }

    /// Reads what `encode` wrote; `None` for anything else.
    #[must_use]
    pub fn decode(text: &str) -> Option<Self> {
        let bytes = Base64UrlUnpadded::decode_vec(text).ok()?;
        let (version, rest) = std::str::from_utf8(&bytes).ok()?.split_once(':')?;
        let has_since = match version {
            "1" => false,
            "2" => true,
            _ => return None,
        };
        let mut parts = rest.splitn(if has_since { 4 } else { 3 }, ':');
        let status = match parts.next()? {
            "0" => Status::Active,
            "1" => Status::Outdated,
            "2" => Status::Resolved,
            _ => return None,
        };
        let created_at = Timestamp(parts.next()?.parse().ok()?);
        let since = if has_since { Some(parts.next()?.parse().ok()?) } else { None };
        Some(Self { status, created_at, since, id: parts.next()?.parse().ok()? })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at what cannot be")]
    use super::*;
    use crate::model::arbitrary;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_cursor_survives_the_way(comment in arbitrary::comment(), since: u64) {
            let cursor = FeedbackCursor::after(&comment, since);
            let earlier = FeedbackCursor { since: None, ..cursor.clone() };
            for cursor in [cursor, earlier] {
                prop_assert_eq!(FeedbackCursor::decode(&cursor.encode()), Some(cursor));
            }
        }

        #[test]
        fn no_text_panics_the_decoder(text: String) {
            let _ = FeedbackCursor::decode(&text);
        }
    }
}
