//! `cargo xtask bench stream`: what a frame costs the panel while a long answer streams into it, in Chromium, beside plain
//! text that grows by the same parts. The measuring is `tests/bench/stream.ts`, on the harness of the end-to-end tests.

use anyhow::{Context as _, Result, bail};

use super::Args;
use crate::{build, step, tools, workspace};

pub(super) fn run(args: &Args) -> Result<()> {
    let chromium = tools::chromium()?;
    let node = tools::node_for_tests()?;
    build::wasm()?;
    build::extension(true)?;
    build::host(false)?;
    let mut measure = step::command(node, "tests", &["bench/stream.ts"]);
    if args.quick {
        measure.args(["--parts", "500"]);
    }
    if let Some(file) = &args.json {
        measure.arg("--json").arg(std::path::absolute(file)?);
    }
    let status = measure
        .env("OPENTOOLBAR_CHROMIUM", chromium)
        .env("OPENTOOLBAR_HOST", workspace::host_binary())
        .stdin(std::process::Stdio::null())
        .status()
        .context("cannot start Node")?;
    if !status.success() {
        bail!("the measuring did not end well ({status}); what happened is above");
    }
    Ok(())
}
