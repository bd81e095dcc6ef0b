//! What is measured, in a process of its own.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use opentoolbar_dialogs::{Histories, Places, Scope, System};
use serde::{Deserialize, Serialize};
use xtask::step::say;

use super::peers;

/// Names a peer that is to do its work instead.
pub(super) const PEER: &str = "OTB_BENCH_PEER";
const NUMBER: u64 = 20;

/// What one process found.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Answer {
    pub(super) first_ms: f64,
    pub(super) next_ms: f64,
    /// What the processor did for the first; the rest is waiting for others on a busy machine. Known on Linux.
    #[serde(default)]
    pub(super) processor_ms: Option<u64>,
    pub(super) peak_kib: Option<u64>,
    pub(super) requests: u64,
}

impl Answer {
    pub(super) fn processor(&self) -> String {
        self.processor_ms.map_or("?".to_owned(), |time| time.to_string())
    }

    pub(super) fn peak(&self) -> String {
        self.peak_kib.map_or("?".to_owned(), |kib| {
            format!("{:.1} MB", f64::from(u32::try_from(kib).unwrap_or(u32::MAX)) / 976.6)
        })
    }
}

/// Asks for the 20th request of the one history in a home, twice, and prints what that took.
pub(super) fn answer(home: &Path) -> Result<()> {
    if std::env::var_os(PEER).is_some() {
        return tell(&peers::read_as_value(home)?);
    }
    let histories = Histories::new(Places::new(System::Linux, home, |_| None));
    let going = || true;
    let ask = || -> Result<(f64, u64)> {
        let began = Instant::now();
        let dialog = histories.find(&Scope::Everything, "history", &going)?;
        let requests = histories.requests(&dialog, &going)?;
        let asked = requests.get(NUMBER, &going)?;
        let took = began.elapsed().as_secs_f64() * 1_000.0;
        ensure!(asked.words.starts_with("Please mend the button of page "), "{:?}", asked.words);
        Ok((took, requests.count()))
    };
    let (first_ms, requests) = ask()?;
    let processor_ms = processor_ms();
    let (next_ms, _) = ask()?;
    tell(&Answer { first_ms, next_ms, processor_ms, peak_kib: peak_memory(), requests })
}

fn tell(answer: &Answer) -> Result<()> {
    say(&serde_json::to_string(answer).context("it has a form")?);
    Ok(())
}

/// What this process took of a processor, in Linux's ticks of 10 ms.
pub(super) fn processor_ms() -> Option<u64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // After the name, which may have spaces: user and system time are the 12th and 13th.
    let mut fields = stat.rsplit_once(") ")?.1.split(' ').skip(11);
    let mut ticks = || fields.next()?.parse::<u64>().ok();
    Some((ticks()? + ticks()?) * 10)
}

/// Most memory that this process ever held; known on Linux.
pub(super) fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next()?.parse().ok())
}
