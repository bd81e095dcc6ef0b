//! The hub as its clients see it: found or started, spoken to, found again after it restarted or was upgraded.
//!
//! Knows nothing of what requests mean; retries them with the id they had, so that the hub applies each once.

mod link;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use interprocess::local_socket::tokio::Stream;
use opentoolbar_core::model::{MessageId, SessionId};
use opentoolbar_core::protocol::{
    Answer, ErrorBody, ErrorCode, EventEnvelope, Hello, HubEnvelope, MAX_MESSAGE, MAX_WAIT_MS, Request,
    RequestEnvelope,
};
use tokio::sync::{broadcast, mpsc, oneshot};

use super::Home;
use super::budget::{Budget, Share};
use super::error::{error, internal, too_large};
use super::frame::FrameError;
use crate::ids::random_id;
use link::Link;

/// Events that a slow reader may be behind before it loses the oldest.
const EVENT_BACKLOG: usize = 256;
/// Pause between looks for a hub that somebody else started, while nothing is asked of us.
const IDLE_LOOK: Duration = Duration::from_millis(500);

/// Requests that wait to be sent.
const INBOX: usize = 256;
/// Bytes of requests that wait for their answers.
const MOST_WAITING: usize = 2 * MAX_MESSAGE;
/// How long the hub may take to answer, a restart of it included. A hub that takes longer hangs.
const ANSWER_WITHIN: Duration = Duration::from_secs(30);
/// How long after its own time a request that waits for something is answered.
const WAIT_SLACK: Duration = Duration::from_secs(5);
const IMPORT_WITHIN: Duration = Duration::from_secs(120);

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
        let start = self.start;
        let shared = Arc::new(Shared::new(self));
        let link = Link::establish(&shared, &hello, start).await?;
        Ok(shared.drive(hello, link))
    }

    /// Connects to a hub that runs already; `None` when none does. Never starts one.
    ///
    /// # Errors
    /// As `connect`; `internal` also when something listens but does not talk to us.
    pub async fn connect_if_running(self, hello: Hello) -> Result<Option<Client>, ErrorBody> {
        let shared = Arc::new(Shared::new(self.never_start()));
        let link = Link::look_for(&shared, &hello, false).await?;
        Ok(link.map(|link| shared.drive(hello, link)))
    }

    /// For a hub that is there and does not answer.
    fn late(&self, within: Duration) -> ErrorBody {
        error(
            ErrorCode::Internal,
            format!("the hub did not answer within {} seconds", within.as_secs()),
            format!(
                "Try again in a moment. If it stays, run `opentoolbar status`; when that gets no answer either, {}.",
                self.way_out()
            ),
        )
    }

    /// What ends a hub that hangs.
    fn way_out(&self) -> String {
        let pid = std::fs::read_to_string(self.home.pid()).ok();
        match pid.as_deref().map(str::trim).filter(|pid| pid.parse::<u32>().is_ok()) {
            Some(pid) => format!("end the process {pid} (the hub) and try again"),
            None => format!("end the process whose id is in {} and try again", self.home.pid().display()),
        }
    }

    /// A connection on which nothing has been said yet, for a relay: the hello comes from whom it speaks for.
    ///
    /// # Errors
    /// As `connect`, but for `incompatible`.
    pub(crate) async fn raw(&self) -> Result<Stream, ErrorBody> {
        link::raw(self).await
    }
}

/// Why a request has no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RequestError {
    /// The hub answered: it refuses, or has failed. The connection is as good as before.
    #[error(transparent)]
    Answered(ErrorBody),
    /// No hub can be reached or started. The next request looks again.
    #[error(transparent)]
    Unreachable(ErrorBody),
    /// A hub is there and has not answered in time. What was asked may still be done; sent again with the same id it is
    /// done once.
    #[error(transparent)]
    Late(ErrorBody),
    /// It was not sent.
    #[error(transparent)]
    Unsent(ErrorBody),
    /// The connection is over for good.
    #[error(transparent)]
    Over(ErrorBody),
}

impl From<RequestError> for ErrorBody {
    fn from(error: RequestError) -> Self {
        match error {
            RequestError::Answered(body)
            | RequestError::Unreachable(body)
            | RequestError::Late(body)
            | RequestError::Unsent(body)
            | RequestError::Over(body) => body,
        }
    }
}

/// A connection to the hub. Clones share it; it closes with the last clone.
#[derive(Clone, Debug)]
pub struct Client {
    requests: mpsc::Sender<Asked>,
    shared: Arc<Shared>,
    bytes: Budget,
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

    /// Asks the hub. Survives a restart of the hub: the request is sent again with the same id and applied once. Returns
    /// within 30 s; a request that waits for something, 5 s after its own time; an import, within 2 minutes.
    ///
    /// # Errors
    /// What the hub answered, or `internal` when it cannot be reached or does not answer in time.
    pub async fn request(&self, request: Request) -> Result<Answer, ErrorBody> {
        self.request_as(new_message_id()?, request).await
    }

    /// The same with an id of the caller's: the hub answers a repeated id again without applying it again.
    ///
    /// # Errors
    /// As `request`.
    pub async fn request_as(&self, id: MessageId, request: Request) -> Result<Answer, ErrorBody> {
        Ok(self.send(id, None, request).await?)
    }

    /// A message of the conversation of one session.
    ///
    /// # Errors
    /// As `request`.
    pub async fn request_in(&self, session: &SessionId, request: Request) -> Result<Answer, ErrorBody> {
        Ok(self.send(new_message_id()?, Some(session.clone()), request).await?)
    }

    /// As `request_as`, for callers that do one thing when the hub refused and another when it was not heard.
    ///
    /// # Errors
    /// Why there is no answer.
    pub async fn ask(&self, id: MessageId, request: Request) -> Result<Answer, RequestError> {
        self.send(id, None, request).await
    }

    async fn send(
        &self,
        id: MessageId,
        session_id: Option<SessionId>,
        request: Request,
    ) -> Result<Answer, RequestError> {
        let within = deadline(&request);
        let envelope = RequestEnvelope { id: Some(id.clone()), session_id, request };
        let json = serde_json::to_vec(&envelope)
            .map_err(|e| RequestError::Unsent(internal(format!("cannot encode: {e}"))))?;
        let share =
            self.bytes.take(json.len(), MOST_WAITING).ok_or_else(|| RequestError::Unsent(too_much()))?;
        let (answer, answered) = oneshot::channel();
        let gone = || RequestError::Over(internal("the connection to the hub has ended"));
        let asked = Asked { id, json: json.into(), answer, _share: share };
        let answered = async {
            self.requests.send(asked).await.map_err(|_| gone())?;
            answered.await.map_err(|_| gone())?
        };
        let answered = tokio::time::timeout(within, answered).await;
        match answered.unwrap_or_else(|_| Err(RequestError::Late(self.shared.connector.late(within))))? {
            Answer::Error(error) => Err(RequestError::Answered(error)),
            answer => Ok(answer),
        }
    }

    /// What the hub tells unasked, from now on.
    pub fn events(&self) -> broadcast::Receiver<EventEnvelope> {
        self.shared.events.subscribe()
    }

    /// What the hub said of itself at the first hello.
    pub fn hub(&self) -> &Hello {
        &self.hub
    }
}

/// How long an answer may take: what waits for something has a time of its own.
fn deadline(request: &Request) -> Duration {
    let waits = |timeout_ms: u32| Duration::from_millis(timeout_ms.min(MAX_WAIT_MS).into()) + WAIT_SLACK;
    match request {
        Request::WaitForFeedback { timeout_ms, .. } | Request::RequestAnnotation { timeout_ms, .. } => {
            waits(*timeout_ms)
        }
        Request::ImportComments { .. } => IMPORT_WITHIN,
        _ => ANSWER_WITHIN,
    }
}

fn too_much() -> ErrorBody {
    error(
        ErrorCode::RateLimited,
        "too much waits for the hub already",
        "Wait for earlier answers, then ask again; it was not sent.",
    )
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
    json: Arc<[u8]>,
    answer: oneshot::Sender<Result<Answer, RequestError>>,
    _share: Share,
}

/// What those who ask, the driver and the reader of the connection share.
#[derive(Debug)]
struct Shared {
    connector: Connector,
    events: broadcast::Sender<EventEnvelope>,
    waiting: Mutex<Waiting>,
}

/// Requests without an answer.
#[derive(Debug, Default)]
struct Waiting {
    /// In the order asked, so that a reconnect repeats them in that order.
    asked: BTreeMap<u64, Asked>,
    sent: u64,
}

impl Shared {
    fn new(connector: Connector) -> Self {
        let (events, _) = broadcast::channel(EVENT_BACKLOG);
        Self { connector, events, waiting: Mutex::default() }
    }

    fn drive(self: Arc<Self>, hello: Hello, link: Link) -> Client {
        let hub = link.hub.clone();
        let (requests, inbox) = mpsc::channel(INBOX);
        let driver = Driver { shared: Arc::clone(&self), hello, inbox };
        tokio::spawn(driver.run(link));
        Client { requests, shared: self, bytes: Budget::default(), hub }
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
    fn received(&self, envelope: HubEnvelope) {
        match envelope {
            HubEnvelope::Answer(answer) => {
                let Some(id) = answer.reply_to else { return };
                let asked = {
                    let mut waiting = self.waiting();
                    let found = waiting.asked.iter().find(|(_, asked)| asked.id == id).map(|(n, _)| *n);
                    found.and_then(|n| waiting.asked.remove(&n))
                };
                if let Some(asked) = asked {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_waits_has_its_own_time_and_a_call_of_an_agent_ends_before_its_program_gives_up() {
        let wait = |timeout_ms| deadline(&Request::WaitForFeedback { after: None, timeout_ms });
        assert_eq!(wait(1_000), Duration::from_secs(6));
        assert!(wait(u32::MAX) <= Duration::from_secs(50));
        assert!(deadline(&Request::Status) <= Duration::from_secs(30));
    }
}
