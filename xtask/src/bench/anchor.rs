//! `cargo xtask bench anchor --corpus DIR`: how often elements of real pages are found again on a later version, with
//! the truth known. The corpus is not part of the project; its README says how it is laid out.
//!
//! Each anchor is looked for alone, so that no other one helps it. Pages are told into two halves by their name, to
//! fit on one and judge by the other.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use opentoolbar_core::anchor::{Anchor, Verdict, VerdictKind, relocate};
use opentoolbar_core::page::Page;
use opentoolbar_core::selector;
use serde::Deserialize;

use super::{Args, corpus};
use crate::step::{self, say};

#[derive(Deserialize)]
struct Truth {
    set: String,
    name: String,
    targets: Vec<Element>,
}

/// One element with a known outcome.
#[derive(Deserialize)]
struct Element {
    /// Its index on the old page.
    #[serde(rename = "o")]
    old: usize,
    /// Its index on the new page; none when it is gone.
    #[serde(rename = "n")]
    new: Option<usize>,
    /// What was changed of it; known of the seeded edits.
    #[serde(rename = "mod")]
    change: Option<Change>,
}

#[derive(Deserialize)]
struct Change {
    tag: bool,
    own: bool,
    txt: bool,
    attrs: Vec<String>,
}

/// How many verdicts of each kind.
#[derive(Default)]
struct Count {
    present: u32,
    right: u32,
    ambiguous: u32,
    wrong: u32,
    /// Wrong and said to be as it was.
    silent: u32,
    missing: u32,
    /// Right element, and right about whether it changed.
    kind_known: u32,
    kind_right: u32,
    gone: u32,
    gone_said: u32,
    gone_ambiguous: u32,
    /// Gone, and something else is said to be it, as it was.
    gone_silent: u32,
    make: Duration,
    find: Duration,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let corpus = args.corpus.as_deref().context("name the corpus: cargo xtask bench anchor --corpus DIR")?;
    if step::optimised(&["bench", "anchor", "--corpus", &corpus.to_string_lossy()])? {
        return Ok(());
    }
    let folder = corpus.join("pairs");
    let entries = std::fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut pairs: Vec<_> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    pairs.sort();
    let mut counts: BTreeMap<(String, &str), Count> = BTreeMap::new();
    for pair in &pairs {
        let truth: Truth = serde_json::from_slice(&std::fs::read(pair.join("truth.json"))?)?;
        let set = if truth.set.starts_with("git") { "git".to_owned() } else { truth.set.clone() };
        measure(pair, &truth, counts.entry((set, half(&truth.name))).or_default())?;
    }
    say(
        "In % of the elements that are there: right element, cannot be told, wrong one (said to be as it was), falsely",
    );
    say(
        "missing; right about changed or not. In % of the gone: gone said, cannot be told, another said to be as it was.",
    );
    say(&format!(
        "{:<14}{:<3}{:>6}{:>8}{:>8}{:>8}{:>9}{:>9}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}{:>10}{:>10}",
        "set",
        "",
        "there",
        "right",
        "ambig.",
        "wrong",
        "(silent)",
        "missing",
        "kind",
        "gone",
        "said",
        "ambig.",
        "silent",
        "whole",
        "us to make",
        "us to find"
    ));
    for ((set, half), count) in &counts {
        say(&line(set, half, count));
    }
    Ok(())
}

fn line(set: &str, half: &str, c: &Count) -> String {
    let of = |part: u32, all: u32| {
        if all == 0 { "-".to_owned() } else { format!("{:.1}", f64::from(part) * 100.0 / f64::from(all)) }
    };
    let micros = |time: Duration| time.as_micros() / u128::from((c.present + c.gone).max(1));
    format!(
        "{set:<14}{half:<3}{:>6}{:>8}{:>8}{:>8}{:>9}{:>9}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}{:>10}{:>10}",
        c.present,
        of(c.right, c.present),
        of(c.ambiguous, c.present),
        of(c.wrong, c.present),
        of(c.silent, c.present),
        of(c.missing, c.present),
        of(c.kind_right, c.kind_known),
        c.gone,
        of(c.gone_said, c.gone),
        of(c.gone_ambiguous, c.gone),
        of(c.gone_silent, c.gone),
        of(c.right + c.gone_said, c.present + c.gone),
        micros(c.make),
        micros(c.find),
    )
}

/// `a` or `b`, by the bytes of the page's name.
fn half(name: &str) -> &'static str {
    if name.bytes().fold(0u8, u8::wrapping_add) % 2 == 0 { "a" } else { "b" }
}

fn measure(pair: &Path, truth: &Truth, count: &mut Count) -> Result<()> {
    let read = |file: &str| -> Result<(Page, Vec<u32>)> {
        let one = corpus::read(&pair.join(file))?;
        let page = Page::from_capture(one.capture)
            .with_context(|| format!("{file} of {} is no valid page", truth.name))?;
        Ok((page, one.nodes))
    };
    let (old, old_nodes) = read("old.arena.json.gz")?;
    let (new, new_nodes) = read("new.arena.json.gz")?;
    for element in &truth.targets {
        let node = *old_nodes.get(element.old).context("the truth names an element that is not there")?;
        let expected = element.new.and_then(|at| new_nodes.get(at).copied());
        let selector = selector::generate(&old, node).unwrap_or_default();
        let began = Instant::now();
        let anchor = Anchor::of(&old, node, &selector)?;
        count.make += began.elapsed();
        let began = Instant::now();
        let verdicts = relocate(&new, std::slice::from_ref(&anchor));
        count.find += began.elapsed();
        tally(count, element, expected, verdicts.first().context("no verdict")?);
    }
    Ok(())
}

fn tally(count: &mut Count, element: &Element, expected: Option<u32>, verdict: &Verdict) {
    let as_it_was = matches!(verdict.kind, VerdictKind::Unchanged | VerdictKind::Moved);
    if expected.is_none() {
        count.gone += 1;
        count.gone_said += u32::from(verdict.kind == VerdictKind::Missing);
        count.gone_ambiguous += u32::from(verdict.kind == VerdictKind::Ambiguous);
        count.gone_silent += u32::from(as_it_was);
        return;
    }
    count.present += 1;
    match verdict.kind {
        VerdictKind::Ambiguous => count.ambiguous += 1,
        VerdictKind::Missing => count.missing += 1,
        _ if verdict.node == expected => {
            count.right += 1;
            if let Some(change) = &element.change {
                let changed = change.tag || change.own || change.txt || !change.attrs.is_empty();
                count.kind_known += 1;
                count.kind_right += u32::from(changed != as_it_was);
            }
        }
        _ => {
            count.wrong += 1;
            count.silent += u32::from(as_it_was);
        }
    }
}
