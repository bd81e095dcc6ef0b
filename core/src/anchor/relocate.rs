//! From anchors and a page to verdicts.

use super::assign::{Scored, share_out};
use super::candidates;
use super::fingerprint::Anchor;
use super::survey::Survey;
use super::{Verdict, hash, judge, score};
use crate::page::Page;
use crate::{selector, sort};

/// Finds the elements of all anchors on a page: one verdict for each anchor, in order.
///
/// The page is surveyed once; each anchor then costs a bounded amount of work, whatever the size of the page. No two
/// anchors of different elements are given the same element.
#[must_use]
pub fn relocate(page: &Page, anchors: &[Anchor]) -> Vec<Verdict> {
    if anchors.is_empty() {
        return Vec::new();
    }
    let survey = Survey::new(page);
    let untouched: Vec<Option<u32>> =
        anchors.iter().map(|anchor| judge::untouched(&survey, anchor)).collect();
    let addressed: Vec<Option<u32>> = anchors.iter().map(|anchor| addressed(page, anchor)).collect();
    let mut lists: Vec<Vec<Scored>> = anchors
        .iter()
        .zip(&untouched)
        .zip(&addressed)
        .map(|((anchor, untouched), &addressed)| match untouched {
            // Above any score, so that nobody else is given it.
            Some(node) => vec![Scored { node: *node, score: 2.0 }],
            None => scored(&survey, anchor, addressed),
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
        .zip(addressed)
        .map(|(((anchor, list), untouched), addressed)| match untouched {
            Some(node) => judge::found(&survey, anchor, node, 0.99),
            None => judge::verdict(&survey, anchor, addressed, &list),
        })
        .collect()
}

/// The candidates of one anchor, best first.
fn scored(survey: &Survey<'_>, anchor: &Anchor, addressed: Option<u32>) -> Vec<Scored> {
    let mut found = candidates::search(survey, anchor);
    found.extend(addressed.filter(|node| !found.contains(node)));
    let mut list: Vec<Scored> = found
        .into_iter()
        .map(|node| Scored { node, score: score::likeness(survey, anchor, addressed, node).score() })
        .collect();
    sort::by(&mut list, |a, b| b.score.total_cmp(&a.score).then(a.node.cmp(&b.node)));
    list
}

/// What the anchor's selector means on this page, if that is one element.
fn addressed(page: &Page, anchor: &Anchor) -> Option<u32> {
    match selector::resolve(page, anchor.selectors.first()?).ok()?.as_slice() {
        &[node] => Some(node),
        _ => None,
    }
}
