//! `cargo xtask test`: every check and every test, whatever fails on the way, and a truthful count at the end.

mod count;
mod failures;
mod firefox;
mod junit;
#[cfg(test)]
mod lines;
#[cfg(test)]
mod named;
mod suites;
mod tokens;

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::step::{self, say};
use count::Count;
use junit::Case;
use suites::{Counts, Extent, Lane, Suite};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only this one; may be given several times. `--only list` lists the names
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Also in Firefox what is hardly different there: before something is called done
    #[arg(long)]
    all: bool,
}

/// So many of the tests that took longest are named.
const LONGEST: usize = 20;

/// How one suite went.
struct Report {
    name: &'static str,
    passed: bool,
    took: Duration,
    /// `None` for a check that has no tests to count.
    count: Option<Count>,
    /// The runner's own closing lines, or why it could not start.
    closing: String,
    /// Its tests, where its runner reports each.
    cases: Vec<Case>,
    /// The tests that failed and why, as far as the runner names them.
    failures: String,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let began = Instant::now();
    let suites = suites::all();
    let names: BTreeSet<&str> = suites.iter().map(|suite| suite.name).collect();
    if args.only.iter().any(|name| name == "list") {
        for suite in &suites {
            say(&format!("  {:<18} {}", suite.name, suite.about));
        }
        return Ok(());
    }
    if let Some(unknown) = args.only.iter().find(|name| !names.contains(name.as_str())) {
        bail!(
            "there is no suite {unknown:?}; the suites are: {}",
            names.into_iter().collect::<Vec<_>>().join(", ")
        );
    }
    let chosen: Vec<Suite> = suites
        .into_iter()
        .filter(|suite| args.only.is_empty() || args.only.iter().any(|n| n == suite.name))
        .collect();

    let extent = if args.all { Extent::All } else { Extent::Usual };
    let broken = suites::prepare(&chosen);
    let reports = Mutex::new(Vec::new());
    let run_all = |lane: Lane, at_once: usize| {
        let next = Mutex::new(chosen.iter().filter(|suite| suite.lane == lane));
        let take = || held(&next).next();
        std::thread::scope(|scope| {
            for _ in 0..at_once {
                scope.spawn(|| {
                    while let Some(suite) = take() {
                        let report = run_suite(suite, extent, &broken);
                        held(&reports).push(report);
                    }
                });
            }
        });
    };
    run_all(Lane::Shared, 2);
    run_all(Lane::Alone, 1);
    let reports = reports.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    conclude(&reports, began.elapsed())
}

/// What one thread at a time holds. A suite that broke off leaves it as it was.
fn held<T>(shared: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn run_suite(suite: &Suite, extent: Extent, broken: &[(suites::Need, String)]) -> Report {
    let failed = |closing: String| Report {
        name: suite.name,
        passed: false,
        took: Duration::ZERO,
        count: (suite.counts != Counts::Nothing).then(Count::default),
        closing,
        cases: Vec::new(),
        failures: String::new(),
    };
    if let Some((_, why)) = broken.iter().find(|(need, _)| suite.needs.contains(need)) {
        return failed(format!("could not run: {why}"));
    }
    let report = junit::path(suite.name);
    let outcome = junit::clear(&report)
        .and_then(|()| (suite.command)(extent))
        .and_then(|mut command| step::observe(suite.name, &mut command));
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(error) => return failed(format!("could not run: {error:#}")),
    };
    let cases = junit::read(&report);
    let mut closing = count::closing_lines(&outcome.output);
    let count = match (suite.counts, &cases) {
        (Counts::Nothing, _) => None,
        (Counts::Closing, _) => Some(Count::read(&outcome.output)),
        (Counts::Report, Ok(cases)) => Some(junit::count(cases)),
        (Counts::Report, Err(error)) => {
            closing = format!("{closing}\nno count: {error:#}");
            Some(Count::default())
        }
    };
    // A suite that ran no test has shown nothing.
    let passed = outcome.status.success() && count.is_none_or(|count| count.passed > 0 && count.failed == 0);
    if !passed {
        say(&format!("---- {} failed ({}); its whole output:", suite.name, outcome.status));
        say(&outcome.output);
        say(&format!("---- end of {}", suite.name));
    }
    Report {
        name: suite.name,
        passed,
        took: outcome.took,
        count,
        closing,
        cases: cases.unwrap_or_default(),
        failures: if passed { String::new() } else { failures::failures(&outcome.output) },
    }
}

/// The tests that took longest, of all suites.
fn longest(reports: &[Report]) {
    let mut cases: Vec<(&str, &Case)> =
        reports.iter().flat_map(|report| report.cases.iter().map(|case| (report.name, case))).collect();
    if cases.is_empty() {
        return;
    }
    cases.sort_by_key(|(_, case)| std::cmp::Reverse(case.took));
    say("\nThe tests that took longest, seconds:");
    for (suite, Case { name, took, .. }) in cases.iter().take(LONGEST) {
        say(&format!("{:>7.1}  {suite}  {name}", took.as_secs_f32()));
    }
}

fn conclude(reports: &[Report], took: Duration) -> Result<()> {
    say("\nClosing lines of the runners:");
    for report in reports.iter().filter(|report| report.count.is_some() || !report.passed) {
        say(&format!("-- {}\n{}", report.name, report.closing));
    }
    longest(reports);
    say(&format!("\n{}", tokens::costs()));
    say(&format!("\n{:<18} {:<7} {:>8} {:>8} {:>9}", "suite", "result", "passed", "failed", "seconds"));
    let (mut passed, mut failed) = (0, 0);
    for report in reports {
        let mut count = report.count.unwrap_or_default();
        if !report.passed && count.failed == 0 {
            // A check that fails, or a runner that broke off before it could count, is one failure.
            count.failed = 1;
        }
        passed += count.passed;
        failed += count.failed;
        let shown = |n: u64| if report.count.is_some() || n > 0 { n.to_string() } else { "-".to_owned() };
        say(&format!(
            "{:<18} {:<7} {:>8} {:>8} {:>9.1}",
            report.name,
            if report.passed { "ok" } else { "FAILED" },
            shown(count.passed),
            shown(count.failed),
            report.took.as_secs_f32()
        ));
    }
    say(&format!(
        "took {:.0} s; a check without tests of its own counts only when it fails",
        took.as_secs_f32()
    ));
    // Again and last: some see the end of the output alone.
    for report in reports.iter().filter(|report| !report.passed) {
        let why = if report.failures.is_empty() { &report.closing } else { &report.failures };
        say(&format!("\n-- failed in {}\n{why}", report.name));
    }
    say(&format!("{passed} passed, {failed} failed"));
    if failed > 0 { bail!("not everything passed") } else { Ok(()) }
}
