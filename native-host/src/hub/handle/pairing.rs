//! The gateway for a verb that keeps it open, a code for a browser that is to come in, and the end of every pairing.

use opentoolbar_core::protocol::{Answer, ErrorBody, ErrorCode};
use std::sync::Arc;

use crate::error::{error, internal};
use crate::hub::state::{Hub, Peer};

/// Open until the connection that asked ends. Asked again, it only tells.
pub(super) async fn open(hub: &Arc<Hub>, peer: &Peer, port: Option<u16>) -> Result<Answer, ErrorBody> {
    let mut opening = hub.opening.lock().await;
    if let Some(gateway) = hub.gateway() {
        let address = gateway.address();
        if port.is_some_and(|port| port != 0 && port != address.port()) {
            return Err(error(
                ErrorCode::Conflict,
                format!("the gateway is open on {address} already"),
                "Use that port, or end what opened it: another `opentoolbar serve`, or config.json.",
            ));
        }
        return Ok(Answer::Gateway { address: address.to_string() });
    }
    let gateways = hub.gateways.get().ok_or_else(|| internal("the hub is not up yet"))?;
    let opened = (gateways.open)(Arc::clone(hub), port).await?;
    let address = opened.address().to_string();
    *opening = Some((peer.id, opened));
    Ok(Answer::Gateway { address })
}

fn closed() -> ErrorBody {
    error(
        ErrorCode::Conflict,
        "the gateway is not open",
        "Run `opentoolbar serve`, or write {\"gateway\": {\"enabled\": true}} into config.json in \
         $OPENTOOLBAR_HOME (~/.opentoolbar) before the hub starts.",
    )
}

/// With the token for our own processes on the local socket, which could read its file; without it for a browser that
/// came in over the gateway by its pairing.
pub(super) fn config(hub: &Hub, peer: &Peer) -> Result<Answer, ErrorBody> {
    if !peer.may_decide() {
        return Err(error(
            ErrorCode::Forbidden,
            "the settings are for the person",
            "A program asks for GET /config, and reads the token file.",
        ));
    }
    let has_token = !peer.is_over_gateway();
    let text = hub.gateway().ok_or_else(closed)?.config(has_token)?;
    Ok(Answer::GatewayConfig { text, has_token })
}

pub(super) fn begin(hub: &Hub) -> Result<Answer, ErrorBody> {
    let gateway = hub.gateway().ok_or_else(closed)?;
    let (code, valid_for) = gateway.begin_pairing()?;
    Ok(Answer::Pairing {
        code,
        address: gateway.address().to_string(),
        valid_seconds: u32::try_from(valid_for.as_secs()).unwrap_or(u32::MAX),
    })
}

/// Without an open gateway nobody is in, and the verb has removed what was kept.
pub(super) fn end(hub: &Hub) -> Result<Answer, ErrorBody> {
    if let Some(gateway) = hub.gateway() {
        // Writes a small file.
        tokio::task::block_in_place(|| gateway.end_pairings())?;
    }
    Ok(Answer::Done)
}
