//! `cargo xtask bench mcp`: how fast `opentoolbar mcp` answers from a cold start, how much memory it takes and how long
//! a call, beside a minimal server on the official TypeScript SDK in the same run (`peer`); then the round trip of
//! `get_ui_feedback` and the hub's memory as the number of stored comments grows. The release build, real hub, real
//! database; comments come in as a browser sends them. `OPENTOOLBAR_HOST` names another binary to measure.

mod browser;
mod peer;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use serde_json::{Value, json};
use xtask::step::say;
use xtask::{tools, workspace};

use self::browser::{Browser, comments};
use self::peer::Place;
use super::args::Args;
use crate::clients::mcp::{Client, Started};

/// Comments that are stored when it is measured beside the peer.
const BESIDE: usize = 20;

/// How much is measured.
struct Effort {
    beside: peer::Effort,
    /// Calls at each size.
    calls: usize,
    /// Stored comments.
    sizes: &'static [usize],
    /// Comments in one message of the browser.
    batch: usize,
}

const FULL: Effort = Effort {
    beside: peer::Effort { starts: 20, calls: 250, turns: 8 },
    calls: 30,
    sizes: &[BESIDE, 1_000, 100_000],
    batch: 1_000,
};
const QUICK: Effort = Effort {
    beside: peer::Effort { starts: 10, calls: 100, turns: 4 },
    calls: 10,
    sizes: &[BESIDE, 1_000, 10_000],
    batch: 1_000,
};
const SMOKE: Effort = Effort {
    beside: peer::Effort { starts: 1, calls: 2, turns: 1 },
    calls: 2,
    sizes: &[BESIDE, 30],
    batch: 10,
};

pub(super) fn run(args: &Args) -> Result<()> {
    let effort = match args {
        Args { smoke: true, .. } => &SMOKE,
        Args { quick: true, .. } => &QUICK,
        _ => &FULL,
    };
    let host = args.host()?;
    say(&format!("host: {}", host.strip_prefix(workspace::root()).unwrap_or(&host).display()));
    let node = tools::node_for_tests()?;
    let scratch = std::env::temp_dir().join(format!("opentoolbar-bench-{}", std::process::id()));
    let measured = measure(&host, &node, &scratch, effort);
    // Nothing in it is worth keeping, and the figures are printed already.
    let _ = std::fs::remove_dir_all(&scratch);
    measured
}

fn measure(host: &Path, node: &Path, scratch: &Path, effort: &Effort) -> Result<()> {
    let Effort { beside, calls, sizes, batch } = effort;
    let (calls, batch) = (*calls, *batch);
    let home = scratch.join("home");
    let project = scratch.join("project");
    std::fs::create_dir_all(&project)?;
    std::fs::write(project.join("package.json"), "{}")?;

    let mut browser = Browser::start(host, &home)?;
    browser.open(&project)?;

    browser.import(comments(0, BESIDE))?;
    let hub = browser.hub_pid(&home);
    peer::measure(&Place { host, node, home: &home, project: &project, hub }, BESIDE, beside)?;

    say(&format!("\nget_ui_feedback, round trip through `opentoolbar mcp`, median of {calls}:"));
    say("  comments   defaults      brief   one pathname   one origin   resolve    hub VmHWM     fill");
    let mut agent = start(host, &home, &project)?;
    agent.client.initialize()?;
    let client = &mut agent.client;
    let (mut stored, mut before) = (BESIDE, None::<(usize, Duration)>);
    let mut growth = Vec::new();
    for &size in *sizes {
        let begin = Instant::now();
        while stored < size {
            let count = batch.min(size - stored);
            browser.import(comments(stored, count))?;
            stored += count;
        }
        let fill = begin.elapsed();
        let defaults = round_trip(client, calls, &json!({}))?;
        let brief = round_trip(client, calls, &json!({ "detail": "brief", "limit": 200 }))?;
        let page = round_trip(client, calls, &json!({ "pathname": "/page-7" }))?;
        // The worst that a beginning of an address can be: all of them.
        let origin = round_trip(client, calls, &json!({ "url": "http://localhost" }))?;
        let begin = Instant::now();
        call(client, "resolve_comment", &json!({ "commentId": format!("c_bench_{}", stored - 1) }))?;
        let resolve = begin.elapsed();
        let memory =
            browser.hub_pid(&home).and_then(peak_memory).map_or("?".to_owned(), |kib| format!("{kib} KiB"));
        say(&format!(
            "  {size:>8} {:>10} {:>10} {:>14} {:>12} {:>9} {memory:>12} {:>6.1} s",
            milliseconds(defaults),
            milliseconds(brief),
            milliseconds(page),
            milliseconds(origin),
            milliseconds(resolve),
            fill.as_secs_f64()
        ));
        if let Some((count, time)) = before {
            let exponent = (defaults.as_secs_f64() / time.as_secs_f64()).ln()
                / (f64::from(u32::try_from(size)?) / f64::from(u32::try_from(count)?)).ln();
            growth.push(format!("{count} to {size}: n^{exponent:.2}"));
        }
        before = Some((size, defaults));
    }
    say(&format!("  growth of the default call: {}", growth.join(", ")));
    agent.close()?;
    browser.stop_hub(&home);
    Ok(())
}

fn start(host: &Path, home: &Path, project: &Path) -> Result<Started> {
    let mut command = Command::new(host);
    Started::by(command.current_dir(project).env("OPENTOOLBAR_HOME", home).stderr(Stdio::null()))
}

fn call(client: &mut Client, tool: &str, arguments: &Value) -> Result<()> {
    let answer = client.call(tool, arguments)?;
    ensure!(answer["result"]["structuredContent"]["success"] == true, "{tool}: {answer}");
    Ok(())
}

fn round_trip(client: &mut Client, calls: usize, arguments: &Value) -> Result<Duration> {
    let mut times = Vec::with_capacity(calls);
    for _ in 0..calls {
        let begin = Instant::now();
        call(client, "get_ui_feedback", arguments)?;
        times.push(begin.elapsed());
    }
    Ok(median(&mut times))
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn milliseconds(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1_000.0)
}

/// Most memory that the process ever held, in KiB; known on Linux.
fn peak_memory(pid: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next()?.parse().ok())
}
