//! `GET /ws`: who asks for the WebSocket, and in whose session.

use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use opentoolbar_core::model::{IdError, SessionId};
use opentoolbar_core::protocol::{ErrorCode, MAX_MESSAGE};
use schemars::{Schema, json_schema};

use super::admission::{SUBPROTOCOL, authorised, visitor};
use super::refusal::Refusal;
use super::state::Door;
use super::websocket;
use crate::hub::Plain;

/// What the id of a session may be.
pub(super) fn session_id() -> Schema {
    json_schema!({
        "type": "string", "pattern": "^[A-Za-z0-9_-]{1,66}$", "not": { "pattern": "^(c|ctx)(_|$)" }
    })
}

pub(super) async fn ws(
    State(door): State<Door>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Refusal> {
    let visitor = visitor(&headers, door.port.address.port())?;
    let pass = authorised(&headers, visitor, &door.gateway)?;
    let plain = plain(query.as_deref().unwrap_or_default(), &headers)?;
    let upgrade = upgrade.map_err(|rejection| {
        let next = "Connect with a WebSocket client: ws://, version 13.";
        Refusal::new(StatusCode::UPGRADE_REQUIRED, ErrorCode::BadRequest, rejection.body_text(), next)
    })?;
    let Door { hub, gateway, visits, .. } = door;
    let upgrade = upgrade.protocols([SUBPROTOCOL]).max_message_size(MAX_MESSAGE).max_frame_size(MAX_MESSAGE);
    Ok(upgrade.on_upgrade(async move |socket| {
        let visit = Box::pin(async {
            let plain = match plain {
                Some(plain) => Some(hub.with_earlier_session(plain).await),
                None => None,
            };
            websocket::serve(hub, gateway, socket, plain, pass).await;
        });
        // A hub that leaves serves nobody any more.
        let _ = visits.send(visit).await;
    }))
}

/// Whose session it is and where it stands; none for a client that will say hello.
fn plain(query: &str, headers: &HeaderMap) -> Result<Option<Plain>, Refusal> {
    let value = |name: &str| {
        let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        pairs.find(|(key, _)| *key == name).map(|(_, value)| value)
    };
    let Some(session) = value("sessionId") else { return Ok(None) };
    let session: SessionId = session.parse().map_err(|e: IdError| {
        Refusal::bad(e.to_string(), "Connect with `?sessionId=` and an id of the tab.")
    })?;
    let after = value("after").map(|after| {
        let next = "Send the `position` of the last part that was heard, or 0 for everything.";
        after.parse().map_err(|_| Refusal::bad("after is not a position", next))
    });
    let agent = headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or("WebSocket");
    let client = agent.chars().take(80).collect();
    Ok(Some(Plain { name: session.clone(), session, after: after.transpose()?, client }))
}
