//! One connection of the local socket: frames in, frames out. What is said over it is `talk`'s.

use std::sync::Arc;
use std::time::Duration;

use interprocess::local_socket::tokio::Stream;
use tokio::io::{ReadHalf, WriteHalf};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

use super::body::Body;
use super::frame::{self, Frame, FrameError};
use super::outbox::{Outbox, Queued, stall};
use super::socket;
use super::state::Hub;
use super::talk::{Carrier, INBOX, talk};

/// How long what is queued may take to go out when the conversation is over.
const LAST_WORDS: Duration = Duration::from_secs(30);

/// Serves the connection until either side ends it.
pub(super) async fn serve(hub: Arc<Hub>, stream: Stream) {
    if !matches!(socket::peer_is_us(&stream), Ok(true)) {
        tracing::warn!("refused a connection of another user");
        return;
    }
    let process = socket::process_of(&stream);
    let (receive, send) = tokio::io::split(stream);
    let (bodies, inbox) = mpsc::channel(INBOX);
    let (outbox, outgoing) = Outbox::new();
    let mut reader = JoinSet::new();
    reader.spawn(read(receive, bodies));
    let mut writer = tokio::spawn(write(send, outgoing, hub.leaving()));
    talk(hub, Carrier::LocalSocket { process }, inbox, outbox).await;
    reader.abort_all();
    // Ends by itself: the last sender of its channel is gone. What is queued still goes out, to who reads it.
    if tokio::time::timeout(LAST_WORDS, &mut writer).await.is_err() {
        writer.abort();
    }
}

async fn read(mut receive: ReadHalf<Stream>, bodies: mpsc::Sender<Result<Body, FrameError>>) {
    loop {
        let read = match frame::read_body(&mut receive).await {
            Ok(Some(body)) => Ok(Body::Frame(body)),
            Ok(None) => return,
            Err(error) => Err(error),
        };
        let failed = read.is_err();
        if bodies.send(read).await.is_err() || failed {
            return;
        }
    }
}

async fn write(
    mut send: WriteHalf<Stream>,
    mut outgoing: mpsc::Receiver<Queued>,
    leaving: watch::Receiver<bool>,
) {
    let stall = stall();
    while let Some(queued) = outgoing.recv().await {
        let frame = Frame::Message(&queued.message.json);
        if let Err(fault) = frame::write_within(&mut send, &frame, stall).await {
            if matches!(fault, FrameError::Stalled) {
                tracing::warn!("cut off: it does not read what it is sent");
            }
            return;
        }
    }
    if *leaving.borrow() {
        let _ = frame::write_within(&mut send, &Frame::Goodbye, stall).await;
    }
}
