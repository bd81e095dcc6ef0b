//! `/mcp`: agents that speak MCP over HTTP. The token first, then whose project it is; what is said is `mcp`'s.

use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt as _;
use opentoolbar_core::protocol::ErrorCode;
use schemars::{Schema, json_schema};
use serde_json::Value;
use tokio::sync::OwnedSemaphorePermit;

use super::admission;
use super::connection::Connection;
use super::refusal::Refusal;
use super::state::Door;
use super::whose;
use crate::mcp::over_http::{self, Agent, MAX_MESSAGE, MOST_SESSIONS, Service, Way};

pub(super) const PATH: &str = "/mcp";
/// Requests and streams that are under way at once.
pub(super) const MOST: usize = 256;
/// How long a call may take until its answer begins: what waits for the person returns before 50 s.
const ANSWER_WITHIN: Duration = Duration::from_secs(70);
/// How long a stream may say nothing; it has a sign of life every 15 s, as long as it is read.
const SILENT_FOR: Duration = Duration::from_secs(60);
const SESSION: &str = "mcp-session-id";
/// Longest refusal of the library's that is told on, in bytes.
const MAX_REFUSAL: usize = 16 * 1024;

/// One message of JSON-RPC 2.0, as MCP defines them: a request, a notification, or an answer to the other side's.
pub(super) fn message() -> Schema {
    json_schema!({
        "type": "object",
        "properties": {
            "jsonrpc": { "const": "2.0" },
            "id": { "type": ["string", "integer"], "description": "Of a request or an answer." },
            "method": { "type": "string", "description": "Of a request or a notification." },
            "params": { "type": "object" },
            "result": { "type": "object", "description": "Of an answer." },
            "error": {
                "type": "object",
                "properties": { "code": { "type": "integer" }, "message": { "type": "string" } },
                "required": ["code", "message"],
            },
        },
        "required": ["jsonrpc"],
        "anyOf": [
            { "required": ["method"] },
            { "required": ["id", "result"] },
            { "required": ["error"] },
        ],
        "examples": [{
            "jsonrpc": "2.0",
            "id": 1,
            "method": "initialize",
            "params": {
                "protocolVersion": "2025-11-25",
                "capabilities": {},
                "clientInfo": { "name": "my-agent", "version": "1.0" },
            },
        }],
    })
}

/// An event of a stream: its data is one message, or nothing where it says from where to go on.
pub(super) fn event() -> Schema {
    json_schema!({
        "type": "object",
        "properties": {
            "id": { "type": "string" },
            "retry": { "type": "integer", "description": "Milliseconds." },
            "data": {
                "type": "string",
                "anyOf": [
                    { "const": "" },
                    { "contentMediaType": "application/json", "contentSchema": message() },
                ],
            },
        },
        "required": ["data"],
    })
}

/// A revision of MCP.
pub(super) fn revision() -> Schema {
    json_schema!({ "type": "string", "enum": over_http::revisions().collect::<Vec<_>>() })
}

pub(super) async fn mcp(
    State(door): State<Door>,
    Extension(connection): Extension<Connection>,
    request: Request,
) -> Result<Response, Refusal> {
    admission::program(request.headers(), &door.gateway, door.port.address.port())?;
    connection.is_let_in();
    let permit = Arc::clone(&door.gateway.mcp_calls).try_acquire_owned().map_err(|_| {
        too_many(format!("{MOST} requests of MCP are under way already"), "Wait for their answers.")
    })?;
    let (parts, body) = request.into_parts();
    let mcp = &door.gateway.mcp;
    let answered = if parts.method == Method::POST {
        let bytes = read(&parts.headers, body).await?;
        let is_new = method_of(&bytes)?.as_deref() == Some("initialize");
        let is_in_session = parts.headers.contains_key(SESSION);
        connection.may_take(ANSWER_WITHIN);
        if !is_in_session {
            if is_new && !mcp.has_room().await {
                let next = "End sessions that are not needed with DELETE /mcp, or wait until they are idle.";
                return Err(too_many(format!("there are {MOST_SESSIONS} sessions already"), next));
            }
            let name = whose::name(&parts.headers);
            let project = whose::project(&door, &connection, &parts.headers).await?;
            let agent = Agent { directory: project.root.into(), name, way: Way::Mcp };
            let process = connection.process().await;
            let request = Request::from_parts(parts, Body::from(bytes));
            mcp.as_agent(agent, process, is_new, async |service: &Service| service.handle(request).await)
                .await
        } else {
            let request = Request::from_parts(parts, Body::from(bytes));
            mcp.in_session(async |service: &Service| service.handle(request).await).await
        }
    } else {
        let request = Request::from_parts(parts, Body::empty());
        mcp.in_session(async |service: &Service| service.handle(request).await).await
    };
    Ok(complete(answered.map(Body::new), &connection, permit).await)
}

fn too_many(message: String, next: &str) -> Refusal {
    Refusal::new(StatusCode::TOO_MANY_REQUESTS, ErrorCode::RateLimited, message, next)
}

/// The body of a message.
async fn read(headers: &HeaderMap, body: Body) -> Result<Bytes, Refusal> {
    admission::says_json(headers, "Send one JSON-RPC 2.0 message with Content-Type: application/json.")?;
    to_bytes(body, MAX_MESSAGE).await.map_err(|_| {
        Refusal::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            ErrorCode::TooLarge,
            format!("the body has more than {MAX_MESSAGE} bytes, or broke off"),
            "Send less at once.",
        )
    })
}

/// Which method the message asks for. It may be nested 128 deep: more is no JSON to the reader.
fn method_of(bytes: &[u8]) -> Result<Option<String>, Refusal> {
    let value: Value = serde_json::from_slice(bytes)
        .map_err(|e| Refusal::bad(format!("the body is not JSON: {e}"), "Send one JSON-RPC 2.0 message."))?;
    match value {
        Value::Object(object) => Ok(object.get("method").and_then(Value::as_str).map(str::to_owned)),
        _ => Err(Refusal::bad(
            "the body is no JSON-RPC message",
            "Send one JSON-RPC 2.0 message; batches are not supported.",
        )),
    }
}

/// A stream goes on as long as it is read; a refusal in words becomes one in our form. JSON-RPC's own stay as they are.
async fn complete(answer: Response, connection: &Connection, permit: OwnedSemaphorePermit) -> Response {
    let media = answer.headers().get(header::CONTENT_TYPE).cloned();
    let is = |wanted: &[u8]| media.as_ref().is_some_and(|media| media.as_bytes().starts_with(wanted));
    if is(b"text/event-stream") {
        connection.may_take(SILENT_FOR);
        let connection = connection.clone();
        return answer.map(|body| {
            Body::from_stream(body.into_data_stream().inspect(move |_| {
                // Held until the stream is over.
                let _ = &permit;
                connection.may_take(SILENT_FOR);
            }))
        });
    }
    let status = answer.status();
    if !(status.is_client_error() || status.is_server_error()) || is(b"application/json") {
        return answer;
    }
    let (parts, body) = answer.into_parts();
    let said = to_bytes(body, MAX_REFUSAL).await.unwrap_or_default();
    let said = String::from_utf8_lossy(&said);
    let mut refused = refusal(status, said.trim()).into_response();
    for name in [header::ALLOW, header::RETRY_AFTER] {
        if let Some(value) = parts.headers.get(&name) {
            refused.headers_mut().insert(name, HeaderValue::clone(value));
        }
    }
    refused
}

fn refusal(status: StatusCode, said: &str) -> Refusal {
    let message = if said.is_empty() { status.canonical_reason().unwrap_or("refused") } else { said };
    let bad = |status, next: &str| Refusal::new(status, ErrorCode::BadRequest, message, next);
    match status {
        StatusCode::NOT_FOUND => bad(status, "Begin a new session with `initialize`."),
        // JSON that is no message of MCP; what is said to be something else than JSON was refused before.
        StatusCode::UNSUPPORTED_MEDIA_TYPE => {
            bad(StatusCode::UNPROCESSABLE_ENTITY, "Send one message as MCP defines them.")
        }
        StatusCode::NOT_ACCEPTABLE => bad(status, "Send Accept: application/json, text/event-stream."),
        _ if status.is_server_error() => Refusal { status, ..Refusal::defect() },
        _ => bad(status, "Look at the message, and at docs/gateway.md."),
    }
}
