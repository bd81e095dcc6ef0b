//! Says whether the agent is there when a browser wants to know: the hub asks this process, and this process the agent's
//! program, by the `ping` of MCP. That the pipes are open says nothing: a program that hangs keeps them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use opentoolbar_core::protocol::{Event, EventEnvelope, Presence};
use rmcp::model::{PingRequest, ServerRequest};
use rmcp::service::{Peer, RoleServer, ServiceError};
use tokio::sync::broadcast::{self, error::RecvError};
use tokio::sync::watch;

use super::link::Link;

/// Shorter than the hub's patience, so that it hears which of the two is silent.
const PATIENCE: Duration = Duration::from_millis(1_500);

/// The agent's program, to be asked.
#[derive(Clone)]
pub(super) struct Program {
    peer: Peer<RoleServer>,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    /// A question is under way: a program that hangs is not sent one after the other.
    is_asked: AtomicBool,
    has_answered: AtomicBool,
    answers: watch::Sender<u64>,
}

impl Program {
    pub(super) fn new(peer: Peer<RoleServer>) -> Self {
        Self { peer, state: Arc::default() }
    }

    async fn ask(&self) -> Presence {
        let mut answers = self.state.answers.subscribe();
        if !self.state.is_asked.swap(true, Ordering::AcqRel) {
            let program = self.clone();
            tokio::spawn(async move {
                let answer =
                    program.peer.send_request(ServerRequest::PingRequest(PingRequest::default())).await;
                program.state.is_asked.store(false, Ordering::Release);
                // A refusal is an answer too.
                if matches!(answer, Ok(_) | Err(ServiceError::McpError(_))) {
                    program.state.has_answered.store(true, Ordering::Release);
                    program.state.answers.send_modify(|count| *count += 1);
                }
            });
        }
        match tokio::time::timeout(PATIENCE, answers.changed()).await {
            Ok(Ok(())) => Presence::Answers,
            _ if self.state.has_answered.load(Ordering::Acquire) => Presence::ServerAlone,
            // It may be one that answers no ping at all, although MCP says that it must.
            _ => Presence::ServerAnswers,
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
                    let presence = match link.program() {
                        Some(program) => program.ask().await,
                        None => Presence::ServerAnswers,
                    };
                    link.tell_presence(round, presence).await;
                });
            }
            Ok(_) | Err(RecvError::Lagged(_)) => {}
            Err(RecvError::Closed) => return,
        }
    }
}
