#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop at what cannot be")]
use proptest::prelude::*;

use super::*;
use crate::page::Page;
use crate::page::arbitrary::{Piece, el, page, pieces, text};

/// The only element with `data-testid="it"`.
fn it(page: &Page) -> u32 {
    let found = page.with_attr("data-testid", "it");
    assert_eq!(found.len(), 1);
    found[0]
}

/// The first element with exactly this text of its own.
fn saying(page: &Page, words: &str) -> u32 {
    page.elements().find(|&node| page.own_text(node, 99) == words).unwrap()
}

fn all(page: &Page, elements: &[(u32, &str)]) -> Vec<Anchor> {
    elements.iter().map(|&(node, selector)| Anchor::of(page, node, &[selector]).unwrap()).collect()
}

fn find(old: &Page, node: u32, new: &Page) -> Verdict {
    let anchor = Anchor::of(old, node, &[""]).unwrap();
    relocate(new, std::slice::from_ref(&anchor)).remove(0)
}

fn fields(verdict: &Verdict) -> Vec<&str> {
    verdict.diff.iter().map(|change| change.field.as_str()).collect()
}

fn form(button: Piece) -> Vec<Piece> {
    vec![
        el("header", &[("class", "top")], vec![el("h1", &[], vec![text("Settings")])]),
        el(
            "form",
            &[("class", "settings")],
            vec![
                el("label", &[("for", "name")], vec![text("Name")]),
                el("input", &[("id", "name"), ("type", "text")], vec![]),
                el("p", &[], vec![text("Everybody can see this name.")]),
                button,
                el("button", &[("type", "reset"), ("class", "btn")], vec![text("Cancel")]),
            ],
        ),
        el("footer", &[], vec![text("Made with care")]),
    ]
}

fn save(words: &str, attributes: &[(&'static str, &str)]) -> Piece {
    el("button", attributes, vec![text(words)])
}

const SAVE: &[(&str, &str)] = &[("type", "submit"), ("class", "btn btn-primary")];

#[test]
fn an_edited_text_is_changed_with_both_texts() {
    let (old, new) = (page(form(save("Save", SAVE))), page(form(save("Save changes", SAVE))));
    let verdict = find(&old, saying(&old, "Save"), &new);
    assert_eq!((verdict.kind, verdict.node), (VerdictKind::Changed, Some(saying(&new, "Save changes"))));
    assert_eq!(fields(&verdict), ["text"]);
    assert_eq!(verdict.diff[0].before.as_deref(), Some("Save"));
    assert_eq!(verdict.diff[0].after.as_deref(), Some("Save changes"));
    assert_eq!(verdict.reason, "Its text changed.");
    assert!(outdates(verdict.kind));
}

#[test]
fn a_changed_attribute_is_changed_with_its_name() {
    let other = &[("type", "submit"), ("class", "btn btn-primary"), ("title", "Keep it")];
    let (old, new) = (page(form(save("Save", SAVE))), page(form(save("Save", other))));
    let verdict = find(&old, saying(&old, "Save"), &new);
    assert_eq!((verdict.kind, verdict.node), (VerdictKind::Changed, Some(saying(&new, "Save"))));
    assert_eq!(fields(&verdict), ["attribute:title"]);
}

#[test]
fn an_element_elsewhere_is_moved() {
    let old = page(form(save("Save", SAVE)));
    let mut pieces = form(el("hr", &[], vec![]));
    pieces.push(el("div", &[("class", "bar")], vec![el("div", &[], vec![save("Save", SAVE)])]));
    let new = page(pieces);
    let verdict = find(&old, saying(&old, "Save"), &new);
    assert_eq!((verdict.kind, verdict.node), (VerdictKind::Moved, Some(saying(&new, "Save"))));
    assert!(verdict.diff.is_empty() && !outdates(verdict.kind));
}

#[test]
fn a_wrapped_element_is_moved() {
    let old = page(form(save("Save", SAVE)));
    let new = page(form(el("div", &[("class", "row")], vec![save("Save", SAVE)])));
    let verdict = find(&old, saying(&old, "Save"), &new);
    assert_eq!((verdict.kind, verdict.node), (VerdictKind::Moved, Some(saying(&new, "Save"))));
}

#[test]
fn made_up_class_names_are_noise() {
    let with = |made_up: &str| vec![save("Save", &[("class", &format!("btn {made_up}"))])];
    let (old, new) = (page(with("css-1x2y3z")), page(with("css-9q8w7e")));
    let verdict = find(&old, saying(&old, "Save"), &new);
    assert_eq!((verdict.kind, verdict.node), (VerdictKind::Unchanged, Some(saying(&new, "Save"))));
}

fn cards(names: &[&str]) -> Vec<Piece> {
    let card = |name: &&str| {
        let title = el("h3", &[], vec![text(name)]);
        let button = el("button", &[("class", "buy")], vec![text("Buy")]);
        el("li", &[("class", "card")], vec![title, el("p", &[], vec![text("In stock")]), button])
    };
    vec![el("ul", &[("class", "cards")], names.iter().map(card).collect())]
}

#[test]
fn a_deleted_list_item_is_not_taken_for_its_neighbour() {
    let names = ["Anvil", "Bellows", "Chisel", "Drill", "Easel"];
    let old = page(cards(&names));
    for gone in 0..names.len() {
        let mut left = names.to_vec();
        left.remove(gone);
        let new = page(cards(&left));
        let title = saying(&old, names[gone]);
        for node in [title, old.parent(title).unwrap()] {
            let verdict = find(&old, node, &new);
            let silent = matches!(verdict.kind, VerdictKind::Unchanged | VerdictKind::Moved);
            assert!(!silent, "{} became {verdict:?}", names[gone]);
            assert!(verdict.kind != VerdictKind::Changed || verdict.confidence < 0.8, "{verdict:?}");
        }
    }
}

#[test]
fn the_other_items_of_a_list_stay_themselves() {
    let names = ["Anvil", "Bellows", "Chisel", "Drill", "Easel"];
    let old = page(cards(&names));
    let new = page(cards(&["Zither", "Anvil", "Chisel", "Drill", "Easel"]));
    for name in ["Anvil", "Chisel", "Drill", "Easel"] {
        let (before, after) = (saying(&old, name), saying(&new, name));
        let verdict = find(&old, before, &new);
        assert_eq!(verdict.node, Some(after), "{name}: {verdict:?}");
        assert!(!outdates(verdict.kind));
        let verdict = find(&old, old.parent(before).unwrap(), &new);
        assert_eq!(verdict.node, new.parent(after), "{name}: {verdict:?}");
    }
}

#[test]
fn twins_with_nothing_around_to_tell_them_apart_are_ambiguous() {
    let twin = || el("i", &[("class", "icon")], vec![]);
    let row = |n: usize| vec![el("div", &[], (0..n).map(|_| twin()).collect())];
    let (old, new) = (page(row(4)), page(row(7)));
    let third = old.with_tag("i")[2];
    let verdict = find(&old, third, &new);
    assert!(
        verdict.kind == VerdictKind::Ambiguous || verdict.confidence < 0.8,
        "one of seven equal icons was taken for sure: {verdict:?}"
    );
}

#[test]
fn a_duplicated_card_does_not_take_the_comment_away() {
    let old = page(cards(&["Anvil", "Bellows"]));
    let new = page(cards(&["Anvil", "Bellows", "Anvil"]));
    let verdict = find(&old, saying(&old, "Anvil"), &new);
    assert!(verdict.node.is_none() || verdict.node == Some(saying(&new, "Anvil")), "{verdict:?}");
}

#[test]
fn two_anchors_never_get_the_same_element_unless_they_are_of_one() {
    let old = page(cards(&["Anvil", "Bellows", "Chisel"]));
    let new = page(cards(&["Chisel"]));
    let nodes: Vec<(u32, &str)> = old.with_tag("h3").iter().map(|&node| (node, "")).collect();
    let anchors = all(&old, &nodes);
    let verdicts = relocate(&new, &anchors);
    let found: Vec<u32> = verdicts.iter().filter_map(|verdict| verdict.node).collect();
    assert_eq!(found, [saying(&new, "Chisel")], "{verdicts:?}");
    let twice = [anchors[2].clone(), anchors[2].clone()];
    assert!(relocate(&new, &twice).iter().all(|verdict| verdict.node == Some(saying(&new, "Chisel"))));
}

#[test]
fn on_another_page_it_is_missing() {
    let old = page(form(save("Save", SAVE)));
    let new = page(vec![el("article", &[], vec![text("Something else"), el("a", &[], vec![text("Home")])])]);
    let verdict = find(&old, saying(&old, "Save"), &new);
    assert_eq!((verdict.kind, verdict.node), (VerdictKind::Missing, None));
    assert!(find(&old, saying(&old, "Save"), &page(vec![])).kind == VerdictKind::Missing);
}

#[test]
fn the_stored_selector_is_evidence_and_never_enough_alone() {
    let old = page(form(save("Save", SAVE)));
    let new = page(form(save("Save changes", &[("type", "submit"), ("class", "btn")])));
    let confidence = |selector: &str| {
        let anchor = Anchor::of(&old, saying(&old, "Save"), &[selector]).unwrap();
        let verdict = relocate(&new, &[anchor]).remove(0);
        assert_eq!(verdict.node, Some(saying(&new, "Save changes")), "{selector}: {verdict:?}");
        verdict.confidence
    };
    // That it means another element, or none any more, takes none of the rest away.
    for selector in ["[type=\"submit\"]", ".gone", "[type=\"reset\"]"] {
        assert!(confidence(selector) > 0.9, "{selector}");
    }

    let other = page(vec![el("article", &[("type", "submit")], vec![text("Something else")])]);
    let anchor = Anchor::of(&old, saying(&old, "Save"), &["[type=\"submit\"]"]).unwrap();
    assert_eq!(relocate(&other, &[anchor])[0].kind, VerdictKind::Missing);
}

#[test]
fn versions_and_damage_are_told_apart() {
    let old = page(form(el("button", &[("data-testid", "it")], vec![])));
    let bytes = Anchor::of(&old, it(&old), &["[data-testid=it]"]).unwrap().encode();
    let mut newer = bytes.clone();
    newer[0] = VERSION + 1;
    assert_eq!(Anchor::decode(&newer), Err(AnchorError::Newer { found: VERSION + 1 }));
    assert_eq!(Anchor::decode(&bytes[..bytes.len() - 1]), Err(AnchorError::Damaged));
    assert_eq!(Anchor::decode(&[]), Err(AnchorError::Empty));
    assert_eq!(Anchor::decode(&[VERSION; 3_000]), Err(AnchorError::TooLong { bytes: 3_000 }));
    assert_eq!(Anchor::from_base64("*"), Err(AnchorError::Damaged));
    assert_eq!(Anchor::of(&old, 0, &["x"]), Err(AnchorError::NotAnElement { node: 0 }));
}

#[test]
fn the_longest_element_still_has_a_short_anchor() {
    let long = "🦀é\"".repeat(4_000);
    let many: Vec<(&'static str, &str)> =
        ["title", "href", "alt", "name", "id", "value", "role", "src", "for", "rel"]
            .map(|name| (name, long.as_str()))
            .into();
    let class = (0..900).map(|n| format!("class-name-{n}")).collect::<Vec<_>>().join(" ");
    let mut attributes = many;
    attributes.push(("class", &class));
    let icon = || el("img", &[("src", &long), ("class", &class)], vec![]);
    let deep = (0..60).fold(el("button", &attributes, vec![text(&long), icon()]), |inside, _| {
        el("section", &attributes, vec![text(&long), inside, text("after")])
    });
    let page = page(vec![deep]);
    let selectors = ["a", "b", "c", "d"].map(|letter| letter.repeat(99));
    let anchor = Anchor::of(&page, page.with_tag("button")[0], &selectors).unwrap();
    assert!(anchor.encode().len() <= MAX_ENCODED, "{}", anchor.encode().len());
    assert_eq!(
        Anchor::decode(&anchor.encode()).map(|anchor| anchor.appearance.clone()),
        Ok(anchor.appearance.clone())
    );
    assert_eq!(relocate(&page, &[anchor])[0].kind, VerdictKind::Unchanged);
}

#[test]
fn what_is_only_like_another_comments_element_is_as_surely_gone_as_without_that_comment() {
    let list = |items: &[&str]| {
        page(vec![el("ul", &[], items.iter().map(|item| el("li", &[], vec![text(item)])).collect())])
    };
    let (old, new) = (list(&["Tent", "Stove"]), list(&["Tent"]));
    let verdicts = relocate(&new, &all(&old, &[(saying(&old, "Tent"), ""), (saying(&old, "Stove"), "")]));
    assert_eq!(verdicts[0].node, Some(saying(&new, "Tent")));
    assert_eq!(verdicts[1].kind, VerdictKind::Missing);
    let alone = find(&old, saying(&old, "Stove"), &new);
    assert!((verdicts[1].confidence - alone.confidence).abs() < 0.02, "{alone:?} {:?}", verdicts[1]);
    assert_eq!(verdicts[1].candidates, [saying(&new, "Tent")]);
    assert!(verdicts[1].reason.contains("another comment"), "{:?}", verdicts[1]);
}

/// Rows of a board: for each what its title says, and what its button says.
fn rows() -> impl Strategy<Value = Vec<(usize, usize)>> {
    prop::collection::vec((0..5usize, 0..2usize), 1..9)
}

/// A list with many equal things in it, under a heading that stays.
fn board(rows: &[(usize, usize)]) -> Page {
    let row = |&(title, button): &(usize, usize)| {
        let title = text(["Anvil", "Bellows", "Chisel", "", "Anvil and bellows"][title]);
        let button = el("button", &[("class", "buy")], vec![text(["Buy", "Sold out"][button])]);
        el("li", &[], vec![el("h3", &[], vec![title]), el("i", &[], vec![]), button])
    };
    let list = el("ul", &[], rows.iter().map(row).collect());
    page(vec![el("h1", &[], vec![text("Tools")]), list, el("p", &[], vec![text("All prices with tax")])])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn on_an_unchanged_page_every_element_is_unchanged(pieces in pieces()) {
        let page = page(pieces);
        let elements: Vec<(u32, &str)> = page.elements().map(|node| (node, "")).collect();
        let anchors = all(&page, &elements);
        for (verdict, (node, _)) in relocate(&page, &anchors).iter().zip(&elements) {
            prop_assert_eq!(verdict.kind, VerdictKind::Unchanged);
            prop_assert_eq!(verdict.node, Some(*node));
            prop_assert!(verdict.confidence > 0.95 && verdict.diff.is_empty());
        }
        for anchor in anchors {
            let bytes = anchor.encode();
            prop_assert!(bytes.len() <= MAX_ENCODED);
            prop_assert_eq!(Anchor::decode(&bytes), Ok(anchor.clone()));
            prop_assert_eq!(Anchor::from_base64(&anchor.to_base64()), Ok(anchor));
        }
    }

    #[test]
    fn on_any_other_page_nothing_panics_and_no_element_is_given_twice(old in pieces(), new in pieces()) {
        let (old, new) = (page(old), page(new));
        let elements: Vec<(u32, &str)> = old.elements().map(|node| (node, "")).collect();
        let verdicts = relocate(&new, &all(&old, &elements));
        let mut nodes: Vec<u32> = verdicts.iter().filter_map(|verdict| verdict.node).collect();
        let count = nodes.len();
        nodes.sort_unstable();
        nodes.dedup();
        prop_assert_eq!(nodes.len(), count);
        for verdict in verdicts {
            prop_assert!((0.0..=1.0).contains(&verdict.confidence));
            prop_assert!(verdict.node.is_none_or(|node| new.is_element(node)));
            let unsure = matches!(verdict.kind, VerdictKind::Ambiguous | VerdictKind::Missing);
            prop_assert_eq!(verdict.node.is_none(), unsure);
            prop_assert!(unsure || verdict.candidates.is_empty());
            prop_assert!(verdict.kind != VerdictKind::Ambiguous || verdict.candidates.len() > 1);
            prop_assert_eq!(verdict.kind == VerdictKind::Changed, !verdict.diff.is_empty());
        }
    }

    #[test]
    fn other_comments_never_make_an_element_as_it_was(old in rows(), new in rows()) {
        let (old, new) = (board(&old), board(&new));
        let elements: Vec<(u32, &str)> = old.elements().map(|node| (node, "")).collect();
        let anchors = all(&old, &elements);
        for (together, anchor) in relocate(&new, &anchors).into_iter().zip(&anchors) {
            let alone = relocate(&new, std::slice::from_ref(anchor)).remove(0);
            let as_it_was = |kind| matches!(kind, VerdictKind::Unchanged | VerdictKind::Moved);
            prop_assert!(
                !as_it_was(together.kind) || (as_it_was(alone.kind) && together.node == alone.node),
                "alone {:?}, together {:?}", alone, together
            );
        }
    }

    #[test]
    fn a_claim_that_is_ambiguous_takes_no_element_from_the_one_at_its_own_place(old in rows(), new in rows()) {
        let (old, new) = (board(&old), board(&new));
        let elements: Vec<(u32, &str)> = old.elements().map(|node| (node, "")).collect();
        let anchors = all(&old, &elements);
        let alone: Vec<Verdict> =
            anchors.iter().map(|anchor| relocate(&new, std::slice::from_ref(anchor)).remove(0)).collect();
        let together = relocate(&new, &anchors);
        for (at, (one, verdict)) in alone.iter().zip(&together).enumerate() {
            let Some(own) = one.node.filter(|_| one.kind == VerdictKind::Unchanged) else { continue };
            let owner = together.iter().position(|other| other.node == Some(own));
            let is_taken = verdict.node != Some(own)
                && owner.is_some_and(|owner| alone[owner].kind == VerdictKind::Ambiguous);
            prop_assert!(!is_taken, "{at}: alone {one:?}, together {verdict:?}, {owner:?} has it");
        }
    }

    #[test]
    fn no_bytes_panic_an_anchor(bytes in prop::collection::vec(any::<u8>(), 0..300), at in 0..400usize, with in any::<u8>()) {
        let _ = Anchor::decode(&bytes);
        let page = page(form(save("Save", SAVE)));
        let mut damaged = Anchor::of(&page, saying(&page, "Save"), &["button"]).unwrap().encode();
        let at = at % damaged.len();
        damaged[at] = with;
        // Whatever still reads as an anchor must be safe to look for.
        if let Ok(anchor) = Anchor::decode(&damaged) {
            let _ = relocate(&page, &[anchor]);
        }
    }
}

#[test]
fn a_target_holds_snapshot_selector_and_anchor_and_passes_the_limits() {
    let page = page(form(save("Save", SAVE)));
    let node = saying(&page, "Save");
    let target = target_of(&page, node, None).unwrap();
    assert_eq!(target.snapshot.text, "Save");
    assert_eq!(crate::selector::resolve(&page, &target.selector).unwrap(), [node]);
    assert_eq!(relocate(&page, &[Anchor::from_base64(&target.anchor).unwrap()])[0].node, Some(node));
    crate::model::limits::check_targets(&[target]).unwrap();
    assert!(target_of(&page, 0, None).is_err());
}

#[test]
fn secrets_are_not_kept() {
    let token = "sk_live_4eC39HqLyjWDarjtT1zdp7dc9f0A";
    let field = [("type", "password"), ("value", "hunter2secret"), ("title", token), ("data-testid", "it")];
    let page = page(form(el("input", &field, vec![])));
    let bytes = Anchor::of(&page, it(&page), &["x"]).unwrap().encode();
    let bytes = String::from_utf8_lossy(&bytes);
    assert!(!bytes.contains("hunter2secret") && !bytes.contains(token));
}

#[test]
fn others_are_left_alone_only_where_the_first_leave_no_doubt() {
    let list = |more: usize, edited: usize| {
        let said = |at: usize| {
            if at == edited {
                "Words of another kind".to_owned()
            } else {
                format!("Entry {at} on topic {at}")
            }
        };
        let items = (0..40 + more).map(|at| el("li", &[("class", "entry")], vec![text(&said(at))]));
        page(vec![el("ul", &[], items.collect())])
    };
    let (old, new) = (list(0, 99), list(1, 20));
    let compared = |words: &str, every: bool| {
        let anchor = Anchor::of(&old, saying(&old, words), &[""]).unwrap();
        let survey = super::survey::Survey::new(&new);
        let sought = super::sought::Sought::new(&survey, &anchor, false);
        let mut board = super::candidates::Board::new(&survey);
        let list =
            super::relocate::scored(&super::model::Model::learnt(), &survey, &sought, &mut board, every);
        list.iter().map(|one| one.node).collect::<Vec<u32>>()
    };
    let (some, every) = (compared("Entry 10 on topic 10", false), compared("Entry 10 on topic 10", true));
    assert!(some.len() < every.len(), "{some:?} {every:?}");
    assert_eq!((some[0], every[0]), (saying(&new, "Entry 10 on topic 10"), some[0]));
    let edited = compared("Entry 20 on topic 20", false);
    assert_eq!(edited, compared("Entry 20 on topic 20", true));
}
