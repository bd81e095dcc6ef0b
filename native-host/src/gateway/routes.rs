//! The paths of the gateway.

use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{DefaultBodyLimit, RawQuery, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use axum::routing::{any, get, post};
use opentoolbar_core::model::{IdError, SessionId};
use opentoolbar_core::protocol::{ErrorCode, MAX_MESSAGE};

use super::admission::{SUBPROTOCOL, authorised, visitor};
use super::refusal::Refusal;
use super::state::Door;
use super::{pair_routes, websocket};
use crate::hub::Plain;

/// Longest body of a request, in bytes: a code in JSON.
const MAX_BODY: usize = 1024;

pub(super) fn of(door: Door) -> Router {
    Router::new()
        .route("/ws", get(ws))
        .route("/pair", post(pair_routes::pair).options(pair_routes::preflight))
        .route("/paired", post(pair_routes::check).delete(pair_routes::end).options(pair_routes::preflight))
        .fallback(any(nowhere))
        .method_not_allowed_fallback(nowhere)
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .with_state(door)
}

async fn ws(
    State(door): State<Door>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Refusal> {
    let visitor = visitor(&headers, door.gateway.address.port())?;
    let pass = authorised(&headers, visitor, &door.gateway)?;
    let plain = plain(query.as_deref().unwrap_or_default(), &headers)?;
    let upgrade = upgrade.map_err(|rejection| {
        let next = "Connect with a WebSocket client: ws://, version 13.";
        Refusal::new(StatusCode::UPGRADE_REQUIRED, ErrorCode::BadRequest, rejection.body_text(), next)
    })?;
    let Door { hub, gateway, visits } = door;
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

async fn nowhere() -> Refusal {
    Refusal::new(
        StatusCode::NOT_FOUND,
        ErrorCode::BadRequest,
        "there is nothing here",
        "Use GET /ws, POST /pair, or POST or DELETE /paired.",
    )
}
