//! From anchors and a page to verdicts.

use super::assign::{Scored, share_out};
use super::candidates;
use super::fingerprint::Anchor;
use super::survey::Survey;
use super::{Verdict, hash, judge, score};
use crate::sort;

/// Finds the elements of all anchors on a page: one verdict for each anchor, in order.
///
/// The page is surveyed once; each anchor then costs a bounded amount of work, whatever the size of the page. No two
/// anchors of different elements are given the same element.
#[must_use]
pub fn relocate(page: &crate::page::Page, anchors: &[Anchor]) -> Vec<Verdict> {
    if anchors.is_empty() {
        return Vec::new();
    }
    let survey = Survey::new(page);
    let untouched: Vec<Option<u32>> =
        anchors.iter().map(|anchor| judge::untouched(&survey, anchor)).collect();
    let mut lists: Vec<Vec<Scored>> = anchors
        .iter()
        .zip(&untouched)
        .map(|(anchor, untouched)| match untouched {
            // Above any score, so that nobody else is given it.
            Some(node) => vec![Scored { node: *node, score: 2.0 }],
            None => scored(&survey, anchor),
        })
        .collect();
    let groups: Vec<u64> = anchors
        .iter()
        .map(|anchor| hash::join(hash::Kind::Path, [anchor.path, u64::from(anchor.content)]))
        .collect();
    share_out(&mut lists, &groups, page.len());
    anchors
        .iter()
        .zip(lists)
        .zip(untouched)
        .map(|((anchor, list), untouched)| match untouched {
            Some(node) => judge::found(&survey, anchor, node, 0.99),
            None => judge::verdict(&survey, anchor, &list),
        })
        .collect()
}

/// The candidates of one anchor, best first.
fn scored(survey: &Survey<'_>, anchor: &Anchor) -> Vec<Scored> {
    let found = candidates::search(survey, anchor);
    let mut list: Vec<Scored> = found
        .into_iter()
        .map(|node| Scored { node, score: score::similarity(survey, anchor, node) })
        .collect();
    sort::by(&mut list, |a, b| b.score.total_cmp(&a.score).then(a.node.cmp(&b.node)));
    list
}
