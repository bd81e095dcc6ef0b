//! `opentoolbar serve`: the hub in the foreground, with the gateway open.

use std::net::SocketAddr;

use clap::Args;

use super::{Failure, output};
use crate::hub::{self, Home, Mode};

/// Arguments of `opentoolbar serve`.
#[derive(Debug, Args)]
pub(super) struct ServeArgs {
    /// TCP port on 127.0.0.1; 0 takes any that is free. Without it: `gateway.port` of config.json, else 7847
    #[arg(long)]
    port: Option<u16>,
}

pub(super) fn run(args: ServeArgs) -> Result<(), Failure> {
    Ok(hub::run(Home::from_env()?, Mode::Foreground { port: args.port, opened })?)
}

fn opened(address: SocketAddr) {
    let token = Home::from_env().map(|home| home.token().display().to_string()).unwrap_or_default();
    // Nobody may be reading; the hub serves all the same.
    let _ = output::print(&format!(
        "The gateway is open: ws://{address}/ws\n\
         To let a browser in, run `opentoolbar pair` and type the code into the extension's panel.\n\
         Programs show the token in {token} as `Authorization: Bearer`."
    ));
}
