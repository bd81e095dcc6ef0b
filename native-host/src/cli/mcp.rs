//! `opentoolbar mcp`.

use std::path::PathBuf;

use clap::Args;

use super::{Failure, directory, logging, program};
use crate::mcp::{Offer, Toolset};
use crate::setup::connect_lines;
use crate::why::why;

/// With the line of `setup` for one agent, so that there is one.
fn examples() -> String {
    let agents = program::path().map(|program| connect_lines(&program)).unwrap_or_default();
    let lines: String =
        agents.iter().take(1).map(|(agent, _, line)| format!("  {line}\n      connects {agent}\n")).collect();
    format!(
        "Your agent starts this; in a terminal it only waits for an agent.\n\n\
         Examples:\n\
         {lines}  opentoolbar setup --dry-run\n      shows the lines for every agent\n  \
         opentoolbar mcp --project ~/shop\n      for agents that start servers in another directory\n  \
         opentoolbar mcp --toolsets feedback --read-only\n      only the comments, and nothing that changes them"
    )
}

/// Arguments of `opentoolbar mcp`.
#[derive(Debug, Args)]
#[command(after_help = examples())]
pub(super) struct McpArgs {
    /// The project the agent works in; default: the current directory
    #[arg(long, value_name = "DIR", env = "OPENTOOLBAR_PROJECT")]
    project: Option<PathBuf>,
    /// Only these tools, with commas between; default: all
    #[arg(long, value_name = "TOOLSETS", value_delimiter = ',')]
    toolsets: Vec<Toolset>,
    /// Only tools that read; what they read does not count as read for the developer
    #[arg(long)]
    read_only: bool,
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
    let served = runtime.block_on(crate::mcp::serve(project, Offer::new(args.toolsets, args.read_only)));
    // A read of standard input may still block a thread of the runtime; it dies with the process.
    runtime.shutdown_background();
    served.map_err(|error| {
        Failure::new(error.to_string(), "Check that the agent's MCP client speaks JSON-RPC over stdio.")
    })
}
