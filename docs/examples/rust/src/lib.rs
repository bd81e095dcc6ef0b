//! A small client of opentoolbar's gateway: its config, and questions to a person.
//!
//! ```no_run
//! # use std::time::Duration;
//! # use opentoolbar_example::{Config, Error, Gateway, Status, Timing, default_config};
//! # use serde_json::json;
//! # fn ask(timing: Timing) -> Result<(), Error> {
//! let config = Config::read(&default_config())?;
//! let mut gateway = Gateway::new(&config, config.main_port(), timing)?;
//! let asked = gateway.ask("Delete build/", "It is stale", &json!(null), 300)?;
//! let answer = gateway.decision(asked, Duration::from_secs(330))?;
//! if answer.status == Status::Approved {
//!     // exactly this, once
//! }
//! # Ok(())
//! # }
//! ```

mod config;
mod gateway;
mod http;

use serde::de::DeserializeOwned;
use serde_json::Value;

pub use config::{Config, Endpoint, Format, Limits, Port, default_config};
pub use gateway::{Context, DecidedBy, Gateway, Status, Verification};
pub use http::Timing;

/// Why nobody was asked, or no answer came.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The config file cannot be used. Nothing was sent.
    #[error("{0}")]
    Config(String),
    /// What was to be asked does not fit. It was not sent.
    #[error("{0}")]
    Request(String),
    /// The gateway refuses, does not answer, or is something else.
    #[error("{0}")]
    Gateway(String),
    /// Nobody decided before our own deadline.
    #[error("nobody decided in the time that this program has: the question is taken back")]
    Overdue,
}

/// JSON that came from outside. The error names the part that is wrong and never its content, as serde's own messages
/// do: that may be the token.
fn parse<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    let value: Value =
        serde_json::from_str(text).map_err(|error| format!("not JSON: line {}", error.line()))?;
    serde_path_to_error::deserialize(value).map_err(|error| {
        let (path, why) = (error.path().to_string(), error.inner().to_string());
        match why.strip_prefix("missing field `").and_then(|rest| rest.split_once('`')) {
            Some((name, _)) if path == "." => format!("`{name}` is missing"),
            Some((name, _)) => format!("`{path}.{name}` is missing"),
            None => format!("`{path}` is not of the right type"),
        }
    })
}
