//! The hub as its clients see it: found or started, spoken to, found again after it restarted or was upgraded.
//!
//! Knows nothing of what requests mean; retries them with the id they had, so that the hub applies each once.

mod link;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use interprocess::local_socket::tokio::Stream;
use opentoolbar_core::model::{MessageId, SessionId};
use opentoolbar_core::protocol::{
    Answer, ErrorBody, EventEnvelope, Hello, HubEnvelope, Request, RequestEnvelope,
};
use tokio::sync::{broadcast, mpsc, oneshot};

use super::Home;
use super::error::internal;
use crate::ids::random_id;
use link::{Heard, Link};

/// Events that a slow reader may be behind before it loses the oldest.
const EVENT_BACKLOG: usize = 256;
/// Pause between looks for a hub that somebody else started, while nothing is asked of us.
const IDLE_LOOK: Duration = Duration::from_millis(500);

/// How to find the hub.
#[derive(Clone, Debug)]
pub struct Connector {
    home: Home,
    program: Option<PathBuf>,
    start: bool,
}

impl Connector {
    /// The user's hub, by `OPENTOOLBAR_HOME`; started from this very program when none runs.
    ///
    /// # Errors
    /// `storage` when the user has no home directory.
    pub fn from_env() -> Result<Self, ErrorBody> {
        Ok(Self::new(Home::from_env()?))
    }

    /// The hub of this home.
    pub fn new(home: Home) -> Self {
        Self { home, program: None, start: true }
    }

    /// Starts this program as the hub instead of the running one.
    #[must_use]
    pub fn program(self, program: impl Into<PathBuf>) -> Self {
        Self { program: Some(program.into()), ..self }
    }

    /// Fails when no hub runs, instead of starting one.
    #[must_use]
    pub fn never_start(self) -> Self {
        Self { start: false, ..self }
    }

    /// Connects and says hello.
    ///
    /// # Errors
    /// `incompatible`, `storage` when the home cannot be used, `internal` when the hub cannot be reached or started.
    pub async fn connect(self, hello: Hello) -> Result<Client, ErrorBody> {
        let link = Link::establish(&self, &hello, self.start).await?;
        Ok(self.drive(hello, link))
    }

    /// Connects to a hub that runs already; `None` when none does. Never starts one.
    ///
    /// # Errors
    /// As `connect`; `internal` also when something listens but does not talk to us.
    pub async fn connect_if_running(self, hello: Hello) -> Result<Option<Client>, ErrorBody> {
        let this = self.never_start();
        let link = Link::look_for(&this, &hello, false).await?;
        Ok(link.map(|link| this.drive(hello, link)))
    }

    fn drive(self, hello: Hello, link: Link) -> Client {
        let hub = link.hub.clone();
        let (requests, inbox) = mpsc::unbounded_channel();
        let (events, _) = broadcast::channel(EVENT_BACKLOG);
        let driver = Driver {
            connector: self,
            hello,
            events: events.clone(),
            inbox,
            waiting: BTreeMap::new(),
            sent: 0,
        };
        tokio::spawn(driver.run(link));
        Client { requests, events, hub }
    }

    /// A connection on which nothing has been said yet, for a relay: the hello comes from whom it speaks for.
    ///
    /// # Errors
    /// As `connect`, but for `incompatible`.
    pub(crate) async fn raw(&self) -> Result<Stream, ErrorBody> {
        link::raw(self).await
    }
}

/// A connection to the hub. Clones share it; it closes with the last clone.
#[derive(Clone, Debug)]
pub struct Client {
    requests: mpsc::UnboundedSender<Asked>,
    events: broadcast::Sender<EventEnvelope>,
    hub: Hello,
}

impl Client {
    /// Connects to the user's hub and starts it when none runs: `Connector::from_env()?.connect(hello)`.
    ///
    /// # Errors
    /// As `Connector::connect`.
    pub async fn connect(hello: Hello) -> Result<Client, ErrorBody> {
        Connector::from_env()?.connect(hello).await
    }

    /// Asks the hub. Survives a restart of the hub: the request is sent again with the same id and applied once.
    ///
    /// # Errors
    /// What the hub answered, or `internal` when it cannot be reached.
    pub async fn request(&self, request: Request) -> Result<Answer, ErrorBody> {
        self.request_as(new_message_id()?, request).await
    }

    /// The same with an id of the caller's: the hub answers a repeated id again without applying it again.
    ///
    /// # Errors
    /// As `request`.
    pub async fn request_as(&self, id: MessageId, request: Request) -> Result<Answer, ErrorBody> {
        self.send(id, None, request).await
    }

    /// A message of the conversation of one session.
    ///
    /// # Errors
    /// As `request`.
    pub async fn request_in(&self, session: &SessionId, request: Request) -> Result<Answer, ErrorBody> {
        self.send(new_message_id()?, Some(session.clone()), request).await
    }

    async fn send(
        &self,
        id: MessageId,
        session_id: Option<SessionId>,
        request: Request,
    ) -> Result<Answer, ErrorBody> {
        let envelope = RequestEnvelope { id: Some(id.clone()), session_id, request };
        let json = serde_json::to_vec(&envelope).map_err(|e| internal(format!("cannot encode: {e}")))?;
        let (answer, answered) = oneshot::channel();
        let gone = || internal("the connection to the hub has ended");
        self.requests.send(Asked { id, json, answer }).map_err(|_| gone())?;
        match answered.await.map_err(|_| gone())?? {
            Answer::Error(error) => Err(error),
            answer => Ok(answer),
        }
    }

    /// What the hub tells unasked, from now on.
    pub fn events(&self) -> broadcast::Receiver<EventEnvelope> {
        self.events.subscribe()
    }

    /// What the hub said of itself at the first hello.
    pub fn hub(&self) -> &Hello {
        &self.hub
    }
}

/// A fresh id, unique without asking anybody.
///
/// # Errors
/// `internal` when the system gives no randomness.
pub fn new_message_id() -> Result<MessageId, ErrorBody> {
    random_id("m_")
}

#[derive(Debug)]
struct Asked {
    id: MessageId,
    json: Vec<u8>,
    answer: oneshot::Sender<Result<Answer, ErrorBody>>,
}

/// Owns the connection: writes what is asked, hands out answers, connects again.
struct Driver {
    connector: Connector,
    hello: Hello,
    events: broadcast::Sender<EventEnvelope>,
    inbox: mpsc::UnboundedReceiver<Asked>,
    /// In the order asked, so that a reconnect repeats them in that order.
    waiting: BTreeMap<u64, Asked>,
    sent: u64,
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
        for asked in self.waiting.values() {
            if link.send(&asked.json).await.is_err() {
                return Some(());
            }
        }
        loop {
            tokio::select! {
                asked = self.inbox.recv() => {
                    let asked = asked?;
                    self.sent += 1;
                    let sent = link.send(&asked.json).await;
                    match sent {
                        Err(super::frame::FrameError::TooLarge(size)) => {
                            let _ = asked.answer.send(Err(super::error::too_large(size)));
                        }
                        sent => {
                            self.waiting.insert(self.sent, asked);
                            if sent.is_err() {
                                return Some(());
                            }
                        }
                    }
                }
                heard = link.hear() => match heard {
                    Heard::Envelope(envelope) => self.take(*envelope),
                    Heard::End => return Some(()),
                },
            }
        }
    }

    fn take(&mut self, envelope: HubEnvelope) {
        match envelope {
            HubEnvelope::Answer(answer) => {
                let Some(id) = answer.reply_to else { return };
                let found = self.waiting.iter().find(|(_, asked)| asked.id == id).map(|(n, _)| *n);
                if let Some(asked) = found.and_then(|n| self.waiting.remove(&n)) {
                    // The asker may have given up; its answer is then nobody's.
                    let _ = asked.answer.send(Ok(answer.answer));
                }
            }
            HubEnvelope::Event(event) => {
                let _ = self.events.send(event);
            }
            // Only relays split messages, towards browsers.
            HubEnvelope::Chunk(_) => {}
        }
    }

    /// `Some(None)`: not found, everything that waited has been told. `None`: nobody needs it any more.
    ///
    /// With a question waiting, a hub is started; without one we only look whether somebody else starts it, so
    /// that a hub that was stopped on purpose stays stopped.
    async fn find_again(&mut self) -> Option<Option<Link>> {
        self.waiting.retain(|_, asked| !asked.answer.is_closed());
        let needed = !self.waiting.is_empty();
        let found = Link::establish(&self.connector, &self.hello, needed && self.connector.start).await;
        match found {
            Ok(link) => return Some(Some(link)),
            Err(error) => {
                for (_, asked) in std::mem::take(&mut self.waiting) {
                    let _ = asked.answer.send(Err(error.clone()));
                }
            }
        }
        tokio::select! {
            asked = self.inbox.recv() => {
                self.sent += 1;
                self.waiting.insert(self.sent, asked?);
            }
            () = tokio::time::sleep(IDLE_LOOK) => {}
        }
        Some(None)
    }
}
