//! A code for a browser that is to come in over the gateway, and the end of every pairing.

use std::time::Instant;

use opentoolbar_core::protocol::{Answer, ErrorBody, ErrorCode};

use crate::gateway;
use crate::hub::error::error;
use crate::hub::state::Hub;

pub(super) fn begin(hub: &Hub) -> Result<Answer, ErrorBody> {
    let gateway = hub.gateway.get().ok_or_else(|| {
        error(
            ErrorCode::Conflict,
            "the gateway is not open",
            "Run `opentoolbar serve`, or write {\"gateway\": {\"enabled\": true}} into config.json in \
             $OPENTOOLBAR_HOME (~/.opentoolbar) before the hub starts.",
        )
    })?;
    let code = gateway.pairing().begin(Instant::now())?;
    Ok(Answer::Pairing {
        code,
        address: gateway.address.to_string(),
        valid_seconds: u32::try_from(gateway::CODE_VALID.as_secs()).unwrap_or(u32::MAX),
    })
}

/// Without an open gateway nobody is in, and the verb has removed what was kept.
pub(super) fn end(hub: &Hub) -> Result<Answer, ErrorBody> {
    if let Some(gateway) = hub.gateway.get() {
        // Writes a small file.
        tokio::task::block_in_place(|| gateway.end_pairings())?;
    }
    Ok(Answer::Done)
}
