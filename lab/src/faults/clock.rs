//! A clock that jumps by years, forth and back, for every process: libfaketime, where it is installed.

use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use xtask::tools;

use super::folder::Folder;
use super::outcome::Outcome;
use super::writers;
use crate::clients::world::World;

const JUMPS: [&str; 5] = ["+3650d", "-20d", "+1h", "-3650d", "+0"];

pub(super) fn run(host: &Path) -> Result<Outcome> {
    let Some(library) = tools::faketime() else {
        return Ok(Outcome::not_run(
            "clock",
            "libfaketime is not installed (Debian: apt install libfaketime)",
        ));
    };
    let folder = Folder::of("clock");
    std::fs::create_dir_all(&*folder)?;
    let moment = folder.join("moment");
    std::fs::write(&moment, "+0")?;
    let environment = [
        ("LD_PRELOAD", library.display().to_string()),
        ("FAKETIME_TIMESTAMP_FILE", moment.display().to_string()),
        ("FAKETIME_NO_CACHE", "1".to_owned()),
        ("FAKETIME_DONT_FAKE_MONOTONIC", "1".to_owned()),
        ("DONT_FAKE_MONOTONIC", "1".to_owned()),
    ];
    let environment = environment.map(|(name, value)| (name.to_owned(), value)).into();
    let world = World::with_hub_on_demand(host, folder.to_path_buf(), environment)?;
    let outcome = writers::during("clock", &world, |running| {
        for jump in JUMPS {
            // Whole or not at all: it is read by every call.
            let next = folder.join("next");
            std::fs::write(&next, jump)?;
            std::fs::rename(&next, &moment)?;
            running.progress(10)?;
            // What was under way before the jump is sent again after it.
            running.kill_hub();
            running.progress(10)?;
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(format!("jumps {}, the hub killed after each", JUMPS.join(" ")))
    });
    writers::finish(&world);
    outcome
}
