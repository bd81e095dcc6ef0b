//! Decoders that are no part of the library, for `tests/fuzz` alone: bytes in, and nothing may panic, hang or grow.

use std::path::Path;

use axum::http::{HeaderMap, HeaderName, HeaderValue};

use crate::home::Home;
use crate::project::Registry;

pub use crate::mcp::fuzzing::mcp_line;

/// The home's files as the hub reads them at its start. What cannot be read may be renamed.
pub fn home_files(dir: &Path) {
    let home = Home::at(dir);
    let _ = Registry::open(home.registry());
    crate::gateway::fuzzing::home_files(&home);
}

/// What the gateway decides from headers, given as lines of `Name: value`.
pub fn gateway_headers(text: &str) {
    let mut headers = HeaderMap::new();
    for (name, value) in text.lines().filter_map(|line| line.split_once(':')) {
        if let (Ok(name), Ok(value)) =
            (HeaderName::from_bytes(name.trim().as_bytes()), HeaderValue::from_str(value.trim()))
        {
            headers.append(name, value);
        }
    }
    crate::gateway::fuzzing::headers(&headers);
}
