//! Disks that are full, read-only or dead, mounted for the purpose in a mount namespace of their own, which ends with the run.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};

use super::writers::{self, Running};
use super::{Folder, Outcome, folder, has};
use crate::bench::hub::world::World;
use crate::step;

/// Of the disk that gets full, and of the one that dies.
const SIZE: &str = "64m";
/// How long the dead disk is dead. Others have to get on meanwhile.
const DEAD: Duration = Duration::from_secs(3);

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
    if kind == "dead-mount"
        && !(has("losetup") && has("fsfreeze") && step::ask("mkfs.ext4", &["-V"]).is_some())
    {
        return Ok(Outcome::not_run(kind, "losetup, fsfreeze and mkfs.ext4 are needed"));
    }
    let folder = Folder(folder(kind));
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
        "dead-mount" => dead(host, folder),
        _ => bail!("{kind} is no disk's fault"),
    }?;
    step::say(&serde_json::to_string(&outcome)?);
    Ok(())
}

fn mount_tmpfs(folder: &Path) -> Result<()> {
    call("mount", &["-t", "tmpfs", "-o", &format!("size={SIZE}"), "none", &folder.display().to_string()])
}

fn call(program: &str, args: &[&str]) -> Result<()> {
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

/// The disk of the second project stops answering for a while: whoever writes there waits, the first project's go on.
fn dead(host: &Path, folder: &Path) -> Result<Outcome> {
    let image = folder.join("disk.img");
    std::fs::File::create(&image)?.set_len(64 << 20)?;
    let at = folder.join("w").join("p1");
    std::fs::create_dir_all(&at)?;
    let (image, disk) = (image.display().to_string(), at.display().to_string());
    call("mkfs.ext4", &["-q", &image])?;
    call("mount", &["-o", "loop", &image, &disk])?;
    let mounted = Mounted(at);
    let world = World::with_hub_on_demand(host, folder.join("w"), Vec::new())?;
    let outcome = writers::during("dead-mount", &world, |running| {
        let mut slowest = usize::MAX;
        for _ in 0..3 {
            call("fsfreeze", &["--freeze", &disk])?;
            let frozen = while_dead(running);
            call("fsfreeze", &["--unfreeze", &disk])?;
            slowest = slowest.min(frozen);
            running.progress(20)?;
        }
        if slowest == 0 {
            running.ledger.problem(
                "while one project's disk was dead, nobody of the other got anything stored".to_owned(),
            );
        }
        Ok(format!("3 times dead for {DEAD:?}; meanwhile the other project stored {slowest} items or more"))
    });
    writers::finish(&world);
    drop(world);
    drop(mounted);
    outcome
}

/// What the writers of the first project get stored.
fn while_dead(running: &Running<'_>) -> usize {
    let count = || {
        ["relay0", "socket0", "agent0"].map(|writer| running.ledger.count_of(writer)).iter().sum::<usize>()
    };
    // What was on its way does not count.
    std::thread::sleep(Duration::from_millis(500));
    let before = count();
    std::thread::sleep(DEAD);
    count() - before
}

/// Unmounts, and thaws first: nothing else could.
struct Mounted(PathBuf);

impl Drop for Mounted {
    fn drop(&mut self) {
        let at = self.0.display().to_string();
        let _ = step::ask("fsfreeze", &["--unfreeze", &at]);
        let _ = step::ask("umount", &["--lazy", &at]);
    }
}
