//! The reference as OpenAPI 3.1, made from the table of endpoints: `GET /openapi.json`, and docs/openapi.json.

use std::collections::BTreeMap;

use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::{Extension, Json};
use schemars::JsonSchema;
use serde_json::{Map, Value, json};

use super::admission;
use super::connection::Connection;
use super::discovery::STATUSES;
use super::endpoint::{Access, Body, Endpoint, schema};
use super::mcp_route;
use super::refusal::Refusal;
use super::state::Door;
use super::verify_routes;

/// What every refusal says.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
#[allow(dead_code, reason = "of the wire's error body, which is the core's, the schema alone is made here")]
struct Refused {
    /// For programs: `bad_request`, `forbidden`, `conflict`, `no_project`, `unknown_verification`, `too_large`,
    /// `rate_limited`, `storage`, `internal`.
    code: String,
    /// What happened, a sentence without its full stop.
    message: String,
    /// What to do next, a sentence.
    next_step: String,
}

pub(super) async fn document(
    State(door): State<Door>,
    Extension(connection): Extension<Connection>,
    headers: HeaderMap,
) -> Result<Json<Value>, Refusal> {
    admission::program(&headers, &door.gateway, door.port.address.port())?;
    connection.is_let_in();
    Ok(Json(of(&door.port.endpoints, door.port.address.port())))
}

/// The document of these endpoints, which are at this port.
pub(super) fn of(endpoints: &[&Endpoint], port: u16) -> Value {
    let mut paths: BTreeMap<&str, Map<String, Value>> = BTreeMap::new();
    for endpoint in endpoints {
        let method = endpoint.method.as_str().to_ascii_lowercase();
        paths.entry(endpoint.path).or_default().insert(method, operation(endpoint));
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "opentoolbar gateway",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "The way in over HTTP, on 127.0.0.1 alone. See docs/gateway.md.",
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "servers": [{ "url": format!("http://127.0.0.1:{port}") }],
        "paths": paths,
        "components": {
            "securitySchemes": {
                "token": { "type": "http", "scheme": "bearer", "description": "Of the home, for programs." },
                "pairing": {
                    "type": "http", "scheme": "bearer", "description": "Of one browser, as POST /pair answered."
                },
            },
            "schemas": { "Refused": schema::<Refused>(), "JsonRpc": mcp_route::message() },
        },
    })
}

fn operation(endpoint: &Endpoint) -> Value {
    let mut responses = Map::new();
    let mut done = json!({ "description": endpoint.status.canonical_reason().unwrap_or("Done") });
    if let Some(body) = endpoint.answer {
        done["content"] = content(body);
    }
    if (&endpoint.method, endpoint.path) == (&Method::POST, verify_routes::PATH) {
        // What was asked is asked after, or taken back, by its id.
        let links = [Method::GET, Method::DELETE].map(|method| {
            let id = operation_id(&method, verify_routes::PATH_OF_ONE);
            let link =
                json!({ "operationId": id, "parameters": { "id": "$response.body#/verification_id" } });
            (id, link)
        });
        done["links"] = Map::from_iter(links).into();
    }
    responses.insert(endpoint.status.as_str().to_owned(), done);
    if let Some((status, about)) = endpoint.or {
        responses.insert(status.as_str().to_owned(), json!({ "description": about }));
    }
    for status in refusals(endpoint) {
        responses.insert(status.as_str().to_owned(), refusal(endpoint, status));
    }
    let mut operation = json!({
        "operationId": operation_id(&endpoint.method, endpoint.path),
        "summary": endpoint.about,
        "responses": responses,
        // Without a word for those of whom nothing is asked.
        "security": match endpoint.access {
            Access::Anybody | Access::Browser => json!([]),
            Access::Token => json!([{ "token": [] }]),
            Access::TokenOrPairing => json!([{ "token": [] }, { "pairing": [] }]),
            Access::Paired => json!([{ "pairing": [] }]),
        },
    });
    if !endpoint.parameters.is_empty() {
        let parameters = endpoint.parameters.iter().map(|one| {
            let mut told = json!({
                "name": one.name, "in": one.place, "description": one.about, "schema": (one.schema)()
            });
            if one.is_required {
                told["required"] = json!(true);
            }
            told
        });
        operation["parameters"] = parameters.collect();
    }
    if let Some(body) = endpoint.request {
        operation["requestBody"] = json!({ "required": true, "content": content(body) });
    }
    operation
}

fn content(Body { media, schema }: Body) -> Value {
    json!({ media: { "schema": schema() } })
}

/// An answer that refuses, with the header that says what to do about it.
fn refusal(endpoint: &Endpoint, status: StatusCode) -> Value {
    let about = STATUSES.iter().find(|(other, _)| *other == status.as_u16()).map(|(_, about)| *about);
    let ours = json!({ "$ref": "#/components/schemas/Refused" });
    // What is refused inside MCP is said in its own form.
    let schema = match endpoint.path {
        mcp_route::PATH => json!({ "anyOf": [ours, { "$ref": "#/components/schemas/JsonRpc" }] }),
        _ => ours,
    };
    let mut refusal = json!({
        "description": about.or(status.canonical_reason()).unwrap_or("Refused"),
        "content": { "application/json": { "schema": schema } },
    });
    let header = match status {
        StatusCode::UNAUTHORIZED => Some(("WWW-Authenticate", "string")),
        StatusCode::TOO_MANY_REQUESTS => Some(("Retry-After", "integer")),
        _ => None,
    };
    if let Some((name, kind)) = header {
        refusal["headers"] = json!({ name: { "required": true, "schema": { "type": kind } } });
    }
    refusal
}

/// What it refuses, with what every path may.
fn refusals(endpoint: &Endpoint) -> Vec<StatusCode> {
    let mut refusals = vec![StatusCode::FORBIDDEN, StatusCode::INTERNAL_SERVER_ERROR];
    if !matches!(endpoint.access, Access::Anybody | Access::Browser) {
        refusals.push(StatusCode::UNAUTHORIZED);
    }
    refusals.extend(endpoint.refuses);
    refusals.sort();
    refusals
}

/// `getConfig`, `postPair`.
fn operation_id(method: &Method, path: &str) -> String {
    let words = path.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.fold(method.as_str().to_ascii_lowercase(), |id, word| {
        let (first, rest) = word.split_at(1);
        id + &first.to_ascii_uppercase() + rest
    })
}
