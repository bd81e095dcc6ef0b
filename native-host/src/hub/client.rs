//! The hub as its clients see it: found or started, spoken to, found again after it restarted or was upgraded.
//!
//! Knows nothing of what requests mean; retries them with the id they had, so that the hub applies each once.

mod connector;
mod driver;
mod link;
mod received;
mod waiting;

use std::sync::Arc;
use std::time::Duration;

use interprocess::local_socket::tokio::Stream;
use opentoolbar_core::model::{MessageId, SessionId, Timestamp};
use opentoolbar_core::protocol::{
    Answer, ErrorBody, ErrorCode, EventEnvelope, Hello, MAX_MESSAGE, MAX_WAIT_MS, Request, RequestEnvelope,
};
use tokio::sync::{broadcast, mpsc, oneshot, watch};
use tokio::time::Instant;

use crate::budget::Budget;
use crate::error::{error, internal};
pub use connector::Connector;
use link::Link;
use waiting::{Asked, Shared, timeout_of};
pub use waiting::{RequestError, new_message_id};

/// Bytes of requests that wait for their answers.
const MOST_WAITING: usize = 2 * MAX_MESSAGE;
/// How long the hub may take to answer, a restart of it included. A hub that takes longer hangs.
const ANSWER_WITHIN: Duration = Duration::from_secs(30);
/// How long after its own time a request that waits for something is answered.
const WAIT_SLACK: Duration = Duration::from_secs(5);
const IMPORT_WITHIN: Duration = Duration::from_secs(120);

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

    fn over(shared: Arc<Shared>, hello: Hello, link: Link) -> Client {
        let hub = link.hub.clone();
        let requests = driver::drive(Arc::clone(&shared), hello, link);
        Client { requests, shared, bytes: Budget::default(), hub }
    }

    /// Asks the hub. Survives a restart of the hub: the request is sent again with the same id and applied once.
    /// Returns within 30 s; a request that waits for something, 5 s after its own time; an import, within 2 minutes.
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
        mut request: Request,
    ) -> Result<Answer, RequestError> {
        let within = deadline(&mut request);
        let waits = timeout_of(&mut request).is_some();
        let envelope = RequestEnvelope { id: Some(id.clone()), session_id, request };
        let json = serde_json::to_vec(&envelope)
            .map_err(|e| RequestError::Unsent(internal(format!("cannot encode: {e}"))))?;
        let share =
            self.bytes.take(json.len(), MOST_WAITING).ok_or_else(|| RequestError::Unsent(too_much()))?;
        let (answer, answered) = oneshot::channel();
        let gone = || RequestError::Over(internal("the connection to the hub has ended"));
        let wait = waits.then(|| (Box::new(envelope), Instant::now()));
        let asked = Asked { id, json: json.into(), wait, answer, _share: share };
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

    /// Changes when the hub is found again: what it told meanwhile was told to nobody here.
    pub fn greetings(&self) -> watch::Receiver<u64> {
        self.shared.greetings.subscribe()
    }

    /// The speaker itself asked for something then: a hub that is found later is told at its hello.
    pub fn asked_at(&self, at: Timestamp) {
        self.shared.asked_at(at);
    }

    /// What the hub said of itself at the first hello.
    pub fn hub(&self) -> &Hello {
        &self.hub
    }
}

impl Connector {
    /// Connects and says hello.
    ///
    /// # Errors
    /// `incompatible`, `storage` when the home cannot be used, `internal` when the hub cannot be reached or started.
    pub async fn connect(self, hello: Hello) -> Result<Client, ErrorBody> {
        let start = self.start;
        let shared = Arc::new(Shared::new(self));
        let link = Link::establish(&shared, &hello, start).await?;
        Ok(Client::over(shared, hello, link))
    }

    /// Connects to a hub that runs already; `None` when none does. Never starts one.
    ///
    /// # Errors
    /// As `connect`; `internal` also when one is there and does not answer.
    pub async fn connect_if_running(self, hello: Hello) -> Result<Option<Client>, ErrorBody> {
        let shared = Arc::new(Shared::new(self.never_start()));
        let link = Link::look_for(&shared, &hello, false).await?;
        Ok(link.map(|link| Client::over(shared, hello, link)))
    }

    /// A connection on which nothing has been said yet, for a relay: the hello comes from whom it speaks for.
    ///
    /// # Errors
    /// As `connect`, but for `incompatible`.
    pub(crate) async fn raw(&self) -> Result<Stream, ErrorBody> {
        link::raw(self).await
    }
}

/// How long an answer may take: what waits for something has a time of its own.
fn deadline(request: &mut Request) -> Duration {
    match (timeout_of(request).copied(), request) {
        (Some(timeout_ms), _) => Duration::from_millis(timeout_ms.min(MAX_WAIT_MS).into()) + WAIT_SLACK,
        (None, Request::ImportComments { .. }) => IMPORT_WITHIN,
        (None, _) => ANSWER_WITHIN,
    }
}

fn too_much() -> ErrorBody {
    error(
        ErrorCode::RateLimited,
        "too much waits for the hub already",
        "Wait for earlier answers, then ask again; it was not sent.",
    )
}

#[cfg(test)]
mod tests {
    use opentoolbar_core::protocol::NewsQuery;

    use super::*;

    #[test]
    fn what_waits_has_its_own_time_and_a_call_of_an_agent_ends_before_its_program_gives_up() {
        let wait = |timeout_ms| {
            deadline(&mut Request::WaitForFeedback(NewsQuery { timeout_ms, ..NewsQuery::default() }))
        };
        assert_eq!(wait(1_000), Duration::from_secs(6));
        assert!(wait(u32::MAX) <= Duration::from_secs(50));
        assert!(deadline(&mut Request::Status) <= Duration::from_secs(30));
    }
}
