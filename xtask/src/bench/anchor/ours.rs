//! opentoolbar's own anchors, as the extension uses them: all targets of a page in one pass; and each alone, so that no
//! other one helps it.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use opentoolbar_core::anchor::{Anchor, Verdict, VerdictKind, relocate, target_of};

use super::outcome::{Answer, Said};
use crate::bench::corpus::Pair;

/// The anchors of a pair's targets, as they are kept with comments: encoded and read again.
pub(super) struct Anchors {
    pub(super) anchors: Vec<Anchor>,
    /// Encoded, in bytes.
    pub(super) sizes: Vec<usize>,
    pub(super) took: Duration,
}

pub(super) fn make(pair: &Pair) -> Result<Anchors> {
    let began = Instant::now();
    let targets = pair
        .targets
        .iter()
        .map(|target| target_of(&pair.old.page, target.old, None).context("an element cannot be pinned"))
        .collect::<Result<Vec<_>>>()?;
    let took = began.elapsed();
    let anchors = targets
        .iter()
        .map(|target| Ok(Anchor::from_base64(&target.anchor)?))
        .collect::<Result<Vec<_>>>()
        .context("an anchor cannot be read again")?;
    let sizes = anchors.iter().map(|anchor| anchor.encode().len()).collect();
    Ok(Anchors { anchors, sizes, took })
}

pub(super) fn one_pass(pair: &Pair, anchors: &[Anchor]) -> Vec<Verdict> {
    relocate(&pair.new.page, anchors)
}

pub(super) fn each_alone(pair: &Pair, anchors: &[Anchor]) -> Vec<Verdict> {
    anchors.iter().flat_map(|anchor| relocate(&pair.new.page, std::slice::from_ref(anchor))).collect()
}

pub(super) fn answer(verdict: &Verdict) -> Answer {
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
        change: Some(if said == Said::Changed { 1.0 } else { 0.0 }),
    }
}
