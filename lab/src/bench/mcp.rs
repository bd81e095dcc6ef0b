//! `cargo xtask bench mcp`: how fast `opentoolbar mcp` answers from a cold start, how much memory it and the hub take,
//! and the round trip of `get_ui_feedback` as the number of stored comments grows. The release build, real hub, real
//! database; comments come in as a browser sends them. `OPENTOOLBAR_HOST` names another binary to measure.

mod host;
mod json_rpc;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use serde_json::json;
use xtask::step::{self, say};
use xtask::{tools, workspace};

use self::host::{Browser, comments};
use self::json_rpc::Agent;

/// Starts measured, and the same of node.
const STARTS: usize = 20;
/// Calls measured at each size.
const CALLS: usize = 30;
/// Stored comments.
const SIZES: [usize; 3] = [10, 1_000, 100_000];
/// Comments in one message of the browser.
const BATCH: usize = 1_000;

pub(super) fn run() -> Result<()> {
    let host = match std::env::var_os("OPENTOOLBAR_HOST") {
        // The same variable as the end-to-end tests follow: a binary that is built already.
        Some(host) => std::path::absolute(host)?,
        None => {
            let build = &mut step::cargo(&["build", "--release", "-p", "opentoolbar"]);
            step::run("build the host (release)", build)?;
            workspace::target().join("release").join(format!("opentoolbar{}", std::env::consts::EXE_SUFFIX))
        }
    };
    say(&format!("host: {}", host.strip_prefix(workspace::root()).unwrap_or(&host).display()));
    let node = tools::node_for_tests()?;
    let scratch = std::env::temp_dir().join(format!("opentoolbar-bench-{}", std::process::id()));
    let measured = measure(&host, &node, &scratch);
    // Nothing in it is worth keeping, and the figures are printed already.
    let _ = std::fs::remove_dir_all(&scratch);
    measured
}

fn measure(host: &Path, node: &Path, scratch: &Path) -> Result<()> {
    let home = scratch.join("home");
    let project = scratch.join("project");
    std::fs::create_dir_all(&project)?;
    std::fs::write(project.join("package.json"), "{}")?;

    let mut browser = Browser::start(host, &home)?;
    browser.open(&project)?;

    say(&format!("cold start, median of {STARTS}, hub running:"));
    let (mut ours, mut nodes, mut peaks) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..STARTS {
        let begin = Instant::now();
        let mut agent = Agent::start(host, &home, &project)?;
        agent.initialize()?;
        agent.ask("tools/list", json!({}))?;
        ours.push(begin.elapsed());
        peaks.extend(peak_memory(agent.pid()));
        agent.close()?;
        let begin = Instant::now();
        Command::new(node).args(["-e", "0"]).stdout(Stdio::null()).status().context("node does not start")?;
        nodes.push(begin.elapsed());
    }
    let (ours, nodes) = (median(&mut ours), median(&mut nodes));
    say(&format!("  opentoolbar mcp, to the answer of tools/list   {:>8}", milliseconds(ours)));
    say(&format!("  node -e 0                                      {:>8}", milliseconds(nodes)));
    say(&format!(
        "  ratio                                          {:>8.2}",
        ours.as_secs_f64() / nodes.as_secs_f64()
    ));
    if let Some(peak) = peaks.iter().max() {
        say(&format!("  peak memory of opentoolbar mcp (VmHWM)         {:>5} KiB", peak));
    }

    say(&format!("\nget_ui_feedback, round trip through `opentoolbar mcp`, median of {CALLS}:"));
    say("  comments   defaults      brief   one pathname   one origin   resolve    hub VmHWM     fill");
    let mut agent = Agent::start(host, &home, &project)?;
    agent.initialize()?;
    let (mut stored, mut before) = (0, None::<(usize, Duration)>);
    let mut growth = Vec::new();
    for size in SIZES {
        let begin = Instant::now();
        while stored < size {
            let batch = BATCH.min(size - stored);
            browser.import(comments(stored, batch))?;
            stored += batch;
        }
        let fill = begin.elapsed();
        let defaults = round_trip(&mut agent, &json!({}))?;
        let brief = round_trip(&mut agent, &json!({ "detail": "brief", "limit": 200 }))?;
        let page = round_trip(&mut agent, &json!({ "pathname": "/page-7" }))?;
        // The worst that a beginning of an address can be: all of them.
        let origin = round_trip(&mut agent, &json!({ "url": "http://localhost" }))?;
        let begin = Instant::now();
        agent.call("resolve_comment", json!({ "commentId": format!("c_bench_{}", stored - 1) }))?;
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

fn round_trip(agent: &mut Agent, arguments: &serde_json::Value) -> Result<Duration> {
    let mut times = Vec::with_capacity(CALLS);
    for _ in 0..CALLS {
        let begin = Instant::now();
        agent.call("get_ui_feedback", arguments.clone())?;
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
