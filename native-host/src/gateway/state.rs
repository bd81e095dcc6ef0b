//! What the open gateway knows, and what its requests need of it and of the hub.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Semaphore, mpsc, watch};

use super::paired::Paired;
use super::pairing::Pairing;
use super::port::Port;
use super::ports::Ports;
use super::strangers::Strangers;
use super::token::Token;
use crate::hub::{Hub, Visit};
use crate::mcp::over_http::OverHttp;

/// What is the same for everybody who knocks.
#[derive(Debug)]
pub(super) struct Gateway {
    pub(super) ports: Ports,
    pub(super) token: Token,
    /// The file that has it.
    pub(super) token_file: PathBuf,
    pub(super) strangers: Strangers,
    pub(super) mcp: OverHttp,
    /// What is under way of it.
    pub(super) mcp_calls: Arc<Semaphore>,
    pub(super) pairing: Mutex<Pairing>,
    pub(super) paired: Paired,
    /// True when it closes, and with it who came in.
    pub(super) closing: watch::Sender<bool>,
}

impl Gateway {
    pub(super) fn pairing(&self) -> MutexGuard<'_, Pairing> {
        // A panic in between leaves at worst a code that is used up.
        self.pairing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What every request needs.
#[derive(Clone)]
pub(super) struct Door {
    pub(super) hub: Arc<Hub>,
    pub(super) gateway: Arc<Gateway>,
    /// The one that was asked.
    pub(super) port: Arc<Port>,
    pub(super) visits: mpsc::Sender<Visit>,
}
