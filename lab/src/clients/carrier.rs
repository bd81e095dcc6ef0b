//! How a browser's messages travel: native messaging through a relay process, or the gateway's WebSocket.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context as _, Result};
use opentoolbar_core::protocol::{Chunk, Joiner};
use serde_json::Value;
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

use super::world::World;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Carrier {
    NativeMessaging,
    WebSocket,
}

/// The sending half of a connection; the connection ends with it.
pub(crate) enum Sender {
    Native { process: Child, input: ChildStdin },
    Socket(Half),
}

/// The receiving half.
pub(crate) enum Receiver {
    /// With what it has of messages that come in parts.
    Native(Box<dyn Read + Send>, Joiner),
    Socket(Half),
}

/// The extension's id, as browsers give it to the host.
fn extension() -> Result<String> {
    let identity: Value = serde_json::from_str(include_str!("../../../extension/identity.json"))?;
    Ok(identity["chromeId"].as_str().context("identity.json has no chromeId")?.to_owned())
}

/// Starts the relay as a browser does. `command`: the host with its home.
pub(crate) fn relay(command: &mut Command) -> Result<(Sender, Receiver)> {
    let mut process = command
        .arg(format!("chrome-extension://{}/", extension()?))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("the relay does not start")?;
    let input = process.stdin.take().context("no input")?;
    let output = process.stdout.take().context("no output")?;
    Ok((Sender::Native { process, input }, Receiver::Native(Box::new(output), Joiner::default())))
}

impl Carrier {
    pub(crate) fn connect(self, world: &World) -> Result<(Sender, Receiver)> {
        match self {
            Self::NativeMessaging => relay(&mut world.program()),
            Self::WebSocket => {
                let mut request = format!("ws://{}/ws", world.gateway).into_client_request()?;
                let bearer = format!("Bearer {}", world.token.trim());
                request.headers_mut().insert("authorization", bearer.parse()?);
                let (sender, receiver) = socket(&world.gateway, request)?;
                Ok((Sender::Socket(sender), Receiver::Socket(receiver)))
            }
        }
    }
}

impl Sender {
    pub(crate) fn send(&mut self, message: &Value) -> Result<()> {
        let text = message.to_string();
        match self {
            Self::Native { input, .. } => {
                let mut frame = u32::try_from(text.len())?.to_ne_bytes().to_vec();
                frame.extend_from_slice(text.as_bytes());
                input.write_all(&frame)?;
                Ok(input.flush()?)
            }
            Self::Socket(socket) => Ok(socket.send(Message::text(text))?),
        }
    }

    /// The process of the relay.
    pub(crate) fn pid(&self) -> Option<u32> {
        match self {
            Self::Native { process, .. } => Some(process.id()),
            Self::Socket(_) => None,
        }
    }

    pub(crate) fn close(self) -> Result<()> {
        match self {
            Self::Native { mut process, input } => {
                drop(input);
                process.wait()?;
            }
            Self::Socket(mut socket) => {
                socket.close(None)?;
                socket.flush()?;
            }
        }
        Ok(())
    }
}

impl Receiver {
    /// The next message; `None` when the connection is over.
    pub(crate) fn receive(&mut self) -> Option<Value> {
        match self {
            Self::Native(output, joiner) => loop {
                let mut length = [0; 4];
                output.read_exact(&mut length).ok()?;
                let mut message = vec![0; usize::try_from(u32::from_ne_bytes(length)).ok()?];
                output.read_exact(&mut message).ok()?;
                let Ok(part) = serde_json::from_slice::<Chunk>(&message) else {
                    return serde_json::from_slice(&message).ok();
                };
                if let Some(whole) = joiner.push(part).ok()? {
                    return serde_json::from_str(&whole).ok();
                }
            },
            Self::Socket(socket) => loop {
                match socket.read().ok()? {
                    Message::Text(text) => return serde_json::from_str(&text).ok(),
                    Message::Close(_) => return None,
                    _ => {}
                }
            },
        }
    }
}

/// One TCP stream under two WebSockets, of which one is only written to and the other only read from, except for its
/// answers to pings.
#[derive(Debug)]
pub(crate) struct Duplex {
    read: TcpStream,
    write: Arc<Mutex<TcpStream>>,
}

impl Read for Duplex {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        self.read.read(into)
    }
}

impl Write for Duplex {
    /// All of it: a frame must not be cut by one of the other half.
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.write.lock().unwrap_or_else(PoisonError::into_inner).write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// One that is only written to, or only read from.
pub(crate) type Half = Box<WebSocket<Duplex>>;

/// A WebSocket's two halves, the writing one first.
pub(crate) fn socket(
    address: &str,
    request: tungstenite::handshake::client::Request,
) -> Result<(Half, Half)> {
    let stream = TcpStream::connect(address)?;
    stream.set_nodelay(true)?;
    let write = Arc::new(Mutex::new(stream.try_clone()?));
    let duplex = |read| Duplex { read, write: Arc::clone(&write) };
    let (receiver, _) = tungstenite::client(request, duplex(stream.try_clone()?))
        .map_err(|error| anyhow::anyhow!("no WebSocket at {address}: {error}"))?;
    let sender = WebSocket::from_raw_socket(duplex(stream), tungstenite::protocol::Role::Client, None);
    Ok((Box::new(sender), Box::new(receiver)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::io::Cursor;

    use opentoolbar_core::protocol::split;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_message_that_comes_in_parts_is_received_as_one() {
        let large = json!({ "replyTo": "m_1", "payload": "word ".repeat(100) }).to_string();
        let parts = split(&large, 7, 200).unwrap();
        assert!(parts.len() > 1);
        let frames = parts.iter().map(|part| serde_json::to_vec(part).unwrap());
        let frames = frames.chain([json!({ "type": "event" }).to_string().into_bytes()]);
        let bytes: Vec<u8> = frames
            .flat_map(|frame| [&u32::try_from(frame.len()).unwrap().to_ne_bytes(), &*frame].concat())
            .collect();
        let mut receiver = Receiver::Native(Box::new(Cursor::new(bytes)), Joiner::default());
        assert_eq!(receiver.receive().unwrap()["replyTo"], "m_1");
        assert_eq!(receiver.receive().unwrap()["type"], "event");
        assert_eq!(receiver.receive(), None);
    }
}
