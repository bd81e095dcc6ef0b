//! Says whether the agent is there when a browser wants to know: the hub asks this process, and this process the agent's
//! program, by the `ping` of MCP. That the pipes are open says nothing: a program that hangs keeps them.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use opentoolbar_core::protocol::{Event, EventEnvelope, Presence};
use rmcp::model::{PingRequest, ServerRequest};
use rmcp::service::{Peer, RoleServer, ServiceError};
use tokio::sync::broadcast::{self, error::RecvError};
use tokio::sync::watch;
use tokio::time::Instant;

use super::link::Link;

/// Shorter than the hub's patience, so that it hears which of the two is silent.
const PATIENCE: Duration = Duration::from_millis(1_500);
/// A question that stands for longer is not answered, however slow the program was before.
const LATE: Duration = Duration::from_secs(10);

/// The agent's program, to be asked.
#[derive(Clone)]
pub(super) struct Program {
    peer: Peer<RoleServer>,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    /// Since when a question is under way: a program that hangs is not sent one after the other.
    asked_at: Mutex<Option<Instant>>,
    /// How long the last answer took; none before the first.
    took: Mutex<Option<Duration>>,
    answers: watch::Sender<u64>,
}

impl State {
    /// Since when the question stands, and whether it is new.
    fn begin(&self) -> (Instant, bool) {
        let mut asked_at = self.asked_at.lock().unwrap_or_else(PoisonError::into_inner);
        match *asked_at {
            Some(since) => (since, false),
            None => (*asked_at.insert(Instant::now()), true),
        }
    }

    /// The question is answered, or never will be.
    fn end(&self, is_answered: bool) -> Duration {
        let began = self.asked_at.lock().unwrap_or_else(PoisonError::into_inner).take();
        let took = began.map(|began| began.elapsed()).unwrap_or_default();
        if is_answered {
            *self.took.lock().unwrap_or_else(PoisonError::into_inner) = Some(took);
            self.answers.send_modify(|count| *count += 1);
        }
        took
    }
}

impl Program {
    pub(super) fn new(peer: Peer<RoleServer>) -> Self {
        Self { peer, state: Arc::default() }
    }

    /// `round`: of the hub's question, which hears of an answer also when that comes late.
    pub(super) async fn ask(&self, link: &Link, round: u64) -> Presence {
        let mut answers = self.state.answers.subscribe();
        let (since, is_new) = self.state.begin();
        if is_new {
            let (program, link) = (self.clone(), link.clone());
            tokio::spawn(async move {
                let answer =
                    program.peer.send_request(ServerRequest::PingRequest(PingRequest::default())).await;
                // A refusal is an answer too.
                let is_answer = matches!(answer, Ok(_) | Err(ServiceError::McpError(_)));
                if program.state.end(is_answer) > PATIENCE && is_answer {
                    link.tell_presence(round, Presence::Answers).await;
                }
            });
        }
        if matches!(tokio::time::timeout(PATIENCE, answers.changed()).await, Ok(Ok(()))) {
            return Presence::Answers;
        }
        match *self.state.took.lock().unwrap_or_else(PoisonError::into_inner) {
            // It may be one that answers no ping at all, although MCP says that it must.
            None => Presence::ServerAnswers,
            // One that is slow each time does not hang: its last answer stands until this takes much longer than that took.
            Some(took) if took > PATIENCE && since.elapsed() < (2 * took).min(LATE) => Presence::Answers,
            Some(_) => Presence::ServerAlone,
        }
    }
}

/// Answers the hub's questions until the connection to it is over for good.
pub(super) async fn answer_pings(link: Link, mut events: broadcast::Receiver<EventEnvelope>) {
    loop {
        match events.recv().await {
            Ok(EventEnvelope { event: Event::AgentPing { round }, .. }) => {
                let link = link.clone();
                tokio::spawn(async move {
                    let presence = link.ask_program(round).await;
                    link.tell_presence(round, presence).await;
                });
            }
            Ok(_) | Err(RecvError::Lagged(_)) => {}
            Err(RecvError::Closed) => return,
        }
    }
}
