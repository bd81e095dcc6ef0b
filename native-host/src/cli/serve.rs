//! `opentoolbar serve`.

use clap::Args;

use super::Failure;

/// Arguments of `opentoolbar serve`.
#[derive(Debug, Args)]
pub(super) struct ServeArgs {}

pub(super) fn run(_args: ServeArgs) -> Result<(), Failure> {
    Err(Failure::new("this build has no hub yet", "Build a newer one."))
}
