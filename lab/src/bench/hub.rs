//! `cargo xtask bench hub`: what the hub takes for a conversation. Real processes all the way: the release host;
//! browsers as relay processes that speak native messaging, and beside them as WebSockets of the gateway; agents as
//! `opentoolbar mcp` processes in `wait_for_feedback` that answer with `respond_to_browser`. Beside it, in the same
//! run, the same clients against the smallest server of Node's `ws`. `--soak SECONDS` judges growth instead (`soak`).
//! `OPENTOOLBAR_HOST` names another binary.
//!
//! `--json FILE`: times in microseconds, memory in KiB, files in bytes.

mod agent;
mod browser;
mod echo;
mod figures;
mod growth;
mod load;
mod memory;
mod picture;
mod process;
mod soak;

use anyhow::Result;
use xtask::step::say;
use xtask::{tools, workspace};

use self::figures::Figures;
use super::args::Args;

/// How much is measured.
struct Effort {
    rates: &'static figures::Effort,
    memory: &'static memory::Effort,
}

const FULL: Effort = Effort { rates: &figures::FULL, memory: &memory::FULL };
const QUICK: Effort = Effort { rates: &figures::QUICK, memory: &memory::QUICK };
const SMOKE: Effort = Effort { rates: &figures::SMOKE, memory: &memory::SMOKE };

pub(super) fn run(args: &Args) -> Result<()> {
    if let Some(seconds) = args.soak {
        return soak::run(&args.host()?, seconds);
    }
    args.check_json()?;
    let effort = match args {
        Args { smoke: true, .. } => SMOKE,
        Args { quick: true, .. } => QUICK,
        _ => FULL,
    };
    let host = args.host()?;
    let node = tools::node_for_tests()?;
    say(&format!("host: {}", host.strip_prefix(workspace::root()).unwrap_or(&host).display()));
    say(&format!("machine: {} cores, load {}", cores(), load_average()));
    let rates = figures::measure(&host, &node, effort.rates)?;
    let memory = memory::measure(&host, effort.memory)?;
    if let Some(path) = &args.json {
        let figures = Figures { cores: cores(), load: load_average(), rates, memory };
        std::fs::write(path, serde_json::to_vec_pretty(&figures)?)?;
    }
    Ok(())
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(0, std::num::NonZero::get)
}

/// What else the machine has to do: figures of a busy one are to be taken again.
fn load_average() -> String {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    load.split(' ').next().filter(|load| !load.is_empty()).unwrap_or("unknown").to_owned()
}
