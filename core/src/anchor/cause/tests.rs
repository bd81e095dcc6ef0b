#![allow(clippy::unwrap_used, reason = "a test may stop at what cannot be")]
use proptest::prelude::*;

use super::*;
use crate::model::{MAX_VALUE, MAX_VALUES, MAX_VARIED};
use crate::page::arbitrary::{Piece, el, page, pieces, text};

fn shop(cart: &str, title: &str) -> Page {
    page(vec![
        el("header", &[], vec![el("h1", &[], vec![text("Shop")]), el("button", &[], vec![text(cart)])]),
        el("main", &[], vec![el("h2", &[], vec![text(title)]), el("p", &[], vec![text("Free shipping")])]),
    ])
}

fn first(page: &Page, tag: &str) -> u32 {
    page.elements().find(|&node| page.tag(node) == tag).unwrap()
}

fn anchor(page: &Page, tag: &str) -> Anchor {
    Anchor::of(page, first(page, tag), &[tag]).unwrap()
}

/// One tab's way: gives look and values back as a caller does.
struct Tab {
    anchor: Anchor,
    look: Option<String>,
    varied: Vec<Varied>,
}

impl Tab {
    fn new(page: &Page, tag: &str) -> Self {
        Self { anchor: anchor(page, tag), look: None, varied: Vec::new() }
    }

    fn sees(&mut self, page: &Page, evidence: Evidence) -> Judged {
        let look = self.look.as_deref().and_then(|look| Look::from_text(look, &self.anchor));
        assert_eq!(look.is_some(), self.look.is_some(), "a look reads back");
        let query = Query {
            anchor: self.anchor.clone(),
            look,
            varied: self.varied.clone(),
            evidence,
            found: Vec::new(),
            held: Held::Unknown,
        };
        let judged = judge(page, vec![query]).remove(0);
        self.look = judged.look.clone().or(self.look.take());
        self.varied = judged.varied.clone().unwrap_or(std::mem::take(&mut self.varied));
        judged
    }

    fn is_outdated_by(&mut self, page: &Page, evidence: Evidence) -> bool {
        let Judged { verdict, cause, .. } = self.sees(page, evidence);
        outdates(verdict.kind) && cause == Cause::Source
    }
}

use Evidence::{Hot, Loaded, None as Same, Unknown};

#[test]
fn using_the_app_outdates_nothing_and_a_change_of_its_source_does() {
    let mut tab = Tab::new(&shop("Open cart (0)", "Mugs"), "button");
    for n in 1..4 {
        let judged = tab.sees(&shop(&format!("Open cart ({n})"), "Mugs"), Same);
        assert_eq!((outdates(judged.verdict.kind), judged.cause), (true, Cause::State));
    }
    // An unrelated file was saved while the counter moved.
    assert!(!tab.is_outdated_by(&shop("Open cart (4)", "Mugs"), Hot));
    assert!(!tab.is_outdated_by(&shop("Open cart (0)", "Mugs"), Loaded));
    assert!(tab.is_outdated_by(&shop("Open basket (0)", "Mugs"), Loaded));
}

fn doors(count: usize) -> Page {
    let door = || el("p", &[("class", "door")], vec![text("Door"), el("button", &[], vec![text("Open")])]);
    page(vec![
        el("h1", &[], vec![text("Doors")]),
        el("main", &[], (0..count).map(|_| door()).collect()),
        el("footer", &[], vec![text("All of the house")]),
    ])
}

/// It is one of those that stand there, whoever looks: also a tab that comes back to it without any evidence.
#[test]
fn one_of_several_that_stand_where_it_was_is_in_view_with_and_without_evidence() {
    let before = doors(3);
    let third = before.elements().filter(|&node| before.tag(node) == "p").nth(2).unwrap();
    for evidence in [Hot, Loaded, Unknown, Same] {
        let anchor = Anchor::of(&before, third, &["p"]).unwrap();
        let query = Query {
            anchor,
            look: None,
            varied: Vec::new(),
            evidence,
            found: Vec::new(),
            held: Held::Unknown,
        };
        let judged = judge(&doors(7), vec![query]).remove(0);
        assert_eq!((judged.verdict.kind, judged.in_view), (VerdictKind::Ambiguous, true), "{evidence:?}");
        // Of nothing that is there it is one.
        let anchor = Anchor::of(&before, third, &["p"]).unwrap();
        let query = Query {
            anchor,
            look: None,
            varied: Vec::new(),
            evidence: Same,
            found: Vec::new(),
            held: Held::Unknown,
        };
        let judged = judge(&shop("Cart", "Plants"), vec![query]).remove(0);
        assert_eq!((judged.verdict.kind, judged.in_view), (VerdictKind::Missing, false));
    }
}

#[test]
fn a_number_that_did_not_vary_is_the_edit_that_was_asked_for() {
    let mut tab = Tab::new(&shop("Buy for $9", "Mugs"), "button");
    tab.sees(&shop("Buy for $9", "Mugs"), Same);
    assert!(tab.is_outdated_by(&shop("Buy for $12", "Mugs"), Hot));
}

#[test]
fn an_edit_does_not_become_the_elements_own_by_being_seen_again() {
    let (old, new) = (shop("Save", "Mugs"), shop("Store", "Mugs"));
    let mut tab = Tab::new(&old, "button");
    tab.sees(&old, Same);
    assert!(tab.is_outdated_by(&new, Loaded));
    let again = tab.sees(&new, Loaded);
    assert_eq!((again.cause, outdates(again.verdict.kind)), (Cause::State, true), "what stood stays");
    tab.sees(&new, Same);
    assert!(tab.varied.is_empty());
    let back = tab.sees(&old, Hot);
    assert_eq!((back.cause, outdates(back.verdict.kind)), (Cause::Source, false), "and the undo heals");
    assert!(tab.varied.is_empty());
}

#[test]
fn a_tab_without_an_earlier_look_judges_against_the_anchor() {
    let old = shop("Save", "Mugs");
    let query = |evidence| {
        judge(
            &shop("Store", "Mugs"),
            vec![Query {
                anchor: anchor(&old, "button"),
                look: None,
                varied: Vec::new(),
                evidence,
                found: Vec::new(),
                held: Held::Unknown,
            }],
        )
        .remove(0)
    };
    assert_eq!(query(Hot).cause, Cause::Source);
    assert_eq!(query(Loaded).cause, Cause::Source);
    assert_eq!(query(Unknown).cause, Cause::Unknown);
    let judged = query(Same);
    assert_eq!((judged.cause, judged.varied), (Cause::State, None), "the anchor may be of an earlier source");
    let look = Look::from_text(&query(Unknown).look.unwrap(), &anchor(&old, "button")).unwrap();
    assert!(look.is_unsure() && look.anchor().is_none(), "what is known is how it was commented on");
}

fn with(dialog: Vec<Piece>) -> Page {
    let mut pieces = vec![
        el("header", &[], vec![el("h1", &[], vec![text("Shop")])]),
        el(
            "main",
            &[],
            vec![el("p", &[], vec![text("Free shipping")]), el("p", &[], vec![text("Mugs and more")])],
        ),
    ];
    pieces.extend(dialog);
    page(pieces)
}

fn dialog(button: Vec<Piece>) -> Vec<Piece> {
    let mut pieces = vec![el("h2", &[], vec![text("Address")]), el("p", &[], vec![text("Where it goes to")])];
    pieces.extend(button);
    vec![el("div", &[("role", "dialog")], pieces)]
}

fn send() -> Vec<Piece> {
    vec![el("button", &[("type", "submit")], vec![text("Send it")])]
}

#[test]
fn what_is_in_a_closed_dialog_is_not_in_view() {
    let open = with(dialog(send()));
    for evidence in [Loaded, Hot] {
        let mut tab = Tab::new(&open, "button");
        tab.sees(&open, Same);
        let judged = tab.sees(&with(vec![]), evidence);
        assert_eq!((judged.cause, judged.in_view), (Cause::State, false), "{evidence:?}");
    }
    // The same element, taken out of the open dialog.
    for evidence in [Loaded, Hot] {
        let mut tab = Tab::new(&open, "button");
        tab.sees(&open, Same);
        assert!(tab.is_outdated_by(&with(dialog(vec![])), evidence), "{evidence:?}");
    }
}

#[test]
fn a_hot_update_that_takes_a_whole_section_away_outdates_what_was_in_it() {
    let section = || vec![el("section", &[], vec![el("h2", &[], vec![text("Ads")]), send().remove(0)])];
    let mut tab = Tab::new(&with(section()), "button");
    tab.sees(&with(section()), Same);
    assert!(tab.is_outdated_by(&with(vec![]), Hot));
    // It was not there before the update either: a route, a filter.
    let mut tab = Tab::new(&with(section()), "button");
    tab.sees(&with(section()), Same);
    tab.sees(&with(vec![]), Same);
    assert!(!tab.is_outdated_by(&with(vec![]), Hot));
}

#[test]
fn what_came_and_went_by_itself_is_not_missing_after_a_load() {
    let toast = || vec![el("div", &[("class", "toast")], vec![el("button", &[], vec![text("Saved. Undo")])])];
    let mut tab = Tab::new(&with(toast()), "button");
    tab.sees(&with(toast()), Same);
    tab.sees(&with(vec![]), Same);
    assert!(!tab.is_outdated_by(&with(vec![]), Loaded));
    // Another one was never seen to go.
    let mut tab = Tab::new(&with(toast()), "button");
    tab.sees(&with(toast()), Same);
    assert!(tab.is_outdated_by(&with(vec![]), Loaded));
}

#[test]
fn a_look_of_another_anchor_is_none() {
    let (old, new) = (shop("Save", "Mugs"), shop("Store", "Mugs"));
    let mut tab = Tab::new(&old, "button");
    tab.sees(&new, Same);
    let look = tab.look.unwrap();
    assert!(Look::from_text(&look, &anchor(&old, "button")).is_some());
    assert!(Look::from_text(&look, &anchor(&new, "button")).is_none());
    for broken in ["", "12345678", "12345678.", "12345678-AQ==", "é234567.", "nonsense"] {
        assert!(Look::from_text(broken, &anchor(&old, "button")).is_none(), "{broken}");
    }
    assert!(Look::from_text(&anchor(&new, "button").to_base64(), &anchor(&old, "button")).is_some());
}

#[test]
fn what_was_seen_while_nobody_could_tell_is_kept_beside_what_is_known() {
    let (old, new) = (shop("Save", "Mugs"), shop("Store", "Mugs"));
    let own = anchor(&old, "button");
    let mut tab = Tab::new(&old, "button");
    tab.sees(&old, Same);
    assert_eq!(tab.sees(&new, Unknown).cause, Cause::Unknown);
    let kept = tab.look.clone().unwrap();
    assert!(Look::from_text(&kept, &own).unwrap().is_unsure());
    for cut in kept.char_indices().map(|(at, _)| at).filter(|&at| at != kept.len()) {
        assert!(Look::from_text(&kept[..cut], &own).is_none_or(|look| !look.is_unsure()), "{cut}");
    }
    // Nothing of it is learnt, and while it is not shown it stays.
    let judged = tab.sees(&new, Same);
    assert_eq!((judged.cause, judged.varied), (Cause::Unknown, None));
    tab.sees(&page(vec![el("main", &[], vec![el("h2", &[], vec![text("Mugs")])])]), Same);
    assert!(!tab.is_outdated_by(&new, Loaded));
    assert_eq!(tab.sees(&new, Same).cause, Cause::Unknown);
    // Once it looks as it is known, the next difference is judged as any; the way back taught nothing.
    tab.sees(&old, Same);
    assert!(tab.varied.is_empty());
    assert!(tab.is_outdated_by(&new, Loaded));
}

#[test]
fn what_was_not_there_while_nobody_could_tell_is_not_taken_out_by_a_later_edit() {
    let full = with(send());
    let empty = with(vec![]);
    let mut tab = Tab::new(&full, "button");
    tab.sees(&full, Same);
    assert_eq!(tab.sees(&empty, Unknown).cause, Cause::Unknown);
    tab.sees(&empty, Same);
    assert!(!tab.is_outdated_by(&empty, Loaded));
    tab.sees(&full, Same);
    assert!(tab.is_outdated_by(&empty, Hot));
}

#[test]
fn what_varies_while_a_look_is_unsure_is_learnt() {
    let cart = |title: &str, n: u32| shop(&format!("{title} ({n})"), "Mugs");
    let mut tab = Tab::new(&cart("Cart", 0), "button");
    tab.sees(&cart("Cart", 0), Same);
    tab.sees(&cart("Basket", 2), Unknown);
    for n in [3, 4] {
        assert_eq!(tab.sees(&cart("Basket", n), Same).cause, Cause::Unknown);
    }
    assert!(!tab.varied.is_empty());
    assert!(!tab.is_outdated_by(&cart("Basket", 1), Loaded));
    assert!(tab.is_outdated_by(&cart("Bag", 1), Loaded));
}

#[test]
fn an_edit_that_is_taken_back_where_nobody_can_tell_is_not_learnt() {
    let (old, new) = (shop("Save", "Mugs"), shop("Store", "Mugs"));
    let mut tab = Tab::new(&old, "button");
    tab.sees(&old, Same);
    assert!(tab.is_outdated_by(&new, Loaded));
    tab.sees(&old, Unknown);
    tab.sees(&old, Same);
    assert!(tab.varied.is_empty());
    assert!(tab.is_outdated_by(&new, Loaded));
}

#[test]
fn no_secret_is_among_the_values_that_varied() {
    const SECRET: &str = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    let mut tab = Tab::new(&shop("Key: none", "Mugs"), "button");
    tab.sees(&shop("Key: none", "Mugs"), Same);
    let judged = tab.sees(&shop(&format!("Key: {SECRET}"), "Mugs"), Same);
    let values = format!("{:?}", judged.varied.unwrap());
    assert!(!values.contains("16C7e42F") && values.contains("[redacted]"), "{values}");
}

/// Queries for every element of a page, with a look at each as it is on another one.
fn queries(old: &Page, between: &Page, evidence: Evidence) -> Vec<Query> {
    let anchors = old.elements().map(|node| Anchor::of(old, node, &[""]).unwrap());
    let query = |look, anchor| Query {
        anchor,
        look,
        varied: Vec::new(),
        evidence,
        found: Vec::new(),
        held: Held::Unknown,
    };
    let first: Vec<Query> = anchors.map(|anchor| query(None, anchor)).collect();
    let looks = judge(between, first.clone());
    let read = |judged: &Judged, anchor: &Anchor| {
        judged.look.as_deref().and_then(|look| Look::from_text(look, anchor))
    };
    looks.iter().zip(first).map(|(judged, one)| query(read(judged, &one.anchor), one.anchor)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn on_its_own_page_every_element_is_well_under_every_evidence(old in pieces(), between in pieces()) {
        let (old, between) = (page(old), page(between));
        for evidence in [Same, Hot, Loaded, Unknown] {
            for judged in judge(&old, queries(&old, &between, evidence)) {
                prop_assert!(!outdates(judged.verdict.kind) && judged.in_view);
                let cause = if evidence == Same { Cause::State } else { Cause::Source };
                prop_assert_eq!(judged.cause, cause);
            }
        }
    }

    #[test]
    fn without_evidence_nothing_is_of_the_source_and_with_it_nothing_is_learnt(
        old in pieces(), between in pieces(), new in pieces()
    ) {
        let (old, between, new) = (page(old), page(between), page(new));
        for evidence in [Same, Hot, Loaded, Unknown] {
            let queries = queries(&old, &between, evidence);
            let judged = judge(&new, queries.clone());
            prop_assert_eq!(&judged, &judge(&new, queries.clone()), "the same twice");
            prop_assert_eq!(judged.len(), queries.len());
            let mut nodes: Vec<u32> = judged.iter().filter_map(|one| one.verdict.node).collect();
            let count = nodes.len();
            nodes.sort_unstable();
            nodes.dedup();
            prop_assert_eq!(nodes.len(), count, "no two share an element");
            for (one, query) in judged.iter().zip(&queries) {
                prop_assert!(evidence != Same || one.cause == Cause::State);
                prop_assert!(evidence == Same || one.varied.is_none());
                prop_assert!(evidence != Unknown || one.cause != Cause::Source || !outdates(one.verdict.kind));
                if evidence == Unknown && let Some(look) = &one.look {
                    let look = Look::from_text(look, &query.anchor).unwrap();
                    let known = |look: &Look| look.anchor().map(Anchor::to_base64);
                    prop_assert!(one.cause != Cause::Unknown || look.is_unsure());
                    prop_assert_eq!(known(&look), query.look.as_ref().and_then(known), "what is known stays");
                }
                prop_assert!(one.in_view || one.verdict.node.is_none());
                prop_assert!(one.in_view || one.cause != Cause::Source);
                prop_assert!(one.look.as_deref().is_none_or(|look| Look::from_text(look, &query.anchor).is_some()));
                let varied = one.varied.as_deref().unwrap_or_default();
                prop_assert!(varied.len() <= MAX_VARIED);
                prop_assert!(varied.iter().all(|one| (1..=MAX_VALUES).contains(&one.values.len())));
                prop_assert!(varied.iter().flat_map(|one| &one.values).all(|value| value.chars().count() <= MAX_VALUE));
            }
        }
    }
}

/// A list of plans, with this query in the page's address.
fn plans(names: &[&str], query: &str) -> Page {
    let items = names.iter().map(|name| el("li", &[], vec![text(name)])).collect();
    let head = el("h1", &[], vec![text("Plans")]);
    let mut capture =
        page(vec![head, el("ul", &[], items), el("p", &[], vec![text("All with tax")])]).to_capture();
    capture.url.push_str(query);
    Page::from_capture(capture).unwrap()
}

#[test]
fn a_row_that_alone_is_lacking_after_a_load_was_taken_out_unless_the_address_may_hide_it() {
    let all = ["Seed", "Sprout", "Tree", "Wood"];
    let seen = |names: &[&str], query: &str, evidence: Evidence| {
        let mut tab = Tab::new(&plans(&all, ""), "li");
        tab.sees(&plans(&all, ""), Same);
        tab.sees(&plans(names, query), evidence)
    };
    let told = |judged: Judged| (judged.verdict.kind, judged.cause, judged.in_view);
    let gone = seen(&all[1..], "", Loaded);
    assert_eq!(gone.words, ["seed"], "where they stand tells whether it is only hidden");
    assert_eq!(told(gone), (crate::anchor::VerdictKind::Missing, Cause::Source, true));
    // Nobody can tell of what, but it could be there.
    let (_, cause, in_view) = told(seen(&all[1..], "", Unknown));
    assert_eq!((cause, in_view), (Cause::Unknown, true));
    assert!(!seen(&all[2..], "", Unknown).in_view);
    for (names, query, evidence) in [
        (&all[1..], "?plan=big", Loaded),
        (&all[2..], "", Loaded),
        (&["Moss", "Fern", "Ivy"], "", Loaded),
        (&all[1..], "", Same),
    ] {
        let (_, cause, in_view) = told(seen(names, query, evidence));
        assert_eq!((cause, in_view), (Cause::State, false), "{names:?} {query:?} {evidence:?}");
    }
}
