//! What a program that knows the port alone finds out: `GET /health`, `GET /config`, and with the token `GET /context`.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::{Extension, Json};
use opentoolbar_core::model::{
    DEFAULT_VERIFICATION_SECONDS, MAX_ACTION, MAX_ACTION_CONTEXT, MAX_ACTION_REASON, VERIFICATION_SECONDS,
};
use opentoolbar_core::protocol::ErrorBody;
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde_json::json;

use super::admission::{self, Visitor, authorised, visitor};
use super::config::MOST_PORTS;
use super::connection::Connection;
use super::endpoint::{Access, Body, Endpoint};
use super::instructions::Instructions;
use super::mcp_route;
use super::port::Port;
use super::refusal::Refusal;
use super::state::{Door, Gateway};
use super::verify_routes;
use crate::error::internal;
use crate::hub::{MOST_PENDING, MOST_PENDING_IN_ALL};
use crate::mcp::over_http;

/// Answered while the gateway is open.
#[derive(Serialize, JsonSchema)]
pub(super) struct Health {
    /// `ok`.
    #[schemars(extend("const" = "ok"))]
    status: &'static str,
    /// `opentoolbar`: another program that has taken the port says something else.
    #[schemars(extend("const" = NAME))]
    name: &'static str,
    /// Of the program.
    version: &'static str,
}

/// What an agent needs to begin. It names no secret and no project.
#[derive(Serialize, JsonSchema)]
pub(super) struct Settings {
    /// `opentoolbar`: another program that has taken the port says something else.
    #[schemars(extend("const" = NAME))]
    name: &'static str,
    /// Of the program.
    version: &'static str,
    /// What listens on 127.0.0.1 now, the main port first.
    ports: Vec<PortSettings>,
    /// Each method of each path.
    endpoints: Vec<EndpointSettings>,
    authentication: Authentication,
    errors: Errors,
    limits: Limits,
    verification_workflow: Workflow,
    /// What the person should know of ports and settings, a sentence each: a port that is in use, a mistake in
    /// config.json.
    warnings: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
struct PortSettings {
    port: u16,
    url: String,
    /// What an agent is at this port; `GET /context` there tells the rest.
    role: String,
    /// Whether the WebSocket and pairing are here.
    is_main: bool,
    /// Whether a person must agree before the agent does anything that is not among the port's `allowed_actions`.
    verification_required: bool,
}

#[derive(Serialize, JsonSchema)]
struct EndpointSettings {
    method: String,
    path: &'static str,
    description: &'static str,
    /// Whether the token is needed.
    token: bool,
    /// `programs`, `browsers` (the extension alone) or both.
    callers: &'static [&'static str],
    /// `all` or `main`.
    ports: &'static str,
    request: RequestFormat,
    response: ResponseFormat,
}

#[derive(Serialize, JsonSchema)]
struct RequestFormat {
    parameters: Vec<ParameterFormat>,
    /// Null where there is no body.
    body: Option<BodyFormat>,
}

#[derive(Serialize, JsonSchema)]
struct ParameterFormat {
    name: &'static str,
    /// `header`, `query` or `path`.
    place: &'static str,
    description: &'static str,
}

#[derive(Serialize, JsonSchema)]
struct ResponseFormat {
    status: u16,
    /// Null where there is no body.
    body: Option<BodyFormat>,
}

#[derive(Serialize, JsonSchema)]
struct BodyFormat {
    content_type: &'static str,
    /// Longest body of a request, in bytes.
    // `default` is for the reference alone: not every body has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "usize")]
    max_bytes: Option<usize>,
    /// A JSON Schema.
    schema: Schema,
}

#[derive(Serialize, JsonSchema)]
struct Authentication {
    /// `Bearer`.
    scheme: &'static str,
    header: &'static str,
    /// The file that holds the token. Only its owner can read it.
    token_file: String,
    /// A command that prints all of this with the token.
    command: &'static str,
}

#[derive(Serialize, JsonSchema)]
struct Errors {
    /// Fields of every refusal: `code` and `message` for programs and people, `nextStep` says what to do.
    fields: &'static [&'static str],
    /// Statuses with what they mean.
    statuses: Vec<StatusMeaning>,
}

#[derive(Serialize, JsonSchema)]
struct StatusMeaning {
    status: u16,
    meaning: &'static str,
}

#[derive(Serialize, JsonSchema)]
struct Limits {
    /// Seconds from a connection's first byte, or a token's last request over it, to the end of its answer. What may
    /// wait has so many more: `wait_seconds`, and 60 for a call of MCP.
    request_seconds: u64,
    /// Connections of one user that have shown no token.
    connections_without_token: usize,
    /// Ports beside the main one.
    extra_ports: usize,
    /// Sessions of MCP.
    mcp_sessions: usize,
    /// Seconds after which a silent session of MCP ends.
    mcp_idle_seconds: u64,
    /// Requests of MCP that are under way at once.
    mcp_requests: usize,
    /// Verifications that may wait for a person in one project.
    pending_verifications: u32,
    /// The same in all projects.
    pending_verifications_in_all: u32,
    /// Characters of an action.
    action_characters: usize,
    /// Characters of a reason.
    reason_characters: usize,
    /// Bytes of a context.
    context_bytes: usize,
    /// Seconds that a verification may wait for a person: at least, at most, and when nobody says.
    timeout_seconds_least: u32,
    timeout_seconds_most: u32,
    timeout_seconds_default: u32,
    /// Seconds that `wait` may be.
    wait_seconds: u32,
}

/// How an agent asks a person before it does something.
#[derive(Serialize, JsonSchema)]
struct Workflow {
    /// Whether it can be asked for here.
    available: bool,
    description: &'static str,
    /// The endpoints, in the order in which they are needed.
    endpoints: Vec<String>,
}

const NAME: &str = "opentoolbar";

/// What each status means that a program may meet.
pub(super) const STATUSES: &[(u16, &str)] = &[
    (400, "The request cannot be read. Do not send it again as it is."),
    (401, "No token, or a wrong one. Read the token file anew, then ask once more."),
    (403, "Not for this caller: a page, a browser, or a name that is not loopback's."),
    (404, "There is no such path, verification or session of MCP. Do not ask for it again."),
    (405, "The path has other methods: see the header Allow."),
    (406, "The answer has a form that the header Accept does not name."),
    (409, "It does not fit what is there now. The message says what to choose or change."),
    (413, "The body is too large."),
    (415, "The body is not of the content type that the endpoint takes."),
    (422, "The request can be read, and a value in it does not fit."),
    (426, "This path is for WebSocket clients."),
    (429, "Too much at once. Wait as long as Retry-After says."),
    (
        500,
        "A defect of opentoolbar, or a disk that fails. Ask again after pauses that grow, and give up in the end.",
    ),
];

pub(super) async fn health(State(door): State<Door>, headers: HeaderMap) -> Result<Json<Health>, Refusal> {
    anybody(&door, &headers)?;
    Ok(Json(Health { status: "ok", name: NAME, version: env!("CARGO_PKG_VERSION") }))
}

pub(super) async fn settings(
    State(door): State<Door>,
    headers: HeaderMap,
) -> Result<Json<Settings>, Refusal> {
    anybody(&door, &headers)?;
    Ok(Json(of_this_gateway(&door.gateway)))
}

pub(super) async fn instructions(
    State(door): State<Door>,
    Extension(connection): Extension<Connection>,
    headers: HeaderMap,
) -> Result<Json<Instructions>, Refusal> {
    admission::program(&headers, &door.gateway, door.port.address.port())?;
    connection.is_let_in();
    Ok(Json(door.port.instructions()))
}

/// A program, or a browser that is paired.
fn anybody(door: &Door, headers: &HeaderMap) -> Result<(), Refusal> {
    match visitor(headers, door.port.address.port())? {
        Visitor::Program => Ok(()),
        extension @ Visitor::Extension(_) => authorised(headers, extension, &door.gateway).map(drop),
    }
}

fn of_this_gateway(gateway: &Gateway) -> Settings {
    let ports = gateway.ports.open();
    // What is on some port, whichever was asked.
    let endpoints = &gateway.ports.main().endpoints;
    Settings {
        name: NAME,
        version: env!("CARGO_PKG_VERSION"),
        ports: ports.iter().map(|port| of_port(port)).collect(),
        endpoints: endpoints.iter().map(|endpoint| of_endpoint(endpoint)).collect(),
        authentication: Authentication {
            scheme: "Bearer",
            header: "Authorization: Bearer TOKEN",
            token_file: token_file(),
            command: "opentoolbar config",
        },
        errors: Errors {
            fields: &["code", "message", "nextStep"],
            statuses: STATUSES.iter().map(|&(status, meaning)| StatusMeaning { status, meaning }).collect(),
        },
        limits: Limits {
            request_seconds: super::server::admission().as_secs(),
            connections_without_token: super::newcomers::MOST_OF_A_CALLER,
            extra_ports: MOST_PORTS,
            mcp_sessions: over_http::MOST_SESSIONS,
            mcp_idle_seconds: over_http::idle().as_secs(),
            mcp_requests: mcp_route::MOST,
            pending_verifications: MOST_PENDING,
            pending_verifications_in_all: MOST_PENDING_IN_ALL,
            action_characters: MAX_ACTION,
            reason_characters: MAX_ACTION_REASON,
            context_bytes: MAX_ACTION_CONTEXT,
            timeout_seconds_least: *VERIFICATION_SECONDS.start(),
            timeout_seconds_most: *VERIFICATION_SECONDS.end(),
            timeout_seconds_default: DEFAULT_VERIFICATION_SECONDS,
            wait_seconds: verify_routes::MAX_WAIT,
        },
        verification_workflow: workflow(endpoints),
        warnings: gateway.ports.warnings(),
    }
}

/// How the file is to be kept that has the token.
const KEEP: &str = "This holds the token: whoever reads it can act as your agents do. Keep it readable by you alone \
                    (mode 0600), out of repositories, logs and chats. To make the token invalid, remove the token file \
                    and open the gateway again.";
/// What who may not have it does.
const WITHOUT: &str = "This has no token: a browser that was paired is not told it. On the machine where opentoolbar runs, \
                       `opentoolbar config` prints the same with the token.";

/// The same for a person to keep: with the token and what to do with it, or with the command that prints it.
pub(super) fn to_keep(gateway: &Gateway, with_token: bool) -> Result<String, ErrorBody> {
    let defect = |e: serde_json::Error| internal(format!("the settings of the gateway are no JSON: {e}"));
    let mut settings = serde_json::to_value(of_this_gateway(gateway)).map_err(defect)?;
    if with_token {
        settings["authentication"]["token"] = json!(gateway.token.reveal());
        settings["authentication"]["token_file"] = json!(gateway.token_file);
    }
    settings["keep"] = json!(if with_token { KEEP } else { WITHOUT });
    serde_json::to_string_pretty(&settings).map(|text| text + "\n").map_err(defect)
}

fn of_port(port: &Port) -> PortSettings {
    let Instructions { role, verification_required, .. } = port.instructions();
    PortSettings {
        port: port.address.port(),
        url: format!("http://{}", port.address),
        role,
        is_main: port.is_main,
        verification_required,
    }
}

fn of_endpoint(endpoint: &Endpoint) -> EndpointSettings {
    let body = |body: Option<Body>| {
        body.map(|Body { media, schema }| BodyFormat {
            content_type: media,
            max_bytes: None,
            schema: schema(),
        })
    };
    let asked =
        body(endpoint.request).map(|asked| BodyFormat { max_bytes: Some(endpoint.max_body), ..asked });
    let parameters = endpoint.parameters.iter();
    EndpointSettings {
        method: endpoint.method.to_string(),
        path: endpoint.path,
        description: endpoint.about,
        token: matches!(endpoint.access, Access::Token | Access::TokenOrPairing),
        callers: match endpoint.access {
            Access::Anybody | Access::Token => &["programs"],
            Access::TokenOrPairing => &["programs", "browsers"],
            Access::Browser | Access::Paired => &["browsers"],
        },
        ports: if endpoint.main_only { "main" } else { "all" },
        request: RequestFormat {
            parameters: parameters
                .map(|one| ParameterFormat { name: one.name, place: one.place, description: one.about })
                .collect(),
            body: asked,
        },
        response: ResponseFormat { status: endpoint.status.as_u16(), body: body(endpoint.answer) },
    }
}

/// By the name that the person knows, so that it tells nothing of the disk.
fn token_file() -> String {
    match std::env::var_os("OPENTOOLBAR_HOME").filter(|home| !home.is_empty()) {
        Some(_) => "$OPENTOOLBAR_HOME/token".into(),
        None => "~/.opentoolbar/token".into(),
    }
}

fn workflow(endpoints: &[&Endpoint]) -> Workflow {
    let steps = endpoints.iter().filter(|endpoint| endpoint.path.starts_with("/verify"));
    let endpoints: Vec<String> =
        steps.map(|endpoint| format!("{} {}", endpoint.method, endpoint.path)).collect();
    let available = !endpoints.is_empty();
    let description = "Before a step that needs a person's yes, POST what you will do and why. While the answer is pending, GET it \
                       with `wait`; go on only when it is approved, once, and do exactly that. A rejection is final; what \
                       nobody decides in time is rejected.";
    Workflow { available, description, endpoints }
}
