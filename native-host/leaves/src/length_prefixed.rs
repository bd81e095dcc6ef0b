//! Messages behind their length in four bytes, as browsers and the local socket send them. Knows nothing of what they
//! hold.

use tokio::io::{AsyncRead, AsyncReadExt};

/// Why no whole message came.
#[derive(Debug)]
pub enum Broken {
    /// That many bytes were announced.
    TooLarge(usize),
    /// The stream ended inside of a message.
    Truncated,
    /// The stream broke.
    Io(std::io::Error),
}

impl From<std::io::Error> for Broken {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}

/// The next message; `None` when the stream ended between two. `length`: how the four bytes are read. `most`: bytes
/// that a message may have; of a larger one nothing is read.
pub async fn read(
    stream: &mut (impl AsyncRead + Unpin),
    length: fn([u8; 4]) -> u32,
    most: usize,
) -> Result<Option<Vec<u8>>, Broken> {
    let mut head = [0u8; 4];
    let mut filled = 0;
    while filled < head.len() {
        match stream.read(&mut head[filled..]).await? {
            0 if filled == 0 => return Ok(None),
            0 => return Err(Broken::Truncated),
            n => filled += n,
        }
    }
    let length = length(head) as usize;
    if length > most {
        return Err(Broken::TooLarge(length));
    }
    // Grows with what really comes: a length alone must not make us take 64 MiB.
    let mut message = Vec::with_capacity(length.min(64 * 1024));
    stream.take(length as u64).read_to_end(&mut message).await?;
    if message.len() < length { Err(Broken::Truncated) } else { Ok(Some(message)) }
}
