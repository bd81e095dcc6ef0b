//! Disks that are full or read-only, and the way to one that is dead, mounted for the purpose in a mount namespace of
//! their own, which ends with the run.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use xtask::step;

use super::folder::Folder;
use super::outcome::Outcome;
use super::{dead, writers};
use crate::clients::world::World;

/// Of the disk that gets full.
const SIZE: &str = "64m";

/// Starts this program again where it may mount.
pub(super) fn run(kind: &str, host: &Path) -> Result<Outcome> {
    if !cfg!(target_os = "linux") {
        return Ok(Outcome::not_run(kind, "disks are mounted on Linux alone"));
    }
    let made = step::ask(
        "unshare",
        &["--mount", "--propagation", "private", "mount", "-t", "tmpfs", "none", "/mnt"],
    );
    if made.is_none() {
        return Ok(Outcome::not_run(kind, "mounting a disk needs root"));
    }
    if let Some(missing) = dead::is_missing().filter(|_| kind == "dead-mount") {
        return Ok(Outcome::not_run(kind, missing));
    }
    let folder = Folder::of(kind);
    std::fs::create_dir_all(&*folder)?;
    let program = std::env::current_exe()?;
    let mut command = Command::new("unshare");
    command
        .args(["--mount", "--propagation", "private"])
        .arg(program)
        .args(["faults", "--only", kind, "--inside"]);
    command.arg(&*folder).env("OPENTOOLBAR_HOST", host).stdin(Stdio::null());
    let output = command.stderr(Stdio::inherit()).output().context("cannot start in a mount namespace")?;
    let said = String::from_utf8_lossy(&output.stdout);
    let last = said.lines().next_back().unwrap_or_default();
    serde_json::from_str(last).with_context(|| format!("{kind} ended ({}): {said}", output.status))
}

/// Inside of the namespace: prints the outcome as one line of JSON.
pub(super) fn inside(kind: &str, host: &Path, folder: &Path) -> Result<()> {
    let outcome = match kind {
        "full-disk" => full(host, folder),
        "read-only-disk" => read_only(host, folder),
        "dead-mount" => dead::run(host, folder),
        _ => bail!("{kind} is no disk's fault"),
    }?;
    step::say(&serde_json::to_string(&outcome)?);
    Ok(())
}

fn mount_tmpfs(folder: &Path) -> Result<()> {
    call("mount", &["-t", "tmpfs", "-o", &format!("size={SIZE}"), "none", &folder.display().to_string()])
}

pub(super) fn call(program: &str, args: &[&str]) -> Result<()> {
    let output = Command::new(program).args(args).stdin(Stdio::null()).output()?;
    ensure!(
        output.status.success(),
        "{program} {args:?}: {}",
        String::from_utf8_lossy(&output.stderr).trim()
    );
    Ok(())
}

/// Three times: the disk is filled, everybody is refused for a second, room is made again.
fn full(host: &Path, folder: &Path) -> Result<Outcome> {
    mount_tmpfs(folder)?;
    let world = World::with_hub_on_demand(host, folder.to_path_buf(), Vec::new())?;
    let outcome = writers::during("full-disk", &world, |running| {
        let ballast = folder.join("ballast");
        for _ in 0..3 {
            let mut file = std::fs::File::create(&ballast)?;
            let block = vec![0; 1 << 16];
            // Until it is full: what fits less than a block is filled too.
            for size in [block.len(), 512, 1] {
                while std::io::Write::write_all(&mut file, &block[..size]).is_ok() {}
            }
            std::thread::sleep(Duration::from_secs(1));
            // As long as it is open it takes its room.
            drop(file);
            std::fs::remove_file(&ballast)?;
            running.progress(20)?;
        }
        Ok("3 times full for 1 s".to_owned())
    });
    writers::finish(&world);
    outcome
}

/// Twice: the hub is killed and the disk read-only when the next one starts, then it can be written again.
fn read_only(host: &Path, folder: &Path) -> Result<Outcome> {
    mount_tmpfs(folder)?;
    let world = World::with_hub_on_demand(host, folder.to_path_buf(), Vec::new())?;
    let at = folder.display().to_string();
    let outcome = writers::during("read-only-disk", &world, |running| {
        for _ in 0..2 {
            let began = Instant::now();
            // Refused while anybody has a file open for writing, which is the hub alone.
            while call("mount", &["-o", "remount,ro", &at]).is_err() {
                ensure!(began.elapsed() < Duration::from_secs(60), "the disk cannot be made read-only");
                running.kill_hub();
            }
            std::thread::sleep(Duration::from_secs(1));
            call("mount", &["-o", "remount,rw", &at])?;
            running.progress(20)?;
        }
        Ok("2 times read-only for 1 s, the hub started meanwhile".to_owned())
    });
    writers::finish(&world);
    outcome
}
