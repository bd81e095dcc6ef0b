//! `cargo xtask bench page`: frame times of a page of 10,000 nodes that rewrites itself 60 times a second, in browsers with
//! and without the extension, side by side. The measuring is `tests/bench/page.ts`, on the harness of the end-to-end tests.

use anyhow::{Context as _, Result, bail};

use super::Args;
use crate::{build, step, tools, workspace};

pub(super) fn run(args: &Args) -> Result<()> {
    let browsers = tools::browsers()?;
    let node = tools::node_for_tests()?;
    build::wasm()?;
    // The build that leaves its own slices in the page's timeline.
    build::extension(true)?;
    build::host(false)?;
    let mut measure = step::command(node, "tests", &["bench/page.ts"]);
    if args.quick {
        measure.args(["--rounds", "1", "--seconds", "4"]);
    }
    if let Some(file) = &args.json {
        measure.arg("--json").arg(std::path::absolute(file)?);
    }
    let status = measure
        .env("OPENTOOLBAR_CHROMIUM", browsers.chromium)
        .env("OPENTOOLBAR_FIREFOX", browsers.firefox)
        .env("OPENTOOLBAR_HOST", workspace::host_binary())
        .stdin(std::process::Stdio::null())
        .status()
        .context("cannot start Node")?;
    if !status.success() {
        bail!("the measuring did not end well ({status}); what happened is above");
    }
    Ok(())
}
