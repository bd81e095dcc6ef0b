//! `opentoolbar mcp`.

use clap::Args;

use super::Failure;

/// Arguments of `opentoolbar mcp`.
#[derive(Debug, Args)]
pub(super) struct McpArgs {}

pub(super) fn run(_args: McpArgs) -> Result<(), Failure> {
    Err(Failure::new("this build has no hub yet", "Build a newer one."))
}
