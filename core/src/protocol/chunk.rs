//! Messages that are larger than one native-messaging frame: cut on the one side, joined on the other.

use serde::{Deserialize, Serialize};

/// Longest frame towards the browser, in bytes; one more and the browser closes the port.
pub const MAX_FRAME: usize = 1_048_576;
/// Shortest frame that a message can be cut into, in bytes: the frame around a piece, and one escaped character.
pub const MIN_FRAME: usize = 128;
/// Longest message, joined, in bytes: what Chrome lets through towards the host.
pub const MAX_MESSAGE: usize = 64 * 1024 * 1024;
/// Most messages that may be under way in parts at once on one connection.
pub const MAX_TRANSFERS: usize = 8;

/// Bytes of a frame around `data`, with every number at its longest.
const FRAME_AROUND: usize =
    r#"{"transfer":4294967295,"index":4294967295,"total":4294967295,"data":""}"#.len();

/// A part of a message that is larger than one native-messaging frame may be (1 MiB towards the browser).
/// The receiver joins `data` of all parts of one `transfer` in order and decodes the result as a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Chunk {
    /// Same for all parts of one message; unique on a connection.
    pub transfer: u32,
    /// 0-based.
    pub index: u32,
    /// How many parts there are.
    pub total: u32,
    /// A piece of the message's JSON text.
    pub data: String,
}

/// Why a message could not be cut or joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChunkError {
    /// Frames so short that no piece fits.
    #[error("a frame of {max_frame} bytes is too short to carry a part, {MIN_FRAME} are needed")]
    FrameTooShort {
        /// What was asked for, in bytes.
        max_frame: usize,
    },
    /// The message, or everything under way together, is longer than allowed.
    #[error("a message in parts is longer than {limit} bytes")]
    TooLong {
        /// In bytes.
        limit: usize,
    },
    /// More messages under way than allowed.
    #[error("more than {MAX_TRANSFERS} messages are under way in parts")]
    TooManyTransfers,
    /// A part that does not follow the one before it. The parts received so far are dropped.
    #[error("part {got} of transfer {transfer} came where part {expected} was due")]
    OutOfOrder {
        /// Which message.
        transfer: u32,
        /// Which part was due.
        expected: u32,
        /// Which part came.
        got: u32,
    },
    /// `index` is not below `total`, or `total` differs from that of the parts before, or `data` is empty.
    #[error("part {index} of {total} of transfer {transfer} contradicts itself or the parts before it")]
    Contradiction {
        /// Which message.
        transfer: u32,
        /// Which part.
        index: u32,
        /// How many parts it claims.
        total: u32,
    },
}

/// Cuts a message into parts whose JSON has at most `max_frame` bytes each, escaping included.
///
/// # Errors
/// `FrameTooShort` below [`MIN_FRAME`]; `TooLong` above [`MAX_MESSAGE`], which no [`Joiner`] would take.
pub fn split(json: &str, transfer: u32, max_frame: usize) -> Result<Vec<Chunk>, ChunkError> {
    if max_frame < MIN_FRAME {
        return Err(ChunkError::FrameTooShort { max_frame });
    }
    if json.len() > MAX_MESSAGE {
        return Err(ChunkError::TooLong { limit: MAX_MESSAGE });
    }
    let room = max_frame - FRAME_AROUND;
    let mut pieces = Vec::new();
    let (mut start, mut used) = (0, 0);
    for (at, character) in json.char_indices() {
        let length = escaped_length(character);
        if used + length > room {
            pieces.push(&json[start..at]);
            (start, used) = (at, 0);
        }
        used += length;
    }
    pieces.push(&json[start..]);
    // At most MAX_MESSAGE pieces, so both numbers fit.
    let total = pieces.len() as u32;
    let part =
        |(index, data): (usize, &str)| Chunk { transfer, index: index as u32, total, data: data.to_owned() };
    Ok(pieces.into_iter().enumerate().map(part).collect())
}

/// Bytes that a character takes inside a JSON string as serde_json writes it.
fn escaped_length(character: char) -> usize {
    match character {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        '\0'..='\u{1f}' => 6,
        _ => character.len_utf8(),
    }
}

/// Joins the parts of several messages that may come interleaved, those of one message in order.
#[derive(Debug, Default)]
pub struct Joiner {
    /// At most `MAX_TRANSFERS`.
    under_way: Vec<Transfer>,
    /// Bytes held in all of `under_way`.
    held: usize,
}

#[derive(Debug)]
struct Transfer {
    id: u32,
    total: u32,
    next: u32,
    text: String,
}

impl Joiner {
    /// Takes the next part. Gives the whole message back when it was the last one.
    ///
    /// # Errors
    /// On an error everything received of that transfer is dropped; other transfers go on.
    pub fn push(&mut self, chunk: Chunk) -> Result<Option<String>, ChunkError> {
        let result = self.accept(&chunk);
        if !matches!(result, Ok(None)) {
            self.forget(chunk.transfer);
        }
        result
    }

    /// How many bytes are held for messages that are not complete.
    pub fn held(&self) -> usize {
        self.held
    }

    fn accept(&mut self, chunk: &Chunk) -> Result<Option<String>, ChunkError> {
        let &Chunk { transfer, index, total, ref data } = chunk;
        let place = self.under_way.iter().position(|known| known.id == transfer);
        let known = place.map(|place| &self.under_way[place]);
        let contradicts = known.is_some_and(|known| known.total != total);
        if index >= total || contradicts || (data.is_empty() && total > 1) {
            return Err(ChunkError::Contradiction { transfer, index, total });
        }
        let expected = known.map_or(0, |known| known.next);
        if index != expected {
            return Err(ChunkError::OutOfOrder { transfer, expected, got: index });
        }
        if self.held + data.len() > MAX_MESSAGE {
            return Err(ChunkError::TooLong { limit: MAX_MESSAGE });
        }
        let place = match place {
            Some(place) => place,
            None if self.under_way.len() >= MAX_TRANSFERS => return Err(ChunkError::TooManyTransfers),
            None => {
                self.under_way.push(Transfer { id: transfer, total, next: 0, text: String::new() });
                self.under_way.len() - 1
            }
        };
        let entry = &mut self.under_way[place];
        self.held += data.len();
        entry.text.push_str(data);
        entry.next += 1;
        if entry.next < total {
            return Ok(None);
        }
        let text = std::mem::take(&mut entry.text);
        self.held -= text.len();
        Ok(Some(text))
    }

    fn forget(&mut self, transfer: u32) {
        if let Some(place) = self.under_way.iter().position(|known| known.id == transfer) {
            self.held -= self.under_way.swap_remove(place).text.len();
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at what cannot be")]
    use super::*;
    use proptest::prelude::*;

    fn part(transfer: u32, index: u32, total: u32, data: &str) -> Chunk {
        Chunk { transfer, index, total, data: data.to_owned() }
    }

    proptest! {
        #[test]
        fn what_is_split_joins_to_the_same(text in "(\\PC|[\"\\\\\u{0}-\u{1f}🦀é]){0,400}", max in MIN_FRAME..300) {
            let chunks = split(&text, 7, max).unwrap();
            let mut joiner = Joiner::default();
            let mut joined = None;
            for chunk in chunks {
                prop_assert!(joined.is_none());
                prop_assert!(serde_json::to_string(&chunk).unwrap().len() <= max);
                joined = joiner.push(chunk).unwrap();
            }
            prop_assert_eq!(joined.as_deref(), Some(text.as_str()));
            prop_assert_eq!(joiner.held(), 0);
        }

        #[test]
        fn no_sequence_of_parts_makes_it_hold_what_it_dropped(
            parts in proptest::collection::vec((0u32..12, 0u32..4, 0u32..4, "[a-c]{0,5}"), 0..60)
        ) {
            let mut joiner = Joiner::default();
            for (transfer, index, total, data) in parts {
                let _ = joiner.push(part(transfer, index, total, &data));
                let held: usize = joiner.under_way.iter().map(|transfer| transfer.text.len()).sum();
                prop_assert_eq!(joiner.held(), held);
                prop_assert!(joiner.under_way.len() <= MAX_TRANSFERS);
            }
        }
    }

    #[test]
    fn parts_of_several_messages_may_interleave() {
        let mut joiner = Joiner::default();
        assert_eq!(joiner.push(part(1, 0, 2, "a")), Ok(None));
        assert_eq!(joiner.push(part(2, 0, 2, "x")), Ok(None));
        assert_eq!(joiner.push(part(1, 1, 2, "b")), Ok(Some("ab".to_owned())));
        assert_eq!(joiner.push(part(2, 1, 2, "y")), Ok(Some("xy".to_owned())));
    }

    #[test]
    fn a_part_out_of_order_drops_its_message_only() {
        let mut joiner = Joiner::default();
        joiner.push(part(1, 0, 3, "a")).unwrap();
        joiner.push(part(2, 0, 2, "x")).unwrap();
        let error = joiner.push(part(1, 2, 3, "c")).unwrap_err();
        assert_eq!(error, ChunkError::OutOfOrder { transfer: 1, expected: 1, got: 2 });
        assert_eq!(joiner.held(), 1);
        assert_eq!(joiner.push(part(2, 1, 2, "y")), Ok(Some("xy".to_owned())));
    }

    #[test]
    fn bogus_parts_are_typed_errors() {
        let mut joiner = Joiner::default();
        for (index, total, data) in [(0, 0, "a"), (3, 3, "a"), (0, 2, "")] {
            let error = joiner.push(part(1, index, total, data)).unwrap_err();
            assert_eq!(error, ChunkError::Contradiction { transfer: 1, index, total });
        }
        joiner.push(part(1, 0, 2, "a")).unwrap();
        assert!(matches!(joiner.push(part(1, 1, 3, "b")), Err(ChunkError::Contradiction { .. })));
        for transfer in 0..MAX_TRANSFERS as u32 {
            joiner.push(part(transfer, 0, 2, "a")).unwrap();
        }
        assert_eq!(joiner.push(part(99, 0, 2, "a")), Err(ChunkError::TooManyTransfers));
    }

    #[test]
    fn memory_is_bounded() {
        let mut joiner = Joiner::default();
        let piece = "x".repeat(MAX_MESSAGE / 4);
        for index in 0..4 {
            assert_eq!(joiner.push(part(1, index, 6, &piece)), Ok(None));
        }
        assert_eq!(joiner.push(part(1, 4, 6, "x")), Err(ChunkError::TooLong { limit: MAX_MESSAGE }));
        assert_eq!(joiner.held(), 0);
        assert_eq!(split("", 1, 10), Err(ChunkError::FrameTooShort { max_frame: 10 }));
    }
}
