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
    /// Which.
    pub id: CommentId,
}

impl FeedbackCursor {
    /// The place right behind a comment.
    #[must_use]
    pub fn after(comment: &Comment) -> Self {
        Self { status: comment.status, created_at: comment.created_at, id: comment.id.clone() }
    }

    /// As it stands in `nextCursor` and `cursor`.
    #[must_use]
    pub fn encode(&self) -> String {
        let rank = match self.status {
            Status::Active => 0,
            Status::Outdated => 1,
            Status::Resolved => 2,
        };
        Base64UrlUnpadded::encode_string(format!("1:{rank}:{}:{}", self.created_at.0, self.id).as_bytes())
    }

    /// Reads what `encode` wrote; `None` for anything else.
    #[must_use]
    pub fn decode(text: &str) -> Option<Self> {
        let bytes = Base64UrlUnpadded::decode_vec(text).ok()?;
        let mut parts = std::str::from_utf8(&bytes).ok()?.splitn(4, ':');
        if parts.next()? != "1" {
            return None;
        }
        let status = match parts.next()? {
            "0" => Status::Active,
            "1" => Status::Outdated,
            "2" => Status::Resolved,
            _ => return None,
        };
        let created_at = Timestamp(parts.next()?.parse().ok()?);
        Some(Self { status, created_at, id: parts.next()?.parse().ok()? })
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
        fn a_cursor_survives_the_way(comment in arbitrary::comment()) {
            let cursor = FeedbackCursor::after(&comment);
            prop_assert_eq!(FeedbackCursor::decode(&cursor.encode()), Some(cursor));
        }

        #[test]
        fn no_text_panics_the_decoder(text: String) {
            let _ = FeedbackCursor::decode(&text);
        }
    }
}
