//! One TCP connection as its requests know it: who is at its other end, and until when it may go on.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::{OnceCell, mpsc, watch};
use tokio::task::Id;
use tokio::time::Instant;

use crate::project::process_behind;

/// Clones are of the same connection.
#[derive(Clone, Debug)]
pub(super) struct Connection(Arc<State>);

#[derive(Debug)]
struct State {
    peer: SocketAddr,
    task: Id,
    within: Duration,
    until: watch::Sender<Instant>,
    /// Who is told that it has shown a token.
    let_in: mpsc::UnboundedSender<Id>,
    is_let_in: AtomicBool,
    process: OnceCell<Option<(u32, PathBuf)>>,
}

impl Connection {
    /// Served by this task, with so long for each request. The receiver says when it is to be closed.
    pub(super) fn new(
        peer: SocketAddr,
        task: Id,
        within: Duration,
        let_in: mpsc::UnboundedSender<Id>,
    ) -> (Self, watch::Receiver<Instant>) {
        let (until, changes) = watch::channel(Instant::now() + within);
        let (is_let_in, process) = (AtomicBool::new(false), OnceCell::new());
        (Self(Arc::new(State { peer, task, within, until, let_in, is_let_in, process })), changes)
    }

    /// A token was shown: it is no newcomer any more, and this request has its own time.
    pub(super) fn is_let_in(&self) {
        if !self.0.is_let_in.swap(true, Ordering::Relaxed) {
            // Nobody counts any more when the gateway closes.
            let _ = self.0.let_in.send(self.0.task);
        }
        self.may_take(self.0.within);
    }

    /// It is closed so long from now, unless something else is said until then. Never sooner than was said before.
    pub(super) fn may_take(&self, time: Duration) {
        let until = Instant::now() + time;
        self.0.until.send_modify(|at| *at = until.max(*at));
    }

    /// Where the process works that has the other end; none where the system does not tell.
    pub(super) async fn directory(&self) -> Option<PathBuf> {
        self.other_end().await.map(|(_, directory)| directory)
    }

    /// That process.
    pub(super) async fn process(&self) -> Option<u32> {
        self.other_end().await.map(|(process, _)| process)
    }

    async fn other_end(&self) -> Option<(u32, PathBuf)> {
        let peer = self.0.peer;
        let look =
            async move { tokio::task::spawn_blocking(move || process_behind(peer)).await.ok().flatten() };
        self.0.process.get_or_init(|| look).await.clone()
    }
}

/// Returns when the connection has had its time.
pub(super) async fn has_had_its_time(mut until: watch::Receiver<Instant>) {
    loop {
        let at = *until.borrow_and_update();
        tokio::select! {
            () = tokio::time::sleep_until(at) => return,
            changed = until.changed() => if changed.is_err() {
                // No request can ask for more any longer.
                tokio::time::sleep_until(at).await;
                return;
            },
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const SHORT: Duration = Duration::from_millis(50);

    #[tokio::test]
    async fn a_request_that_may_take_longer_is_not_cut_off_and_is_a_newcomer_no_more() {
        let (let_in, mut told) = mpsc::unbounded_channel();
        let task = tokio::spawn(async { tokio::task::id() }).await.unwrap();
        let peer = "127.0.0.1:9".parse().unwrap();
        let (connection, until) = Connection::new(peer, task, SHORT, let_in);
        let began = Instant::now();
        let ends = tokio::spawn(has_had_its_time(until));
        connection.is_let_in();
        connection.is_let_in();
        assert_eq!(told.recv().await, Some(task));
        assert!(told.try_recv().is_err(), "once");
        connection.may_take(20 * SHORT);
        // What is shorter takes nothing back.
        connection.may_take(SHORT);
        ends.await.unwrap();
        assert!(began.elapsed() >= 20 * SHORT, "{:?}", began.elapsed());
    }
}
