//! `opentoolbar hub`.

use clap::Args;

use super::Failure;
use crate::gateway;
use crate::home::Home;
use crate::hub::{self, Mode};

/// Arguments of `opentoolbar hub`.
#[derive(Debug, Args)]
pub(super) struct HubArgs {}

pub(super) fn run(_args: HubArgs) -> Result<(), Failure> {
    Ok(hub::run(Home::from_env()?, Mode::Background, gateway::OF_HUB)?)
}
