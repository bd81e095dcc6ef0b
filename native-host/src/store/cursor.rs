//! Where a page of an answer ended. Opaque to clients; names a place in the order, not a count, so that comments that
//! come meanwhile neither repeat nor hide others.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use opentoolbar_core::model::{Comment, CommentId};
use opentoolbar_core::protocol::ErrorCode;

use super::comments::rank;
use super::fault::Fault;
use crate::hub::error::error;

/// The last comment of a page, as the order sees it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Cursor {
    pub(super) rank: u8,
    pub(super) created_at: i64,
    pub(super) id: CommentId,
}

impl Cursor {
    pub(super) fn after(comment: &Comment) -> Self {
        let created_at = super::applied::millis(comment.created_at);
        Self { rank: rank(comment.status), created_at, id: comment.id.clone() }
    }

    pub(super) fn encode(&self) -> String {
        URL_SAFE_NO_PAD.encode(format!("1:{}:{}:{}", self.rank, self.created_at, self.id))
    }

    pub(super) fn decode(text: &str) -> Result<Self, Fault> {
        parse(text).ok_or_else(|| {
            Fault::Refused(error(
                ErrorCode::BadRequest,
                "the cursor is not one of this hub's",
                "Pass `nextCursor` of the last answer unchanged, or none to start from the beginning.",
            ))
        })
    }
}

fn parse(text: &str) -> Option<Cursor> {
    let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
    let mut parts = std::str::from_utf8(&bytes).ok()?.splitn(4, ':');
    if parts.next()? != "1" {
        return None;
    }
    let rank = parts.next()?.parse().ok()?;
    let created_at = parts.next()?.parse().ok()?;
    Some(Cursor { rank, created_at, id: parts.next()?.parse().ok()? })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_cursor_survives_the_way(rank in 0u8..3, created_at: i64, tail in "[A-Za-z0-9_-]{1,64}") {
            let cursor = Cursor { rank, created_at, id: format!("c_{tail}").parse().unwrap() };
            prop_assert_eq!(Cursor::decode(&cursor.encode()).unwrap(), cursor);
        }

        #[test]
        fn no_text_panics_the_decoder(text: String) {
            let _ = Cursor::decode(&text);
        }
    }
}
