//! Everybody who writes while things break: in each of two projects a relay's browser, a WebSocket's browser and an
//! agent.

use std::sync::PoisonError;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use super::browser::{self, Pid};
use super::ledger::Ledger;
use super::outcome::Outcome;
use super::{agent, reading};
use crate::clients::carrier::Carrier;
use crate::clients::world::World;

pub(super) const PROJECTS: usize = 2;
/// Whatever broke, somebody gets something stored again within this.
const RECOVERS: Duration = Duration::from_secs(120);

/// The processes that can be killed, and what was acknowledged so far.
pub(super) struct Running<'a> {
    pub(super) world: &'a World,
    pub(super) ledger: &'a Ledger,
    relays: &'a [Pid],
    agents: &'a [Pid],
}

impl Running<'_> {
    /// Waits until so many more items are acknowledged.
    pub(super) fn progress(&self, more: usize) -> Result<()> {
        let wanted = self.ledger.count() + more;
        let began = Instant::now();
        while self.ledger.count() < wanted {
            if let Some(problem) = self.ledger.problems().first() {
                bail!("{problem}");
            }
            if began.elapsed() > RECOVERS {
                bail!("nothing is stored any more, {} items so far", self.ledger.count());
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        Ok(())
    }

    /// Tries until it is done, as long as whatever broke may take.
    pub(super) fn until(&self, done: impl Fn() -> bool) -> Result<()> {
        let began = Instant::now();
        while !done() {
            if began.elapsed() > RECOVERS {
                bail!("what is to be killed does not run, {} items so far", self.ledger.count());
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        Ok(())
    }

    pub(super) fn kill_hub(&self) -> bool {
        kill(self.world.hub_pid())
    }

    pub(super) fn kill_relay(&self, which: usize) -> bool {
        killed(self.relays, which)
    }

    pub(super) fn kill_agent(&self, which: usize) -> bool {
        killed(self.agents, which)
    }
}

/// At most once: the writer notes the next process when it has started it.
fn killed(pids: &[Pid], which: usize) -> bool {
    let pid = pids[which % pids.len()].lock().unwrap_or_else(PoisonError::into_inner).take();
    pid.is_some_and(kill)
}

/// Lets everybody write while `faults` happen, then reads and counts. `faults` says what it did.
pub(super) fn during(
    kind: &str,
    world: &World,
    faults: impl FnOnce(&Running<'_>) -> Result<String>,
) -> Result<Outcome> {
    let ledger = Ledger::default();
    let pids = || -> Vec<Pid> { (0..PROJECTS).map(|_| Pid::default()).collect() };
    let (relays, agents, nobody) = (pids(), pids(), Pid::default());
    let named = |what: &str, project: usize| format!("{what}{project}");
    let noted = |done: Result<()>| {
        if let Err(error) = done {
            ledger.problem(format!("{error:#}"));
        }
    };
    let happened = std::thread::scope(|scope| {
        for project in 0..PROJECTS {
            let (relay, agent) = (&relays[project], &agents[project]);
            let (ledger, nobody, noted) = (&ledger, &nobody, &noted);
            scope.spawn(move || noted(agent::write(world, &named("agent", project), project, ledger, agent)));
            scope.spawn(move || {
                let name = named("relay", project);
                noted(browser::write(world, Carrier::NativeMessaging, &name, project, ledger, relay));
            });
            scope.spawn(move || {
                let name = named("socket", project);
                noted(browser::write(world, Carrier::WebSocket, &name, project, ledger, nobody));
            });
        }
        let running = Running { world, ledger: &ledger, relays: &relays, agents: &agents };
        let happened = running.progress(20).and_then(|()| faults(&running)).and_then(|said| {
            running.progress(20)?;
            Ok(said)
        });
        ledger.stop();
        happened
    });
    // What is counted says more than why it ended early.
    let happened = happened.unwrap_or_else(|error| {
        let why = format!("{error:#}");
        if !ledger.problems().contains(&why) {
            ledger.problem(why);
        }
        "ended early".to_owned()
    });
    let mut stored = Vec::new();
    for project in 0..PROJECTS {
        let writers = [named("relay", project), named("socket", project)];
        stored.extend(reading::texts(world, project, &writers)?);
    }
    let (lost, doubled) = ledger.compare(&stored);
    let faults = happened;
    let acknowledged = ledger.count();
    let broken = ledger.problems();
    Ok(Outcome {
        kind: kind.to_owned(),
        faults,
        acknowledged,
        stored: stored.len(),
        lost,
        doubled,
        broken,
        not_run: None,
    })
}

/// Ends the hub of a world whose clients have gone.
pub(super) fn finish(world: &World) {
    kill(world.hub_pid());
}

/// Sends SIGKILL, or what comes nearest.
fn kill(pid: u32) -> bool {
    let mut command = std::process::Command::new("kill");
    command.args(["-KILL", &pid.to_string()]).stderr(std::process::Stdio::null());
    pid != 0 && command.status().is_ok_and(|status| status.success())
}
