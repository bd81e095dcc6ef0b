//! What holds for every pair of pages, whatever is expected of its targets.

use opentoolbar_core::anchor::{Anchor, MAX_ENCODED, Verdict, VerdictKind, relocate, target_of};
use opentoolbar_core::page::Page;

use crate::case::Case;

/// One sentence for each law that is broken.
pub(crate) fn broken(case: &Case) -> Vec<String> {
    let elements: Vec<u32> = case.old.elements().collect();
    let mut broken = Vec::new();
    let Ok(every) = elements.iter().map(|&node| anchor(&case.old, node)).collect::<Result<Vec<Anchor>, _>>()
    else {
        broken.push("law: every element has an anchor, and one that is written and read again".to_owned());
        return broken;
    };
    undo(case, &elements, &every, &mut broken);
    order(&case.new, &every, &mut broken);
    one_to_one(&case.new, &relocate(&case.new, &every), &mut broken);
    broken
}

/// The anchor of an element, written and read again, so that what is stored is what is tested.
///
/// # Errors
/// A sentence when it has none, or none of the size it may have.
pub(crate) fn anchor(page: &Page, node: u32) -> Result<Anchor, String> {
    let target = target_of(page, node, None).map_err(|error| error.to_string())?;
    let anchor = Anchor::from_base64(&target.anchor).map_err(|error| error.to_string())?;
    let bytes = anchor.encode().len();
    if bytes <= MAX_ENCODED { Ok(anchor) } else { Err(format!("its anchor has {bytes} bytes")) }
}

/// With the page as it was, everything is as it was: an undo makes every comment active again.
fn undo(case: &Case, elements: &[u32], every: &[Anchor], broken: &mut Vec<String>) {
    for (&node, verdict) in elements.iter().zip(relocate(&case.old, every)) {
        if verdict.kind != VerdictKind::Unchanged || verdict.node != Some(node) {
            broken.push(format!(
                "law: on its own page <{}> (node {node}) is unchanged, not {verdict:?}",
                case.old.tag(node)
            ));
        }
    }
}

/// The same anchors give the same verdicts, each time and in any order.
fn order(page: &Page, anchors: &[Anchor], broken: &mut Vec<String>) {
    let first = relocate(page, anchors);
    if first != relocate(page, anchors) {
        broken.push("law: looking twice says the same".to_owned());
    }
    let backwards: Vec<Anchor> = anchors.iter().rev().cloned().collect();
    let mut second = relocate(page, &backwards);
    second.reverse();
    let differing: Vec<String> = first
        .iter()
        .zip(&second)
        .filter(|(a, b)| (a.kind, a.node, &a.candidates, &a.diff) != (b.kind, b.node, &b.candidates, &b.diff))
        .take(3)
        .map(|(a, b)| format!("{:?} {:?} or {:?} {:?}", a.kind, a.node, b.kind, b.node))
        .collect();
    if !differing.is_empty() {
        broken.push(format!("law: the order of comments does not matter; {}", differing.join("; ")));
    }
}

/// No element is given to two, and a verdict says of itself what it is.
fn one_to_one(page: &Page, verdicts: &[Verdict], broken: &mut Vec<String>) {
    let mut nodes: Vec<u32> = verdicts.iter().filter_map(|verdict| verdict.node).collect();
    nodes.sort_unstable();
    if nodes.windows(2).any(|pair| pair[0] == pair[1]) {
        broken.push("law: no element is given to two comments on different elements".to_owned());
    }
    for verdict in verdicts {
        let found = !matches!(verdict.kind, VerdictKind::Ambiguous | VerdictKind::Missing);
        let whole = (0.0..=1.0).contains(&verdict.confidence)
            && verdict.node.is_some() == found
            && verdict.node.iter().chain(&verdict.candidates).all(|&node| page.is_element(node))
            && (verdict.kind == VerdictKind::Changed) != verdict.diff.is_empty()
            && (verdict.kind != VerdictKind::Ambiguous || verdict.candidates.len() > 1)
            && !verdict.reason.is_empty();
        if !whole {
            broken.push(format!("law: a verdict is of one piece; {verdict:?}"));
        }
    }
}
