//! `opentoolbar config`: what an agent that comes over HTTP needs to begin, the token included.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use opentoolbar_core::protocol::{Answer, GatewayStatus, Request};
use serde_json::{Value, json};

use super::{Failure, connect, output};
use crate::files::write_whole;
use crate::gateway;
use crate::home::Home;
use crate::hub::client::Connector;
use crate::why::why;

/// The gateway answers at once, or something is wrong with it.
const PATIENCE: Duration = Duration::from_secs(10);
const KEEP: &str = "This holds the token: whoever reads it can act as your agents do. Keep it readable by you alone \
                    (mode 0600), out of repositories, logs and chats. To make the token invalid, remove the token file \
                    and open the gateway again.";

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
    let (text, holds_token) = match args.openapi {
        true => (pretty(&gateway::openapi())?, false),
        false => (pretty(&with_token()?)?, true),
    };
    match &args.output {
        Some(file) => write(file, &text)?,
        None => output::print_json(&text)?,
    }
    if holds_token {
        output::note(KEEP);
    }
    Ok(())
}

fn pretty(value: &Value) -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(value);
    text.map(|text| text + "\n")
        .map_err(|e| Failure::new(e.to_string(), "This is a defect of opentoolbar: report it."))
}

/// What `GET /config` of the open gateway says, and the token.
fn with_token() -> Result<Value, Failure> {
    let home = Home::from_env()?;
    let GatewayStatus { address, .. } = open_gateway(&home)?;
    let mut settings = fetch(&format!("http://{address}/config"))?;
    let token = std::fs::read_to_string(home.token()).map_err(|e| {
        Failure::new(
            format!("cannot read {}: {}", home.token().display(), why(&e)),
            "Open the gateway again: it writes the file when there is none.",
        )
    })?;
    settings["authentication"]["token"] = json!(token.trim());
    settings["authentication"]["token_file"] = json!(home.token());
    settings["keep"] = json!(KEEP);
    Ok(settings)
}

fn open_gateway(home: &Home) -> Result<GatewayStatus, Failure> {
    let answer = connect::block_on(async {
        let connector = Connector::new(home.clone());
        let running = connector.connect_if_running(connect::hello("config", None)).await;
        match running.map_err(connect::no_hub)? {
            Some(client) => client.request(Request::Status).await.map(Some).map_err(Failure::from),
            None => Ok(None),
        }
    })?;
    match answer {
        Some(Answer::Status { gateway: Some(gateway), .. }) => Ok(gateway),
        Some(Answer::Status { gateway: None, .. }) | None => Err(Failure::new(
            "the gateway is not open",
            "Run `opentoolbar serve` in another terminal, then this again.",
        )),
        Some(_) => Err(connect::mismatch("its status")),
    }
}

fn fetch(url: &str) -> Result<Value, Failure> {
    let failed = |why: String| {
        Failure::new(format!("{url} did not answer: {why}"), "Look at `opentoolbar status`, then try again.")
    };
    // Nothing between the two: not a proxy of the environment either.
    let agent = ureq::Agent::config_builder()
        .proxy(None)
        .max_redirects(0)
        .timeout_global(Some(PATIENCE))
        .build()
        .new_agent();
    let mut answer = agent.get(url).call().map_err(|e| failed(e.to_string()))?;
    let text = answer.body_mut().read_to_string().map_err(|e| failed(e.to_string()))?;
    let settings: Value = serde_json::from_str(&text).map_err(|e| failed(e.to_string()))?;
    match settings["name"].as_str() {
        Some("opentoolbar") => Ok(settings),
        _ => Err(failed("it is not opentoolbar's".to_owned())),
    }
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
