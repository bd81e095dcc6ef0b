//! Pages that copy the fingerprint of a comment's element onto another.

use opentoolbar_core::anchor::{VerdictKind, relocate};
use opentoolbar_core::page::Page;
use proptest::prelude::*;

use super::{anchor, look, outdated};
use crate::support::Builder;

const VOTE: &[(&str, &str)] = &[
    ("id", "approve"),
    ("class", "btn approve"),
    ("type", "button"),
    ("data-testid", "approve-12"),
    ("title", "Vote for it"),
];

struct Forgery {
    page: Page,
    original: Option<u32>,
    copies: Vec<u32>,
}

/// A council's page: motions with a button each, of which one is the original, and copies of it in a sidebar.
fn council(original: bool, copies_first: bool, copies: usize) -> Forgery {
    let mut builder = Builder::new("http://localhost/votes", "Votes");
    builder.open("html", &[]);
    builder.open("body", &[]);
    let mut copied = Vec::new();
    let sidebar = |builder: &mut Builder, copied: &mut Vec<u32>| {
        builder.open("aside", &[("class", "ads")]);
        for copy in 0..copies {
            builder.leaf("p", &[], &format!("Flats at the quay, offer {copy}"));
            copied.push(builder.leaf("button", VOTE, "Approve"));
        }
        builder.close();
    };
    if copies_first {
        sidebar(&mut builder, &mut copied);
    }
    let mut found = None;
    builder.open("main", &[]);
    for (motion, words) in
        ["Cycle lane on Quay Street", "Trees for the market", "Longer library hours"].iter().enumerate()
    {
        builder.open("article", &[("class", "motion")]);
        builder.leaf("h2", &[], words);
        builder.leaf("p", &[], &format!("Brought by ward {motion}."));
        if motion == 1 && original {
            found = Some(builder.leaf("button", VOTE, "Approve"));
        } else {
            builder.leaf("p", &[("class", "closed")], "The vote is closed.");
        }
        builder.close();
    }
    builder.close();
    if !copies_first {
        sidebar(&mut builder, &mut copied);
    }
    Forgery { page: builder.page(), original: found, copies: copied }
}

#[test]
fn a_copy_is_not_taken_for_an_original_that_is_there() {
    let old = council(true, false, 0);
    let node = old.original.unwrap();
    for copies in [1, 2, 40] {
        for first in [false, true] {
            let new = council(true, first, copies);
            let verdict = look(&old.page, node, &new.page);
            match verdict.kind {
                VerdictKind::Ambiguous => assert!(verdict.candidates.contains(&new.original.unwrap())),
                _ => assert_eq!(verdict.node, new.original, "{copies} copies, first: {first}: {verdict:?}"),
            }
        }
    }
}

#[test]
fn a_copy_elsewhere_is_never_unchanged_when_the_original_is_gone() {
    let old = council(true, false, 0);
    let node = old.original.unwrap();
    for first in [false, true] {
        let new = council(false, first, 1);
        let verdict = look(&old.page, node, &new.page);
        // The page says in every way it can that this is the button, so `moved` is as far as it may go.
        assert_ne!(verdict.kind, VerdictKind::Unchanged, "{verdict:?}");
        assert!(verdict.node.is_none_or(|node| new.copies.contains(&node)));
    }
}

#[test]
fn of_many_copies_elsewhere_none_is_taken_when_the_original_is_gone() {
    let old = council(true, false, 0);
    let node = old.original.unwrap();
    for copies in [2, 3, 12, 400] {
        for first in [false, true] {
            let new = council(false, first, copies);
            let verdict = look(&old.page, node, &new.page);
            assert_eq!(verdict.node, None, "{copies} copies, first: {first}: {verdict:?}");
            assert!(outdated(&verdict));
        }
    }
}

#[test]
fn names_on_another_button_do_not_take_the_comment_from_words_that_stayed() {
    let page = |forged: bool| {
        let mut builder = Builder::new("http://localhost/votes", "Votes");
        builder.open("html", &[]);
        builder.open("body", &[]);
        builder.open("main", &[]);
        let plain: &[(&str, &str)] = &[("type", "button")];
        let own = builder.leaf("button", if forged { plain } else { VOTE }, "Approve the budget");
        builder.close();
        builder.leaf("p", &[], "Flats at the quay");
        let other = builder.leaf("button", if forged { VOTE } else { plain }, "See the flats");
        (builder.page(), own, other)
    };
    let ((old, node, _), (new, own, other)) = (page(false), page(true));
    let verdict = look(&old, node, &new);
    assert_ne!(verdict.node, Some(other), "{verdict:?}");
    assert!(verdict.node == Some(own) || verdict.candidates.contains(&own), "{verdict:?}");
    assert!(outdated(&verdict));
}

/// A list of entries, each with a button. `copy` puts the button of entry `of` a second time into entry `into`, and
/// `gone` takes it out of its own.
fn entries(
    names: &[String],
    copy: Option<(usize, usize)>,
    gone: bool,
) -> (Page, Vec<Option<u32>>, Option<u32>) {
    let mut builder = Builder::new("http://localhost/", "Entries");
    builder.open("html", &[]);
    builder.open("body", &[]);
    let (mut buttons, mut forged) = (Vec::new(), None);
    for (at, name) in names.iter().enumerate() {
        builder.open("section", &[("class", "entry")]);
        builder.leaf("h2", &[], name);
        builder.leaf("p", &[], &format!("What there is to know of {name}."));
        let button = |builder: &mut Builder, of: usize| {
            let id = format!("open-{}", names[of].to_lowercase());
            builder.leaf("button", &[("id", &id), ("class", "open")], &format!("Open {}", names[of]))
        };
        let left_out = gone && copy.is_some_and(|(of, _)| of == at);
        buttons.push((!left_out).then(|| button(&mut builder, at)));
        if let Some((of, _)) = copy.filter(|&(_, into)| into == at) {
            forged = Some(button(&mut builder, of));
        }
        builder.close();
    }
    (builder.page(), buttons, forged)
}

fn names() -> impl Strategy<Value = Vec<String>> {
    prop::collection::btree_set("[A-Z][a-z]{3,9}", 3..9).prop_map(|names| names.into_iter().collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn wherever_the_copy_stands_the_original_is_found_or_named(names in names(), of in 0..8usize, into in 0..8usize) {
        let (of, into) = (of % names.len(), into % names.len());
        prop_assume!(of != into);
        let (old, buttons, _) = entries(&names, None, false);
        let (new, later, forged) = entries(&names, Some((of, into)), false);
        let verdict = look(&old, buttons[of].unwrap(), &new);
        prop_assert_ne!(verdict.node, forged, "{:?}", verdict);
        if verdict.kind == VerdictKind::Ambiguous {
            prop_assert!(verdict.candidates.contains(&later[of].unwrap()));
        } else {
            prop_assert_eq!(verdict.node, later[of], "{:?}", verdict);
        }
    }

    #[test]
    fn a_copy_in_another_entry_is_at_most_the_original_moved(names in names(), of in 0..8usize, into in 0..8usize) {
        let (of, into) = (of % names.len(), into % names.len());
        prop_assume!(of != into);
        let (old, buttons, _) = entries(&names, None, false);
        let (new, later, forged) = entries(&names, Some((of, into)), true);
        let verdict = look(&old, buttons[of].unwrap(), &new);
        prop_assert_ne!(verdict.kind, VerdictKind::Unchanged, "{:?}", verdict);
        prop_assert!(verdict.node.is_none() || verdict.node == forged, "{:?} {:?}", verdict, later);
    }

    #[test]
    fn the_comments_of_the_other_entries_do_not_suffer(names in names(), of in 0..8usize, into in 0..8usize) {
        let (of, into) = (of % names.len(), into % names.len());
        prop_assume!(of != into);
        let (old, buttons, _) = entries(&names, None, false);
        let (new, later, _) = entries(&names, Some((of, into)), false);
        let anchors: Vec<_> = buttons.iter().flatten().map(|&node| anchor(&old, node)).collect();
        for (at, verdict) in relocate(&new, &anchors).into_iter().enumerate().filter(|&(at, _)| at != of) {
            prop_assert_eq!(verdict.node, later[at], "{:?}", verdict);
        }
    }
}
