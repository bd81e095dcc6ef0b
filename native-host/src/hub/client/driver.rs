//! What keeps a client connected: what is asked is written, and what waits is sent again over the next connection.

use std::sync::Arc;
use std::time::Duration;

use opentoolbar_core::protocol::Hello;
use tokio::sync::mpsc;

use super::link::Link;
use super::waiting::{Asked, RequestError, Shared};
use crate::hub::frame::{FrameError, too_large};

/// Pause between looks for a hub that somebody else started, while nothing is asked of us.
const IDLE_LOOK: Duration = Duration::from_millis(500);
/// Requests that wait to be sent.
const INBOX: usize = 256;

/// Keeps the client connected from now on. What is asked goes in here.
pub(super) fn drive(shared: Arc<Shared>, hello: Hello, link: Link) -> mpsc::Sender<Asked> {
    let (requests, inbox) = mpsc::channel(INBOX);
    tokio::spawn(Driver { shared, hello, inbox }.run(link));
    requests
}

/// Owns the connection: writes what is asked, connects again.
struct Driver {
    shared: Arc<Shared>,
    hello: Hello,
    inbox: mpsc::Receiver<Asked>,
}

impl Driver {
    async fn run(mut self, link: Link) {
        let mut link = Some(link);
        loop {
            match link.take() {
                Some(live) => {
                    if self.serve(live).await.is_none() {
                        return;
                    }
                }
                None => match self.find_again().await {
                    Some(found) => link = found,
                    None => return,
                },
            }
        }
    }

    /// Until the connection ends (`Some`) or nobody needs it any more (`None`).
    async fn serve(&mut self, mut link: Link) -> Option<()> {
        let repeated: Vec<_> = self.shared.waiting().asked.values().map(Asked::again).collect();
        for json in repeated {
            if link.send(&json).await.is_err() {
                return Some(());
            }
        }
        loop {
            tokio::select! {
                asked = self.inbox.recv() => {
                    // Known before it is sent: the answer may be faster than we are.
                    let Some((number, json)) = self.shared.add(asked?) else { continue };
                    match link.send(&json).await {
                        Ok(()) => {}
                        Err(FrameError::TooLarge(size)) => {
                            let asked = self.shared.waiting().asked.remove(&number);
                            if let Some(asked) = asked {
                                let _ = asked.answer.send(Err(RequestError::Unsent(too_large(size))));
                            }
                        }
                        Err(_) => return Some(()),
                    }
                }
                () = link.ended() => return Some(()),
            }
        }
    }

    /// `Some(None)`: not found, everything that waited has been told. `None`: nobody needs it any more.
    ///
    /// With a question waiting, a hub is started; without one we only look whether somebody else starts it, so
    /// that a hub that was stopped on purpose stays stopped.
    async fn find_again(&mut self) -> Option<Option<Link>> {
        let needed = {
            let mut waiting = self.shared.waiting();
            waiting.asked.retain(|_, asked| !asked.answer.is_closed());
            !waiting.asked.is_empty()
        };
        let start = needed && self.shared.connector.start;
        // The next hub knows nothing of what was asked before.
        self.hello.last_asked = self.hello.last_asked.max(self.shared.last_asked());
        match Link::establish(&self.shared, &self.hello, start).await {
            Ok(link) => return Some(Some(link)),
            Err(error) => {
                let told = std::mem::take(&mut self.shared.waiting().asked);
                for asked in told.into_values() {
                    let _ = asked.answer.send(Err(RequestError::Unreachable(error.clone())));
                }
            }
        }
        tokio::select! {
            asked = self.inbox.recv() => drop(self.shared.add(asked?)),
            () = tokio::time::sleep(IDLE_LOOK) => {}
        }
        Some(None)
    }
}
