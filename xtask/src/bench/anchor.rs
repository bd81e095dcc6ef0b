//! `cargo xtask bench anchor --corpus DIR`: how often elements of real pages are found again on a later version, with
//! the truth known. The corpus is not part of the project; its README says how it is laid out.
//!
//! Each anchor is looked for alone, so that no other one helps it. Pages are in one part to
//! fit on and one to judge by.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use opentoolbar_core::anchor::{Anchor, Verdict, VerdictKind, relocate};
use opentoolbar_core::selector;

use super::{Args, corpus};
use crate::step::{self, say};

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
    let mut counts: BTreeMap<(String, &str), Count> = BTreeMap::new();
    for place in corpus::pairs(corpus)? {
        let pair = place.read()?;
        measure(&pair, counts.entry((pair.set.clone(), pair.part.word())).or_default())
            .with_context(|| format!("{} of {}", pair.name, pair.set))?;
    }
    say(
        "In % of the elements that are there: right element, cannot be told, wrong one (said to be as it was), falsely",
    );
    say(
        "missing; right about changed or not. In % of the gone: gone said, cannot be told, another said to be as it was.",
    );
    say(&format!(
        "{:<16}{:<6}{:>6}{:>8}{:>8}{:>8}{:>9}{:>9}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}{:>10}{:>10}",
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
        "{set:<16}{half:<6}{:>6}{:>8}{:>8}{:>8}{:>9}{:>9}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}{:>10}{:>10}",
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

fn measure(pair: &corpus::Pair, count: &mut Count) -> Result<()> {
    let (old, new) = (&pair.old.page, &pair.new.page);
    for target in &pair.targets {
        let selector = selector::generate(old, target.old).unwrap_or_default();
        let began = Instant::now();
        let anchor = Anchor::of(old, target.old, &selector)?;
        count.make += began.elapsed();
        let began = Instant::now();
        let verdicts = relocate(new, std::slice::from_ref(&anchor));
        count.find += began.elapsed();
        tally(count, *target, verdicts.first().context("no verdict")?);
    }
    Ok(())
}

fn tally(count: &mut Count, target: corpus::Target, verdict: &Verdict) {
    let as_it_was = matches!(verdict.kind, VerdictKind::Unchanged | VerdictKind::Moved);
    if target.new.is_none() {
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
        _ if verdict.node == target.new => {
            count.right += 1;
            if let Some(changed) = target.changed {
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
