//! Decoding: identity, typed errors, and no panic on any bytes.

use crate::support::{Builder, any_capture};
use opentoolbar_core::page::{Capture, CaptureError, MAX_CAPTURE_BYTES, Page};
use proptest::prelude::*;

proptest! {
    #[test]
    fn capture_to_arena_to_capture_is_identity(capture in any_capture()) {
        let page = Page::from_capture(capture.clone()).unwrap();
        prop_assert_eq!(page.to_capture(), capture.clone());
        let json = serde_json::to_vec(&capture).unwrap();
        prop_assert_eq!(Page::decode(&json).unwrap().to_capture(), capture);
    }

    #[test]
    fn no_bytes_make_the_decoder_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(Page::decode(&bytes).is_err());
    }

    #[test]
    fn a_capture_with_wrong_integers_is_an_error_or_a_whole_page(
        capture in any_capture(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), -3i32..80), 1..6),
        cut in 0usize..12,
    ) {
        let mut wrong = capture;
        for (at, value) in changes {
            let at = at.index(wrong.nodes.len());
            wrong.nodes[at] = value;
        }
        let keep = wrong.nodes.len() - cut.saturating_sub(9);
        wrong.nodes.truncate(keep);
        if let Ok(page) = Page::from_capture(wrong.clone()) {
            prop_assert_eq!(page.to_capture(), wrong);
            visit_everything(&page);
        }
    }

    #[test]
    fn a_capture_with_wrong_bytes_does_not_panic(
        capture in any_capture(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let mut json = serde_json::to_vec(&capture).unwrap();
        for (at, byte) in changes {
            let at = at.index(json.len());
            json[at] = byte;
        }
        if let Ok(page) = Page::decode(&json) {
            visit_everything(&page);
        }
    }

    #[test]
    fn subtrees_parents_and_siblings_agree(capture in any_capture()) {
        let page = Page::from_capture(capture).unwrap();
        for node in 0..page.len() {
            for child in page.children(node) {
                prop_assert_eq!(page.parent(child), Some(node));
                prop_assert!(page.contains(node, child));
            }
            let elements: Vec<u32> = page.element_children(node).collect();
            for (at, pair) in elements.windows(2).enumerate() {
                prop_assert_eq!(page.next_element(pair[0]), Some(pair[1]));
                prop_assert_eq!(page.previous_element(pair[1]), Some(pair[0]));
                prop_assert_eq!(page.nth_child(pair[0]), at as u32 + 1);
            }
        }
    }

    #[test]
    fn index_lists_hold_exactly_what_a_search_finds(capture in any_capture()) {
        let page = Page::from_capture(capture).unwrap();
        let sorted = |list: &[u32]| { let mut list = list.to_vec(); list.sort_unstable(); list };
        for node in page.elements() {
            let tag = page.tag(node);
            prop_assert_eq!(sorted(page.with_tag(tag)), page.elements().filter(|&n| page.tag(n) == tag).collect::<Vec<_>>());
            for class in page.classes(node) {
                let found: Vec<u32> = page.elements().filter(|&n| page.classes(n).any(|c| c == class)).collect();
                prop_assert_eq!(sorted(page.with_class(class)), found);
            }
            for (name, value) in page.attributes(node).filter(|(name, _)| *name != "class") {
                let found: Vec<u32> = page.elements().filter(|&n| page.attr(n, name) == Some(value)).collect();
                prop_assert_eq!(sorted(page.with_attr(name, value)), found);
            }
        }
    }
}

fn visit_everything(page: &Page) {
    for node in 0..=page.len() {
        let _ = (
            page.kind(node),
            page.tag(node),
            page.id(node),
            page.rect(node),
            page.flags(node),
            page.data(node),
        );
        let _ = (page.text(node, 50), page.own_text(node, 50), page.nth_child(node), page.nth_of_type(node));
        let _ = (page.ancestors(node).count(), page.children(node).count(), page.classes(node).count());
        let _ =
            (page.next_element(node), page.previous_element(node), page.inner_root(node), page.host(node));
    }
}

fn small() -> Capture {
    let mut b = Builder::new("https://example.com/", "t");
    b.open("html", &[("lang", "en")]);
    b.leaf("p", &[], "text");
    b.capture()
}

#[test]
fn what_says_how_elements_are_drawn_names_elements_in_order_and_strings() {
    let with = |drawings: &[u32]| {
        let mut capture = small();
        capture.drawings = drawings.to_vec();
        Page::from_capture(capture)
    };
    let page = with(&[1, 0, 2, 1]).unwrap();
    let string = |at: u32| Some(page.string(at).to_owned());
    assert_eq!(
        [0, 1, 2, 3, 99].map(|node| page.drawing(node).map(str::to_owned)),
        [None, string(0), string(1), None, None]
    );
    assert_eq!(with(&[1]).unwrap_err(), CaptureError::DrawingPairs { len: 1 });
    for [node, string] in [[0, 0], [3, 0], [99, 0], [1, 9_999]] {
        assert_eq!(with(&[node, string]).unwrap_err(), CaptureError::Drawing { pair: 0, node, string });
    }
    assert_eq!(with(&[2, 0, 1, 0]).unwrap_err(), CaptureError::Drawing { pair: 1, node: 1, string: 0 });
    assert_eq!(with(&[1, 0, 1, 0]).unwrap_err(), CaptureError::Drawing { pair: 1, node: 1, string: 0 });
}

#[test]
fn each_defect_has_its_own_error() {
    let change = |at: usize, value: i32| {
        let mut capture = small();
        capture.nodes[at] = value;
        Page::from_capture(capture).unwrap_err()
    };
    assert!(matches!(change(0, 3), CaptureError::NoDocument));
    assert!(matches!(change(1, 0), CaptureError::NoDocument));
    assert!(matches!(change(10, 9), CaptureError::Kind { node: 1, kind: 9 }));
    assert!(matches!(change(11, 1), CaptureError::Parent { node: 1, parent: 1 }));
    assert!(matches!(change(11, -1), CaptureError::Parent { node: 1, parent: -1 }));
    assert!(matches!(change(12, 99), CaptureError::NodeString { node: 1, string: 99, .. }));
    assert!(matches!(change(12, -1), CaptureError::NodeString { node: 1, string: -1, .. }));
    assert!(matches!(change(13, 1), CaptureError::AttributeRange { node: 1, .. }));
    assert!(matches!(change(14, i32::MAX), CaptureError::AttributeRange { node: 1, .. }));
    assert!(matches!(change(24, -1), CaptureError::AttributeRange { node: 2, .. }));
    assert!(matches!(change(17, -5), CaptureError::Box { node: 1 }));
    assert!(matches!(change(31, 0), CaptureError::Nesting { node: 3, .. }));
    let with = |edit: &dyn Fn(&mut Capture)| {
        let mut capture = small();
        edit(&mut capture);
        Page::from_capture(capture).unwrap_err()
    };
    assert!(matches!(with(&|c| c.version = 7), CaptureError::Version { found: 7 }));
    assert!(matches!(with(&|c| c.nodes.truncate(15)), CaptureError::Stride { len: 15 }));
    assert!(matches!(with(&|c| c.nodes.clear()), CaptureError::NoDocument));
    assert!(matches!(with(&|c| c.attributes.truncate(1)), CaptureError::AttributePairs { len: 1 }));
    assert!(matches!(
        with(&|c| c.attributes[0] = 999),
        CaptureError::AttributeString { pair: 0, string: 999, .. }
    ));
    assert!(matches!(with(&|c| c.strings[1] = "a b".to_owned()), CaptureError::Tag { node: 1 }));
    assert!(matches!(with(&|c| c.strings.push("html".to_owned())), CaptureError::DuplicateString { .. }));
    assert!(matches!(
        with(&|c| c.nodes.resize(10 * 250_001, 0)),
        CaptureError::TooManyNodes { nodes: 250_001 }
    ));
    assert!(matches!(Page::decode(b"\xff\xfe"), Err(CaptureError::Json(_))));
    assert!(matches!(Page::decode(b"{}"), Err(CaptureError::Json(_))));
    let big = vec![b' '; MAX_CAPTURE_BYTES + 1];
    assert!(matches!(Page::decode(&big), Err(CaptureError::TooManyBytes { .. })));
}

#[test]
fn an_element_has_at_most_one_shadow_root_and_it_comes_first() {
    let mut b = Builder::new("https://example.com/", "t");
    b.open("x-card", &[]);
    b.shadow();
    b.close();
    b.shadow();
    let error = Page::from_capture(b.capture()).unwrap_err();
    assert_eq!(error, CaptureError::SecondRoot { node: 3, child: "shadow root", parent: 1 });
}

#[test]
fn a_subtree_that_was_left_may_not_be_entered_again() {
    let mut b = Builder::new("https://example.com/", "t");
    b.open("html", &[]);
    b.leaf("ul", &[], "");
    b.leaf("p", &[], "");
    b.leaf("li", &[], "");
    let mut capture = b.capture();
    capture.nodes[41] = 2;
    assert_eq!(Page::from_capture(capture).unwrap_err(), CaptureError::NotPreorder { node: 4, parent: 2 });
}

#[test]
fn a_hundred_thousand_nodes_five_thousand_deep_are_a_page() {
    let mut b = Builder::new("https://example.com/", "t");
    b.open("html", &[]);
    for _ in 0..5_000 {
        b.open("div", &[]);
    }
    for at in 0..50_000 {
        b.leaf("span", &[("id", &at.to_string())], "x");
    }
    let page = b.page();
    assert!(page.len() > 100_000);
    let last = page.len() - 2;
    assert_eq!(page.element_ancestors(last).count(), 5_001);
    assert_eq!(page.with_attr("id", "49999"), [last]);
    assert_eq!(page.nth_child(last), 50_000);
    assert_eq!(page.text(0, 5), "x x x");
}

#[test]
fn text_is_folded_and_words_are_kept_together() {
    let mut b = Builder::new("https://example.com/", "t");
    b.open("html", &[]);
    let p = b.open("p", &[]);
    b.text("  Hel");
    b.leaf("b", &[], "lo");
    b.text(",\n wide ");
    b.leaf("i", &[], "world");
    b.leaf("div", &[], "next");
    b.leaf("script", &[], "code()");
    b.close();
    let page = b.page();
    assert_eq!(page.text(p, 100), "Hello, wide world next");
    assert_eq!(page.own_text(p, 100), "Hel , wide");
    assert_eq!(page.text(p, 7), "Hello,");
}
