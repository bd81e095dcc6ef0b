//! What a page holds as a comment's element: by mere use a pin never stands at another row's element, and after a
//! change of the source the node that is held says next to nothing.

use opentoolbar_core::anchor::{Anchor, Evidence, Held, Judged, Query, VerdictKind, judge};
use opentoolbar_core::page::Page;
use proptest::prelude::*;

const NAMES: [&str; 6] = ["Beans", "Filter", "Mug", "Kettle", "Spoon", "Tray"];

/// Rows by name, each with a status and a number.
type Rows = Vec<(usize, &'static str, u8)>;

fn list(rows: &Rows, title: &str) -> Page {
    list_with(rows, title, true, true)
}

fn list_with(rows: &Rows, title: &str, has_status: bool, has_number: bool) -> Page {
    let row = |&(name, status, number): &(usize, &str, u8)| {
        let status = if has_status { format!("<i>{status}</i>") } else { String::new() };
        let number = if has_number { format!("<em>{number}</em>") } else { String::new() };
        format!("<li><b>{}</b> {status} <button>−</button> {number} <button>+</button></li>", NAMES[name])
    };
    let rows: String = rows.iter().map(row).collect();
    let html = format!("<body><main><h1>{title}</h1><ul>{rows}</ul><p>Free shipping</p></main></body>");
    Page::from_html(&html, "http://localhost:5173/").unwrap()
}

/// The `nth` element of a tag.
fn nth(page: &Page, tag: &str, nth: usize) -> u32 {
    page.elements().filter(|&node| page.tag(node) == tag).nth(nth).unwrap()
}

fn asked(page: &Page, anchor: &Anchor, evidence: Evidence, held: Held) -> Judged {
    let query =
        Query { anchor: anchor.clone(), look: None, varied: Vec::new(), evidence, found: Vec::new(), held };
    judge(page, vec![query]).remove(0)
}

fn rows() -> impl Strategy<Value = Rows> {
    let row = (prop::sample::select(vec!["open", "sold", "new"]), 0u8..4);
    let all = prop::collection::vec(row, NAMES.len());
    let names: Vec<usize> = (0..NAMES.len()).collect();
    (prop::sample::subsequence(names, 2..=NAMES.len()).prop_shuffle(), all)
        .prop_map(|(names, rows)| names.into_iter().zip(rows).map(|(name, (a, b))| (name, a, b)).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 160, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn by_use_of_a_list_a_pin_is_at_its_own_row_or_nowhere(
        before in rows(), after in rows(), tag in prop::sample::select(vec!["em", "i"]), at in 0usize..6, reused in 0usize..12,
    ) {
        // The only word of a row that is no name, at another row after it went, would be taken for its name.
        let page = |rows| list_with(rows, "Cart", tag == "i", tag == "em");
        let (old, new) = (page(&before), page(&after));
        let at = at % before.len();
        let anchor = Anchor::of(&old, nth(&old, tag, at), &[tag]).unwrap();
        let own = after.iter().position(|row| row.0 == before[at].0).map(|place| nth(&new, tag, place));
        // With keys; and without, where any other row's words may stand in the node, which may be gone as well.
        let with_keys = own.map_or(Held::Gone, Held::At);
        let without_keys = if reused < after.len() { Held::At(nth(&new, tag, reused)) } else { Held::Gone };
        for held in [with_keys, without_keys] {
            let Judged { verdict, in_view, .. } = asked(&new, &anchor, Evidence::None, held);
            // Of a row that has another name in the same node nothing tells whether it was renamed.
            let is_renamed = |node: u32| {
                let place = (0..after.len()).find(|&place| nth(&new, tag, place) == node);
                let is_new = |place: usize| before.iter().all(|row| row.0 != after[place].0);
                held == Held::At(node) && place.is_some_and(is_new)
            };
            let is_told = |node: u32| Some(node) == own || verdict.confidence < 0.7 || is_renamed(node);
            prop_assert!(verdict.node.is_none_or(is_told), "{held:?} {verdict:?} not {own:?}");
            if held == with_keys && own.is_some() {
                prop_assert!(verdict.node == own && in_view, "{held:?} {verdict:?} not {own:?}");
            }
        }
    }

    #[test]
    fn a_held_node_makes_nothing_as_it_was_that_says_something_else(
        before in rows(), after in rows(), at in 0usize..6, node in 0u32..80,
    ) {
        let (old, new) = (list(&before, "Cart"), list(&after, "Cart"));
        for tag in ["em", "i", "li", "b"] {
            let element = nth(&old, tag, at % before.len());
            let anchor = Anchor::of(&old, element, &[tag]).unwrap();
            let Judged { verdict, .. } = asked(&new, &anchor, Evidence::None, Held::At(node));
            if let (VerdictKind::Unchanged | VerdictKind::Moved, Some(found)) = (verdict.kind, verdict.node) {
                prop_assert_eq!(old.text(element, 99), new.text(found, 99));
            }
        }
    }

    #[test]
    fn what_stands_as_it_was_in_its_own_row_is_the_element_whatever_node_is_held(
        rows in rows(), at in 0usize..12, tag in prop::sample::select(vec!["button", "em", "i", "li"]), node in 0u32..80,
    ) {
        let page = list(&rows, "Cart");
        let each = if tag == "button" { 2 } else { 1 };
        let element = nth(&page, tag, at % (each * rows.len()));
        let anchor = Anchor::of(&page, element, &[tag]).unwrap();
        let Judged { verdict, .. } = asked(&page, &anchor, Evidence::None, Held::At(node));
        prop_assert_eq!((verdict.kind, verdict.node), (VerdictKind::Unchanged, Some(element)));
    }

    #[test]
    fn after_a_load_and_where_nothing_tells_of_the_source_a_held_node_says_nothing(
        before in rows(), after in rows(), at in 0usize..6, node in 0u32..80,
    ) {
        let (old, new) = (list(&before, "Cart"), list(&after, "Basket"));
        let anchor = Anchor::of(&old, nth(&old, "em", at % before.len()), &["em"]).unwrap();
        for evidence in [Evidence::Loaded, Evidence::Unknown] {
            let without = asked(&new, &anchor, evidence, Held::Unknown);
            for held in [Held::Gone, Held::At(node)] {
                prop_assert_eq!(&asked(&new, &anchor, evidence, held), &without);
            }
        }
    }

    #[test]
    fn no_two_comments_on_different_elements_have_the_node_that_is_held_for_both(
        before in rows(), after in rows(), node in 0u32..80,
    ) {
        let (old, new) = (list(&before, "Cart"), list(&after, "Cart"));
        let query = |at: usize| Query {
            anchor: Anchor::of(&old, nth(&old, "em", at), &["em"]).unwrap(),
            look: None,
            varied: Vec::new(),
            evidence: Evidence::None,
            found: Vec::new(),
            held: Held::At(node),
        };
        let found: Vec<u32> =
            judge(&new, (0..before.len()).map(query).collect()).iter().filter_map(|one| one.verdict.node).collect();
        let mut once = found.clone();
        once.sort_unstable();
        once.dedup();
        prop_assert_eq!(once.len(), found.len());
    }
}

/// A hot update keeps the nodes and what the app shows. One that moves the words of a row in its source is told by the
/// row.
#[test]
fn after_a_hot_update_a_pin_stays_in_its_own_row_and_follows_what_is_moved_within_it() {
    let desk = |rows: [(&str, &str); 3], button: &str| {
        let row = |(name, status): (&str, &str)| {
            format!("<li><b>{name}</b> <em>{status}</em> <button>Toggle</button></li>")
        };
        let rows: String = rows.into_iter().map(row).collect();
        let html = format!(
            "<head><title>Desk</title></head><body><main><h1>Desk</h1><ul>{rows}</ul><button>{button}</button></main></body>"
        );
        Page::from_html(&html, "http://localhost:5173/").unwrap()
    };
    let old = desk([("Printer", "open"), ("Screen", "closed"), ("Mouse", "closed")], "Open a ticket");
    let new = desk([("Printer", "closed"), ("Screen", "open"), ("Mouse", "closed")], "New ticket");
    let anchor = Anchor::of(&old, nth(&old, "em", 0), &["em"]).unwrap();
    let without = asked(&new, &anchor, Evidence::Hot, Held::Unknown).verdict;
    assert_eq!(without.node, Some(nth(&new, "em", 1)), "the words alone say that it is another row's");
    let with = asked(&new, &anchor, Evidence::Hot, Held::At(nth(&new, "em", 0))).verdict;
    assert_eq!((with.kind, with.node), (VerdictKind::Changed, Some(nth(&new, "em", 0))));
    // An edit puts a label into the node that was the status, and the status behind it.
    let new = desk(
        [
            ("Printer", "Now:</em> <em>open"),
            ("Screen", "Now:</em> <em>closed"),
            ("Mouse", "Now:</em> <em>closed"),
        ],
        "Open a ticket",
    );
    let moved = asked(&new, &anchor, Evidence::Hot, Held::At(nth(&new, "em", 0))).verdict;
    assert_eq!(moved.node, Some(nth(&new, "em", 1)), "{moved:?}");
}

/// Rows without words: nothing but the node tells, which a list without keys gives to another row.
#[test]
fn in_rows_without_words_the_pin_stays_at_its_node_or_is_unsure() {
    let page = |numbers: [u8; 3]| {
        let rows: String =
            numbers.iter().map(|n| format!("<li><u>−</u> <em>{n}</em> <u>+</u></li>")).collect();
        Page::from_html(&format!("<body><ul>{rows}</ul></body>"), "http://localhost:5173/").unwrap()
    };
    let (old, new) = (page([1, 2, 5]), page([2, 1, 5]));
    let anchor = Anchor::of(&old, nth(&old, "em", 1), &["em"]).unwrap();
    let held = nth(&new, "em", 1);
    let Judged { verdict, in_view, .. } = asked(&new, &anchor, Evidence::None, Held::At(held));
    let stands_at = verdict.node.or(verdict.candidates.first().copied());
    assert_eq!((stands_at, in_view), (Some(held), true), "{verdict:?}");
    assert!(matches!(verdict.kind, VerdictKind::Changed | VerdictKind::Ambiguous));
}

/// A comment that was pinned to another element and back.
#[test]
fn the_node_of_an_equal_twin_does_not_take_the_place_of_what_is_as_it_was() {
    let html = "<body><header><button>Buy</button></header><main><h1>Beans</h1><p>Fresh</p></main>\
                <footer><button>Buy</button></footer></body>";
    let page = Page::from_html(html, "http://localhost:5173/").unwrap();
    let [header, footer] = [0, 1].map(|at| nth(&page, "button", at));
    for (own, twin) in [(header, footer), (footer, header)] {
        let anchor = Anchor::of(&page, own, &["button"]).unwrap();
        let verdict = asked(&page, &anchor, Evidence::None, Held::At(twin)).verdict;
        assert_eq!((verdict.kind, verdict.node), (VerdictKind::Unchanged, Some(own)));
    }
}

/// Rows that are turned round, of which each has an element with its own words.
fn tools(names: [&str; 3], buttons: &str) -> Page {
    let row = |name: &str| format!("<li><b>{name}</b> <i>A sharp {}</i> {buttons}</li>", name.to_lowercase());
    let rows: String = names.into_iter().map(row).collect();
    Page::from_html(&format!("<body><h1>Tools</h1><ul>{rows}</ul></body>"), "http://localhost:5173/").unwrap()
}

#[test]
fn a_node_that_says_other_words_beside_one_that_says_the_elements_and_stands_as_it_stood_is_not_the_element()
{
    let buttons = "<button>Edit</button> <button>Delete</button>";
    let (old, new) = (tools(["Saw", "Axe", "Awl"], buttons), tools(["Awl", "Saw", "Axe"], buttons));
    for (own, other) in [(0, 1), (1, 0)] {
        let anchor = Anchor::of(&old, nth(&old, "button", own), &["button"]).unwrap();
        let (own, other) = (nth(&new, "button", 2 + own), nth(&new, "button", 2 + other));
        for evidence in [Evidence::None, Evidence::Hot] {
            let verdict = asked(&new, &anchor, evidence, Held::At(other)).verdict;
            assert!(
                verdict.node.is_none_or(|node| node == own) && verdict.kind != VerdictKind::Missing,
                "{verdict:?}"
            );
        }
    }
}

/// Two switches of a row that both were used: what one said the other says now.
#[test]
fn a_node_that_says_what_another_of_its_row_said_is_the_element_where_it_stands_as_it_stood() {
    let switches =
        |mail: &str, phone: &str| format!("Mail <button>{mail}</button> Phone <button>{phone}</button>");
    let old = tools(["Saw", "Axe", "Awl"], &switches("on", "off"));
    for names in [["Saw", "Axe", "Awl"], ["Awl", "Saw", "Axe"]] {
        let new = tools(names, &switches("off", "on"));
        for at in [0, 1] {
            let anchor = Anchor::of(&old, nth(&old, "button", at), &["button"]).unwrap();
            let row = names.iter().position(|name| *name == "Saw").unwrap();
            let own = nth(&new, "button", 2 * row + at);
            let verdict = asked(&new, &anchor, Evidence::None, Held::At(own)).verdict;
            assert_eq!((verdict.kind, verdict.node), (VerdictKind::Changed, Some(own)), "{verdict:?}");
        }
    }
}
