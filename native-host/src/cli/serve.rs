//! `opentoolbar serve`: the hub in the foreground with the gateway open, or the gateway of the hub that runs already.

use std::net::SocketAddr;
use std::time::Duration;

use clap::Args;
use opentoolbar_core::protocol::{Answer, ErrorBody, ErrorCode, Request};

use super::{Failure, connect, output};
use crate::gateway;
use crate::home::Home;
use crate::hub::client::{Client, Connector, RequestError, new_message_id};
use crate::hub::{self, Mode};

/// How soon a gateway is opened again after the hub that had it was replaced.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// Arguments of `opentoolbar serve`.
#[derive(Debug, Args)]
pub(super) struct ServeArgs {
    /// TCP port on 127.0.0.1; 0 takes any that is free. Without it: `gateway.port` of config.json, else 7847
    #[arg(long, value_parser = port, allow_negative_numbers = true)]
    port: Option<u16>,
}

fn port(given: &str) -> Result<u16, String> {
    given.parse().map_err(|_| "a port is a number from 0 to 65535; 0 takes any that is free".to_owned())
}

pub(super) fn run(args: ServeArgs) -> Result<(), Failure> {
    let home = Home::from_env()?;
    let port = connect::block_on(async {
        let connector = Connector::new(home.clone());
        let running = connector.connect_if_running(connect::hello("serve", None)).await;
        match running.map_err(connect::no_hub)? {
            Some(client) => keep_open(&client, args.port).await,
            None => Ok(args.port),
        }
    })?;
    // None runs, or the one that did is gone.
    Ok(hub::run(home, Mode::Foreground { port, opened }, gateway::OF_HUB)?)
}

/// Has the hub keep its gateway open, and the next one too; returns the port when there is none any more. A hub that an
/// agent started need not end for a browser to come in.
async fn keep_open(client: &Client, port_was_given: Option<u16>) -> Result<Option<u16>, Failure> {
    let mut port = port_was_given;
    let mut told: Option<String> = None;
    // A port that the settings leave to the system would be another one each time.
    let is_of_settings = || {
        let settings = Home::from_env().and_then(|home| gateway::Config::read(&home));
        port_was_given.is_none() && settings.is_ok_and(|settings| settings.port != Some(0))
    };
    loop {
        match client.ask(new_message_id()?, Request::OpenGateway { port }).await {
            Ok(Answer::Gateway { address }) => {
                if told.as_ref() != Some(&address) {
                    tell(&address);
                    // Browsers know the address: the next hub opens the same. That of the settings is left to them,
                    // and the ports beside it with it.
                    if !is_of_settings() {
                        port = address.parse().ok().map(|address: SocketAddr| address.port());
                    }
                    told = Some(address);
                }
            }
            Ok(_) => return Err(connect::mismatch("an address")),
            Err(RequestError::Unreachable(_) | RequestError::Over(_)) if told.is_some() => return Ok(port),
            // It is there and ill, or slow: it is asked again, and keeps the gateway as long as this connection stands.
            Err(RequestError::Late(_)) if told.is_some() => {}
            Err(RequestError::Answered(error)) if told.is_some() && error.code == ErrorCode::Internal => {}
            Err(error) => return Err(ErrorBody::from(error).into()),
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

fn opened(address: SocketAddr) {
    tell(&address.to_string());
}

fn tell(address: &str) {
    let token = Home::from_env().map(|home| home.token().display().to_string()).unwrap_or_default();
    // Nobody may be reading; the hub serves all the same.
    let _ = output::print(&format!(
        "The gateway is open: ws://{address}/ws\n\
         To let a browser in, run `opentoolbar pair` and type the code into the extension's panel.\n\
         Programs show the token in {token} as `Authorization: Bearer`."
    ));
}
