//! What waits to be sent over one connection: bounded in messages and in bytes, so that a reader that does not read
//! costs little and is cut off.

use std::sync::Arc;
use std::time::Duration;

use opentoolbar_core::protocol::{MAX_IMPORT, MAX_MESSAGE};
use tokio::sync::mpsc;

use crate::budget::{Budget, Share};

/// Messages that wait for a slow reader; one more and the connection is closed, so that it starts afresh. An import
/// tells of every comment at once and must not cost its own browser the connection.
pub(super) const OUTBOX: usize = MAX_IMPORT + 512;
/// Bytes of events that wait for a slow reader; more and the connection is closed. As much as an import makes at once.
const MOST_BYTES: usize = MAX_MESSAGE + MAX_MESSAGE / 2;
/// Bytes that may wait before an answer waits too, and with it whoever asks without reading.
const ANSWERS_WAIT_FROM: usize = 8 * 1024 * 1024;
/// How long a reader may take nothing of what it is sent, unless `OPENTOOLBAR_STALL_MS` says otherwise. Long enough for
/// a machine that swaps, short enough that nothing gathers for one that hangs.
const STALL: Duration = Duration::from_secs(30);

/// Who takes nothing for so long is cut off.
pub(crate) fn stall() -> Duration {
    let told = std::env::var("OPENTOOLBAR_STALL_MS").ok().and_then(|ms| ms.parse().ok());
    told.filter(|ms| *ms > 0).map_or(STALL, Duration::from_millis)
}

/// A message on its way to a peer.
#[derive(Clone, Debug)]
pub(crate) struct Outgoing {
    pub(crate) json: Arc<[u8]>,
    /// Where in the conversation the peer stands once it has this.
    pub(crate) position: Option<u64>,
}

impl Outgoing {
    pub(super) fn new(json: Vec<u8>) -> Self {
        Self { json: json.into(), position: None }
    }
}

/// A message that waits. Its bytes count until it is dropped.
#[derive(Debug)]
pub(crate) struct Queued {
    pub(crate) message: Outgoing,
    _share: Share,
}

/// Where a connection's messages go.
#[derive(Clone, Debug)]
pub(crate) struct Outbox {
    queue: mpsc::Sender<Queued>,
    bytes: Budget,
}

/// The reader takes too little, or is gone.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CutOff;

impl Outbox {
    /// With the end at which its messages come out.
    pub(crate) fn new() -> (Self, mpsc::Receiver<Queued>) {
        let (queue, messages) = mpsc::channel(OUTBOX);
        (Self { queue, bytes: Budget::default() }, messages)
    }

    /// For answers: waits while the reader is behind.
    pub(super) async fn send(&self, message: Outgoing) -> Result<(), CutOff> {
        let share = self.bytes.wait_for(message.json.len(), ANSWERS_WAIT_FROM).await;
        self.queue.send(Queued { message, _share: share }).await.map_err(|_| CutOff)
    }

    /// Returns when the reader is not behind with its answers.
    pub(super) async fn has_room(&self) {
        drop(self.bytes.wait_for(0, ANSWERS_WAIT_FROM).await);
    }

    /// For events: never waits. The message counts, and is sent by `put`.
    pub(super) fn take(&self, message: Outgoing) -> Result<Queued, CutOff> {
        let share = self.bytes.take(message.json.len(), MOST_BYTES).ok_or(CutOff)?;
        Ok(Queued { message, _share: share })
    }

    pub(super) fn put(&self, queued: Queued) -> Result<(), CutOff> {
        self.queue.try_send(queued).map_err(|_| CutOff)
    }

    /// Returns when nobody takes messages out any more.
    pub(super) async fn cut_off(&self) {
        self.queue.closed().await;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn of(bytes: usize) -> Outgoing {
        Outgoing::new(vec![b'x'; bytes])
    }

    #[tokio::test]
    async fn events_that_nobody_reads_are_bounded_in_bytes_however_few_they_are() {
        let (outbox, mut messages) = Outbox::new();
        let event = of(1024 * 1024);
        let tell = || outbox.take(event.clone()).and_then(|queued| outbox.put(queued));
        let taken = (0..OUTBOX).take_while(|_| tell().is_ok()).count();
        assert_eq!(taken * event.json.len(), MOST_BYTES);
        drop(messages.recv().await);
        assert_eq!(tell(), Ok(()), "who reads is told on");
    }

    #[tokio::test]
    async fn an_answer_waits_until_the_reader_has_caught_up_and_ends_with_it() {
        let (outbox, mut messages) = Outbox::new();
        outbox.send(of(ANSWERS_WAIT_FROM)).await.unwrap();
        let waits = tokio::spawn({
            let outbox = outbox.clone();
            async move { outbox.send(of(1)).await }
        });
        tokio::task::yield_now().await;
        assert!(!waits.is_finished());
        drop(messages.recv().await);
        waits.await.unwrap().unwrap();
        drop(messages);
        outbox.cut_off().await;
        assert_eq!(outbox.send(of(1)).await, Err(CutOff));
    }
}
