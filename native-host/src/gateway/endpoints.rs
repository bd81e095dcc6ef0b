//! Every path of the gateway, in one table: the router, the answer of `GET /config`, the OpenAPI document and what a
//! refusal says is there are all made from it, so that nothing is listed that does not exist.

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{Method, StatusCode};
use axum::routing::{MethodRouter, delete, get, post};
use schemars::{Schema, json_schema};

use super::endpoint::{Access, Body, Endpoint, MAX_BODY, Parameter, schema, text};
use super::instructions::Instructions;
use super::state::Door;
use super::{admission, discovery, mcp_route, openapi, pair_routes, verify_routes, websocket_route};
use crate::mcp::over_http::MAX_MESSAGE;

/// What most have.
const PLAIN: Endpoint = Endpoint {
    method: Method::GET,
    path: "/",
    about: "",
    access: Access::Token,
    main_only: false,
    parameters: &[],
    request: None,
    max_body: MAX_BODY,
    status: StatusCode::OK,
    answer: None,
    or: None,
    refuses: &[],
};

const HEADER: Parameter =
    Parameter { name: "", place: "header", about: "", is_required: false, schema: text };
const QUERY: Parameter = Parameter { place: "query", ..HEADER };

const PROJECT: Parameter = Parameter {
    name: "Opentoolbar-Project",
    about: "Root of the project to work in, one that opentoolbar knows; else that of the caller's own directory. \
            An absolute path, in UTF-8.",
    ..HEADER
};
const VERIFICATION: Parameter = Parameter {
    name: "id",
    place: "path",
    about: "The verification_id that POST /verify answered.",
    is_required: true,
    ..HEADER
};
const ORIGIN: Parameter = Parameter {
    name: "Origin",
    about: "That of the extension, as the browser sends it.",
    is_required: true,
    schema: admission::origin_of_extension,
    ..HEADER
};

const MCP: &[Parameter] = &[
    PROJECT,
    Parameter { name: "Mcp-Session-Id", about: "As `initialize` was answered with.", ..HEADER },
    Parameter {
        name: "MCP-Protocol-Version",
        about: "As was agreed on.",
        schema: mcp_route::revision,
        ..HEADER
    },
];

const MCP_REFUSES: &[StatusCode] = &[
    StatusCode::BAD_REQUEST,
    StatusCode::NOT_FOUND,
    StatusCode::METHOD_NOT_ALLOWED,
    StatusCode::NOT_ACCEPTABLE,
    StatusCode::CONFLICT,
    StatusCode::PAYLOAD_TOO_LARGE,
    StatusCode::UNSUPPORTED_MEDIA_TYPE,
    StatusCode::UNPROCESSABLE_ENTITY,
    StatusCode::TOO_MANY_REQUESTS,
];

/// With what makes its routes.
type Row = (Endpoint, fn() -> MethodRouter<Door>);

/// In the order in which somebody new needs them.
static TABLE: &[Row] = &[
    (
        Endpoint {
            path: "/health",
            about: "Whether the gateway answers, and that it is opentoolbar's.",
            access: Access::Anybody,
            answer: Body::json(schema::<discovery::Health>),
            ..PLAIN
        },
        || get(discovery::health),
    ),
    (
        Endpoint {
            path: "/config",
            about: "Everything that an agent needs to begin: ports with their roles, endpoints, limits, where the token is.",
            access: Access::Anybody,
            answer: Body::json(schema::<discovery::Settings>),
            ..PLAIN
        },
        || get(discovery::settings),
    ),
    (
        Endpoint {
            path: "/context",
            about: "What an agent at the port that is asked is told: who it is there, and what it may do.",
            answer: Body::json(schema::<Instructions>),
            ..PLAIN
        },
        || get(discovery::instructions),
    ),
    (
        Endpoint {
            path: "/openapi.json",
            about: "This reference, as OpenAPI 3.1.",
            answer: Body::json(|| Schema::from(true)),
            ..PLAIN
        },
        || get(openapi::document),
    ),
    (
        Endpoint {
            method: Method::POST,
            path: verify_routes::PATH,
            about: "Asks a person for a yes or no to one action. The same words while that waits are the same question.",
            parameters: &[PROJECT],
            request: Body::json(schema::<verify_routes::Ask>),
            max_body: verify_routes::MAX_BODY,
            answer: Body::json(schema::<verify_routes::Answered>),
            refuses: &[
                StatusCode::BAD_REQUEST,
                StatusCode::CONFLICT,
                StatusCode::PAYLOAD_TOO_LARGE,
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                StatusCode::UNPROCESSABLE_ENTITY,
                StatusCode::TOO_MANY_REQUESTS,
            ],
            ..PLAIN
        },
        || post(verify_routes::ask),
    ),
    (
        Endpoint {
            path: verify_routes::PATH_OF_ONE,
            about: "How it stands; with `wait`, as soon as it is decided.",
            parameters: &[
                VERIFICATION,
                PROJECT,
                Parameter {
                    name: "wait",
                    about: "How many seconds to wait for the decision, 0 to 45.",
                    schema: verify_routes::seconds_to_wait,
                    ..QUERY
                },
            ],
            answer: Body::json(schema::<verify_routes::Answered>),
            refuses: &[
                StatusCode::NOT_FOUND,
                StatusCode::CONFLICT,
                StatusCode::UNPROCESSABLE_ENTITY,
                StatusCode::TOO_MANY_REQUESTS,
            ],
            ..PLAIN
        },
        || get(verify_routes::get),
    ),
    (
        Endpoint {
            method: Method::DELETE,
            path: verify_routes::PATH_OF_ONE,
            about: "Takes back what the caller asked and nobody has decided.",
            parameters: &[VERIFICATION, PROJECT],
            answer: Body::json(schema::<verify_routes::Answered>),
            refuses: &[
                StatusCode::NOT_FOUND,
                StatusCode::CONFLICT,
                StatusCode::UNPROCESSABLE_ENTITY,
                StatusCode::TOO_MANY_REQUESTS,
            ],
            ..PLAIN
        },
        || delete(verify_routes::withdraw),
    ),
    (
        Endpoint {
            method: Method::POST,
            path: mcp_route::PATH,
            about: "MCP over streamable HTTP, with the tools of docs/tools.md: one message of JSON-RPC 2.0.",
            parameters: MCP,
            request: Body::json(mcp_route::message),
            max_body: MAX_MESSAGE,
            answer: Some(Body { media: "text/event-stream", schema: mcp_route::event }),
            or: Some((StatusCode::ACCEPTED, "It was a notification or an answer.")),
            refuses: MCP_REFUSES,
            ..PLAIN
        },
        || post(mcp_route::mcp),
    ),
    (
        Endpoint {
            path: mcp_route::PATH,
            about: "What the server says by itself in a session of MCP, as a stream of events.",
            parameters: MCP,
            answer: Some(Body { media: "text/event-stream", schema: mcp_route::event }),
            refuses: MCP_REFUSES,
            ..PLAIN
        },
        || get(mcp_route::mcp),
    ),
    (
        Endpoint {
            method: Method::DELETE,
            path: mcp_route::PATH,
            about: "Ends a session of MCP.",
            parameters: MCP,
            status: StatusCode::ACCEPTED,
            refuses: MCP_REFUSES,
            ..PLAIN
        },
        || delete(mcp_route::mcp),
    ),
    (
        Endpoint {
            path: "/ws",
            about: "The WebSocket of browsers and of clients of one session; docs/protocol.md says what is spoken there.",
            access: Access::TokenOrPairing,
            main_only: true,
            parameters: &[
                Parameter {
                    name: "sessionId",
                    about: "For a client of one session: its id.",
                    schema: websocket_route::session_id,
                    ..QUERY
                },
                Parameter {
                    name: "after",
                    about: "Position of the last part that this client received.",
                    schema: || json_schema!({ "type": "integer", "minimum": 0, "maximum": u64::MAX }),
                    ..QUERY
                },
            ],
            status: StatusCode::SWITCHING_PROTOCOLS,
            refuses: &[StatusCode::BAD_REQUEST, StatusCode::UPGRADE_REQUIRED],
            ..PLAIN
        },
        || get(websocket_route::ws),
    ),
    (
        Endpoint {
            method: Method::POST,
            path: "/pair",
            about: "A browser's extension gives the code that `opentoolbar pair` prints, and gets a token of its own.",
            access: Access::Browser,
            main_only: true,
            parameters: &[ORIGIN],
            request: Body::json(schema::<pair_routes::Pair>),
            answer: Body::json(schema::<pair_routes::Welcome>),
            refuses: &[StatusCode::BAD_REQUEST, StatusCode::PAYLOAD_TOO_LARGE, StatusCode::TOO_MANY_REQUESTS],
            ..PLAIN
        },
        || post(pair_routes::pair).options(pair_routes::preflight),
    ),
    (
        Endpoint {
            method: Method::POST,
            path: "/paired",
            about: "Whether the pairing of this browser still stands.",
            access: Access::Paired,
            main_only: true,
            parameters: &[ORIGIN],
            status: StatusCode::NO_CONTENT,
            ..PLAIN
        },
        || post(pair_routes::check).options(pair_routes::preflight),
    ),
    (
        Endpoint {
            method: Method::DELETE,
            path: "/paired",
            about: "Ends the pairing of this browser.",
            access: Access::Paired,
            main_only: true,
            parameters: &[ORIGIN],
            status: StatusCode::NO_CONTENT,
            ..PLAIN
        },
        || delete(pair_routes::end),
    ),
];

fn rows(is_main: bool) -> impl Iterator<Item = &'static Row> {
    TABLE.iter().filter(move |(endpoint, _)| is_main || !endpoint.main_only)
}

/// What is there on the main port, or on another.
pub(super) fn on(is_main: bool) -> Vec<&'static Endpoint> {
    rows(is_main).map(|(endpoint, _)| endpoint).collect()
}

/// Their routes.
pub(super) fn routes(is_main: bool) -> Router<Door> {
    rows(is_main).fold(Router::new(), |router, (endpoint, routes)| {
        router.route(endpoint.path, routes().layer(DefaultBodyLimit::max(endpoint.max_body)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gateway::endpoint::methods;

    #[test]
    fn a_path_tells_its_methods_and_the_ports_beside_the_main_one_have_no_way_in_for_browsers() {
        let (main, other) = (on(true), on(false));
        assert_eq!(methods(&main, "/paired"), "POST, OPTIONS, DELETE");
        assert_eq!(methods(&main, "/config"), "GET, HEAD");
        assert_eq!(methods(&other, "/ws"), "");
        assert!(other.iter().all(|endpoint| matches!(endpoint.access, Access::Anybody | Access::Token)));
    }
}
