//! What the hub knows while it lives: who is connected, which tabs are open, where things are stored.

use std::cell::LazyCell;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use opentoolbar_core::protocol::{AgentLink, ErrorBody, Event, EventEnvelope, Hello, PROTOCOL_VERSION, Role};
use tokio::sync::{mpsc, oneshot, watch};

use super::deciding::Deciding;
use super::live::Live;
use super::outbox::Outgoing;
pub(crate) use super::peer::Peer;
use super::pulse::Rounds;
use super::sources::{Sources, TAKES_SOURCE_CHANGES};
use super::unplaced::Pages;
use super::way_in::{Gateway, Gateways, Opened, Visit};
use crate::budget::under_way::UnderWay;
use crate::error::internal;
use crate::home::Home;
use crate::project::{Catalogue, Registry};
use crate::salvage::SetAside;
use crate::store::{Stores, Waiting};

/// How long tabs that opened right after another are remembered in memory alone.
const SAVE_AGAIN_AFTER: Duration = Duration::from_millis(250);

/// Everything that lives as long as the hub.
#[derive(Debug)]
pub(crate) struct Hub {
    pub(crate) started: Instant,
    pub(crate) home: Home,
    /// Open to clients that come over HTTP, when it is.
    gateway: Mutex<Option<Arc<dyn Gateway>>>,
    /// Where connections that come over the gateway are to go, once there is somebody who serves them.
    pub(crate) visits: OnceLock<mpsc::Sender<Visit>>,
    /// How one is opened, once the hub is up.
    pub(super) gateways: OnceLock<Gateways>,
    /// The gateway that a verb keeps open, with that verb's connection.
    pub(super) opening: tokio::sync::Mutex<Option<(u64, Box<dyn Opened>)>>,
    pub(crate) stores: Stores,
    /// What waits for its project.
    pub(super) waiting: Waiting,
    pub(super) deciding: Deciding,
    pub(crate) registry: Registry,
    pub(crate) set_aside: SetAside,
    /// Whether it was saved a moment ago, and will be again by itself.
    is_saving: AtomicBool,
    /// Held while sessions get their projects: one look at the facts at a time. How many projects had become known at
    /// the last.
    pub(super) settling: tokio::sync::Mutex<u64>,
    /// How often a tab's project was looked for.
    #[cfg(test)]
    pub(super) placed: std::sync::atomic::AtomicUsize,
    /// Held while the databases that are not open are looked into.
    pub(super) seeking: Arc<tokio::sync::Mutex<()>>,
    live: Mutex<Live>,
    /// Changes when the projects of tabs were looked for.
    pub(super) placed_tabs: watch::Sender<()>,
    pub(super) rounds: Rounds,
    pub(super) sources: Sources,
    /// The bytes of all requests that are being handled.
    pub(super) under_way: UnderWay,
    leaving: watch::Sender<bool>,
    asked_to_leave: watch::Sender<bool>,
}

impl Hub {
    /// Nothing is known yet of the sessions of before: `know_earlier_sessions` reads them.
    pub(super) fn open(home: &Home) -> Arc<Self> {
        let registry = Registry::open(home.registry());
        let is_update = registry.is_of_before();
        let catalogue =
            Catalogue::at(home.projects()).with_projects_from_before(registry.from_before(), is_update);
        if is_update && let Err(error) = registry.end_before() {
            tracing::warn!(%error, "that opentoolbar was updated is not noted in the registry");
        }
        let set_aside = SetAside::default();
        set_aside.note(registry.set_aside());
        catalogue.sweep();
        let waiting = Waiting::at(home.unplaced());
        let live = Live { unplaced: Pages::of(&waiting), ..Live::default() };
        Arc::new(Self {
            stores: Stores::new(catalogue),
            waiting,
            deciding: Deciding::of(home),
            registry,
            set_aside,
            is_saving: AtomicBool::new(false),
            settling: tokio::sync::Mutex::default(),
            #[cfg(test)]
            placed: std::sync::atomic::AtomicUsize::default(),
            seeking: Arc::default(),
            started: Instant::now(),
            home: home.clone(),
            gateway: Mutex::default(),
            visits: OnceLock::new(),
            gateways: OnceLock::new(),
            opening: tokio::sync::Mutex::default(),
            live: Mutex::new(live),
            placed_tabs: watch::Sender::default(),
            rounds: Rounds::default(),
            sources: Sources::default(),
            under_way: UnderWay::default(),
            leaving: watch::Sender::new(false),
            asked_to_leave: watch::Sender::new(false),
        })
    }

    /// The open gateway, if it is.
    pub(crate) fn gateway(&self) -> Option<Arc<dyn Gateway>> {
        self.gateway.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn set_gateway(&self, gateway: Option<Arc<dyn Gateway>>) {
        *self.gateway.lock().unwrap_or_else(PoisonError::into_inner) = gateway;
    }

    /// The live state. Held for a moment only, never across an await.
    pub(super) fn live(&self) -> MutexGuard<'_, Live> {
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
            last_asked: None,
            capabilities: vec!["chunks".into(), TAKES_SOURCE_CHANGES.into()],
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

    /// Redacts away from the threads that serve connections: one message may hold megabytes of a page's text.
    pub(crate) async fn redact<T: Send + 'static>(
        self: &Arc<Self>,
        redact: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ErrorBody> {
        let redacted = self.blocking(move |_| redact()).await;
        redacted.ok_or_else(|| internal("secrets could not be taken out of the message"))
    }

    /// Closes what is kept of projects that no tab, agent or verb belongs to and that nobody has used for this long.
    pub(super) fn let_go_of_stores(&self, unused_for: Duration) {
        let in_use = self.live().in_use().map(|project| PathBuf::from(&project.root)).collect();
        self.stores.let_go(unused_for, &in_use);
    }

    /// Agents that are connected now.
    pub(crate) fn agents(&self) -> Vec<AgentLink> {
        self.live().peers.values().filter_map(|peer| peer.agent_link()).collect()
    }

    pub(super) fn tell_agents(&self) {
        let event = Event::AgentsChanged { agents: self.agents() };
        self.tell(&event.into(), |peer| peer.hello.role == Role::Browser);
    }

    /// Sends an event to every peer that `wanted` says. A plain client hears what it can know alone, and only the
    /// payload.
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

    /// Waits. False when the hub leaves meanwhile.
    pub(super) async fn stays_for(&self, pause: Duration) -> bool {
        let mut leaving = self.leaving();
        tokio::time::timeout(pause, leaving.wait_for(|leaves| *leaves)).await.is_err()
    }

    /// Leave once every connection is closed.
    pub(crate) fn ask_to_leave(&self) {
        self.asked_to_leave.send_replace(true);
    }

    pub(super) fn is_asked_to_leave(&self) -> bool {
        *self.asked_to_leave.borrow()
    }

    /// Puts what is remembered on disk: at once, or, when that was done a moment ago, a moment later with what comes
    /// until then.
    pub(super) async fn save_registry_soon(self: &Arc<Self>) {
        if !self.registry.is_unsaved() || self.is_saving.swap(true, Ordering::Relaxed) {
            return;
        }
        let hub = Arc::clone(self);
        let (saved, is_saved) = oneshot::channel();
        // On its own: whoever asked may be gone in the middle of it, and others rely on what was begun.
        tokio::spawn(async move {
            hub.blocking(Self::save_registry).await;
            // Nobody may wait for it any more.
            let _ = saved.send(());
            tokio::time::sleep(SAVE_AGAIN_AFTER).await;
            hub.is_saving.store(false, Ordering::Relaxed);
            hub.blocking(Self::save_registry).await;
        });
        let _ = is_saved.await;
    }

    /// Puts what is remembered on disk before anybody is told that it is.
    pub(super) async fn save_registry_now(self: &Arc<Self>) {
        if self.registry.is_unsaved() {
            self.blocking(Self::save_registry).await;
        }
    }

    fn save_registry(&self) {
        if let Err(error) = self.registry.save_due() {
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

#[cfg(test)]
mod tests;
