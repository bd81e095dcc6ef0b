//! `cargo xtask bench dialogs`: the 20th request of a chat history of 500 MB, of each of four shapes, in a process of
//! its own: how long the first question takes, how long the next one of the same file, and the most memory that the
//! whole process ever held. Beside it, in the same run, Node's `JSON.parse` and `serde_json` with a smaller file.

mod peers;
mod question;
mod shapes;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use xtask::step::say;
use xtask::tools;

use self::question::Answer;
use self::shapes::{SHAPES, Shape};
use super::args::Args;

/// How much is measured.
struct Effort {
    /// Bytes of a history, and of the one that peers read too.
    bytes: u64,
    bytes_for_peers: u64,
    /// Each question is asked so often, in a new process each time; the median counts.
    rounds: usize,
}

const FULL: Effort = Effort { bytes: 500_000_000, bytes_for_peers: 200_000_000, rounds: 3 };
const QUICK: Effort = Effort { bytes: 500_000_000, bytes_for_peers: 100_000_000, rounds: 1 };
const SMOKE: Effort = Effort { bytes: 3_000_000, bytes_for_peers: 3_000_000, rounds: 1 };

pub(super) fn run(args: &Args) -> Result<()> {
    if let Some(home) = &args.home {
        return question::answer(home);
    }
    let effort = match args {
        Args { smoke: true, .. } => SMOKE,
        Args { quick: true, .. } => QUICK,
        _ => FULL,
    };
    let node = tools::node_for_tests()?;
    let scratch = Scratch::new()?;
    say(&format!("{} MB each, the median of {} processes:", effort.bytes / 1_000_000, effort.rounds));
    say(
        "  history                                   20th request   processor   the next   peak (VmHWM)   requests",
    );
    for shape in SHAPES {
        let home = scratch.home(shape, effort.bytes)?;
        let answer = ask(&home, effort.rounds)?;
        say(&format!(
            "  {:<41} {:>9.0} ms {:>8} ms {:>7.1} ms {:>14} {:>10}",
            shape.about,
            answer.first_ms,
            answer.processor(),
            answer.next_ms,
            answer.peak(),
            answer.requests
        ));
        std::fs::remove_dir_all(home)?;
    }
    let shape = &SHAPES[0];
    let home = scratch.home(shape, effort.bytes_for_peers)?;
    let file = home.join(shape.file);
    let ours = ask(&home, effort.rounds)?;
    say(&format!(
        "\nof {} MB, one object, beside those who read all of it:",
        effort.bytes_for_peers / 1_000_000
    ));
    let row = |name: &str, answer: &Answer| {
        say(&format!(
            "  {name:<24} {:>9.0} ms, processor {:>6} ms {:>10}   {:>5.2} of the time, {:>5.2} of the memory",
            answer.first_ms,
            answer.processor(),
            answer.peak(),
            ours.first_ms / answer.first_ms,
            ratio(ours.peak_kib, answer.peak_kib)
        ));
    };
    row("ours, to the 20th", &ours);
    row("Node's JSON.parse", &peers::node(&node, &file)?);
    row("serde_json's Value", &peers::serde_json(&file)?);
    Ok(())
}

/// Ours by theirs.
fn ratio(ours: Option<u64>, theirs: Option<u64>) -> f64 {
    let number = |kib: Option<u64>| kib.and_then(|kib| u32::try_from(kib).ok()).map_or(f64::NAN, f64::from);
    number(ours) / number(theirs)
}

fn ask(home: &Path, rounds: usize) -> Result<Answer> {
    let mut answers = Vec::new();
    for _ in 0..rounds {
        answers.push(child(home, None)?);
    }
    answers.sort_by(|a, b| a.first_ms.total_cmp(&b.first_ms));
    answers.into_iter().nth(rounds / 2).context("nothing was asked")
}

/// This program again, in which nothing else was done; with `peer` it does what the peer does.
fn child(home: &Path, peer: Option<&str>) -> Result<Answer> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["bench", "dialogs", "--home"]).arg(home);
    if cfg!(debug_assertions) {
        command.arg("--smoke").arg("--inside");
    }
    if let Some(peer) = peer {
        command.env(question::PEER, peer);
    }
    let output = command.output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8(output.stdout)?;
    let line = said.lines().next_back().context("it said nothing")?;
    serde_json::from_str(line).with_context(|| format!("it said {said:?}"))
}

/// Goes away with this.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Self> {
        let path = std::env::temp_dir().join(format!("otb-dialogs-{}", std::process::id()));
        std::fs::create_dir_all(&path)?;
        Ok(Self(path))
    }

    /// A home with one history in it.
    fn home(&self, shape: &Shape, bytes: u64) -> Result<PathBuf> {
        let home = self.0.join("home");
        let file = home.join(shape.file);
        std::fs::create_dir_all(file.parent().context("a file is in a directory")?)?;
        shapes::write(shape, &file, bytes)?;
        Ok(home)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
