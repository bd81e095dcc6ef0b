//! What holds for random pages: shadow roots, frames, repeated ids, odd names, look-alikes everywhere.

use opentoolbar_core::anchor::{Anchor, MAX_ENCODED, Verdict, VerdictKind, relocate};
use opentoolbar_core::page::Page;
use proptest::prelude::*;

use super::anchor;
use crate::support::any_capture;

fn any_page() -> impl Strategy<Value = Page> {
    any_capture().prop_map(|capture| Page::from_capture(capture).unwrap())
}

fn every(page: &Page) -> Vec<(u32, Anchor)> {
    page.elements().map(|node| (node, anchor(page, node))).collect()
}

fn anchors(every: &[(u32, Anchor)]) -> Vec<Anchor> {
    every.iter().map(|(_, anchor)| anchor.clone()).collect()
}

/// What a person is told, without how sure it is.
fn said(verdicts: &[Verdict]) -> Vec<(VerdictKind, Option<u32>, &[u32])> {
    verdicts.iter().map(|verdict| (verdict.kind, verdict.node, verdict.candidates.as_slice())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn an_anchor_of_any_element_is_small_and_reads_as_it_was_written(page in any_page()) {
        for (_, anchor) in every(&page) {
            let bytes = anchor.encode();
            prop_assert!(bytes.len() <= MAX_ENCODED);
            let read = Anchor::decode(&bytes);
            prop_assert_eq!(read.as_ref(), Ok(&anchor));
            prop_assert_eq!(Anchor::from_base64(&anchor.to_base64()), Ok(anchor));
        }
    }

    #[test]
    fn on_its_own_page_every_element_is_surely_unchanged(page in any_page()) {
        let every = every(&page);
        for ((node, _), verdict) in every.iter().zip(relocate(&page, &anchors(&every))) {
            prop_assert_eq!((verdict.kind, verdict.node), (VerdictKind::Unchanged, Some(*node)), "{:?}", verdict);
            prop_assert!(verdict.confidence >= 0.95, "{:?}", verdict);
        }
    }

    #[test]
    fn on_any_other_page_verdicts_are_of_one_piece_and_no_element_is_given_twice(
        old in any_page(),
        new in any_page(),
    ) {
        let every = every(&old);
        let verdicts = relocate(&new, &anchors(&every));
        prop_assert_eq!(verdicts.len(), every.len());
        let mut nodes: Vec<u32> = verdicts.iter().filter_map(|verdict| verdict.node).collect();
        let count = nodes.len();
        nodes.sort_unstable();
        nodes.dedup();
        prop_assert_eq!(nodes.len(), count);
        for verdict in &verdicts {
            let found = !matches!(verdict.kind, VerdictKind::Ambiguous | VerdictKind::Missing);
            prop_assert_eq!(verdict.node.is_some(), found);
            prop_assert!((0.0..=1.0).contains(&verdict.confidence));
            prop_assert!(verdict.node.iter().chain(&verdict.candidates).all(|&node| new.is_element(node)));
            prop_assert_eq!(verdict.kind == VerdictKind::Changed, !verdict.diff.is_empty());
            prop_assert!(verdict.kind != VerdictKind::Ambiguous || verdict.candidates.len() > 1);
        }
    }

    #[test]
    fn looking_again_or_in_another_order_says_the_same(old in any_page(), new in any_page(), turn in 0..40usize) {
        let mut every = every(&old);
        let first = relocate(&new, &anchors(&every));
        prop_assert_eq!(&first, &relocate(&new, &anchors(&every)));
        let mut turned = first;
        if !every.is_empty() {
            let turn = turn % every.len();
            every.rotate_left(turn);
            turned.rotate_left(turn);
            every.reverse();
            turned.reverse();
        }
        let again = relocate(&new, &anchors(&every));
        prop_assert_eq!(said(&again), said(&turned));
    }

    #[test]
    fn an_edit_and_its_undo_leave_everything_unchanged(page in any_page(), other in any_page()) {
        let every = every(&page);
        let anchors = anchors(&every);
        drop(relocate(&other, &anchors));
        for ((node, _), verdict) in every.iter().zip(relocate(&page, &anchors)) {
            prop_assert_eq!((verdict.kind, verdict.node), (VerdictKind::Unchanged, Some(*node)));
        }
    }
}
