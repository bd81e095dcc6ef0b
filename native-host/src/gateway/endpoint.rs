//! What there is to say of one method of one path, for the router, `GET /config` and the OpenAPI document alike.

use axum::http::{Method, StatusCode};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, json_schema};

/// Longest body of a request, in bytes, where an endpoint says no other: a code in JSON.
pub(super) const MAX_BODY: usize = 1024;

/// Who may ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// Any program of this machine.
    Anybody,
    /// A program that shows the home's token.
    Token,
    /// The same, or a browser that shows the token of its pairing.
    TokenOrPairing,
    /// Our extension in a browser, which is about to be paired.
    Browser,
    /// The same, showing the token of its pairing.
    Paired,
}

impl Access {
    /// Whether pages of our extension come in by it, and ask first whether they may.
    pub(super) fn is_for_browsers(self) -> bool {
        matches!(self, Self::Browser | Self::Paired)
    }
}

/// One header or value of the query.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parameter {
    pub(super) name: &'static str,
    /// `header`, `query` or `path`.
    pub(super) place: &'static str,
    pub(super) about: &'static str,
    /// Must be there.
    pub(super) is_required: bool,
    /// What its value may be.
    pub(super) schema: fn() -> Schema,
}

/// Any text.
pub(super) fn text() -> Schema {
    json_schema!({ "type": "string" })
}

/// A body, of a request or of an answer.
#[derive(Clone, Copy)]
pub(super) struct Body {
    pub(super) media: &'static str,
    pub(super) schema: fn() -> Schema,
}

/// One method of one path.
pub(super) struct Endpoint {
    pub(super) method: Method,
    pub(super) path: &'static str,
    pub(super) about: &'static str,
    pub(super) access: Access,
    /// Not there on ports beside the main one.
    pub(super) main_only: bool,
    pub(super) parameters: &'static [Parameter],
    pub(super) request: Option<Body>,
    /// Longest body of a request, in bytes.
    pub(super) max_body: usize,
    /// Of the answer when all is well.
    pub(super) status: StatusCode,
    pub(super) answer: Option<Body>,
    /// Another status when all is well, without a body, and when it is given.
    pub(super) or: Option<(StatusCode, &'static str)>,
    /// What it refuses beside what every path may.
    pub(super) refuses: &'static [StatusCode],
}

impl Body {
    pub(super) const fn json(schema: fn() -> Schema) -> Option<Self> {
        Some(Self { media: "application/json", schema })
    }
}

/// Flat and without `$ref`, as simple readers want it.
pub(super) fn schema<T: JsonSchema>() -> Schema {
    let mut settings = SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.remove("title");
    schema
}

/// The methods that a path has, for `Allow`; empty when there is no such path.
pub(super) fn methods(endpoints: &[&Endpoint], path: &str) -> String {
    let mut methods: Vec<&str> = Vec::new();
    for endpoint in endpoints.iter().filter(|endpoint| is_at(endpoint.path, path)) {
        methods.push(endpoint.method.as_str());
        match endpoint.method {
            // Whatever answers to the one answers to the other.
            Method::GET => methods.push("HEAD"),
            _ if endpoint.access.is_for_browsers() && !methods.contains(&"OPTIONS") => {
                methods.push("OPTIONS")
            }
            _ => {}
        }
    }
    methods.join(", ")
}

/// Whether a path is one of a pattern, in which a part in braces stands for any.
fn is_at(pattern: &str, path: &str) -> bool {
    let (mut parts, mut given) = (pattern.split('/'), path.split('/'));
    loop {
        match (parts.next(), given.next()) {
            (None, None) => return true,
            (Some(part), Some(given)) if part == given || part.starts_with('{') && !given.is_empty() => {}
            _ => return false,
        }
    }
}

/// `GET /health, GET /config, ...`, for whoever asked for something else.
pub(super) fn names(endpoints: &[&Endpoint]) -> String {
    let names: Vec<String> =
        endpoints.iter().map(|endpoint| format!("{} {}", endpoint.method, endpoint.path)).collect();
    names.join(", ")
}
