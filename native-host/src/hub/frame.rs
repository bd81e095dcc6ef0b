//! Frames of the local socket: u32 little endian length, then a version byte and a postcard `Frame`.
//!
//! What a message says is JSON and decoded by whoever receives it; this file only knows where one ends.

use std::time::Duration;

use opentoolbar_core::protocol::{ErrorBody, ErrorCode};
use serde::{Deserialize, Serialize, Serializer};
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};

use crate::error::error;
use crate::length_prefixed::{self, Broken};

/// First byte of every frame's body. Raised when `Frame` changes its meaning.
const FRAME_VERSION: u8 = 1;

/// Largest body. A browser may send 64 MiB; the rest is the frame's own head.
pub const MAX_FRAME: usize = 64 * 1024 * 1024 + 64;

/// Bytes that a reader must take before its time is up.
const PIECE: usize = 64 * 1024;

/// What travels between the hub and those who talk to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Frame<'a> {
    /// JSON of a `RequestEnvelope` (towards the hub) or a `HubEnvelope` (from it).
    #[serde(borrow)]
    Message(#[serde(serialize_with = "as_bytes")] &'a [u8]),
    /// The hub leaves. Whoever still needs one may start the next.
    Goodbye,
}

/// One copy instead of a call per byte; the form on the wire is the same.
fn as_bytes<S: Serializer>(bytes: &&[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bytes(bytes)
}

/// Why no frame came.
#[derive(Debug, thiserror::Error)]
pub enum FrameError {
    /// The other side announced or wants to send more than `MAX_FRAME` bytes.
    #[error("a frame of {0} bytes is larger than the {MAX_FRAME} allowed")]
    TooLarge(usize),
    /// The stream ended in the middle of a frame.
    #[error("the stream ended after a part of a frame")]
    Truncated,
    /// Another version byte.
    #[error("frame version {0} is not known; this program speaks version {FRAME_VERSION}")]
    Version(u8),
    /// Not a frame.
    #[error("not a frame")]
    Malformed,
    /// The other side takes nothing.
    #[error("the other side does not read")]
    Stalled,
    /// The stream broke.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl From<Broken> for FrameError {
    fn from(broken: Broken) -> Self {
        match broken {
            Broken::TooLarge(bytes) => Self::TooLarge(bytes),
            Broken::Truncated => Self::Truncated,
            Broken::Io(error) => Self::Io(error),
        }
    }
}

impl<'a> Frame<'a> {
    /// The bytes as they go over the socket, length first.
    ///
    /// # Errors
    /// `TooLarge`.
    pub fn encode(&self) -> Result<Vec<u8>, FrameError> {
        let mut bytes = vec![0, 0, 0, 0, FRAME_VERSION];
        if let Frame::Message(message) = self {
            if message.len() > MAX_FRAME {
                return Err(FrameError::TooLarge(message.len()));
            }
            bytes.reserve(message.len() + 8);
        }
        let mut bytes = postcard::to_extend(self, bytes).map_err(|_| FrameError::Malformed)?;
        let length = bytes.len() - 4;
        let Some(head) = u32::try_from(length).ok().filter(|_| length <= MAX_FRAME) else {
            return Err(FrameError::TooLarge(length));
        };
        bytes[..4].copy_from_slice(&head.to_le_bytes());
        Ok(bytes)
    }

    /// Decodes a body (without its length).
    ///
    /// # Errors
    /// `Version` and `Malformed`; never panics.
    pub fn decode(body: &'a [u8]) -> Result<Self, FrameError> {
        let (version, rest) = body.split_first().ok_or(FrameError::Malformed)?;
        if *version != FRAME_VERSION {
            return Err(FrameError::Version(*version));
        }
        match postcard::take_from_bytes(rest) {
            Ok((frame, [])) => Ok(frame),
            _ => Err(FrameError::Malformed),
        }
    }
}

/// Reads one frame's body; `None` when the stream ended between frames.
///
/// # Errors
/// `TooLarge` before anything of the body is read, `Truncated`, `Io`.
pub async fn read_body(stream: &mut (impl AsyncRead + Unpin)) -> Result<Option<Vec<u8>>, FrameError> {
    Ok(length_prefixed::read(stream, u32::from_le_bytes, MAX_FRAME).await?)
}

/// Writes one frame.
///
/// # Errors
/// `TooLarge`, `Io`.
pub async fn write(stream: &mut (impl AsyncWrite + Unpin), frame: &Frame<'_>) -> Result<(), FrameError> {
    stream.write_all(&frame.encode()?).await?;
    stream.flush().await?;
    Ok(())
}

/// Writes one frame to a reader that takes some of it every so often.
///
/// # Errors
/// `TooLarge`, `Io`; `Stalled` when the reader takes nothing for so long. The frame may be there in part.
pub(crate) async fn write_within(
    stream: &mut (impl AsyncWrite + Unpin),
    frame: &Frame<'_>,
    stall: Duration,
) -> Result<(), FrameError> {
    for piece in frame.encode()?.chunks(PIECE) {
        tokio::time::timeout(stall, stream.write_all(piece)).await.map_err(|_| FrameError::Stalled)??;
    }
    tokio::time::timeout(stall, stream.flush()).await.map_err(|_| FrameError::Stalled)??;
    Ok(())
}

/// A message beyond the frame's limit.
pub(crate) fn too_large(size: usize) -> ErrorBody {
    error(
        ErrorCode::TooLarge,
        format!("the message has {size} bytes; at most {MAX_FRAME} are allowed"),
        "Send less at once: fewer comments in one import, a smaller screenshot.",
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;
    use proptest::prelude::*;

    fn read_all(bytes: &[u8]) -> Result<Option<Vec<u8>>, FrameError> {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(read_body(&mut &bytes[..]))
    }

    proptest! {
        #[test]
        fn no_bytes_panic_the_decoder(bytes: Vec<u8>) {
            let _ = Frame::decode(&bytes);
            let _ = read_all(&bytes);
        }

        #[test]
        fn a_message_survives_the_way(message: Vec<u8>) {
            let bytes = Frame::Message(&message).encode().unwrap();
            let body = read_all(&bytes).unwrap().unwrap();
            prop_assert_eq!(Frame::decode(&body).unwrap(), Frame::Message(&message));
        }

        #[test]
        fn every_part_of_a_frame_is_truncated(message: Vec<u8>, cut in 0.0..1.0f64) {
            let bytes = Frame::Message(&message).encode().unwrap();
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a fraction of a length")]
            let end = 1 + (cut * (bytes.len() - 1) as f64) as usize;
            let read = read_all(&bytes[..end.min(bytes.len() - 1)]);
            prop_assert!(matches!(read, Err(FrameError::Truncated)), "{:?}", read);
        }
    }

    #[test]
    fn nothing_at_all_is_a_clean_end() {
        assert!(read_all(&[]).unwrap().is_none());
    }

    #[test]
    fn a_length_beyond_the_limit_is_refused_before_the_body() {
        let read = read_all(&u32::MAX.to_le_bytes());
        assert!(matches!(read, Err(FrameError::TooLarge(n)) if n == u32::MAX as usize));
    }

    #[test]
    fn another_version_is_named() {
        let mut bytes = Frame::Goodbye.encode().unwrap();
        bytes[4] = 9;
        assert!(matches!(Frame::decode(&bytes[4..]), Err(FrameError::Version(9))));
    }
}
