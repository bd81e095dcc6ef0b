//! A disk that does not answer: the second project's, frozen (who writes or syncs waits), and under a file system whose
//! server is dead (who so much as asks whether the directory is there waits).

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use xtask::step;

use super::disks::call;
use super::outcome::Outcome;
use super::writers::{self, Running};
use crate::clients::carrier::Carrier;
use crate::clients::world::World;

/// How long the disk is dead. Others have to get on meanwhile.
const DEAD: Duration = Duration::from_secs(3);
/// How long a verb or a new tab of another project may take meanwhile; an hour on a hub that waits for the disk.
const PROMPT: Duration = Duration::from_secs(20);
const TIMES: usize = 3;

/// Why it cannot be run here.
pub(super) fn is_missing() -> Option<&'static str> {
    let there = has("losetup") && has("fsfreeze") && step::ask("mkfs.ext4", &["-V"]).is_some();
    if !there {
        return Some("losetup, fsfreeze and mkfs.ext4 are needed");
    }
    (!Path::new("/dev/fuse").exists()).then_some("/dev/fuse is needed")
}

/// The disk of the second project stops answering for a while: whoever writes there waits, the first project's go on,
/// tabs open and verbs answer.
pub(super) fn run(host: &Path, folder: &Path) -> Result<Outcome> {
    let image = folder.join("disk.img");
    std::fs::File::create(&image)?.set_len(64 << 20)?;
    let at = folder.join("w").join("p1");
    std::fs::create_dir_all(&at)?;
    let (image, disk) = (image.display().to_string(), at.display().to_string());
    call("mkfs.ext4", &["-q", &image])?;
    call("mount", &["-o", "loop", &image, &disk])?;
    let mounted = Mounted(at.clone());
    let world = World::with_hub_on_demand(host, folder.join("w"), Vec::new())?;
    let outcome = writers::during("dead-mount", &world, |running| {
        let (mut fewest, mut slowest) = (usize::MAX, Duration::ZERO);
        for _ in 0..TIMES {
            call("fsfreeze", &["--freeze", &disk])?;
            let silent = Silent::over(&at)?;
            let went = while_dead(running);
            drop(silent);
            call("fsfreeze", &["--unfreeze", &disk])?;
            let (stored, took) = went?;
            (fewest, slowest) = (fewest.min(stored), slowest.max(took));
            running.progress(20)?;
        }
        if fewest == 0 {
            running.ledger.problem(
                "while one project's disk was dead, nobody of the other got anything stored".to_owned(),
            );
        }
        Ok(format!(
            "{TIMES} times dead for {DEAD:?}; meanwhile the other project stored {fewest} items or more, and a new tab or a verb \
             took {:.1} s at most",
            slowest.as_secs_f64()
        ))
    });
    writers::finish(&world);
    drop(world);
    drop(mounted);
    outcome
}

/// What the writers of the first project get stored, and how long the slowest of a new tab and some verbs took.
fn while_dead(running: &Running<'_>) -> Result<(usize, Duration)> {
    let count = || {
        ["relay0", "socket0", "agent0"].map(|writer| running.ledger.count_of(writer)).iter().sum::<usize>()
    };
    // What was on its way does not count.
    std::thread::sleep(Duration::from_millis(500));
    let (before, began) = (count(), Instant::now());
    let mut slowest = new_tab(running);
    for verb in [&["status", "--json"][..], &["projects", "--json"], &["export", "--json"]] {
        slowest = slowest.max(verb_answers(running, verb)?);
    }
    std::thread::sleep(DEAD.saturating_sub(began.elapsed()));
    Ok((count() - before, slowest))
}

/// Another browser comes and opens a tab of the project whose disk is well.
fn new_tab(running: &Running<'_>) -> Duration {
    let began = Instant::now();
    std::thread::scope(|scope| {
        let opening = scope.spawn(|| {
            super::browser::Connection::open(running.world, Carrier::NativeMessaging, "newcomer", 0)
                .map(super::browser::Connection::drop_it)
        });
        while !opening.is_finished() {
            if began.elapsed() > PROMPT {
                running.ledger.problem(format!("a new tab is not open after {PROMPT:?}"));
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        began.elapsed()
    })
}

fn verb_answers(running: &Running<'_>, verb: &[&str]) -> Result<Duration> {
    let began = Instant::now();
    let mut child = running
        .world
        .program()
        .args(verb)
        .current_dir(running.world.project(0)?)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    while child.try_wait()?.is_none() {
        if began.elapsed() > PROMPT {
            child.kill()?;
            child.wait()?;
            let verb = verb.join(" ");
            running.ledger.problem(format!("`opentoolbar {verb}` does not answer within {PROMPT:?}"));
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    Ok(began.elapsed())
}

/// A file system over a directory, whose server never answers; whoever waits for it is refused when this goes.
struct Silent {
    at: PathBuf,
    server: Child,
}

impl Silent {
    fn over(at: &Path) -> Result<Self> {
        // The shell's child keeps the handle that makes it the server.
        let script = r#"exec 9<>/dev/fuse && mount -i -t fuse -o fd=9,rootmode=40000,user_id=0,group_id=0 none "$0" \
            && echo mounted && exec sleep 600"#;
        let mut server = Command::new("sh")
            .args(["-c", script])
            .arg(at)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut said = String::new();
        BufReader::new(server.stdout.take().context("no output")?).read_line(&mut said)?;
        let silent = Self { at: at.to_owned(), server };
        ensure!(said.trim() == "mounted", "a file system without a server cannot be mounted");
        Ok(silent)
    }
}

impl Drop for Silent {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
        let _ = step::ask("umount", &["-l", &self.at.display().to_string()]);
    }
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

/// Whether a program is there and answers.
fn has(program: &str) -> bool {
    step::ask(program, &["--version"]).is_some()
}
