//! `opentoolbar mcp`.

use std::path::PathBuf;

use clap::Args;

use super::{Failure, directory, logging};
use crate::why::why;

const EXAMPLES: &str = "\
Examples:
  claude mcp add opentoolbar -- opentoolbar mcp
  opentoolbar mcp --project ~/shop       for clients that start servers in another directory";

/// Arguments of `opentoolbar mcp`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct McpArgs {
    /// The project the agent works in; default: the current directory
    #[arg(long, value_name = "DIR", env = "OPENTOOLBAR_PROJECT")]
    project: Option<PathBuf>,
}

pub(super) fn run(args: McpArgs) -> Result<(), Failure> {
    let project = directory::of_project(args.project)?;
    logging::to_stderr();
    // One thread is enough for one client, and starts faster.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| {
        Failure::new(
            format!("the system gives no resources to run: {}", why(&error)),
            "Close other programs and try again.",
        )
    })?;
    let served = runtime.block_on(crate::mcp::serve(project));
    // A read of standard input may still block a thread of the runtime; it dies with the process.
    runtime.shutdown_background();
    served.map_err(|error| {
        Failure::new(error.to_string(), "Check that the agent's MCP client speaks JSON-RPC over stdio.")
    })
}
