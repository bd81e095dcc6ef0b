//! One connection, as the hub knows it while it is open: who it is, what it is told.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use opentoolbar_core::model::{Author, Project};
use opentoolbar_core::protocol::{AgentLink, Hello, Role};
use tokio::sync::watch;

use super::life::Life;
use super::outbox::{CutOff, OUTBOX, Outbox, Outgoing, Queued};
use super::plain::Plain;
use super::pulse::Pulse;
use crate::store::By;

/// Longest name of an agent, in characters; a comment takes 200 bytes.
const MAX_NAME: usize = 50;

/// One connection that has said hello.
#[derive(Debug)]
pub(crate) struct Peer {
    pub(crate) id: u64,
    pub(crate) hello: Hello,
    /// An agent's or a verb's, by its working directory.
    pub(crate) project: Option<Project>,
    /// Tells agents of one name in one project apart, for people; from 1.
    pub(super) number: u32,
    pub(super) pulse: Pulse,
    pub(super) outbox: Outbox,
    /// What happened while a plain client is told what it missed before.
    held: Mutex<Option<Vec<Queued>>>,
    closed: watch::Sender<bool>,
    /// Nothing of what it sent goes on.
    gone: watch::Sender<bool>,
    /// A client that never said hello: it is told of its conversation alone, in the plainest form.
    pub(crate) plain: Option<Plain>,
    life: Option<Arc<Life>>,
    /// At the other end of the local socket, as the system says.
    pub(super) process: Option<u32>,
    /// It showed the token that every program of this user can read, and may be anybody who has it.
    pub(super) is_program: bool,
}

impl Peer {
    /// The receiver becomes true when the connection must end.
    pub(super) fn new(
        hello: Hello,
        plain: Option<Plain>,
        life: Option<Arc<Life>>,
        outbox: Outbox,
    ) -> (Self, watch::Receiver<bool>) {
        let (closed, seen) = watch::channel(false);
        let held = Mutex::new(plain.as_ref().map(|_| Vec::new()));
        let pulse = Pulse::default();
        let gone = watch::Sender::default();
        let id = 0;
        let new = Self {
            id,
            hello,
            project: None,
            number: 1,
            pulse,
            outbox,
            held,
            closed,
            gone,
            plain,
            life,
            process: None,
            is_program: false,
        };
        (new, seen)
    }

    /// Whether a person may be at the other end: not where any program comes in with its token.
    pub(super) fn may_decide(&self) -> bool {
        self.plain.is_none() && !self.is_program
    }

    /// Came in over the gateway: only there a client may be gone without a word.
    pub(crate) fn is_over_gateway(&self) -> bool {
        self.life.is_some()
    }

    /// True when the other end answers, or cannot be gone without a word.
    pub(super) async fn is_there(&self) -> bool {
        match &self.life {
            Some(life) => life.prove().await,
            None => true,
        }
    }

    /// The other end has closed it or broke off: what it sent until then is taken, and then the connection ends by
    /// itself.
    pub(super) fn has_left(&self) -> bool {
        self.life.as_ref().is_some_and(|life| life.is_over())
    }

    /// The connection must end.
    pub(super) fn close(&self) {
        self.closed.send_replace(true);
    }

    pub(super) fn is_gone(&self) {
        self.gone.send_replace(true);
    }

    /// Returns when nothing of what it sent goes on, or when that takes too long.
    pub(super) async fn goes(&self, within: Duration) {
        let mut gone = self.gone.subscribe();
        let _ = tokio::time::timeout(within, gone.wait_for(|gone| *gone)).await;
    }

    /// What tells this agent from others, whatever their names.
    pub(crate) fn answerer(&self) -> &str {
        self.hello.instance.as_deref().unwrap_or(&self.hello.client)
    }

    /// The name of an agent as people see it.
    pub(crate) fn agent_name(&self) -> String {
        let name: String = self.hello.client.chars().take(MAX_NAME).collect();
        if self.number > 1 { format!("{name} ({})", self.number) } else { name }
    }

    /// Never waits: a peer that does not read is cut off, connects again and asks for everything anew.
    pub(super) fn tell(&self, message: Outgoing) {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let told = self.outbox.take(message).and_then(|queued| match &mut *held {
            None => self.outbox.put(queued),
            Some(held) if held.len() < OUTBOX => {
                held.push(queued);
                Ok(())
            }
            Some(_) => Err(CutOff),
        });
        if told.is_err() {
            self.close();
        }
    }

    /// Lets out what was held and is not part of what the peer was told up to this position.
    pub(super) fn release(&self, told_until: u64) {
        // Under the lock, so that nothing newer overtakes it.
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        for queued in held.take().unwrap_or_default() {
            let is_news = queued.message.position.is_none_or(|position| position > told_until);
            if is_news && self.outbox.put(queued).is_err() {
                self.close();
            }
        }
    }

    /// In whose name the peer changes comments.
    pub(crate) fn author(&self) -> Author {
        match self.hello.role {
            Role::Browser | Role::Cli => Author::Person,
            Role::Agent => Author::Agent { name: self.agent_name() },
        }
    }

    /// The same, for the store.
    pub(super) fn by(&self) -> By {
        let answerer = (self.hello.role == Role::Agent).then(|| self.answerer().to_owned());
        By { author: self.author(), answerer }
    }

    /// What browsers are told of an agent; nothing of one without a project, and of other peers.
    pub(super) fn agent_link(&self) -> Option<AgentLink> {
        if self.hello.role != Role::Agent {
            return None;
        }
        Some(AgentLink {
            client: self.agent_name(),
            project: self.project.clone()?,
            last_seen: self.pulse.last_seen(),
            presence: self.pulse.presence(),
            is_waiting: self.pulse.is_waiting(),
            is_new: self.pulse.is_new(),
            version: self.hello.version.clone(),
        })
    }
}
