//! Beside the smallest server on the official TypeScript SDK (`tests/bench/minimal.mjs`), whose one tool gives what
//! ours gives, but from memory: ours asks the hub, which reads its database. Both are asked by the same client in
//! turns. As the floor of a start in JavaScript stands `node -e 0`.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use xtask::step::{self, say};

use super::{call, median, milliseconds, peak_memory, start};
use crate::bench::statistics::percentile;
use crate::clients::mcp::Started;

/// How much is measured.
pub(super) struct Effort {
    /// Starts of each.
    pub(super) starts: usize,
    /// Calls of each in one turn.
    pub(super) calls: usize,
    pub(super) turns: usize,
}

/// What to start, and where.
pub(super) struct Place<'a> {
    pub(super) host: &'a Path,
    pub(super) node: &'a Path,
    pub(super) home: &'a Path,
    pub(super) project: &'a Path,
    /// The hub's process, where it is known.
    pub(super) hub: Option<u32>,
}

/// Of one of the two servers.
#[derive(Default)]
struct Measured {
    /// From the start of the process to the answer of `tools/list`.
    starts: Vec<Duration>,
    calls: Vec<Duration>,
    /// The most memory that any of its processes ever held, in KiB; known on Linux.
    peak_kib: Option<u64>,
}

impl Measured {
    fn held(&mut self, agent: &Started) {
        self.peak_kib = self.peak_kib.max(peak_memory(agent.process.id()));
    }
}

/// Asks both; `comments` are stored already.
pub(super) fn measure(place: &Place<'_>, comments: usize, effort: &Effort) -> Result<()> {
    let answer = answer_of_ours(place)?;
    let bytes = answer.to_string().len();
    let file = place.home.join("answer.json");
    std::fs::write(&file, answer.to_string())?;
    let calls = effort.calls * effort.turns;
    say(&format!(
        "\nbeside the smallest server on the official TypeScript SDK, which gives the same answer from memory: {} starts and {calls} \
         calls of get_ui_feedback of each, in turns; {comments} comments, {bytes} bytes an answer:",
        effort.starts
    ));
    let (mut ours, mut peers, mut nothing) = (Measured::default(), Measured::default(), Vec::new());
    let start_peer = || minimal(place.node, &file);
    let start_ours = || start(place.host, place.home, place.project);
    for _ in 0..effort.starts {
        cold_start(&mut ours, start_ours)?;
        cold_start(&mut peers, start_peer)?;
        let begin = Instant::now();
        let mut node = Command::new(place.node);
        node.args(["-e", "0"]).stdout(Stdio::null()).status().context("node does not start")?;
        nothing.push(begin.elapsed());
    }
    let (mut our_agent, mut peer_agent) = (start_ours()?, start_peer()?);
    for agent in [&mut our_agent, &mut peer_agent] {
        agent.client.initialize()?;
        let same = agent.client.call("get_ui_feedback", &json!({}))?;
        ensure!(same["result"] == answer, "not the same answer: {same}");
        // The first ones open files and fill caches.
        ask(agent, &mut Vec::new(), effort.calls.div_ceil(10))?;
    }
    for _ in 0..effort.turns {
        ask(&mut our_agent, &mut ours.calls, effort.calls)?;
        ask(&mut peer_agent, &mut peers.calls, effort.calls)?;
    }
    ours.held(&our_agent);
    peers.held(&peer_agent);
    our_agent.close()?;
    peer_agent.close()?;
    tell(ours, peers);
    say(&format!("  {:<34} {:>16} {:>12}", "node -e 0, median", "", milliseconds(median(&mut nothing))));
    if let Some(hub) = place.hub.and_then(peak_memory) {
        say(&format!("  beside ours the hub, one for all agents and browsers: {hub} KiB (VmHWM)"));
    }
    Ok(())
}

/// The whole result of a call, for the peer to give.
fn answer_of_ours(place: &Place<'_>) -> Result<Value> {
    let mut agent = start(place.host, place.home, place.project)?;
    agent.client.initialize()?;
    let mut answer = agent.client.call("get_ui_feedback", &json!({}))?;
    agent.close()?;
    ensure!(answer["result"]["structuredContent"]["success"] == true, "get_ui_feedback: {answer}");
    Ok(answer["result"].take())
}

/// The peer, with the answer that it gives.
fn minimal(node: &Path, answer: &Path) -> Result<Started> {
    let mut command = step::command(node, "tests", &["bench/minimal.mjs"]);
    Started::server(command.arg(answer).stderr(Stdio::null())).context("the minimal server")
}

fn cold_start(measured: &mut Measured, start: impl Fn() -> Result<Started>) -> Result<()> {
    let begin = Instant::now();
    let mut agent = start()?;
    agent.client.initialize()?;
    let tools = agent.client.ask("tools/list", &json!({}))?;
    ensure!(tools["result"]["tools"].is_array(), "tools/list: {tools}");
    measured.starts.push(begin.elapsed());
    measured.held(&agent);
    agent.close()
}

fn ask(agent: &mut Started, times: &mut Vec<Duration>, calls: usize) -> Result<()> {
    for _ in 0..calls {
        let begin = Instant::now();
        call(&mut agent.client, "get_ui_feedback", &json!({}))?;
        times.push(begin.elapsed());
    }
    Ok(())
}

fn tell(mut ours: Measured, mut peers: Measured) {
    say("                                     opentoolbar mcp      minimal      ratio");
    let row = |what: &str, ours: Duration, peers: Duration| {
        say(&format!(
            "  {what:<34} {:>16} {:>12} {:>10.2}",
            milliseconds(ours),
            milliseconds(peers),
            ours.as_secs_f64() / peers.as_secs_f64()
        ));
    };
    row("start to tools/list, median", median(&mut ours.starts), median(&mut peers.starts));
    row("get_ui_feedback, p50", at(&mut ours.calls, 50), at(&mut peers.calls, 50));
    row("get_ui_feedback, p99", at(&mut ours.calls, 99), at(&mut peers.calls, 99));
    match (ours.peak_kib, peers.peak_kib) {
        (Some(ours), Some(peers)) => say(&format!(
            "  {:<34} {:>12} KiB {:>8} KiB {:>10.2}",
            "peak memory (VmHWM)",
            ours,
            peers,
            ratio(ours, peers)
        )),
        _ => say("  peak memory: known on Linux alone"),
    }
}

fn at(times: &mut [Duration], share: usize) -> Duration {
    times.sort_unstable();
    percentile(times, share).unwrap_or_default()
}

fn ratio(ours: u64, peers: u64) -> f64 {
    let number = |kib: u64| u32::try_from(kib).map_or(f64::NAN, f64::from);
    number(ours) / number(peers)
}
