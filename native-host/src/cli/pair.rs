//! `opentoolbar pair`: a code with which one browser gets in over the gateway.

use clap::Args;
use opentoolbar_core::protocol::{Answer, ErrorCode, Request};

use super::{Exit, Failure, connect, output, program};
use crate::gateway;
use crate::home::Home;
use crate::hub::client::Connector;

/// Arguments of `opentoolbar pair`.
#[derive(Debug, Args)]
pub(super) struct PairArgs {
    /// Take back what every paired browser was given; those that are connected are disconnected
    #[arg(long)]
    forget: bool,
}

pub(super) fn run(args: &PairArgs) -> Result<(), Failure> {
    if args.forget { forget() } else { begin() }
}

fn begin() -> Result<(), Failure> {
    let answer = connect::block_on(async {
        // A hub that this verb started would have no gateway, unless the settings say so; then it stays by itself.
        let home = Home::from_env()?;
        let connector = Connector::new(home.clone());
        let running = connector.connect_if_running(connect::hello("pair", None)).await;
        let client = running
            .map_err(connect::no_hub)?
            .ok_or_else(|| Failure::new("no hub is running", open_first(&home)).exit(Exit::NoHub))?;
        client.request(Request::BeginPairing).await.map_err(|error| match error.code {
            ErrorCode::Conflict => Failure::new(error.message, open_first(&home)),
            _ => error.into(),
        })
    })?;
    let Answer::Pairing { code, address, valid_seconds } = answer else {
        return Err(connect::mismatch("a code"));
    };
    let (first, last) = code.split_at(code.len() / 2);
    output::print(&format!(
        "Code:     {first}-{last}   (for {valid_seconds} seconds, once)\n\
         Address:  {address}\n\
         In the browser: open opentoolbar's panel, press \"Pair with a code\", and type both.\n\
         Browser on another machine? First run there: ssh -L {port}:{address} HOST",
        port = address.rsplit_once(':').map_or("7847", |(_, port)| port),
    ))
}

/// What opens the gateway, for now and for good.
fn open_first(home: &Home) -> String {
    format!(
        "Run `{}` in another terminal and keep it running, then run this again. To open it every time, write \
         {{\"gateway\": {{\"enabled\": true}}}} into {} before the hub starts.",
        program::command("serve"),
        home.config().display()
    )
}

fn forget() -> Result<(), Failure> {
    let home = Home::from_env()?;
    connect::block_on(async {
        let connector = Connector::new(home.clone());
        match connector.connect_if_running(connect::hello("pair", None)).await.map_err(connect::no_hub)? {
            Some(client) => client.request(Request::EndPairings).await.map(drop).map_err(Failure::from),
            None => Ok(()),
        }
    })?;
    // Those of a hub without an open gateway.
    gateway::forget_pairings(&home)?;
    output::print("No browser is paired any more. `opentoolbar pair` gives a new code.")
}
