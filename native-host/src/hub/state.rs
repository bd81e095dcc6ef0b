//! What the hub knows while it lives: who is connected.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use opentoolbar_core::model::{Project, Timestamp};
use opentoolbar_core::protocol::{AgentLink, ErrorBody, Event, EventEnvelope, Hello, PROTOCOL_VERSION, Role};
use tokio::sync::{mpsc, watch};

use super::Home;

/// Where a connection's messages go.
pub(super) type Outbox = mpsc::Sender<Arc<[u8]>>;

/// One connection that has said hello.
#[derive(Debug)]
pub(crate) struct Peer {
    pub(crate) id: u64,
    pub(crate) hello: Hello,
    /// An agent's or a verb's, by its working directory.
    pub(crate) project: Option<Project>,
    last_seen: Mutex<Timestamp>,
    outbox: Outbox,
    closed: watch::Sender<bool>,
}

impl Peer {
    /// The receiver becomes true when the connection must end.
    pub(super) fn new(hello: Hello, outbox: Outbox) -> (Self, watch::Receiver<bool>) {
        let (closed, seen) = watch::channel(false);
        let peer = Self { id: 0, hello, project: None, last_seen: Mutex::new(now()), outbox, closed };
        (peer, seen)
    }

    /// The peer itself asked something, not its keep-alive.
    pub(super) fn seen(&self) {
        *self.last_seen.lock().unwrap_or_else(PoisonError::into_inner) = now();
    }

    /// Never waits: a peer that does not read is cut off, connects again and asks for everything anew.
    fn tell(&self, json: &Arc<[u8]>) {
        if self.outbox.try_send(Arc::clone(json)).is_err() {
            self.closed.send_replace(true);
        }
    }

    fn agent_link(&self) -> Option<AgentLink> {
        if self.hello.role != Role::Agent {
            return None;
        }
        let last_seen = *self.last_seen.lock().unwrap_or_else(PoisonError::into_inner);
        Some(AgentLink { client: self.hello.client.clone(), project: self.project.clone()?, last_seen })
    }
}

/// Everything that lives as long as the hub.
#[derive(Debug)]
pub(crate) struct Hub {
    pub(crate) home: Home,
    pub(crate) started: Instant,
    live: Mutex<Live>,
    leaving: watch::Sender<bool>,
    asked_to_leave: watch::Sender<bool>,
}

#[derive(Debug, Default)]
pub(crate) struct Live {
    last_id: u64,
    pub(crate) peers: BTreeMap<u64, Arc<Peer>>,
}

impl Hub {
    pub(super) fn open(home: Home) -> Result<Arc<Self>, ErrorBody> {
        Ok(Arc::new(Self {
            home,
            started: Instant::now(),
            live: Mutex::default(),
            leaving: watch::Sender::new(false),
            asked_to_leave: watch::Sender::new(false),
        }))
    }

    /// The live state. Held for a moment only, never across an await.
    pub(crate) fn live(&self) -> MutexGuard<'_, Live> {
        // A panic in between leaves maps whole: every change is one insert or remove.
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn hello(&self) -> Hello {
        Hello {
            protocol: PROTOCOL_VERSION,
            version: env!("CARGO_PKG_VERSION").into(),
            // The protocol has no role for the hub itself; a client looks at the rest.
            role: Role::Cli,
            client: "opentoolbar hub".into(),
            cwd: None,
            capabilities: vec!["chunks".into()],
        }
    }

    pub(super) fn enter(&self, mut peer: Peer) -> Arc<Peer> {
        let peer = {
            let mut live = self.live();
            live.last_id += 1;
            peer.id = live.last_id;
            let peer = Arc::new(peer);
            live.peers.insert(peer.id, Arc::clone(&peer));
            peer
        };
        if peer.hello.role == Role::Agent {
            self.tell_agents();
        }
        peer
    }

    pub(super) async fn exit(&self, peer: &Peer) {
        self.live().peers.remove(&peer.id);
        if peer.hello.role == Role::Agent {
            self.tell_agents();
        }
    }

    /// Agents that are connected now.
    pub(crate) fn agents(&self) -> Vec<AgentLink> {
        self.live().peers.values().filter_map(|peer| peer.agent_link()).collect()
    }

    fn tell_agents(&self) {
        let event = Event::AgentsChanged { agents: self.agents() };
        self.tell(&event, |peer| peer.hello.role == Role::Browser);
    }

    /// Sends an event to every peer that `wanted` says.
    pub(crate) fn tell(&self, event: &Event, wanted: impl Fn(&Peer) -> bool) {
        let json: Arc<[u8]> = match serde_json::to_vec(&EventEnvelope { event: event.clone() }) {
            Ok(json) => json.into(),
            Err(error) => {
                tracing::error!(%error, "an event could not be encoded");
                return;
            }
        };
        for peer in self.live().peers.values().filter(|peer| wanted(peer)) {
            peer.tell(&json);
        }
    }

    pub(super) fn leaving(&self) -> watch::Receiver<bool> {
        self.leaving.subscribe()
    }

    pub(super) fn leave(&self) {
        self.leaving.send_replace(true);
    }

    /// Leave once every connection is closed.
    pub(crate) fn ask_to_leave(&self) {
        self.asked_to_leave.send_replace(true);
    }

    pub(super) fn is_asked_to_leave(&self) -> bool {
        *self.asked_to_leave.borrow()
    }

    pub(super) async fn close(&self) {}
}

/// The hub's clock.
pub(crate) fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}
