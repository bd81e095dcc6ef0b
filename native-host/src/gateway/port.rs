//! One port that the gateway listens on.

use std::net::SocketAddr;
use std::sync::{PoisonError, RwLock};

use super::endpoint::Endpoint;
use super::instructions::Instructions;

/// The main port's number when nobody says another.
pub(super) const PORT: u16 = 7847;

/// What requests at it need to know.
pub(super) struct Port {
    pub(super) address: SocketAddr,
    /// That of the WebSocket and of pairing.
    pub(super) is_main: bool,
    pub(super) endpoints: Vec<&'static Endpoint>,
    instructions: RwLock<Instructions>,
}

impl std::fmt::Debug for Port {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Port({})", self.address)
    }
}

impl Port {
    pub(super) fn new(
        address: SocketAddr,
        is_main: bool,
        endpoints: Vec<&'static Endpoint>,
        instructions: Instructions,
    ) -> Self {
        Self { address, is_main, endpoints, instructions: RwLock::new(instructions) }
    }

    pub(super) fn instructions(&self) -> Instructions {
        self.instructions.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn tells(&self, instructions: Instructions) {
        *self.instructions.write().unwrap_or_else(PoisonError::into_inner) = instructions;
    }
}
