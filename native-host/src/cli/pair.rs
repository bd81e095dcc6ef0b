//! `opentoolbar pair`: a code with which one browser gets in over the gateway.

use clap::Args;
use opentoolbar_core::protocol::{Answer, Request};

use super::{Exit, Failure, connect, output};
use crate::hub::Home;
use crate::hub::client::Connector;

/// Arguments of `opentoolbar pair`.
#[derive(Debug, Args)]
pub(super) struct PairArgs {}

pub(super) fn run(_args: &PairArgs) -> Result<(), Failure> {
    let answer = connect::block_on(async {
        // A hub that this verb started would have no gateway, unless the settings say so; then it stays by itself.
        let connector = Connector::new(Home::from_env()?);
        let running = connector.connect_if_running(connect::hello("pair", None)).await;
        let client = running.map_err(connect::no_hub)?.ok_or_else(|| {
            Failure::new("no hub is running", "Run `opentoolbar serve` in another terminal, then this again.")
                .exit(Exit::NoHub)
        })?;
        client.request(Request::BeginPairing).await.map_err(Failure::from)
    })?;
    let Answer::Pairing { code, address, valid_seconds } = answer else {
        return Err(connect::mismatch("a code"));
    };
    let (first, last) = code.split_at(code.len() / 2);
    output::print(&format!(
        "Code:     {first}-{last}   (for {valid_seconds} seconds, once)\n\
         Address:  {address}\n\
         A client gets the token for it with POST http://{address}/pair (docs/protocol.md); the browser extension cannot yet.\n\
         From another machine: ssh -L {port}:{address} HOST",
        port = address.rsplit_once(':').map_or("7847", |(_, port)| port),
    ))
}
