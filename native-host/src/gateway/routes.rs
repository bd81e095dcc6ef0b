//! The paths of the gateway.

use std::sync::Arc;
use std::time::Instant;

use axum::Json;
use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{DefaultBodyLimit, RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use opentoolbar_core::protocol::{ErrorCode, MAX_MESSAGE};
use serde::Deserialize;
use tokio::sync::mpsc;

use super::admission::{SUBPROTOCOL, Visitor, authorised, visitor};
use super::refusal::Refusal;
use super::{Gateway, Visit, websocket};
use crate::hub::{Hub, Plain};

/// Longest body of a request, in bytes: a code in JSON.
const MAX_BODY: usize = 1024;

/// What every request needs.
#[derive(Clone)]
pub(super) struct Door {
    pub(super) hub: Arc<Hub>,
    pub(super) gateway: Arc<Gateway>,
    pub(super) visits: mpsc::Sender<Visit>,
}

pub(super) fn of(door: Door) -> Router {
    Router::new()
        .route("/ws", get(ws))
        .route("/pair", post(pair).options(preflight))
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
    let Gateway { address, token, .. } = &*door.gateway;
    visitor(&headers, address.port())?;
    authorised(&headers, token)?;
    let plain = plain(query.as_deref().unwrap_or_default(), &headers)?;
    let upgrade = upgrade.map_err(|rejection| {
        let next = "Connect with a WebSocket client: ws://, version 13.";
        Refusal::new(StatusCode::UPGRADE_REQUIRED, ErrorCode::BadRequest, rejection.body_text(), next)
    })?;
    let Door { hub, visits, .. } = door;
    let upgrade = upgrade.protocols([SUBPROTOCOL]).max_message_size(MAX_MESSAGE).max_frame_size(MAX_MESSAGE);
    Ok(upgrade.on_upgrade(async move |socket| {
        let visit = Box::pin(websocket::serve(hub, socket, plain));
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
    let session = opentoolbar_core::model::SessionId::from_client(session).map_err(|e| {
        Refusal::bad(
            e.to_string(),
            "Connect with `?sessionId=` and an id of the tab: 1 to 64 of A-Z a-z 0-9 _ -.",
        )
    })?;
    let after = value("after").map(|after| {
        let next = "Send the `position` of the last part that was heard, or 0 for everything.";
        after.parse().map_err(|_| Refusal::bad("after is not a position", next))
    });
    let agent = headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or("WebSocket");
    Ok(Some(Plain { session, after: after.transpose()?, client: agent.chars().take(80).collect() }))
}

#[derive(Deserialize)]
struct Pair {
    code: String,
}

/// A code that a person has read from the terminal, for the token.
async fn pair(
    State(door): State<Door>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, Refusal> {
    let origin = extension(&door, &headers)?;
    let refusal = |refusal: Refusal| allowed(refusal.into_response(), &origin);
    let body = match body {
        Ok(body) => body,
        Err(rejection) => {
            let next = "Send {\"code\": \"...\"}.";
            return Ok(refusal(Refusal::new(
                rejection.status(),
                ErrorCode::TooLarge,
                rejection.body_text(),
                next,
            )));
        }
    };
    let Ok(Pair { code }) = serde_json::from_slice(&body) else {
        return Ok(refusal(Refusal::bad("the body is not {\"code\": \"...\"}", "Send the code as JSON.")));
    };
    let redeemed = door.gateway.pairing().redeem(&code, Instant::now());
    let response = match redeemed {
        Ok(()) => {
            tracing::info!("a browser was paired");
            Json(serde_json::json!({ "token": door.gateway.token.reveal() })).into_response()
        }
        Err(body) => {
            let status = match body.code {
                ErrorCode::RateLimited => StatusCode::TOO_MANY_REQUESTS,
                _ => StatusCode::FORBIDDEN,
            };
            tracing::warn!(code = ?body.code, "a pairing was refused");
            Refusal { status, body }.into_response()
        }
    };
    Ok(allowed(response, &origin))
}

/// A browser asks first whether it may send JSON here.
async fn preflight(State(door): State<Door>, headers: HeaderMap) -> Result<Response, Refusal> {
    let origin = extension(&door, &headers)?;
    let mut response = allowed(StatusCode::NO_CONTENT.into_response(), &origin);
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("POST"));
    headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("content-type"));
    headers.insert("access-control-allow-private-network", HeaderValue::from_static("true"));
    Ok(response)
}

/// The origin of the extension that asks. Programs read the token from its file.
fn extension(door: &Door, headers: &HeaderMap) -> Result<HeaderValue, Refusal> {
    let no_extension =
        || Refusal::forbidden("only the extension pairs", "A program reads the token from the file `token`.");
    match visitor(headers, door.gateway.address.port())? {
        Visitor::Extension => headers.get(header::ORIGIN).cloned().ok_or_else(no_extension),
        Visitor::Program => Err(no_extension()),
    }
}

/// The origin may read the answer.
fn allowed(mut response: Response, origin: &HeaderValue) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
    headers.insert(header::VARY, HeaderValue::from_static("origin"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

async fn nowhere() -> Refusal {
    Refusal::new(
        StatusCode::NOT_FOUND,
        ErrorCode::BadRequest,
        "there is nothing here",
        "Use GET /ws or POST /pair.",
    )
}
