//! The open gateway as the hub has it.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use opentoolbar_core::protocol::ErrorBody;

use super::discovery;
use super::pairing::VALID;
use super::state::Gateway;
use crate::hub;

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
