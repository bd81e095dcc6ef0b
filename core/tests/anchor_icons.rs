//! What tells icons apart is their drawing: a button with another one is never as it was.

use opentoolbar_core::anchor::{Anchor, VerdictKind, relocate, target_of};
use opentoolbar_core::page::Page;
use proptest::prelude::*;

/// A toolbar of buttons with nothing in them but an icon each, and with a name each or none.
fn toolbar(icons: &[&str], is_named: bool) -> Page {
    let name = |at: usize| if is_named { format!(" aria-label=\"Tool {at}\"") } else { String::new() };
    let buttons: String = icons
        .iter()
        .enumerate()
        .map(|(at, icon)| {
            format!(
                "<button class=\"tool\"{}><svg viewBox=\"0 0 24 24\"><path d=\"{icon}\"/></svg></button>",
                name(at)
            )
        })
        .collect();
    let html = format!(
        "<main><h1>Draft of a letter</h1><div role=\"toolbar\">{buttons}</div><p>Dear neighbours,</p></main>"
    );
    Page::from_html(&html, "http://localhost/").unwrap()
}

/// What is said of the button at this place, alone and together with all the others.
fn said(old: &Page, new: &Page, at: usize) -> [VerdictKind; 2] {
    let buttons = old.elements().filter(|&node| old.tag(node) == "button");
    let anchors: Vec<Anchor> = buttons
        .map(|node| Anchor::from_base64(&target_of(old, node, None).unwrap().anchor).unwrap())
        .collect();
    [relocate(new, &anchors[at..=at])[0].kind, relocate(new, &anchors)[at].kind]
}

/// Points on a grid of 24, as designers' tools write them.
fn icon() -> impl Strategy<Value = String> {
    prop::collection::vec((0..240_u32, 0..240_u32), 2..9).prop_map(|points| {
        let all = points.iter().map(|(x, y)| format!("{}.{} {}.{}", x / 10, x % 10, y / 10, y % 10));
        format!("M{}z", all.collect::<Vec<_>>().join("L"))
    })
}

proptest! {
    #[test]
    fn a_button_with_another_icon_is_never_unchanged(
        icons in prop::collection::vec(icon(), 1..6), other in icon(), which in any::<prop::sample::Index>(), is_named: bool,
    ) {
        prop_assume!(!icons.contains(&other));
        let at = which.index(icons.len());
        let before: Vec<&str> = icons.iter().map(String::as_str).collect();
        let mut after = before.clone();
        after[at] = &other;
        for kind in said(&toolbar(&before, is_named), &toolbar(&after, is_named), at) {
            prop_assert!(!matches!(kind, VerdictKind::Unchanged | VerdictKind::Moved), "{kind:?}");
        }
    }

    #[test]
    fn a_button_with_its_own_icon_is_unchanged(icons in prop::collection::vec(icon(), 1..6), which in any::<prop::sample::Index>()) {
        let at = which.index(icons.len());
        let all: Vec<&str> = icons.iter().map(String::as_str).collect();
        prop_assert_eq!(said(&toolbar(&all, true), &toolbar(&all, true), at), [VerdictKind::Unchanged; 2]);
    }
}
