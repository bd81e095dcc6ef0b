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
    heard: watch::Sender<Signs>,
}

/// What was heard of the other end.
#[derive(Clone, Copy, Debug, Default)]
struct Signs {
    count: u64,
    /// Nothing will be heard any more.
    is_over: bool,
}

impl Default for Life {
    fn default() -> Self {
        Self { wanted: Notify::new(), heard: watch::Sender::default() }
    }
}

impl Life {
    /// The other end sent something, whatever it is.
    pub(crate) fn heard(&self) {
        self.heard.send_modify(|signs| signs.count = signs.count.wrapping_add(1));
    }

    /// The other end is gone, or its time is up.
    pub(crate) fn over(&self) {
        self.heard.send_modify(|signs| signs.is_over = true);
    }

    /// For the writer: returns when a ping is to be sent.
    pub(crate) async fn wanted(&self) {
        self.wanted.notified().await;
    }

    /// True when the other end answers in time.
    pub(super) async fn prove(&self) -> bool {
        let mut heard = self.heard.subscribe();
        let before = heard.borrow().count;
        self.wanted.notify_one();
        let sign = heard.wait_for(|signs| signs.is_over || signs.count != before);
        matches!(tokio::time::timeout(ANSWER_WITHIN, sign).await, Ok(Ok(signs)) if !signs.is_over)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[tokio::test]
    async fn only_what_the_other_end_sends_proves_that_it_is_there() {
        let life = Arc::new(Life::default());
        let answers = async {
            life.wanted().await;
            life.heard();
        };
        assert!(tokio::join!(life.prove(), answers).0);
        let ends = async {
            life.wanted().await;
            life.over();
        };
        assert!(!tokio::join!(life.prove(), ends).0, "its time ran out while it was asked");
    }
}
