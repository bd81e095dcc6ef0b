//! Benches that are measured in a browser: a script of `tests/bench` on the harness of the end-to-end tests.

use std::process::Command;

use anyhow::{Context as _, Result, bail};

use super::Args;
use crate::{build, step, tools, workspace};

/// Builds extension and host and runs `script`, with the arguments `quick` when less is to be measured. `browsers` tells it
/// where they are.
pub(super) fn measure(
    args: &Args,
    script: &str,
    quick: &[&str],
    browsers: impl FnOnce(&mut Command),
) -> Result<()> {
    let node = tools::node_for_tests()?;
    build::wasm()?;
    build::extension()?;
    build::host(false)?;
    let mut measure = step::command(node, "tests", &[script]);
    if args.quick {
        measure.args(quick);
    }
    if let Some(file) = &args.json {
        measure.arg("--json").arg(std::path::absolute(file)?);
    }
    browsers(&mut measure);
    let status = measure
        .env("OPENTOOLBAR_HOST", workspace::host_binary())
        .stdin(std::process::Stdio::null())
        .status()
        .context("cannot start Node")?;
    if !status.success() {
        bail!("the measuring did not end well ({status}); what happened is above");
    }
    Ok(())
}
