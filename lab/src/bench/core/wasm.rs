//! The WASM build that ships, run under Node on the same captures.

use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use xtask::{build, workspace};

use super::subject::{Figure, Subject, write_subjects};

/// One list of figures per page; `None` when there is no build.
pub(super) fn measure(subjects: &[Subject]) -> Result<Option<Vec<Vec<Figure>>>> {
    let Some(package) = build::shipped_wasm() else { return Ok(None) };
    let folder = write_subjects(subjects)?;
    let output = Command::new("node")
        .arg(workspace::path("lab/src/bench/core/wasm.mjs"))
        .args([&package, &folder])
        .arg(subjects.len().to_string())
        .output()
        .context("cannot start node")?;
    ensure!(output.status.success(), "the WASM run failed:\n{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout)
        .context("the WASM run printed something else than figures")
        .map(Some)
}
