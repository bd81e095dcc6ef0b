//! The main port and those beside it: which are open, which could not be and why.

use std::fmt::Debug;
use std::io::ErrorKind;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::Router;
use tokio::net::TcpListener;
use tokio::task::AbortHandle;

use super::config::ExtraPort;
use super::instructions::Instructions;
use super::port::Port;
use super::server::serve;
use crate::project::owner_of_port;
use crate::why::why;

/// The ports of one open gateway.
#[derive(Debug)]
pub(super) struct Ports {
    main: Arc<Port>,
    extra: Mutex<Vec<Extra>>,
    /// True once the gateway closes: nothing is opened any more.
    is_over: AtomicBool,
    /// What of `config.json` cannot be read.
    mistake: Mutex<Option<String>>,
}

/// One beside the main one, as the settings want it.
#[derive(Clone, Debug)]
struct Extra {
    wanted: ExtraPort,
    state: State,
}

#[derive(Clone, Debug)]
enum State {
    Open(Arc<Port>, Arc<Server>),
    /// Why not.
    Closed(String),
}

/// Stops listening when dropped.
#[derive(Debug)]
struct Server(AbortHandle);

impl Drop for Server {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Makes the routes of a port beside the main one.
pub(super) trait Opens: Fn(SocketAddr, Instructions) -> (Arc<Port>, Router) + Send + Sync {}
impl<F: Fn(SocketAddr, Instructions) -> (Arc<Port>, Router) + Send + Sync> Opens for F {}

impl Ports {
    pub(super) fn new(main: Arc<Port>) -> Self {
        Self { main, extra: Mutex::default(), is_over: AtomicBool::new(false), mistake: Mutex::default() }
    }

    pub(super) fn main(&self) -> &Port {
        &self.main
    }

    fn extra(&self) -> MutexGuard<'_, Vec<Extra>> {
        // A panic in between leaves the list whole: it is replaced at once.
        self.extra.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All that are open, the main one first.
    pub(super) fn open(&self) -> Vec<Arc<Port>> {
        let extra = self.extra();
        let others = extra.iter().filter_map(|extra| match &extra.state {
            State::Open(port, _) => Some(Arc::clone(port)),
            State::Closed(_) => None,
        });
        std::iter::once(Arc::clone(&self.main)).chain(others).collect()
    }

    /// What the person should know of ports and settings, a sentence each.
    pub(super) fn warnings(&self) -> Vec<String> {
        let mistake = self.mistake.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let extra = self.extra();
        let closed = extra.iter().filter_map(|extra| match &extra.state {
            State::Open(..) => None,
            State::Closed(why) => Some(why.clone()),
        });
        mistake.into_iter().chain(closed).collect()
    }

    /// The settings cannot be read, or can be again. Those that were read last stay.
    pub(super) fn set_mistake(&self, mistake: Option<String>) {
        if let Some(mistake) = &mistake {
            tracing::warn!(mistake, "the gateway's settings stay as they are");
        }
        *self.mistake.lock().unwrap_or_else(PoisonError::into_inner) = mistake;
    }

    /// What the main port tells.
    pub(super) fn set_main(&self, wanted: &[ExtraPort]) {
        let own = wanted.iter().find(|entry| entry.port == self.main.address.port());
        self.main.tells(own.map_or_else(Instructions::of_the_main_port, ExtraPort::instructions));
    }

    /// Opens what is wanted and not open, closes what is open and not wanted, and lets the others go on. Called by one
    /// at a time.
    pub(super) async fn set_extra(&self, wanted: &[ExtraPort], opens: &impl Opens) {
        let beside = wanted.iter().filter(|entry| entry.port != self.main.address.port());
        // What is listed meanwhile is open; what goes, goes with the list.
        let mut before = self.extra().clone();
        let mut list = Vec::new();
        for wanted in beside {
            let same = before.iter().position(|extra| extra.wanted.port == wanted.port);
            let state = match same.map(|same| before.remove(same).state) {
                Some(State::Open(port, server)) => {
                    port.tells(wanted.instructions());
                    State::Open(port, server)
                }
                Some(State::Closed(why)) => open(wanted, opens, Some(why)).await,
                None => open(wanted, opens, None).await,
            };
            list.push(Extra { wanted: wanted.clone(), state });
        }
        let mut extra = self.extra();
        if !self.is_over.load(Ordering::Relaxed) {
            *extra = list;
        }
    }

    /// The gateway closes. Each port's routes hold the gateway, and with it this list.
    pub(super) fn close_extra(&self) {
        let mut extra = self.extra();
        self.is_over.store(true, Ordering::Relaxed);
        extra.clear();
    }

    /// Some are wanted and not open: what is in the way may be gone.
    pub(super) fn wants_more(&self) -> Option<Vec<ExtraPort>> {
        let extra = self.extra();
        let is_closed = extra.iter().any(|extra| matches!(extra.state, State::Closed(_)));
        is_closed.then(|| extra.iter().map(|extra| extra.wanted.clone()).collect())
    }
}

/// `before`: why it was not open.
async fn open(wanted: &ExtraPort, opens: &impl Opens, before: Option<String>) -> State {
    let number = wanted.port;
    let bound = TcpListener::bind((Ipv4Addr::LOCALHOST, number)).await;
    let listening = bound.and_then(|listener| Ok((listener.local_addr()?, listener)));
    match listening {
        Ok((address, listener)) => {
            let (port, routes) = opens(address, wanted.instructions());
            let server = tokio::spawn(serve(listener, address, routes));
            tracing::info!(%address, "a port beside the main one is open");
            State::Open(port, Arc::new(Server(server.abort_handle())))
        }
        Err(error) => {
            // Who has it is found out once: that looks at every process.
            let why = match before {
                Some(why) => why,
                None => {
                    let why = cannot_listen(number, &error).await;
                    tracing::warn!("{why}");
                    why
                }
            };
            State::Closed(why)
        }
    }
}

/// A sentence with who is in the way, where that is a process of this user.
pub(super) async fn cannot_listen(port: u16, error: &std::io::Error) -> String {
    let owner = match error.kind() {
        ErrorKind::AddrInUse => tokio::task::spawn_blocking(move || owner_of_port(port)).await.ok().flatten(),
        _ => None,
    };
    let by = owner.map(|(name, _)| format!(" (by {})", name.escape_debug())).unwrap_or_default();
    format!("cannot listen on 127.0.0.1:{port}: {}{by}", why(error))
}
