//! `cargo xtask faults`: whether anything that was acknowledged is lost, or anything is there twice, when processes are
//! killed in the middle of writes, the disk is full, read-only or dead, and the clock jumps. Real processes: a hub that
//! whoever comes first starts, browsers as relays and as WebSockets, agents as `opentoolbar mcp`. All of them write at
//! once, and keep what was not acknowledged to send it again with its id, as the extension's outbox does.
//!
//! Counted at the end by reading through the product. What cannot be made here (no root, no library) is said to be not
//! run.

mod agent;
mod background;
mod browser;
mod clock;
mod dead;
mod disks;
mod folder;
mod kills;
mod ledger;
mod outcome;
mod reading;
mod writers;

use std::path::PathBuf;

use anyhow::{Result, bail};
use xtask::step::{self, say};
use xtask::workspace;

use outcome::Outcome;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// How many processes are killed
    #[arg(long, default_value_t = 100)]
    rounds: usize,
    /// Write the table to a file as well
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Only these kinds of fault: kills, background, full-disk, read-only-disk, dead-mount, clock
    #[arg(long, value_name = "KIND")]
    only: Vec<String>,
    /// Fail when a kind cannot be run here
    #[arg(long)]
    all: bool,
    /// A fault on a disk that was mounted for it (the verb starts itself so)
    #[arg(long, hide = true, value_name = "FOLDER")]
    inside: Option<PathBuf>,
}

const KINDS: [&str; 6] = ["kills", "background", "full-disk", "read-only-disk", "dead-mount", "clock"];

pub(crate) fn run(args: &Args) -> Result<()> {
    if let Some(unknown) = args.only.iter().find(|kind| !KINDS.contains(&kind.as_str())) {
        bail!("there is no fault {unknown:?}; the kinds are: {}", KINDS.join(", "));
    }
    let host = host()?;
    if let (Some(folder), Some(kind)) = (&args.inside, args.only.first()) {
        return disks::inside(kind, &host, folder);
    }
    let mut outcomes = Vec::new();
    for kind in
        KINDS.into_iter().filter(|kind| args.only.is_empty() || args.only.iter().any(|one| one == kind))
    {
        say(&format!("==> {kind} ..."));
        let outcome = match kind {
            "kills" => kills::run(&host, args.rounds - args.rounds.div_ceil(4)),
            // Three quarters of what is killed are processes of the host's, the rest the extension's background.
            "background" => background::run(kind, &host, args.rounds.div_ceil(4)),
            "clock" => clock::run(&host),
            _ => disks::run(kind, &host),
        };
        outcomes.push(outcome?);
    }
    print(&outcomes);
    if let Some(path) = &args.json {
        std::fs::write(path, serde_json::to_vec_pretty(&outcomes)?)?;
    }
    if outcomes.iter().any(Outcome::is_bad) {
        bail!("something was lost, doubled or not as promised");
    }
    if args.all && outcomes.iter().any(|outcome| outcome.not_run.is_some()) {
        bail!("a kind of fault was not run");
    }
    Ok(())
}

/// The host that is tried: the build that every test uses, or the one that is named.
fn host() -> Result<PathBuf> {
    if let Some(host) = std::env::var_os("OPENTOOLBAR_HOST") {
        return Ok(std::path::absolute(host)?);
    }
    step::run("build the host", &mut step::cargo(&["build", "-p", "opentoolbar"]))?;
    Ok(workspace::host_binary())
}

fn print(outcomes: &[Outcome]) {
    say(&format!(
        "\n{:<16} {:>12} {:>8} {:>6} {:>8}  faults",
        "kind", "acknowledged", "stored", "lost", "doubled"
    ));
    for outcome in outcomes {
        let Outcome { kind, faults, acknowledged, stored, lost, doubled, not_run, broken } = outcome;
        if let Some(why) = not_run {
            say(&format!("{kind:<16} NOT RUN: {why}"));
            continue;
        }
        say(&format!(
            "{kind:<16} {acknowledged:>12} {stored:>8} {:>6} {:>8}  {faults}",
            lost.len(),
            doubled.len()
        ));
        for (word, list) in [("lost", lost), ("doubled", doubled), ("broken", broken)] {
            for one in list.iter().take(20) {
                say(&format!("    {word}: {one}"));
            }
        }
    }
    let sum = |of: fn(&Outcome) -> usize| outcomes.iter().map(of).sum::<usize>();
    say(&format!(
        "faults: {} acknowledged, {} lost, {} doubled, {} kinds not run",
        sum(|outcome| outcome.acknowledged),
        sum(|outcome| outcome.lost.len()),
        sum(|outcome| outcome.doubled.len()),
        outcomes.iter().filter(|outcome| outcome.not_run.is_some()).count(),
    ));
}
