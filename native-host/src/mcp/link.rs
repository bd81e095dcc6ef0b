//! The link to the hub: made in the background as soon as the agent's name is known. The client behind it finds the
//! hub again when it restarts and repeats what was under way with the id it had, so nothing is applied twice.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use opentoolbar_core::model::{MessageId, Timestamp};
use opentoolbar_core::protocol::{
    Answer, Changed, ErrorBody, Hello, PROTOCOL_VERSION, Presence, Request, Role,
};
use tokio::sync::{Mutex, broadcast};

use super::events::hand_on;
use super::presence::Program;
use super::unanswered::Unanswered;
use crate::error::internal;
use crate::hub::changed::HEARS_CHANGES;
use crate::hub::client::{Client, Connector, RequestError, new_message_id};
use crate::hub::handed::HANDS_OVER;
use crate::hub::presence::CAN_BE_ASKED;

/// Who asked has given up by then.
const PRESENCE_WITHIN: Duration = Duration::from_secs(1);

/// The link of one agent.
#[derive(Clone)]
pub(super) struct Link {
    state: Arc<State>,
}

struct State {
    directory: PathBuf,
    /// Tells this process from others of its name; the same over every connection.
    instance: Option<String>,
    name: OnceLock<String>,
    /// What it is called until it says its name.
    otherwise: String,
    /// Whether a hub is started where none runs.
    may_start: bool,
    /// Nothing is asked for it any more.
    is_over: AtomicBool,
    client: Mutex<Option<Client>>,
    /// Where it may be asked.
    program: OnceLock<Program>,
    /// Whether the client speaks a revision with a handshake: of the others servers ask nothing.
    has_handshake: AtomicBool,
    /// When the agent last asked for something, milliseconds since 1970; 0: never.
    last_asked: AtomicU64,
    unanswered: Unanswered,
    changes: broadcast::Sender<Changed>,
    /// The process that speaks by this, where that is another one; 0: none is known.
    process: AtomicU32,
}

/// Changes that are remembered for one who is slow to hear them.
const MOST_CHANGES: usize = 256;

impl Link {
    /// `directory`: where the agent works.
    pub(super) fn new(directory: PathBuf) -> Self {
        Self::of(directory, "agent".to_owned(), true)
    }

    /// The same from the hub's own process, which starts no other hub.
    pub(super) fn to_this_hub(directory: PathBuf, name: String) -> Self {
        Self::of(directory, name, false)
    }

    fn of(directory: PathBuf, otherwise: String, may_start: bool) -> Self {
        // Without randomness the name has to do.
        let instance = new_message_id().ok().map(String::from);
        let state = State {
            directory,
            instance,
            name: OnceLock::new(),
            otherwise,
            may_start,
            is_over: AtomicBool::new(false),
            client: Mutex::default(),
            program: OnceLock::new(),
            has_handshake: AtomicBool::new(false),
            last_asked: AtomicU64::new(0),
            unanswered: Unanswered::default(),
            changes: broadcast::channel(MOST_CHANGES).0,
            process: AtomicU32::new(0),
        };
        Self { state: Arc::new(state) }
    }

    /// Tells the hub in the background that this agent is here. Only the first name counts.
    pub(super) fn introduce(&self, name: String) {
        // At once: whatever is asked next may be faster than the task.
        if self.state.name.set(name).is_err() {
            return;
        }
        let link = self.clone();
        tokio::spawn(async move {
            if let Err(error) = link.client().await {
                // The next call tries again and tells the agent.
                tracing::warn!(%error, "the hub cannot be reached yet");
            }
        });
    }

    /// Makes sure that there is a link, over which changes come. Whether there was none until now; also where no hub
    /// can be reached.
    pub(super) async fn reach_hub(&self) -> bool {
        let was_linked = self.state.client.lock().await.is_some();
        if let Err(error) = self.client().await {
            tracing::warn!(%error, "no changes are heard of yet");
        }
        !was_linked
    }

    /// What changes from now on.
    pub(super) fn changes(&self) -> broadcast::Receiver<Changed> {
        self.state.changes.subscribe()
    }

    /// The hub told of a change, or may have.
    pub(super) fn note_change(&self, changed: Changed) {
        // Nobody may listen.
        let _ = self.state.changes.send(changed);
    }

    /// The agent's program can be asked whether it is there. Only the first one counts.
    pub(super) fn can_ask(&self, program: Program) {
        let _ = self.state.program.set(program);
    }

    /// The client has begun a handshake, at whose end it takes questions.
    pub(super) fn begins_handshake(&self) {
        self.state.has_handshake.store(true, Ordering::Relaxed);
    }

    /// What there is to say of the agent's program: what it answers, where it may be asked.
    pub(super) async fn ask_program(&self, round: u64) -> Presence {
        match self.state.program.get() {
            Some(program) => program.ask(self, round).await,
            None if self.state.has_handshake.load(Ordering::Relaxed) => Presence::ServerAnswers,
            None => Presence::TakesNoQuestion,
        }
    }

    /// This process speaks by it from now on.
    pub(super) fn speaks_for(&self, process: Option<u32>) {
        self.state.process.store(process.unwrap_or(0), Ordering::Relaxed);
    }

    /// For which process it speaks, where that is another one than this.
    pub(super) fn process(&self) -> Option<u32> {
        Some(self.state.process.load(Ordering::Relaxed)).filter(|process| *process > 0)
    }

    /// When the agent last asked for something, milliseconds since 1970; 0: never.
    pub(super) fn last_asked(&self) -> u64 {
        self.state.last_asked.load(Ordering::Relaxed)
    }

    /// Over the connection that there is, if any: nobody waits for it long enough to make one.
    pub(super) async fn tell_presence(&self, round: u64, presence: Presence) {
        let Some(client) = self.state.client.lock().await.clone() else { return };
        let told = client.request(Request::AgentPong { round, presence });
        if !matches!(tokio::time::timeout(PRESENCE_WITHIN, told).await, Ok(Ok(_))) {
            tracing::debug!("the hub did not hear that the agent is there");
        }
    }

    async fn client(&self) -> Result<Client, RequestError> {
        let mut slot = self.state.client.lock().await;
        if self.state.is_over.load(Ordering::Relaxed) {
            return Err(RequestError::Unreachable(internal("the agent's session is over")));
        }
        if let Some(client) = slot.as_ref() {
            return Ok(client.clone());
        }
        let name = self.state.name.get().unwrap_or(&self.state.otherwise).clone();
        let hello = Hello {
            protocol: PROTOCOL_VERSION,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            role: Role::Agent,
            client: name,
            instance: self.state.instance.clone(),
            cwd: Some(self.state.directory.to_string_lossy().into_owned()),
            last_asked: Some(self.state.last_asked.load(Ordering::Relaxed))
                .filter(|at| *at > 0)
                .map(Timestamp),
            capabilities: vec![CAN_BE_ASKED.to_owned(), HANDS_OVER.to_owned(), HEARS_CHANGES.to_owned()],
        };
        let client = self.connect(hello).await.map_err(RequestError::Unreachable)?;
        tokio::spawn(hand_on(self.clone(), &client));
        *slot = Some(client.clone());
        Ok(client)
    }

    async fn connect(&self, hello: Hello) -> Result<Client, ErrorBody> {
        if self.state.may_start {
            return Client::connect(hello).await;
        }
        let client = Connector::from_env()?.connect_if_running(hello).await?;
        client.ok_or_else(|| internal("the hub leaves"))
    }

    /// The agent is gone: its connection to the hub closes, and what listens for changes ends.
    pub(super) fn end(&self) {
        self.state.is_over.store(true, Ordering::Relaxed);
        self.note_change(Changed::anything());
        let link = self.clone();
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move { link.state.client.lock().await.take() });
        }
    }

    /// Asks the hub. A connection that has ended for good is replaced, and the request repeated once with its id. What
    /// the hub answers is its answer, whatever it says: a hub that is ill is asked once.
    pub(super) async fn ask(&self, request: Request) -> Result<Answer, ErrorBody> {
        let asking = self.state.unanswered.begin(new_message_id()?, request);
        // Dropped without an answer, as the agent does not want it any more.
        let waits = match asking.request {
            Request::WaitForFeedback(_) => true,
            Request::RequestVerification { timeout_ms, .. } | Request::GetVerification { timeout_ms, .. } => {
                timeout_ms > 0
            }
            _ => false,
        };
        let mut ending = waits.then(|| Ending { link: self.clone(), id: Some(asking.id.clone()) });
        let at = now();
        let once = async || {
            let client = self.client().await?;
            client.asked_at(at);
            self.state.last_asked.fetch_max(at.0, Ordering::Relaxed);
            client.ask(asking.id.clone(), asking.request.clone()).await
        };
        let answered = match once().await {
            Err(RequestError::Over(error)) => {
                tracing::warn!(%error, "asking the hub again over a new connection");
                self.state.client.lock().await.take();
                once().await
            }
            done => done,
        };
        if let Some(ending) = &mut ending {
            ending.id = None;
        }
        if matches!(answered, Ok(_) | Err(RequestError::Answered(_) | RequestError::Unsent(_))) {
            asking.answered();
        }
        Ok(answered?)
    }
}

/// A wait that is under way: the hub tells the person of it.
struct Ending {
    link: Link,
    id: Option<MessageId>,
}

impl Drop for Ending {
    fn drop(&mut self) {
        let (Some(message_id), Ok(runtime)) = (self.id.take(), tokio::runtime::Handle::try_current()) else {
            return;
        };
        let link = self.link.clone();
        runtime.spawn(async move {
            let Some(client) = link.state.client.lock().await.clone() else { return };
            let told = client.request(Request::EndWait { message_id });
            if !matches!(tokio::time::timeout(PRESENCE_WITHIN, told).await, Ok(Ok(_))) {
                tracing::debug!("the hub did not hear that a wait has ended");
            }
        });
    }
}

/// Now, for changes.
pub(super) fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}
