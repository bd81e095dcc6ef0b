//! The extension's background is killed while a person writes, in a real Chromium: `tests/e2e/background-kills.ts`
//! plays it.

use std::path::Path;

use anyhow::{Context as _, Result};
use serde::Deserialize;
use xtask::{build, step, tools};

use super::outcome::Outcome;

/// What the play prints.
#[derive(Deserialize)]
struct Played {
    faults: String,
    acknowledged: usize,
    stored: usize,
    lost: Vec<String>,
    doubled: Vec<String>,
    broken: Vec<String>,
}

pub(super) fn run(kind: &str, host: &Path, kills: usize) -> Result<Outcome> {
    let chromium = match tools::chromium() {
        Ok(chromium) => chromium,
        Err(error) => return Ok(Outcome::not_run(kind, format!("{error:#}"))),
    };
    let node = tools::node_for_tests()?;
    // Whoever names a host has built everything, and others may be using the build.
    if std::env::var_os("OPENTOOLBAR_HOST").is_none() {
        build::wasm()?;
        build::extension()?;
    }
    let mut play = step::command(node, "tests", &["e2e/background-kills.ts", "--kills", &kills.to_string()]);
    play.env("OPENTOOLBAR_HOST", host).env("OPENTOOLBAR_CHROMIUM", chromium);
    let output = play.stdin(std::process::Stdio::null()).stderr(std::process::Stdio::inherit()).output();
    let output = output.context("Node does not start")?;
    let said = String::from_utf8_lossy(&output.stdout);
    let last = said.lines().next_back().unwrap_or_default();
    let played: Played =
        serde_json::from_str(last).with_context(|| format!("the play ended ({}): {said}", output.status))?;
    let Played { faults, acknowledged, stored, lost, doubled, broken } = played;
    Ok(Outcome { kind: kind.to_owned(), faults, acknowledged, stored, lost, doubled, broken, not_run: None })
}
