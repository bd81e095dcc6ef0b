//! What the hub knows while it lives: who is connected, which tabs are open, where things are stored.

use std::cell::LazyCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use opentoolbar_core::model::{AnnotationId, Author, Project, SessionId, Timestamp};
use opentoolbar_core::protocol::{AgentLink, ErrorBody, Event, EventEnvelope, Hello, PROTOCOL_VERSION, Role};
use tokio::sync::{mpsc, watch};

use super::Home;
use super::budget::Budget;
use super::conversation::LiveAnnotation;
use super::life::Life;
use super::outbox::{CutOff, OUTBOX, Outbox, Outgoing, Queued};
use super::plain::{Heard, Plain};
use super::presence::{Pulse, Rounds};
use super::sessions::{LiveSession, must_be_free};
use crate::gateway::{Gateway, Opened, Visit};
use crate::project::{Catalogue, Registry, project_at, root_of};
use crate::store::Stores;

/// How long tabs that opened right after another are remembered in memory alone.
const SAVE_AGAIN_AFTER: Duration = Duration::from_millis(250);
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
    number: u32,
    pub(super) pulse: Pulse,
    pub(super) outbox: Outbox,
    /// What happened while a plain client is told what it missed before.
    held: Mutex<Option<Vec<Queued>>>,
    closed: watch::Sender<bool>,
    /// A client that never said hello: it is told of its conversation alone, in the plainest form.
    pub(crate) plain: Option<Plain>,
    life: Option<Arc<Life>>,
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
        (Self { id: 0, hello, project: None, number: 1, pulse, outbox, held, closed, plain, life }, seen)
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

    /// The connection must end.
    pub(super) fn close(&self) {
        self.closed.send_replace(true);
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
}

/// Everything that lives as long as the hub.
#[derive(Debug)]
pub(crate) struct Hub {
    pub(crate) started: Instant,
    pub(crate) home: Home,
    /// Open to clients that come over HTTP, when it is.
    gateway: Mutex<Option<Arc<Gateway>>>,
    /// Where connections that come over the gateway are to go, once there is somebody who serves them.
    pub(crate) visits: OnceLock<mpsc::Sender<Visit>>,
    /// The gateway that a verb keeps open, with that verb's connection.
    pub(super) opening: tokio::sync::Mutex<Option<(u64, Opened)>>,
    pub(crate) stores: Stores,
    registry: Mutex<Registry>,
    /// Whether it was saved a moment ago, and will be again by itself.
    is_saving: AtomicBool,
    /// Held while sessions get their projects: one look at the facts at a time.
    pub(super) settling: tokio::sync::Mutex<()>,
    live: Mutex<Live>,
    pub(super) rounds: Rounds,
    /// The bytes of all requests that are being handled.
    pub(super) under_way: Budget,
    leaving: watch::Sender<bool>,
    asked_to_leave: watch::Sender<bool>,
}

#[derive(Debug, Default)]
pub(crate) struct Live {
    last_id: u64,
    pub(crate) peers: BTreeMap<u64, Arc<Peer>>,
    pub(crate) sessions: BTreeMap<SessionId, LiveSession>,
    pub(crate) annotations: BTreeMap<AnnotationId, LiveAnnotation>,
    /// Counts what happens in sessions: the latest active one is told by this, not by a clock.
    pub(crate) events: u64,
    /// Up to which position the plain clients of sessions have heard.
    pub(super) heard: Heard,
}

impl Live {
    /// The smallest number that no other agent of this name has in the project. The same agent over another connection
    /// keeps its own, and one that an earlier hub gave a number has that when it is free.
    fn number_for(&self, peer: &Peer, before: Option<u32>) -> u32 {
        if peer.hello.role != Role::Agent {
            return 1;
        }
        let is_namesake = |other: &&Arc<Peer>| {
            other.hello.role == Role::Agent
                && other.hello.client == peer.hello.client
                && other.project.as_ref().map(|project| &project.root)
                    == peer.project.as_ref().map(|project| &project.root)
        };
        let namesakes: Vec<_> = self.peers.values().filter(is_namesake).collect();
        let is_same = |other: &&&Arc<Peer>| {
            peer.hello.instance.is_some() && other.hello.instance == peer.hello.instance
        };
        if let Some(same) = namesakes.iter().find(is_same) {
            return same.number;
        }
        let is_free = |number: &u32| namesakes.iter().all(|other| other.number != *number);
        before.filter(is_free).or_else(|| (1..).find(is_free)).unwrap_or(1)
    }
}

impl Hub {
    pub(super) fn open(home: &Home) -> Arc<Self> {
        let registry = Registry::open(home.registry());
        let catalogue = Catalogue::at(home.projects()).with_projects_from_before(registry.from_before());
        catalogue.sweep();
        Arc::new(Self {
            stores: Stores::new(catalogue),
            registry: Mutex::new(registry),
            is_saving: AtomicBool::new(false),
            settling: tokio::sync::Mutex::default(),
            started: Instant::now(),
            home: home.clone(),
            gateway: Mutex::default(),
            visits: OnceLock::new(),
            opening: tokio::sync::Mutex::default(),
            live: Mutex::default(),
            rounds: Rounds::default(),
            under_way: Budget::default(),
            leaving: watch::Sender::new(false),
            asked_to_leave: watch::Sender::new(false),
        })
    }

    /// The open gateway, if it is.
    pub(crate) fn gateway(&self) -> Option<Arc<Gateway>> {
        self.gateway.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn set_gateway(&self, gateway: Option<Arc<Gateway>>) {
        *self.gateway.lock().unwrap_or_else(PoisonError::into_inner) = gateway;
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
            instance: None,
            cwd: None,
            capabilities: vec!["chunks".into()],
        }
    }

    /// What is remembered. May write a small file, so only from where blocking is allowed.
    pub(crate) fn registry(&self) -> MutexGuard<'_, Registry> {
        self.registry.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// `greeting` answers the peer's hello. It is sent in the moment in which the peer is known, before anything else: who
    /// has heard it can rely on being seen by everybody's next question.
    ///
    /// # Errors
    /// `conflict` when the session of a plain client is open elsewhere.
    pub(super) async fn enter(
        self: &Arc<Self>,
        mut peer: Peer,
        greeting: Option<Vec<u8>>,
    ) -> Result<Arc<Peer>, ErrorBody> {
        if peer.hello.role != Role::Browser {
            let cwd = peer.hello.cwd.clone().unwrap_or_default();
            peer.project = self.blocking(move |hub| hub.project_of(&cwd)).await.flatten();
        }
        let instance = peer.hello.instance.clone().filter(|_| peer.hello.role == Role::Agent);
        let before = match instance.clone() {
            Some(instance) => self.blocking(move |hub| hub.registry().number_of(&instance)).await.flatten(),
            None => None,
        };
        let peer = {
            let mut live = self.live();
            if let Some(plain) = &peer.plain {
                must_be_free(&live, &peer, &plain.session)?;
            }
            live.last_id += 1;
            peer.id = live.last_id;
            peer.number = live.number_for(&peer, before);
            let peer = Arc::new(peer);
            if let Some(greeting) = greeting {
                peer.tell(Outgoing::new(greeting));
            }
            live.peers.insert(peer.id, Arc::clone(&peer));
            peer
        };
        if peer.hello.role == Role::Agent {
            self.tell_agents();
            self.settle().await;
        }
        // The first of a name has the number that is free.
        if let Some(instance) = instance.filter(|_| peer.number > 1 && before != Some(peer.number)) {
            let number = peer.number;
            let remembered =
                self.blocking(move |hub| hub.registry().remember_number(&instance, number)).await;
            if let Some(Err(error)) = remembered {
                tracing::warn!(%error, "an agent's number is not remembered");
            }
        }
        Ok(peer)
    }

    fn project_of(&self, cwd: &str) -> Option<Project> {
        let root = root_of(Path::new(cwd))?;
        if let Err(error) = self.registry().remember_project(&root, now()) {
            tracing::warn!(%error, "the project is not remembered");
        }
        project_at(&root)
    }

    pub(super) async fn exit(self: &Arc<Self>, peer: &Peer) {
        {
            let mut live = self.live();
            live.peers.remove(&peer.id);
            live.sessions.retain(|_, session| session.peer != peer.id);
        }
        if peer.hello.role == Role::Cli {
            // Closes with the verb that opened it.
            self.opening.lock().await.take_if(|(owner, _)| *owner == peer.id);
        }
        if peer.hello.role == Role::Agent {
            self.forget_agent(peer);
            self.tell_agents();
            self.settle().await;
        }
    }

    /// Runs what reads or writes files away from the threads that serve connections. `None` after a defect in it.
    pub(crate) async fn blocking<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Self) -> T + Send + 'static,
    ) -> Option<T> {
        let hub = Arc::clone(self);
        tokio::task::spawn_blocking(move || work(&hub)).await.ok()
    }

    /// Agents that are connected now.
    pub(crate) fn agents(&self) -> Vec<AgentLink> {
        self.live().peers.values().filter_map(|peer| peer.agent_link()).collect()
    }

    pub(super) fn tell_agents(&self) {
        let event = Event::AgentsChanged { agents: self.agents() };
        self.tell(&event.into(), |peer| peer.hello.role == Role::Browser);
    }

    /// Sends an event to every peer that `wanted` says. A plain client hears what it can know alone, and only the payload.
    pub(crate) fn tell(&self, envelope: &EventEnvelope, wanted: impl Fn(&Peer) -> bool) {
        let position = envelope.part.as_ref().map(|part| part.position);
        let outgoing = |json| Outgoing { json, position };
        let Some(whole) = encoded(envelope).map(outgoing) else { return };
        let bare = LazyCell::new(|| encoded(&envelope.event).map(outgoing));
        for peer in self.live().peers.values().filter(|peer| wanted(peer)) {
            match &peer.plain {
                None => peer.tell(whole.clone()),
                Some(_) if !is_plain(&envelope.event) => {}
                Some(plain) if plain.hears_parts() => peer.tell(whole.clone()),
                Some(_) => bare.iter().for_each(|bare| peer.tell(bare.clone())),
            }
        }
    }

    pub(crate) fn leaving(&self) -> watch::Receiver<bool> {
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

    /// Puts what is remembered on disk: at once, or, when that was done a moment ago, a moment later with what comes until then.
    pub(super) async fn save_registry_soon(self: &Arc<Self>) {
        if !self.registry().is_unsaved() || self.is_saving.swap(true, Ordering::Relaxed) {
            return;
        }
        self.blocking(Self::save_registry).await;
        let hub = Arc::clone(self);
        tokio::spawn(async move {
            tokio::time::sleep(SAVE_AGAIN_AFTER).await;
            hub.is_saving.store(false, Ordering::Relaxed);
            hub.blocking(Self::save_registry).await;
        });
    }

    /// Puts what is remembered on disk before anybody is told that it is.
    pub(super) async fn save_registry_now(self: &Arc<Self>) {
        if self.registry().is_unsaved() {
            self.blocking(Self::save_registry).await;
        }
    }

    fn save_registry(&self) {
        if let Err(error) = self.registry().save_due() {
            tracing::warn!(%error, "tabs are not remembered");
        }
    }

    /// Finishes what storage still does, until then at most.
    pub(super) async fn close(self: &Arc<Self>, until: Instant) {
        let closed = self.blocking(move |hub| {
            hub.save_registry();
            hub.stores.close(until)
        });
        let closed = tokio::time::timeout_at(until.into(), closed).await;
        if closed != Ok(Some(true)) {
            tracing::warn!("storage did not finish in time; what was acknowledged is on disk");
        }
    }
}

pub(super) fn encoded(event: &impl serde::Serialize) -> Option<Arc<[u8]>> {
    serde_json::to_vec(event)
        .inspect_err(|error| tracing::error!(%error, "an event could not be encoded"))
        .ok()
        .map(Into::into)
}

/// What a client that knows the conversation alone understands.
fn is_plain(event: &Event) -> bool {
    matches!(
        event,
        Event::StatusUpdate { .. } | Event::AgentResponse { .. } | Event::AgentResponseChunk { .. }
    )
}

/// The hub's clock.
pub(crate) fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}
