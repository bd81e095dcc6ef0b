//! One connection of the local socket: frames in, frames out. What is said over it is `talk`'s.

use std::sync::Arc;

use interprocess::local_socket::tokio::Stream;
use tokio::io::{ReadHalf, WriteHalf};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

use super::frame::{self, Frame, FrameError};
use super::socket;
use super::state::{Hub, Outgoing};
use super::talk::{Body, Carrier, INBOX, OUTBOX, talk};

/// Serves the connection until either side ends it.
pub(super) async fn serve(hub: Arc<Hub>, stream: Stream) {
    if !matches!(socket::peer_is_us(&stream), Ok(true)) {
        tracing::warn!("refused a connection of another user");
        return;
    }
    let (receive, send) = tokio::io::split(stream);
    let (bodies, inbox) = mpsc::channel(INBOX);
    let (outbox, outgoing) = mpsc::channel(OUTBOX);
    let mut reader = JoinSet::new();
    reader.spawn(read(receive, bodies));
    let writer = tokio::spawn(write(send, outgoing, hub.leaving()));
    talk(hub, Carrier::LocalSocket, inbox, outbox).await;
    reader.abort_all();
    // Ends by itself: the last sender of its channel is gone. What is queued still goes out.
    let _ = writer.await;
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
    mut outgoing: mpsc::Receiver<Outgoing>,
    leaving: watch::Receiver<bool>,
) {
    while let Some(Outgoing { json, .. }) = outgoing.recv().await {
        if frame::write(&mut send, &Frame::Message(&json)).await.is_err() {
            return;
        }
    }
    if *leaving.borrow() {
        let _ = frame::write(&mut send, &Frame::Goodbye).await;
    }
}
