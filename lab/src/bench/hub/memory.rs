//! What the hub takes with 100 sessions while 100,000 messages come, and whether the last cost more than the first.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use serde::Serialize;
use xtask::step::say;

use super::load::{self, Measured};
use super::picture::Picture;
use super::process::{self, Process};
use crate::bench::statistics::{exponent, number};
use crate::clients::carrier::Carrier;
use crate::clients::world::World;

/// How much is measured.
pub(super) struct Effort {
    sessions: usize,
    /// Stored messages at which it is looked.
    steps: &'static [usize],
}

pub(super) const FULL: Effort = Effort { sessions: 100, steps: &[2_000, 10_000, 25_000, 50_000, 100_000] };
pub(super) const QUICK: Effort = Effort { sessions: 100, steps: &[2_000, 10_000] };
pub(super) const SMOKE: Effort = Effort { sessions: 2, steps: &[4, 8] };

/// A long step says how far it is.
const HEARTBEAT: Duration = Duration::from_secs(10);

/// The hub once so many messages are stored.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Tranche {
    messages: usize,
    hub: Process,
    database_bytes: u64,
    log_bytes: u64,
    /// Of the messages since the step before.
    measured: Measured,
}

pub(super) fn measure(host: &Path, &Effort { sessions, steps }: &Effort) -> Result<Vec<Tranche>> {
    let world = World::start(host)?;
    let pid = world.hub_pid();
    let empty = Process::of(pid).context("a process's memory is known on Linux only")?;
    let picture = Picture::start(&world, Carrier::NativeMessaging, sessions)?;
    let began = Instant::now();
    let mut tabs = picture.tabs()?;
    let opening = began.elapsed();
    say(&format!(
        "\n{sessions} sessions over native messaging, ten of them in a project with its agent; the hub's memory as messages are stored. Empty: {} KiB. \
         Opening {sessions} tabs took {:.0} ms.",
        empty.resident_kib,
        opening.as_secs_f64() * 1e3
    ));
    say(&format!(
        "  {:>9}{:>12}{:>12}{:>12}{:>9}{:>9}{:>13}{:>11}{:>13}{:>12}{:>12}",
        "messages",
        "VmRSS",
        "RssAnon",
        "VmHWM",
        "threads",
        "handles",
        "databases",
        "WAL",
        "messages/s",
        "whole p50",
        "whole p99"
    ));
    let mut tranches: Vec<Tranche> = Vec::new();
    for &messages in steps {
        let before = tranches.last().map_or(0, |tranche| tranche.messages);
        let trips = (messages - before) / 2;
        let told = std::sync::Mutex::new(Instant::now());
        let tell = |done: usize| {
            let Ok(mut told) = told.lock() else { return };
            if told.elapsed() > HEARTBEAT {
                *told = Instant::now();
                say(&format!("    ... {} of {messages} messages", before + 2 * done));
            }
        };
        let measured = load::run(&mut tabs, trips, |tab, number| load::converse(tab, number), tell)?;
        tranches.push(look(&world, pid, messages, measured)?);
    }
    let agents: Vec<u64> =
        picture.agents.iter().filter_map(|agent| Some(Process::of(agent.pid())?.resident_kib)).collect();
    let relays: Vec<u64> = picture
        .browsers
        .iter()
        .filter_map(|browser| Some(Process::of(browser.pid()?)?.resident_kib))
        .collect();
    let most = |all: &[u64]| all.iter().max().copied().unwrap_or_default();
    say(&format!(
        "  beside it: a relay at most {} KiB, an `opentoolbar mcp` at most {} KiB (VmRSS)",
        most(&relays),
        most(&agents)
    ));
    let growth = |of: fn(&Tranche) -> f64| {
        let points: Vec<(usize, f64)> =
            tranches.iter().map(|tranche| (tranche.messages, of(tranche))).collect();
        exponent(&points).map_or("-".to_owned(), |exponent| format!("n^{exponent:.2}"))
    };
    say(&format!(
        "  growth with stored messages n: whole p50 {}, memory (RssAnon) {}",
        growth(|tranche| tranche.measured.p50),
        growth(|tranche| number(usize::try_from(tranche.hub.anonymous_kib).unwrap_or(usize::MAX)))
    ));
    drop(tabs);
    picture.stop()?;
    Ok(tranches)
}

fn look(world: &World, pid: u32, messages: usize, measured: Measured) -> Result<Tranche> {
    let hub = Process::of(pid).context("the hub is gone")?;
    let (database, log) = process::databases(&world.home());
    let mib =
        |bytes: u64| format!("{:.1} MiB", number(usize::try_from(bytes).unwrap_or(usize::MAX)) / 1_048_576.0);
    say(&format!(
        "  {messages:>9}{:>8} KiB{:>8} KiB{:>8} KiB{:>9}{:>9}{:>13}{:>11}{:>13.0}{:>9.2} ms{:>9.2} ms",
        hub.resident_kib,
        hub.anonymous_kib,
        hub.peak_kib,
        hub.threads,
        hub.handles,
        mib(database),
        mib(log),
        measured.per_second,
        measured.p50 / 1e3,
        measured.p99 / 1e3
    ));
    Ok(Tranche { messages, hub, database_bytes: database, log_bytes: log, measured })
}
