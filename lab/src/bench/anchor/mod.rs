//! `cargo xtask bench anchor --corpus DIR [--json FILE] [--failures] [--own]`: how often elements of real pages are
//! found again on a later version, with the truth known. The corpus is no part of the project.
//!
//! The main figures are two: all targets of a page in one pass, as the extension asks, and each target alone, as when a
//! page has one comment. Peers are asked about the same targets in the same run (`--own`, and `--quick`, leave them
//! out).
//!
//! The two pages of a pair are of different source. So only where an element is and whether it differs is asked
//! (`relocate`), and a difference counts with the cause `source`: what is `changed`, `ambiguous` or `missing` would
//! make its comment outdated.
//!
//! # JSON
//! `--json FILE` writes one object; keys are camelCase, percentages 0 to 100, times in milliseconds:
//! - `version`: 1; raised when a key changes its meaning or goes
//! - `bench`: `anchor`
//! - `corpus`: the folder's name
//! - `definitions`: key of a figure -> what it says
//! - `sets`: `{set, pairs, present, gone}`
//! - `rows`: `{method, set, part, ...figures}`; method `one pass`, `each alone` or a peer; set a name, a family
//!   (`git-*`) or `all`; part `all`, `train` or `test`; a figure is null where there is nothing to count
//! - `peers`: `{method, about}`; a row of a peer has the threshold for "gone" that is the best for that row
//! - `summary`: `{figure, of, ours, bestPeer, peer, aim, lessIsBetter}`: what the project has aims for
//! - `reliability`: `{set, bins: [{from, to, count, confidence, right}], expectedCalibrationError}`
//! - `anchors`: `{count, medianBytes, maxBytes, millisecondsToMake100}`
//! - `times`: `{method, targets, millisecondsPer100Targets}` over the corpus
//! - `speed`: `{page, elements, nodes, comments, native, nativeBest, nativeWorst, nativeWholeBest, wasm, wasmBest,
//!   peers: [{method, milliseconds}]}`: the median, the best and the worst run; `nativeWholeBest` decodes and encodes
//!   what the WASM does; the WASM's are null when it is not built
//! - `growth`: `{nodesExponent, comments: [[count, milliseconds]]}`
//! - `leftOut`: sentences on pairs that could not be read
//! - `failures`: of `one pass`: `{class, set, page, part, verdict, confidence, reason, old, truth?, found?, diff}`,
//!   elements as `{node, tag, text, path}`

mod aims;
mod failures;
mod figures;
mod json;
mod ours;
mod outcome;
mod peers;
mod report;
mod rows;
mod speed;

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use opentoolbar_core::anchor::Verdict;
use xtask::step::say;

use self::failures::Failure;
use self::figures::{EACH_ALONE, ONE_PASS};
use self::outcome::{Answer, Case};
use self::peers::{Guess, PEERS, Peer};
use self::speed::{Growth, Speed};
use super::args::Args;
use super::{statistics, summary};
use crate::corpus::{self, Pair};

/// What one method said about the whole corpus, and how long it took.
struct Method {
    name: String,
    /// Its score's threshold for "gone" is tuned in its favour, as it has none of its own.
    tuned: bool,
    cases: Vec<Case>,
    took: Duration,
}

impl Method {
    fn new(name: &str, tuned: bool) -> Self {
        Self { name: name.to_owned(), tuned, cases: Vec::new(), took: Duration::ZERO }
    }

    fn ask(&mut self, pair: &Pair, answers: impl FnOnce() -> Vec<Answer>) {
        let began = Instant::now();
        let answers = answers();
        self.took += began.elapsed();
        let cases = pair.targets.iter().zip(answers).map(|(target, answer)| Case::of(pair, *target, answer));
        self.cases.extend(cases);
    }

    /// Milliseconds for 100 targets.
    fn time(&self) -> f64 {
        self.took.as_secs_f64() * 100_000.0 / statistics::number(self.cases.len().max(1))
    }
}

/// All that was measured.
struct Run {
    /// The main one first.
    methods: Vec<Method>,
    /// The set of each pair.
    sets: Vec<String>,
    /// Of the anchors, in bytes, sorted.
    sizes: Vec<usize>,
    /// What making all anchors took.
    making: Duration,
    failures: Vec<Failure>,
    speed: Vec<Speed>,
    growth: Growth,
    left_out: Vec<String>,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let folder = args.corpus.as_deref().context("name the corpus: cargo xtask bench anchor --corpus DIR")?;
    args.check_json()?;
    let places = corpus::pairs(folder)?;
    let mut making = Duration::ZERO;
    let (mut one_pass, mut alone) = (Method::new(ONE_PASS, false), Method::new(EACH_ALONE, false));
    let with_peers = !(args.quick || args.own);
    let asked: &[Peer] = if with_peers { PEERS } else { &[] };
    let mut theirs: Vec<Method> = asked.iter().map(|peer| Method::new(peer.name, true)).collect();
    let mut failures = Vec::new();
    let mut sizes = Vec::new();
    let mut sets = Vec::new();
    let mut left_out = Vec::new();
    let mut progress = Progress::new(places.len());
    for place in &places {
        progress.step();
        let pair = match place.read() {
            Ok(pair) => pair,
            Err(error) => {
                left_out.push(format!("{error:#}"));
                continue;
            }
        };
        let made = ours::make(&pair).with_context(|| format!("{} of {}", pair.name, pair.set))?;
        sizes.extend(&made.sizes);
        making += made.took;
        sets.push(pair.set.clone());
        let mut verdicts: Vec<Verdict> = Vec::new();
        one_pass.ask(&pair, || {
            verdicts = ours::one_pass(&pair, &made.anchors);
            made.answers(&verdicts)
        });
        alone.ask(&pair, || made.answers(&ours::each_alone(&pair, &made.anchors)));
        for (peer, method) in asked.iter().zip(&mut theirs) {
            method.ask(&pair, || (peer.locate)(&pair).into_iter().map(Guess::answer).collect());
        }
        let judged = one_pass.cases.iter().rev().take(pair.targets.len()).rev();
        failures.extend(
            judged
                .zip(made.by_target(&verdicts))
                .filter_map(|(case, verdict)| failures::failure(&pair, case, verdict)),
        );
    }
    args.nothing_left_out(&left_out)?;
    anyhow::ensure!(left_out.len() < places.len(), "no pair can be read: {}", left_out.join("; "));
    sizes.sort_unstable();
    say("    speed");
    let (speed, growth) = speed::measure(&places, with_peers, args)?;
    let mut methods = vec![one_pass, alone];
    methods.append(&mut theirs);
    let run = Run { methods, sets, sizes, making, failures, speed, growth, left_out };
    let result = json::Result::new(folder, run);
    print(&result, args);
    if let Some(path) = &args.json {
        result.write(path)?;
        say(&format!("\nWritten to {}", path.display()));
    }
    Ok(())
}

fn print(result: &json::Result, args: &Args) {
    report::definitions();
    let of = |method: &'static str| result.rows.iter().filter(move |row| row.method == method);
    report::table("All targets of a page in one pass (a main figure)", of(ONE_PASS));
    report::table("Each target alone (a main figure)", of(EACH_ALONE));
    if result.times.len() > 2 {
        say(
            "\nPeers, written from their papers, on the same targets; each line's threshold for \"gone\" is the best for that line",
        );
    }
    for peer in PEERS.iter().filter(|peer| result.times.iter().any(|time| time.method == peer.name)) {
        report::peer(peer, of(peer.name));
    }
    // Of the single sets only the JSON has them: a bin of a dozen says little.
    let broad = |set: &str| set.ends_with('*') || set == "all" || result.reliability.len() == 1;
    for one in result.reliability.iter().filter(|one| broad(&one.set)) {
        report::reliability(&one.set, &one.table);
    }
    say(&format!(
        "\nAnchors: {} made, median {} bytes, largest {} bytes; {:.2} ms to make 100 with snapshot and selector",
        result.anchors.count,
        result.anchors.median_bytes,
        result.anchors.max_bytes,
        result.anchors.milliseconds_to_make_100
    ));
    say(
        "\nTime for 100 targets over the corpus, in ms, the page's index included (each alone finds it made):",
    );
    for time in &result.times {
        say(&format!("  {:<28}{:>12.2}", time.method, time.milliseconds_per_100));
    }
    report::speed(&result.speed, &result.growth);
    summary::print(&result.summary);
    report::failure_counts(&result.failures);
    for left_out in &result.left_out {
        say(&format!("  left out: {left_out}"));
    }
    if args.failures {
        report::failures(&result.failures);
    }
}

/// A line now and then while a long run goes on.
struct Progress {
    all: usize,
    done: usize,
    began: Instant,
    next: Duration,
}

impl Progress {
    const EVERY: Duration = Duration::from_secs(10);

    fn new(all: usize) -> Self {
        Self { all, done: 0, began: Instant::now(), next: Self::EVERY }
    }

    fn step(&mut self) {
        if self.began.elapsed() > self.next {
            self.next = self.began.elapsed() + Self::EVERY;
            say(&format!(
                "    {} of {} pairs, {:.0} s",
                self.done,
                self.all,
                self.began.elapsed().as_secs_f32()
            ));
        }
        self.done += 1;
    }
}
