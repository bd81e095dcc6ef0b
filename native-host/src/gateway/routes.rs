//! The paths of one port, with what every request and every answer goes through.

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, Uri, header};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use opentoolbar_core::protocol::ErrorCode;

use super::answers::with_headers;
use super::endpoint::{methods, names};
use super::endpoints;
use super::refusal::Refusal;
use super::state::Door;
use super::strangers::keep_out;

pub(super) fn of(door: Door) -> Router {
    let routes = endpoints::routes(door.port.is_main)
        .fallback(any(nowhere))
        .method_not_allowed_fallback(not_so)
        .layer(from_fn_with_state(door.clone(), keep_out))
        .with_state(door);
    with_headers(routes)
}

async fn nowhere(State(door): State<Door>) -> Refusal {
    Refusal::new(
        StatusCode::NOT_FOUND,
        ErrorCode::BadRequest,
        "there is nothing here",
        format!("Use one of: {}.", names(&door.port.endpoints)),
    )
}

async fn not_so(State(door): State<Door>, uri: Uri) -> Response {
    let methods = methods(&door.port.endpoints, uri.path());
    let refusal = Refusal::new(
        StatusCode::METHOD_NOT_ALLOWED,
        ErrorCode::BadRequest,
        "this path has no such method",
        format!("Use {methods}."),
    );
    let mut response = refusal.into_response();
    if let Ok(methods) = HeaderValue::from_str(&methods) {
        response.headers_mut().insert(header::ALLOW, methods);
    }
    response
}
