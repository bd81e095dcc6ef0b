//! `opentoolbar serve`.

use clap::Args;

use super::Failure;
use crate::hub::{self, Home, Mode};

/// Arguments of `opentoolbar serve`.
#[derive(Debug, Args)]
pub(super) struct ServeArgs {}

pub(super) fn run(_args: ServeArgs) -> Result<(), Failure> {
    Ok(hub::run(Home::from_env()?, Mode::Foreground)?)
}
