//! `cargo xtask fuzz`: every decoder under libFuzzer, guided by coverage. An input that panics, takes more than a
//! second of a processor or more than 256 MiB is kept in `tests/cases/fuzz/<target>/`, where the tests replay it from
//! then on.
//!
//! What widened the coverage is kept between runs in `target/xtask/fuzz/<target>/`, and is no part of the project.

pub(crate) mod instrument;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::step::{self, say};
use crate::workspace;

/// Longest input that is made, in bytes: what is larger is of the same kind.
const LONGEST: usize = 65_536;
/// An input that has not come back by then hangs, whatever else the machine does; in seconds.
const HANGS: u32 = 60;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// These targets; without one, all
    #[arg(value_name = "TARGET")]
    targets: Vec<String>,
    /// How long each target runs
    #[arg(long, value_name = "N", default_value_t = 5)]
    seconds: u32,
    /// Only list the targets
    #[arg(long)]
    list: bool,
}

/// How one target went.
struct Ran {
    executions: u64,
    /// Where the input that ended it is kept.
    crash: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let known = targets()?;
    if args.list {
        say(&known.join("\n"));
        return Ok(());
    }
    if let Some(unknown) = args.targets.iter().find(|name| !known.contains(name)) {
        bail!("there is no target {unknown:?}; the targets are: {}", known.join(", "));
    }
    let chosen = if args.targets.is_empty() { &known } else { &args.targets };
    let program = instrument::build()?;
    let (mut executions, mut crashes) = (0, Vec::new());
    for target in chosen {
        let ran = one(&program, target, args.seconds)?;
        let word = if ran.crash.is_some() { "  CRASHED" } else { "" };
        say(&format!("  {target:<18} {:>12} executions{word}", ran.executions));
        executions += ran.executions;
        crashes.extend(ran.crash);
    }
    for crash in &crashes {
        say(&format!("a crash: {}", crash.strip_prefix(workspace::root()).unwrap_or(crash).display()));
    }
    say(&format!("fuzz: {} targets, {executions} executions, {} crashes", chosen.len(), crashes.len()));
    if crashes.is_empty() {
        Ok(())
    } else {
        bail!("inputs that crash are kept as cases; the tests fail until they are mended")
    }
}

/// The targets, as the tests name them: the list stands once, in the tests' own source.
fn targets() -> Result<Vec<String>> {
    let source = fs::read_to_string(workspace::path("tests/fuzz/tests/cases.rs"))?;
    let list = source.split_once("replays! {").and_then(|(_, rest)| rest.split_once('}'));
    let (list, _) = list.context("tests/fuzz/tests/cases.rs names no targets")?;
    Ok(list.split('"').skip(1).step_by(2).map(str::to_owned).collect())
}

fn one(program: &Path, target: &str, seconds: u32) -> Result<Ran> {
    let own = workspace::own().join("fuzz").join(target);
    let (corpus, crashed) = (own.join("corpus"), own.join("crashed"));
    let cases = workspace::path("tests/cases/fuzz").join(target);
    // What crashed an earlier run is a case by now.
    let _ = fs::remove_dir_all(&crashed);
    for folder in [&corpus, &crashed] {
        fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    }
    let mut command = Command::new(program);
    command.env("OPENTOOLBAR_FUZZ_TARGET", target).env("OPENTOOLBAR_FUZZ_SEEDS", &corpus);
    command.env("OPENTOOLBAR_HOME", std::env::temp_dir().join("no-hub-".repeat(20)));
    command.env("RUST_BACKTRACE", "1").current_dir(&own);
    // Targets that write files wait for the disk seven times as long as they work.
    let memory = Path::new("/dev/shm");
    if memory.is_dir() {
        command.env("TMPDIR", memory);
    }
    command.args([
        format!("-max_total_time={seconds}"),
        format!("-max_len={LONGEST}"),
        format!("-timeout={HANGS}"),
    ]);
    command.args(["-rss_limit_mb=1024", "-print_final_stats=1"]);
    command.arg(format!("-artifact_prefix={}/", crashed.display())).arg(&corpus);
    if cases.is_dir() {
        command.arg(&cases);
    }
    let outcome = step::observe(&format!("fuzz {target}"), &mut command)?;
    let stat = outcome.output.lines().find_map(|line| line.strip_prefix("stat::number_of_executed_units:"));
    let executions = stat.and_then(|number| number.trim().parse().ok()).unwrap_or_default();
    if outcome.status.success() {
        anyhow::ensure!(executions > 0, "{target} executed nothing; see {}", outcome.log.display());
        return Ok(Ran { executions, crash: None });
    }
    say(&tail(&outcome.output));
    let found = fs::read_dir(&crashed)?.filter_map(Result::ok).map(|entry| entry.path()).next();
    let found = found
        .with_context(|| format!("{target} ended ({}); see {}", outcome.status, outcome.log.display()))?;
    fs::create_dir_all(&cases)?;
    let kept = cases.join(found.file_name().unwrap_or_default());
    fs::copy(&found, &kept).with_context(|| format!("cannot keep {}", kept.display()))?;
    Ok(Ran { executions, crash: Some(kept) })
}

/// Why it ended, without what came before.
fn tail(output: &str) -> String {
    let lines: Vec<&str> = output.lines().collect();
    let from =
        lines.iter().position(|line| line.contains("panicked at") || line.contains("ERROR: libFuzzer"));
    lines[from.unwrap_or(lines.len().saturating_sub(30))..]
        .iter()
        .take(60)
        .copied()
        .collect::<Vec<_>>()
        .join("\n")
}
