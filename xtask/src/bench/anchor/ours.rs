//! opentoolbar's own anchors, as the extension uses them: all targets of a page in one pass; and each alone, so that no
//! other one helps it.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use opentoolbar_core::anchor::{Anchor, Verdict, VerdictKind, relocate, target_of};

use super::outcome::{Answer, Said};
use crate::bench::corpus::Pair;
use crate::step::say;

/// The anchors of a pair's targets, as they are kept with comments: encoded and read again.
pub(super) struct Anchors {
    pub(super) anchors: Vec<Anchor>,
    /// Which target each is of: one that cannot be pinned has none.
    of: Vec<usize>,
    targets: usize,
    /// Encoded, in bytes.
    pub(super) sizes: Vec<usize>,
    pub(super) took: Duration,
}

pub(super) fn make(pair: &Pair) -> Result<Anchors> {
    let began = Instant::now();
    let made: Vec<_> =
        pair.targets.iter().map(|target| target_of(&pair.old.page, target.old, None)).collect();
    let took = began.elapsed();
    let (mut anchors, mut of) = (Vec::new(), Vec::new());
    for (at, target) in made.iter().enumerate() {
        match target {
            Ok(target) => {
                let anchor = Anchor::from_base64(&target.anchor).context("an anchor cannot be read again")?;
                anchors.push(anchor);
                of.push(at);
            }
            Err(error) => say(&format!("    {} {}: not pinned: {error}", pair.set, pair.name)),
        }
    }
    let sizes = anchors.iter().map(|anchor| anchor.encode().len()).collect();
    Ok(Anchors { anchors, of, targets: made.len(), sizes, took })
}

impl Anchors {
    /// What was said about each target; nothing where there is no anchor.
    pub(super) fn by_target<'v>(&self, verdicts: &'v [Verdict]) -> Vec<Option<&'v Verdict>> {
        let mut by_target = vec![None; self.targets];
        for (verdict, &at) in verdicts.iter().zip(&self.of) {
            if let Some(slot) = by_target.get_mut(at) {
                *slot = Some(verdict);
            }
        }
        by_target
    }

    pub(super) fn answers(&self, verdicts: &[Verdict]) -> Vec<Answer> {
        self.by_target(verdicts).into_iter().map(|verdict| verdict.map_or_else(unpinned, answer)).collect()
    }
}

/// An element without an anchor is as good as lost.
fn unpinned() -> Answer {
    Answer {
        guess: None,
        among: Vec::new(),
        said: Said::Missing,
        presence: 0.0,
        confidence: None,
        change: None,
    }
}

pub(super) fn one_pass(pair: &Pair, anchors: &[Anchor]) -> Vec<Verdict> {
    relocate(&pair.new.page, anchors)
}

pub(super) fn each_alone(pair: &Pair, anchors: &[Anchor]) -> Vec<Verdict> {
    anchors.iter().flat_map(|anchor| relocate(&pair.new.page, std::slice::from_ref(anchor))).collect()
}

fn answer(verdict: &Verdict) -> Answer {
    let said = match verdict.kind {
        VerdictKind::Unchanged | VerdictKind::Moved => Said::AsItWas,
        VerdictKind::Changed => Said::Changed,
        VerdictKind::Ambiguous => Said::Ambiguous,
        VerdictKind::Missing => Said::Missing,
    };
    let presence = if said == Said::Missing { 1.0 - verdict.confidence } else { verdict.confidence };
    Answer {
        guess: verdict.node.or(verdict.candidates.first().copied()),
        among: verdict.candidates.clone(),
        said,
        presence,
        confidence: Some(verdict.confidence),
        change: Some(verdict.change),
    }
}
