//! The hub, for verbs.

use std::path::Path;

use opentoolbar_core::model::Timestamp;
use opentoolbar_core::protocol::{Hello, PROTOCOL_VERSION, Role};

use super::{Exit, Failure};
use crate::why::why;

/// How a verb introduces itself.
pub(super) fn hello(verb: &str, project: Option<&Path>) -> Hello {
    Hello {
        protocol: PROTOCOL_VERSION,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        role: Role::Cli,
        client: format!("opentoolbar {verb}"),
        cwd: project.map(|project| project.to_string_lossy().into_owned()),
        instance: None,
        last_asked: None,
        capabilities: Vec::new(),
    }
}

/// Runs a verb that talks to the hub.
pub(super) fn block_on<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| {
        Failure::new(
            format!("the system gives no resources to run: {}", why(&error)),
            "Close other programs and try again.",
        )
    })?;
    runtime.block_on(work)
}

/// The hub could not be reached.
pub(super) fn no_hub(error: opentoolbar_core::protocol::ErrorBody) -> Failure {
    Failure::from(error).exit(Exit::NoHub)
}

/// The hub answered with something else than was asked for.
pub(super) fn mismatch(expected: &str) -> Failure {
    Failure::new(
        format!("the hub did not answer with {expected}"),
        "Run `opentoolbar status`: the hub may be of another version.",
    )
}

/// Now, for changes and exports.
pub(super) fn now() -> Timestamp {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    Timestamp(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}
