//! Whether the other end of a WebSocket is still there: asked when somebody else wants its session, because a link that
//! broke without a word looks like one on which nothing is said.

use std::time::Duration;

use tokio::sync::{Notify, watch};

/// How long the other end may take to answer a ping: a machine under load is slow, and a connection that is closed wrongly
/// costs more than a wait.
const ANSWER_WITHIN: Duration = Duration::from_secs(5);

/// Shared by a connection's reader, its writer and those who ask.
#[derive(Debug)]
pub(crate) struct Life {
    wanted: Notify,
    /// Counts what was heard.
    heard: watch::Sender<u64>,
}

impl Default for Life {
    fn default() -> Self {
        Self { wanted: Notify::new(), heard: watch::Sender::new(0) }
    }
}

impl Life {
    /// The other end sent something, whatever it is.
    pub(crate) fn heard(&self) {
        self.heard.send_modify(|count| *count = count.wrapping_add(1));
    }

    /// For the writer: returns when a ping is to be sent.
    pub(crate) async fn wanted(&self) {
        self.wanted.notified().await;
    }

    /// True when the other end answers in time.
    pub(super) async fn prove(&self) -> bool {
        let mut heard = self.heard.subscribe();
        self.wanted.notify_one();
        matches!(tokio::time::timeout(ANSWER_WITHIN, heard.changed()).await, Ok(Ok(())))
    }
}
