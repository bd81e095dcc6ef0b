//! Native-messaging frames: u32 length in the machine's own order, then UTF-8 JSON.

use opentoolbar_core::protocol::MAX_MESSAGE;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};

use crate::length_prefixed::{self, Broken};

/// Why no message came from the browser.
#[derive(Debug, thiserror::Error)]
pub enum FrameError {
    /// Announced more than a browser may send.
    #[error("a message of {0} bytes is larger than the {MAX_MESSAGE} allowed")]
    TooLarge(usize),
    /// The browser went away in the middle of a message.
    #[error("the stream ended after a part of a message")]
    Truncated,
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

/// The next message of the browser; `None` when it closed the port.
///
/// # Errors
/// `TooLarge` before anything of the message is read, `Truncated`, `Io`.
pub async fn read(stream: &mut (impl AsyncRead + Unpin)) -> Result<Option<Vec<u8>>, FrameError> {
    Ok(length_prefixed::read(stream, u32::from_ne_bytes, MAX_MESSAGE).await?)
}

/// Sends one message, which the caller has cut to what a browser takes.
///
/// # Errors
/// `InvalidInput` when it is larger than 4 GiB; what the stream says.
pub async fn write(stream: &mut (impl AsyncWrite + Unpin), message: &[u8]) -> std::io::Result<()> {
    let length = u32::try_from(message.len()).map_err(|_| std::io::ErrorKind::InvalidInput)?;
    // One write for both: a browser must never see a length without its message.
    let mut frame = Vec::with_capacity(message.len() + 4);
    frame.extend_from_slice(&length.to_ne_bytes());
    frame.extend_from_slice(message);
    stream.write_all(&frame).await?;
    stream.flush().await
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;
    use proptest::prelude::*;

    fn on_runtime<T>(work: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(work)
    }

    proptest! {
        #[test]
        fn no_bytes_panic_the_reader(bytes: Vec<u8>) {
            let _ = on_runtime(read(&mut &bytes[..]));
        }

        #[test]
        fn messages_survive_the_way_one_after_another(messages: Vec<Vec<u8>>) {
            on_runtime(async {
                let mut wire = Vec::new();
                for message in &messages {
                    write(&mut wire, message).await.unwrap();
                }
                let mut rest = &wire[..];
                for message in &messages {
                    let came = read(&mut rest).await.unwrap();
                    prop_assert_eq!(came.as_ref(), Some(message));
                }
                prop_assert!(read(&mut rest).await.unwrap().is_none());
                Ok(())
            })?;
        }
    }

    #[test]
    fn half_a_message_then_the_end_is_told_apart_from_the_end() {
        let mut wire = Vec::new();
        on_runtime(write(&mut wire, b"{}")).unwrap();
        assert!(matches!(on_runtime(read(&mut &wire[..5])), Err(FrameError::Truncated)));
        assert!(matches!(on_runtime(read(&mut &wire[..2])), Err(FrameError::Truncated)));
    }

    #[test]
    fn a_length_beyond_the_limit_is_refused_before_the_message() {
        let head = u32::MAX.to_ne_bytes();
        assert!(matches!(on_runtime(read(&mut &head[..])), Err(FrameError::TooLarge(_))));
    }
}
