//! SIGKILL to hub, relays and agents in turns, in the middle of writes.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Result;
use xtask::step::say;

use super::folder::Folder;
use super::outcome::Outcome;
use super::writers;
use crate::clients::world::World;

/// Items that are stored between two kills, at least.
const BETWEEN: usize = 5;

pub(super) fn run(host: &Path, rounds: usize) -> Result<Outcome> {
    let folder = Folder::of("kills");
    let world = World::with_hub_on_demand(host, folder.to_path_buf(), Vec::new())?;
    let outcome = writers::during("kills", &world, |running| {
        let (mut hubs, mut relays, mut agents) = (0_usize, 0_usize, 0_usize);
        let mut longest = Duration::ZERO;
        for round in 0..rounds {
            // Every half of them the hub. What has no process at the moment is waited for, so that as many are killed
            // as were asked for.
            let which = round / 4;
            match round % 4 {
                1 => {
                    running.until(|| running.kill_relay(which))?;
                    relays += 1;
                }
                3 => {
                    running.until(|| running.kill_agent(which))?;
                    agents += 1;
                }
                _ => {
                    running.until(|| running.kill_hub())?;
                    hubs += 1;
                }
            }
            let began = Instant::now();
            running.progress(BETWEEN)?;
            longest = longest.max(began.elapsed());
            // Not always at the same point of the work.
            std::thread::sleep(Duration::from_millis(u64::try_from(round * 37 % 90).unwrap_or_default()));
            if (round + 1) % 25 == 0 {
                say(&format!("    {} kills, {} items acknowledged", round + 1, running.ledger.count()));
            }
        }
        let sum = hubs + relays + agents;
        Ok(format!(
            "{sum} kills: hub {hubs}, relays {relays}, agents {agents}; longest pause {:.1} s",
            longest.as_secs_f64()
        ))
    });
    writers::finish(&world);
    outcome
}
