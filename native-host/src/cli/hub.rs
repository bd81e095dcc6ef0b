//! `opentoolbar hub`.

use clap::Args;

use super::Failure;

/// Arguments of `opentoolbar hub`.
#[derive(Debug, Args)]
pub(super) struct HubArgs {}

pub(super) fn run(_args: HubArgs) -> Result<(), Failure> {
    Err(Failure::new("this build has no hub yet", "Build a newer one."))
}
