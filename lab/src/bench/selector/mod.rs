//! `cargo xtask bench selector --corpus DIR [--json FILE] [--quick] [--own] [--failures]`: what selectors are on the
//! page they were made on, what making them costs, and what they mean on the next version of the page; beside
//! generators of others, asked about the same elements in a real Chromium in the same run. `--quick` asks about fewer
//! elements, `--own` about ours alone, without a browser; `--failures` tells of each selector of ours that did not
//! survive.
//!
//! # JSON
//! `--json FILE` writes one object; keys are camelCase, percentages 0 to 100, times in milliseconds, lengths in
//! characters:
//! - `version`: 1; raised when a key changes its meaning or goes
//! - `bench`: `selector`; `corpus`: the folder's name; `browser`: name and version
//! - `quality`: `{tool, page, pageElements, asked, exactAndUnique, failed, generatedNames, lengthMedian, lengthP95,
//!   lengthMax, msMedian, msP95, msWorst, msSetup}`; page a name or `all`
//! - `summary`: `{figure, of, ours, bestPeer, peer, aim, lessIsBetter}`: what the project has aims for
//! - `ownInBrowser`: `{asked, exact}`: our selectors as Chromium resolves them
//! - `survival`: `{tool, set, part, present, gone, right, silentlyWrong, several, lost, goneButHit,
//!   silentlyWrongOfAll}`; tool `opentoolbar`, `opentoolbar, set`, or a peer
//! - `growth`: `{pages: [as quality], setMsMedian, setupExponent, selectorExponent}` on synthetic pages
//! - `errors`: `{tool, error, count}`; `leftOut`: sentences on what could not be asked

mod aims;
mod browser;
mod failures;
mod growth;
mod json;
mod names;
mod ours;
mod quality;
mod report;
mod subjects;
mod survival;

use std::collections::BTreeMap;

use anyhow::{Context as _, Result};
use xtask::step::say;

use self::browser::{Job, MadeThere, Outcome, PageJob, PairJob};
use self::json::{InBrowser, ToolError};
use self::quality::{Made, Quality};
use self::subjects::{Subject, evenly, html_of, position};
use self::survival::{Found, Survivor};
use super::args::Args;
use crate::corpus::{self, Part};

const OURS: &str = "opentoolbar";
const OURS_SET: &str = "opentoolbar, set";

/// How much is asked.
struct Effort {
    /// Elements of each page.
    elements: usize,
    /// Targets of each pair.
    targets: usize,
    /// Pairs of each set.
    pairs: usize,
    /// Milliseconds after which a generator is stopped.
    limit: u32,
    synthetic: &'static growth::Effort,
}

const FULL: Effort =
    Effort { elements: 200, targets: usize::MAX, pairs: usize::MAX, limit: 2_000, synthetic: &growth::FULL };
const QUICK: Effort = Effort { elements: 40, targets: 10, pairs: 3, limit: 1_200, synthetic: &growth::FULL };
const SMOKE: Effort = Effort { elements: 8, targets: 4, pairs: 1, limit: 10_000, synthetic: &growth::SMOKE };

/// What is kept of a pair until the browser has answered.
struct AskedPair {
    set: String,
    part: Part,
    name: String,
    old_count: usize,
    new_count: usize,
    /// Position of the right element on the new page.
    truths: Vec<Option<usize>>,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let folder =
        args.corpus.as_deref().context("name the corpus: cargo xtask bench selector --corpus DIR")?;
    args.check_json()?;
    let effort = match args {
        Args { smoke: true, .. } => SMOKE,
        Args { quick: true, .. } => QUICK,
        _ => FULL,
    };
    let places = corpus::pairs(folder)?;
    let subjects = subjects::subjects(folder, &places, effort.elements)?;
    let mut quality = Table::default();
    let mut job = Job { limit: effort.limit, pages: Vec::new(), pairs: Vec::new() };
    let mut left_out = Vec::new();
    for subject in &subjects {
        say(&format!("    ours on {}", subject.page.name));
        let nodes: Vec<u32> =
            subject.elements.iter().filter_map(|&at| subject.page.nodes.get(at).copied()).collect();
        let made = ours::make(&subject.page.page, &nodes);
        match &subject.html {
            Some(html) => job.pages.push(PageJob {
                name: subject.page.name.clone(),
                html: html.clone(),
                elements: subject.elements.clone(),
                own: made.iter().map(|one| one.selector.clone()).collect(),
            }),
            None => left_out.push(format!("peers on {}: the corpus has no HTML of it", subject.page.name)),
        }
        let setup = ours::setup(&subject.page.page.to_capture())?;
        quality.add(OURS, &subject.page.name, subject.page.nodes.len(), made, Some(setup));
    }
    say("    ours on synthetic pages");
    let growth = growth::measure(effort.synthetic)?;
    let mut survivors: BTreeMap<String, Vec<Survivor>> = BTreeMap::new();
    let mut asked = Vec::new();
    let mut per_set: BTreeMap<String, usize> = BTreeMap::new();
    for (at, place) in places.iter().enumerate() {
        if at % 20 == 0 {
            say(&format!("    ours on pair {} of {}", at + 1, places.len()));
        }
        let pair = match place.read() {
            Ok(pair) => pair,
            Err(error) => {
                left_out.push(format!("{error:#}"));
                continue;
            }
        };
        let of_set: &mut usize = per_set.entry(pair.set.clone()).or_default();
        *of_set += 1;
        if *of_set > effort.pairs {
            continue;
        }
        let targets = evenly(&pair.targets, effort.targets);
        for target in &targets {
            let (single, set) = ours::survive(&pair, target.old);
            if args.failures {
                failures::print(&pair, target, single, set);
            }
            for (tool, found) in [(OURS, single), (OURS_SET, set)] {
                let one = Survivor { set: pair.set.clone(), part: pair.part, truth: target.new, found };
                survivors.entry(tool.to_owned()).or_default().push(one);
            }
        }
        let Some((old, new)) = html_of(place) else {
            left_out.push(format!("peers on {} {}: the corpus has no HTML of it", pair.set, pair.name));
            continue;
        };
        job.pairs.push(PairJob {
            name: format!("{} {}", pair.set, pair.name),
            old,
            new,
            elements: targets.iter().filter_map(|target| position(&pair.old, target.old)).collect(),
        });
        asked.push(AskedPair {
            truths: targets
                .iter()
                .map(|target| target.new.and_then(|node| position(&pair.new, node)))
                .collect(),
            old_count: pair.old.nodes.len(),
            new_count: pair.new.nodes.len(),
            set: pair.set,
            part: pair.part,
            name: pair.name,
        });
    }
    if args.quick {
        left_out.push(format!(
            "--quick: all but {} elements of a page, {} pairs of a set and {} targets of a pair",
            effort.elements, effort.pairs, effort.targets
        ));
    }
    let outcome = if args.own { Outcome::default() } else { browser::run(&job)? };
    let own_in_browser = quality.add_peers(&subjects, &job, &outcome, &mut left_out);
    add_peers(&mut survivors, &asked, &outcome, &mut left_out);
    args.nothing_left_out(&left_out)?;
    let rows = quality.rows();
    let survival: Vec<_> = survivors.iter().flat_map(|(tool, some)| survival::rows(tool, some)).collect();
    let result = json::Result {
        summary: aims::summary(&rows, &survival, &growth),
        version: json::VERSION,
        bench: "selector",
        corpus: folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
        browser: outcome.browser,
        errors: quality.errors(),
        quality: rows,
        own_in_browser,
        survival,
        growth,
        left_out,
    };
    report::print(&result);
    if let Some(path) = &args.json {
        result.write(path)?;
        say(&format!("\nWritten to {}", path.display()));
    }
    Ok(())
}

/// What each generator made on each page.
#[derive(Default)]
struct Table {
    pages: Vec<PageOfTool>,
}

struct PageOfTool {
    tool: String,
    page: String,
    elements: usize,
    made: Vec<Made>,
    setup: Option<f64>,
}

impl Table {
    fn add(&mut self, tool: &str, page: &str, elements: usize, made: Vec<Made>, setup: Option<f64>) {
        self.pages.push(PageOfTool { tool: tool.to_owned(), page: page.to_owned(), elements, made, setup });
    }

    fn add_peers(
        &mut self,
        subjects: &[Subject],
        job: &Job,
        outcome: &Outcome,
        left_out: &mut Vec<String>,
    ) -> InBrowser {
        let mut own = InBrowser::default();
        for (page, answer) in job.pages.iter().zip(&outcome.pages) {
            let Some(subject) = subjects.iter().find(|subject| subject.page.name == page.name) else {
                continue;
            };
            let count = subject.page.nodes.len();
            if answer.count != count {
                left_out.push(format!(
                    "peers on {}: Chromium makes {} elements of it, the corpus {count}",
                    page.name, answer.count
                ));
                continue;
            }
            let is_exact = |matches: &[i64], at: usize| matches!(matches, [one] if usize::try_from(*one).is_ok_and(|one| one == at));
            own.asked += page.elements.len();
            own.exact += answer.own.iter().zip(&page.elements).filter(|(m, at)| is_exact(m, **at)).count();
            for (tool, made) in &answer.tools {
                let made = made.iter().zip(&page.elements).map(|(one, &at)| {
                    let MadeThere { selector, ms, matches, error } = one;
                    Made {
                        selector: selector.clone(),
                        exact: is_exact(matches, at),
                        ms: *ms,
                        error: error.clone(),
                    }
                });
                self.add(tool, &page.name, count, made.collect(), answer.setup.get(tool).copied());
            }
        }
        own
    }

    /// All pages of each tool together, then each page.
    fn rows(&self) -> Vec<Quality> {
        let mut tools: Vec<&str> = self.pages.iter().map(|page| page.tool.as_str()).collect();
        tools.sort_unstable();
        tools.dedup();
        // Ours first.
        tools.sort_by_key(|tool| *tool != OURS);
        let whole = tools.iter().map(|tool| {
            let pages: Vec<&PageOfTool> = self.pages.iter().filter(|page| page.tool == *tool).collect();
            let made: Vec<&Made> = pages.iter().flat_map(|page| &page.made).collect();
            let setup = pages.iter().filter_map(|page| page.setup).max_by(f64::total_cmp);
            let largest = pages.iter().map(|page| page.elements).max().unwrap_or(0);
            Quality::new(tool, "all", largest, &made, setup)
        });
        let each = self.pages.iter().map(|page| {
            Quality::new(
                &page.tool,
                &page.page,
                page.elements,
                &page.made.iter().collect::<Vec<_>>(),
                page.setup,
            )
        });
        whole.chain(each).collect()
    }

    fn errors(&self) -> Vec<ToolError> {
        let mut counts: BTreeMap<(&str, String), usize> = BTreeMap::new();
        for page in &self.pages {
            for error in page.made.iter().filter_map(|one| one.error.as_ref()) {
                let kind: String = error.chars().take(100).collect();
                *counts.entry((&page.tool, kind)).or_default() += 1;
            }
        }
        counts
            .into_iter()
            .map(|((tool, error), count)| ToolError { tool: tool.to_owned(), error, count })
            .collect()
    }
}

fn add_peers(
    survivors: &mut BTreeMap<String, Vec<Survivor>>,
    asked: &[AskedPair],
    outcome: &Outcome,
    left_out: &mut Vec<String>,
) {
    for (pair, answer) in asked.iter().zip(&outcome.pairs) {
        if (answer.old_count, answer.new_count) != (pair.old_count, pair.new_count) {
            left_out.push(format!(
                "peers on {} {}: Chromium makes other elements of it than the corpus has",
                pair.set, pair.name
            ));
            continue;
        }
        for (tool, made) in &answer.tools {
            let some = made.iter().zip(&pair.truths).map(|(one, truth)| {
                // Positions take the place of nodes here; only whether they are the same counts.
                let at = |position: i64| u32::try_from(position).unwrap_or(u32::MAX);
                Survivor {
                    set: pair.set.clone(),
                    part: pair.part,
                    truth: truth.and_then(|position| u32::try_from(position).ok()),
                    found: match *one.matches.as_slice() {
                        [] => Found::None,
                        [one] => Found::One(at(one)),
                        _ => Found::Several,
                    },
                }
            });
            survivors.entry(tool.clone()).or_default().extend(some);
        }
    }
}
