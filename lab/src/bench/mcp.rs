//! `cargo xtask bench mcp`: how fast `opentoolbar mcp` answers from a cold start, how much memory it and the hub take,
//! and the round trip of `get_ui_feedback` as the number of stored comments grows. The release build, real hub, real
//! database; comments come in as a browser sends them. `OPENTOOLBAR_HOST` names another binary to measure.

mod browser;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use xtask::step::say;
use xtask::{tools, workspace};

use self::browser::{Browser, comments};
use super::args::Args;
use crate::clients::mcp::{Client, Started};

/// How much is measured.
struct Effort {
    /// Starts, and the same of node.
    starts: usize,
    /// Calls at each size.
    calls: usize,
    /// Stored comments.
    sizes: &'static [usize],
    /// Comments in one message of the browser.
    batch: usize,
}

const FULL: Effort = Effort { starts: 20, calls: 30, sizes: &[10, 1_000, 100_000], batch: 1_000 };
const SMOKE: Effort = Effort { starts: 1, calls: 2, sizes: &[10, 30], batch: 10 };

pub(super) fn run(args: &Args) -> Result<()> {
    let host = args.host()?;
    say(&format!("host: {}", host.strip_prefix(workspace::root()).unwrap_or(&host).display()));
    let node = tools::node_for_tests()?;
    let scratch = std::env::temp_dir().join(format!("opentoolbar-bench-{}", std::process::id()));
    let measured = measure(&host, &node, &scratch, if args.smoke { &SMOKE } else { &FULL });
    // Nothing in it is worth keeping, and the figures are printed already.
    let _ = std::fs::remove_dir_all(&scratch);
    measured
}

fn measure(host: &Path, node: &Path, scratch: &Path, effort: &Effort) -> Result<()> {
    let &Effort { starts, calls, sizes, batch } = effort;
    let home = scratch.join("home");
    let project = scratch.join("project");
    std::fs::create_dir_all(&project)?;
    std::fs::write(project.join("package.json"), "{}")?;

    let mut browser = Browser::start(host, &home)?;
    browser.open(&project)?;

    say(&format!("cold start, median of {starts}, hub running:"));
    let (mut ours, mut nodes, mut peaks) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..starts {
        let begin = Instant::now();
        let mut agent = start(host, &home, &project)?;
        agent.client.initialize()?;
        let tools = agent.client.ask("tools/list", &json!({}))?;
        ensure!(tools["result"]["tools"].is_array(), "tools/list: {tools}");
        ours.push(begin.elapsed());
        peaks.extend(peak_memory(agent.process.id()));
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

    say(&format!("\nget_ui_feedback, round trip through `opentoolbar mcp`, median of {calls}:"));
    say("  comments   defaults      brief   one pathname   one origin   resolve    hub VmHWM     fill");
    let mut agent = start(host, &home, &project)?;
    agent.client.initialize()?;
    let client = &mut agent.client;
    let (mut stored, mut before) = (0, None::<(usize, Duration)>);
    let mut growth = Vec::new();
    for &size in sizes {
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
