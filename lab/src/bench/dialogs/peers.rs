//! What others take to have the same history: they read all of it.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use super::question::{self, Answer};

const SCRIPT: &str = "const fs = require('fs'); const began = performance.now();
const session = JSON.parse(fs.readFileSync(process.argv[1], 'utf8'));
if (!session.requests[19].message.text.startsWith('Please')) throw new Error('it is another one');
const took = performance.now() - began;
const peak = process.resourceUsage().maxRSS;
const { user, system } = process.cpuUsage();
const processor = Math.round((user + system) / 1000);
console.log(JSON.stringify({ first_ms: took, next_ms: 0, processor_ms: processor, peak_kib: peak, requests: session.requests.length }));";

/// Node's `JSON.parse`, as VS Code itself reads it.
pub(super) fn node(node: &Path, file: &Path) -> Result<Answer> {
    let output = Command::new(node).args(["-e", SCRIPT]).arg(file).output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).context("node said something else")
}

/// `serde_json` into a `Value`, in a process of its own.
pub(super) fn serde_json(file: &Path) -> Result<Answer> {
    super::child(file, Some("serde_json"))
}

pub(super) fn read_as_value(file: &Path) -> Result<Answer> {
    let began = Instant::now();
    let session: Value = serde_json::from_reader(BufReader::with_capacity(1 << 17, File::open(file)?))?;
    let text = session["requests"][19]["message"]["text"].as_str().context("it is another one")?;
    ensure!(text.starts_with("Please"), "{text:?}");
    let first_ms = began.elapsed().as_secs_f64() * 1_000.0;
    let requests = session["requests"].as_array().map_or(0, |requests| requests.len() as u64);
    let processor_ms = question::processor_ms();
    Ok(Answer { first_ms, next_ms: 0.0, processor_ms, peak_kib: question::peak_memory(), requests })
}
