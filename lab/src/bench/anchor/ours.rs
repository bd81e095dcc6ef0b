//! opentoolbar's own anchors, as the extension uses them: all targets of a page in one pass; and each alone, so that no
//! other one helps it.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use opentoolbar_core::anchor::{Anchor, Verdict, VerdictKind, relocate, target_of};
use xtask::step::say;

use super::outcome::{Answer, Said};
use crate::corpus::Pair;

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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at what cannot be")]
    use opentoolbar_core::anchor::{Evidence, Held, Query, judge};
    use opentoolbar_core::model::{Cause, TargetState, Timestamp};
    use opentoolbar_core::page::Page;

    use super::*;
    use crate::corpus::{CorpusPage, Part, Target};

    const OLD: &str = "<main><h1>Mugs</h1><button id=buy class=primary>Buy now</button><ul>\
        <li><h2>Blue mug</h2><p>Holds a pint of tea</p></li><li><h2>Red mug</h2><p>Good for soup</p></li>\
        <li><h2>Tall glass</h2><p>For cold drinks</p></li></ul><p><a href=/help>Help and contact</a></p></main>";
    const NEW: &str = "<header><nav><a href=/help>Help and contact</a></nav></header><main><h1>Mugs</h1>\
        <button id=buy class=primary>Order today</button><ul>\
        <li><h2>Blue mug</h2><p>Holds a pint of tea</p></li><li><h2>Red mug</h2></li>\
        <li><h2>Tall glass</h2><p>For cold drinks</p></li></ul></main>";

    fn corpus_page(html: &str) -> CorpusPage {
        let page = Page::from_html(html, "https://shop.test/").unwrap();
        let nodes = page.elements().collect();
        CorpusPage { name: "shop".to_owned(), page, nodes }
    }

    /// An element of each kind of outcome, by its text; what is gone leaves the card that it stood in.
    fn pair() -> Pair {
        let (old, new) = (corpus_page(OLD), corpus_page(NEW));
        let at = |page: &Page, text: &str| page.elements().find(|&node| page.own_text(node, 99) == text);
        let target = |before: &str, after: &str| Target {
            old: at(&old.page, before).unwrap(),
            new: at(&new.page, after),
            changed: Some(before != after),
        };
        let targets = vec![
            target("Mugs", "Mugs"),
            target("Help and contact", "Help and contact"),
            target("Buy now", "Order today"),
            target("Good for soup", "Good for soup"),
        ];
        Pair { set: "shop".into(), name: "shop".into(), part: Part::Train, old, new, targets }
    }

    fn state(verdict: VerdictKind, cause: Cause) -> TargetState {
        TargetState {
            verdict,
            cause,
            confidence: 1.0,
            diff: Vec::new(),
            reason: "made up".to_owned(),
            checked_at: Timestamp(1),
            varied: Vec::new(),
        }
    }

    /// What is judged across a change of source has the same verdicts, and its differences are of the source.
    #[test]
    fn what_differs_in_a_pair_is_what_a_change_of_the_source_outdates() {
        let pair = pair();
        let made = make(&pair).unwrap();
        let verdicts = one_pass(&pair, &made.anchors);
        let judge = |evidence: Evidence| {
            let ask = |anchor: &Anchor| Query {
                anchor: anchor.clone(),
                look: None,
                varied: Vec::new(),
                evidence,
                found: Vec::new(),
                held: Held::Unknown,
            };
            judge(&pair.new.page, made.anchors.iter().map(ask).collect())
        };
        let outdated = |evidence: Evidence| -> Vec<bool> {
            let judged = judge(evidence);
            let same: Vec<_> = judged.iter().map(|one| one.verdict.clone()).collect();
            assert_eq!(same, verdicts);
            judged.iter().map(|one| state(one.verdict.kind, one.cause).outdates()).collect()
        };
        let kinds: Vec<_> = verdicts.iter().map(|verdict| verdict.kind).collect();
        let expected =
            [VerdictKind::Unchanged, VerdictKind::Moved, VerdictKind::Changed, VerdictKind::Missing];
        assert_eq!(kinds, expected);
        let differs: Vec<bool> =
            made.answers(&verdicts).iter().map(|answer| answer.said != Said::AsItWas).collect();
        assert_eq!(differs, [false, false, true, true]);
        assert_eq!(outdated(Evidence::Loaded), differs);
        // In an open page whose source is as it was none of it would count.
        assert_eq!(outdated(Evidence::None), [false; 4]);
    }

    #[test]
    fn a_verdict_counts_as_a_difference_where_it_outdates_with_the_cause_source() {
        use VerdictKind::{Ambiguous, Changed, Missing, Moved, Unchanged};
        for kind in [Unchanged, Moved, Changed, Ambiguous, Missing] {
            let verdict = Verdict {
                kind,
                confidence: 1.0,
                change: 0.5,
                node: None,
                candidates: Vec::new(),
                diff: Vec::new(),
                reason: String::new(),
            };
            let is_difference = answer(&verdict).said != Said::AsItWas;
            assert_eq!(is_difference, state(kind, Cause::Source).outdates(), "{kind:?}");
            for cause in [Cause::State, Cause::Unknown] {
                assert!(!state(kind, cause).outdates(), "{kind:?} by {cause:?}");
            }
        }
    }
}
