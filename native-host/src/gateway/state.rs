//! What the open gateway knows, and what its requests need of it and of the hub.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use opentoolbar_core::protocol::ErrorBody;
use tokio::sync::{Semaphore, mpsc, watch};

use super::discovery;
use super::paired::Paired;
use super::pairing::{Pairing, VALID};
use super::port::Port;
use super::ports::Ports;
use super::strangers::Strangers;
use super::token::Token;
use crate::hub::{self, Hub, Visit};
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

impl hub::Gateway for Gateway {
    fn address(&self) -> SocketAddr {
        self.ports.main().address
    }

    fn warnings(&self) -> Vec<String> {
        self.ports.warnings()
    }

    fn config(&self, with_token: bool) -> Result<String, ErrorBody> {
        discovery::to_keep(self, with_token)
    }

    fn begin_pairing(&self) -> Result<(String, Duration), ErrorBody> {
        Ok((self.pairing().begin(Instant::now())?, VALID))
    }

    fn end_pairings(&self) -> Result<(), ErrorBody> {
        self.paired.clear()
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
