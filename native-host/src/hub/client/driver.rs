//! What keeps a client connected: requests that wait for their answers, sent again over the next connection.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use opentoolbar_core::model::{MessageId, Timestamp};
use opentoolbar_core::protocol::{Answer, EventEnvelope, Hello};
use tokio::sync::{broadcast, mpsc, oneshot};

use super::connector::Connector;
use super::link::Link;
use super::received::{self, Received};
use super::{Client, RequestError};
use crate::budget::{Budget, Share};
use crate::hub::frame::{FrameError, too_large};

/// Events that a slow reader may be behind before it loses the oldest.
const EVENT_BACKLOG: usize = 256;
/// Pause between looks for a hub that somebody else started, while nothing is asked of us.
const IDLE_LOOK: Duration = Duration::from_millis(500);
/// Requests that wait to be sent.
const INBOX: usize = 256;

#[derive(Debug)]
pub(super) struct Asked {
    pub(super) id: MessageId,
    pub(super) json: Arc<[u8]>,
    pub(super) answer: oneshot::Sender<Result<Answer, RequestError>>,
    /// Given back with the answer.
    pub(super) _share: Share,
}

/// What those who ask, the driver and the reader of the connection share.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) connector: Connector,
    pub(super) events: broadcast::Sender<EventEnvelope>,
    waiting: Mutex<Waiting>,
    /// When the speaker itself last asked for something, milliseconds since 1970; 0: never.
    last_asked: AtomicU64,
}

/// Requests without an answer.
#[derive(Debug, Default)]
struct Waiting {
    /// In the order asked, so that a reconnect repeats them in that order.
    asked: BTreeMap<u64, Asked>,
    sent: u64,
}

impl Shared {
    pub(super) fn new(connector: Connector) -> Self {
        let (events, _) = broadcast::channel(EVENT_BACKLOG);
        Self { connector, events, waiting: Mutex::default(), last_asked: AtomicU64::new(0) }
    }

    pub(super) fn drive(self: Arc<Self>, hello: Hello, link: Link) -> Client {
        let hub = link.hub.clone();
        let (requests, inbox) = mpsc::channel(INBOX);
        let driver = Driver { shared: Arc::clone(&self), hello, inbox };
        tokio::spawn(driver.run(link));
        Client { requests, shared: self, bytes: Budget::default(), hub }
    }

    pub(super) fn asked_at(&self, at: Timestamp) {
        self.last_asked.fetch_max(at.0, Ordering::Relaxed);
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        // A panic in between leaves the map whole: every change is one insert or remove.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on it has an answer to come. `None` when nobody waits for that any more.
    fn add(&self, asked: Asked) -> Option<(u64, Arc<[u8]>)> {
        if asked.answer.is_closed() {
            return None;
        }
        let mut waiting = self.waiting();
        // Who has given up need not be remembered.
        waiting.asked.retain(|_, asked| !asked.answer.is_closed());
        waiting.sent += 1;
        let number = waiting.sent;
        let json = Arc::clone(&asked.json);
        waiting.asked.insert(number, asked);
        Some((number, json))
    }

    /// What came over the connection. Never waits: a reader that did could keep the hub from reading us.
    pub(super) fn received(&self, json: &[u8]) {
        match received::read(json) {
            Received::Answer(id, answered) => {
                let asked = {
                    let mut waiting = self.waiting();
                    let found = waiting.asked.iter().find(|(_, asked)| asked.id == id).map(|(n, _)| *n);
                    found.and_then(|n| waiting.asked.remove(&n))
                };
                if let Some(asked) = asked {
                    // The asker may have given up; its answer is then nobody's.
                    let _ = asked.answer.send(answered.map_err(RequestError::Unread));
                }
            }
            Received::Event(event) => {
                let _ = self.events.send(event);
            }
            Received::Nothing => {}
        }
    }
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
        let repeated: Vec<_> =
            self.shared.waiting().asked.values().map(|asked| Arc::clone(&asked.json)).collect();
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
        let asked = Some(self.shared.last_asked.load(Ordering::Relaxed)).filter(|at| *at > 0);
        self.hello.last_asked = self.hello.last_asked.max(asked.map(Timestamp));
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
