//! `opentoolbar config`: what an agent that comes over HTTP needs to begin, the token included.

use std::path::{Path, PathBuf};

use clap::Args;
use opentoolbar_core::protocol::{Answer, Request};
use serde_json::Value;

use super::{Failure, connect, output};
use crate::files::write_whole;
use crate::gateway;
use crate::home::Home;
use crate::hub::client::Connector;
use crate::why::why;

/// Arguments of `opentoolbar config`.
#[derive(Debug, Args)]
pub(super) struct ConfigArgs {
    /// Write to this file instead, readable by you alone; what was there is replaced
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The reference of the gateway as OpenAPI instead; it holds no secret
    #[arg(long)]
    openapi: bool,
}

pub(super) fn run(args: ConfigArgs) -> Result<(), Failure> {
    let text = if args.openapi { pretty(&gateway::openapi())? } else { with_token()? };
    match &args.output {
        Some(file) => write(file, &text)?,
        None => output::print_json(&text)?,
    }
    if !args.openapi {
        // How the file is to be kept stands in it; a person is told it also where that went to a file.
        let settings: Value = serde_json::from_str(&text).unwrap_or_default();
        output::note(settings["keep"].as_str().unwrap_or_default());
    }
    Ok(())
}

fn pretty(value: &Value) -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(value);
    text.map(|text| text + "\n")
        .map_err(|e| Failure::new(e.to_string(), "This is a defect of opentoolbar: report it."))
}

/// What the hub's open gateway says.
fn with_token() -> Result<String, Failure> {
    connect::block_on(async {
        let connector = Connector::new(Home::from_env()?);
        let running = connector.connect_if_running(connect::hello("config", None)).await;
        let Some(client) = running.map_err(connect::no_hub)? else {
            return Err(Failure::new(
                "the gateway is not open",
                "Run `opentoolbar serve` in another terminal, then this again.",
            ));
        };
        match client.request(Request::GetGatewayConfig).await? {
            Answer::GatewayConfig { text, has_token: true } => Ok(text),
            _ => Err(connect::mismatch("the settings of the gateway")),
        }
    })
}

/// Whole or not at all. A link that stands there is replaced, not followed.
fn write(file: &Path, text: &str) -> Result<(), Failure> {
    let whole = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    write_whole(&whole, text.as_bytes()).map_err(|e| {
        Failure::new(
            format!("cannot write {}: {}", output::plain(&file.display().to_string()), why(&e)),
            "Give a file in a directory that you can write.",
        )
    })
}
