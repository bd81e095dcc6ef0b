//! How a browser becomes a paired one, finds out whether it still is, and ends it.

use std::time::Instant;

use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use opentoolbar_core::protocol::{ErrorCode, PROTOCOL_VERSION};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::admission::{Visitor, authorised, shown, visitor};
use super::caller::Caller;
use super::refusal::Refusal;
use super::state::Door;

/// What a browser's extension sends once.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Pair {
    /// As `opentoolbar pair` prints it.
    #[schemars(length(max = 64))]
    code: String,
}

/// What a paired browser keeps.
#[derive(Serialize, JsonSchema)]
pub(super) struct Welcome {
    /// This browser's alone.
    token: String,
    /// Name of this machine, for people.
    host: String,
    /// Version of the protocol of the WebSocket.
    protocol: u32,
    /// Of the program.
    version: &'static str,
}

/// A code that a person has read from the terminal, for a token.
pub(super) async fn pair(
    State(door): State<Door>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, Refusal> {
    let origin = extension(&door, &headers)?;
    Ok(readable(redeem(&door, caller, origin, body), origin))
}

fn redeem(
    door: &Door,
    caller: Caller,
    origin: &str,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, Refusal> {
    let body = body.map_err(|rejection| {
        Refusal::new(
            rejection.status(),
            ErrorCode::TooLarge,
            rejection.body_text(),
            "Send {\"code\": \"...\"}.",
        )
    })?;
    let Pair { code } = serde_json::from_slice(&body)
        .map_err(|_| Refusal::bad("the body is not {\"code\": \"...\"}", "Send the code as JSON."))?;
    door.gateway.pairing().redeem(caller, &code, Instant::now()).map_err(|body| {
        let status = match body.code {
            ErrorCode::RateLimited => StatusCode::TOO_MANY_REQUESTS,
            _ => StatusCode::FORBIDDEN,
        };
        tracing::warn!(code = ?body.code, ?caller, "a pairing was refused");
        Refusal { status, ..Refusal::storage(body) }
    })?;
    // Writes a small file.
    let token = tokio::task::block_in_place(|| door.gateway.paired.add(origin)).map_err(Refusal::storage)?;
    tracing::info!("a browser was paired");
    let host = sysinfo::System::host_name().unwrap_or_else(|_| "this machine".into());
    let welcome = Welcome { token, host, protocol: PROTOCOL_VERSION, version: env!("CARGO_PKG_VERSION") };
    Ok(Json(welcome).into_response())
}

/// Whether the pairing still stands: a browser is not told why its WebSocket was refused.
pub(super) async fn check(State(door): State<Door>, headers: HeaderMap) -> Result<Response, Refusal> {
    let origin = extension(&door, &headers)?;
    let is_paired = authorised(&headers, Visitor::Extension(origin), &door.gateway);
    Ok(readable(is_paired.map(|_| StatusCode::NO_CONTENT.into_response()), origin))
}

/// The browser needs its pairing no more.
pub(super) async fn end(State(door): State<Door>, headers: HeaderMap) -> Result<Response, Refusal> {
    let origin = extension(&door, &headers)?;
    let token = shown(&headers)?.unwrap_or_default();
    let ended = tokio::task::block_in_place(|| door.gateway.paired.remove(origin, token));
    // Of one that does not stand any more nothing is left to do.
    Ok(readable(ended.map(|_| StatusCode::NO_CONTENT.into_response()).map_err(Refusal::storage), origin))
}

/// A browser asks first whether it may send such a request here.
pub(super) async fn preflight(State(door): State<Door>, headers: HeaderMap) -> Result<Response, Refusal> {
    let origin = extension(&door, &headers)?;
    let mut response = readable(Ok(StatusCode::NO_CONTENT.into_response()), origin);
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("POST, DELETE"));
    headers.insert(
        header::ACCESS_CONTROL_ALLOW_HEADERS,
        HeaderValue::from_static("authorization, content-type"),
    );
    headers.insert("access-control-allow-private-network", HeaderValue::from_static("true"));
    Ok(response)
}

/// The origin of the extension that asks. Programs read the token from its file.
fn extension<'a>(door: &Door, headers: &'a HeaderMap) -> Result<&'a str, Refusal> {
    match visitor(headers, door.port.address.port())? {
        Visitor::Extension(origin) => Ok(origin),
        Visitor::Program => Err(Refusal::forbidden(
            "only the extension pairs",
            "A program reads the token from the file `token`.",
        )),
    }
}

/// The origin may read the answer, whatever it is.
fn readable(answer: Result<Response, Refusal>, origin: &str) -> Response {
    let mut response = answer.unwrap_or_else(IntoResponse::into_response);
    let headers = response.headers_mut();
    if let Ok(origin) = HeaderValue::from_str(origin) {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    }
    headers.insert(header::VARY, HeaderValue::from_static("origin"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
