//! `opentoolbar tools`: the reference of the MCP tools, as it stands in docs/tools.md.

use clap::Args;

use super::{Failure, output};

/// Arguments of `opentoolbar tools`.
#[derive(Debug, Args)]
pub(super) struct ToolsArgs {
    /// Markdown, the only form there is
    #[arg(long, required = true)]
    markdown: bool,
}

pub(super) fn run(args: ToolsArgs) -> Result<(), Failure> {
    debug_assert!(args.markdown, "required by the parser");
    output::print(&crate::mcp::markdown())
}
