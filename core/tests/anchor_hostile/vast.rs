//! Pages of a size or an emptiness that nobody meant. Nothing is timed: that it ends within the run is what is shown.

use opentoolbar_core::anchor::{Anchor, MAX_ENCODED, VerdictKind, relocate};
use opentoolbar_core::page::{Capture, Page};

use super::{anchor, look};
use crate::support::Builder;

fn start() -> Builder {
    let mut builder = Builder::new("http://localhost/", "Vast");
    builder.open("html", &[]);
    builder.open("body", &[]);
    builder
}

/// Rows that are equal in everything, and the buttons in them.
fn equal_rows(rows: usize) -> (Page, Vec<u32>) {
    let mut builder = start();
    builder.leaf("h1", &[], "Readings");
    builder.open("table", &[("class", "readings")]);
    let mut buttons = Vec::new();
    for _ in 0..rows {
        builder.open("tr", &[("class", "row")]);
        builder.leaf("td", &[], "0.0");
        builder.open("td", &[]);
        buttons.push(builder.leaf("button", &[("type", "button"), ("class", "link")], "Edit"));
        builder.close();
        builder.close();
    }
    builder.close();
    builder.leaf("p", &[], "End of the readings");
    (builder.page(), buttons)
}

#[test]
fn among_5_000_equal_rows_each_is_unchanged_while_nothing_changed() {
    let (page, buttons) = equal_rows(5_000);
    let some: Vec<u32> = buttons.iter().copied().step_by(499).chain([buttons[4_999]]).collect();
    let anchors: Vec<Anchor> = some.iter().map(|&node| anchor(&page, node)).collect();
    for (&node, verdict) in some.iter().zip(relocate(&page, &anchors)) {
        assert_eq!((verdict.kind, verdict.node), (VerdictKind::Unchanged, Some(node)));
    }
}

#[test]
fn one_row_more_or_less_among_5_000_equal_ones_leaves_open_which_it_is() {
    let (old, buttons) = equal_rows(5_000);
    let anchors: Vec<Anchor> = [1, 2_500, 4_998].map(|at| anchor(&old, buttons[at])).into();
    for rows in [4_999, 5_001] {
        let (new, _) = equal_rows(rows);
        for verdict in relocate(&new, &anchors) {
            // It may have come or gone anywhere.
            assert_eq!(verdict.node, None, "{rows} rows: {verdict:?}");
            assert!(super::outdated(&verdict));
        }
    }
}

#[test]
fn a_hundred_comments_on_5_000_equal_rows_get_different_ones() {
    let (old, buttons) = equal_rows(5_000);
    let (new, _) = equal_rows(4_999);
    let anchors: Vec<Anchor> = buttons.iter().step_by(50).map(|&node| anchor(&old, node)).collect();
    assert_eq!(anchors.len(), 100);
    let mut nodes: Vec<u32> =
        relocate(&new, &anchors).into_iter().filter_map(|verdict| verdict.node).collect();
    let count = nodes.len();
    nodes.sort_unstable();
    nodes.dedup();
    assert_eq!(nodes.len(), count);
}

#[test]
fn a_thousand_elements_with_one_id_are_told_apart() {
    let named = |skip: Option<usize>| {
        let mut builder = start();
        let mut nodes = Vec::new();
        for at in (0..1_000).filter(|&at| Some(at) != skip) {
            let name = format!("Reading of the gauge at kilometre {at}");
            nodes.push(builder.leaf("div", &[("id", "gauge"), ("class", "gauge")], &name));
        }
        (builder.page(), nodes)
    };
    let (old, nodes) = named(None);
    let (new, later) = named(Some(500));
    for at in [0, 499, 501, 999] {
        let verdict = look(&old, nodes[at], &new);
        assert_eq!(verdict.node, Some(later[if at > 500 { at - 1 } else { at }]), "{at}: {verdict:?}");
        assert!(!super::outdated(&verdict), "{at}: {verdict:?}");
    }
}

fn only(children: impl FnOnce(&mut Builder)) -> Page {
    let mut builder = Builder::new("http://localhost/", "");
    children(&mut builder);
    builder.page()
}

#[test]
fn on_pages_without_anything_everything_is_missing() {
    let mut builder = start();
    builder.open("main", &[("class", "page")]);
    let heading = builder.leaf("h1", &[], "Tides");
    let empty = builder.leaf("div", &[("class", "map")], "");
    let old = builder.page();
    let anchors = [anchor(&old, heading), anchor(&old, empty)];
    let pages = [
        only(|_| {}),
        only(|page| {
            page.open("html", &[]);
        }),
        only(|page| {
            page.open("html", &[]);
            page.leaf("head", &[], "");
            page.leaf("body", &[], "");
        }),
        only(|page| {
            page.open("html", &[]);
            page.leaf("body", &[], "Service is down for the night.");
        }),
        only(|page| {
            page.open("html", &[]);
            page.open("body", &[]);
            for line in 0..300 {
                page.text(&format!("line {line}\n"));
            }
        }),
    ];
    for page in &pages {
        for verdict in relocate(page, &anchors) {
            assert_eq!((verdict.kind, verdict.node), (VerdictKind::Missing, None), "{verdict:?}");
            assert!(!verdict.reason.is_empty());
        }
        assert!(relocate(page, &[]).is_empty());
    }
}

#[test]
fn elements_of_pages_without_anything_are_found_where_they_were() {
    let page = only(|page| {
        page.open("html", &[]);
        page.leaf("body", &[], "");
    });
    for node in page.elements() {
        let verdict = look(&page, node, &page);
        assert_eq!((verdict.kind, verdict.node), (VerdictKind::Unchanged, Some(node)));
    }
}

/// About `20 * sections` nodes of a page that repeats itself, and a headline of every fiftieth section.
fn sections(sections: usize, first: usize) -> (Page, Vec<u32>) {
    let mut builder = start();
    let mut headlines = Vec::new();
    for section in first..sections {
        builder.open("section", &[("class", "entry")]);
        let headline =
            builder.leaf("h2", &[("class", "headline")], &format!("Entry {section} of the journal"));
        if section % 50 == 0 && section > 0 {
            headlines.push(headline);
        }
        for line in 0..5 {
            builder.open("p", &[("class", "line")]);
            builder.text(&format!("Line {line} was written in the evening of day {}", section / 3));
            builder.leaf("a", &[("href", "#top"), ("class", "up")], "Up");
            builder.close();
        }
        builder.close();
    }
    (builder.page(), headlines)
}

#[test]
fn on_100_000_nodes_100_comments_are_found_after_an_edit_above_them() {
    let (old, headlines) = sections(5_001, 0);
    assert!(old.len() > 100_000);
    assert_eq!(headlines.len(), 100);
    let (new, later) = sections(5_001, 1);
    let anchors: Vec<Anchor> = headlines.iter().map(|&node| anchor(&old, node)).collect();
    for (node, verdict) in later.into_iter().zip(relocate(&new, &anchors)) {
        assert_eq!(verdict.node, Some(node), "{verdict:?}");
        assert!(!super::outdated(&verdict), "{verdict:?}");
    }
}

/// A text under `depth` equal elements, and what is halfway to it.
fn deep(depth: usize) -> (Page, u32, u32) {
    let mut builder = start();
    let mut half = 0;
    for level in 0..depth {
        let node = builder.open("div", &[("class", "level")]);
        if level == depth / 2 {
            half = node;
        }
    }
    let leaf = builder.leaf("button", &[("type", "button")], "At the very bottom");
    (builder.page(), half, leaf)
}

#[test]
fn at_a_depth_of_5_000_an_element_is_found_and_one_more_level_does_not_hide_it() {
    let (old, half, leaf) = deep(5_000);
    for node in [half, leaf] {
        let verdict = look(&old, node, &old);
        assert_eq!((verdict.kind, verdict.node), (VerdictKind::Unchanged, Some(node)));
    }
    let (new, _, later) = deep(5_001);
    let verdict = look(&old, leaf, &new);
    assert_eq!(verdict.node, Some(later), "{verdict:?}");
    assert!(!super::outdated(&verdict), "{verdict:?}");
}

#[test]
fn an_element_with_too_much_of_everything_has_an_anchor_of_the_usual_size() {
    let many: Vec<(String, String)> =
        (0..10_000).map(|n| (format!("data-setting-{n}"), format!("value {n}"))).collect();
    let mut attributes: Vec<(&str, &str)> =
        many.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let classes: String = (0..20_000).map(|n| format!("class-{n} ")).collect();
    let long = "lorem ipsum ".repeat(100_000);
    let name = "x".repeat(100_000);
    attributes.extend([("class", classes.as_str()), ("title", long.as_str()), ("id", name.as_str())]);
    let mut builder = start();
    let node = builder.open("article", &attributes);
    builder.text(&long);
    for _ in 0..2_000 {
        builder.leaf("i", &[], "\u{0}\u{202e}\u{feff}");
    }
    builder.close();
    let odd = builder.leaf(&"x-".repeat(10), &[(&name, &long)], &long);
    let page = builder.page();
    for node in [node, odd] {
        let anchor = anchor(&page, node);
        assert!(anchor.encode().len() <= MAX_ENCODED);
        let verdict = relocate(&page, &[anchor]).remove(0);
        assert_eq!((verdict.kind, verdict.node), (VerdictKind::Unchanged, Some(node)));
    }
}

#[test]
fn ten_thousand_comments_on_one_element_all_find_it() {
    let (page, buttons) = equal_rows(20);
    let anchors = vec![anchor(&page, buttons[7]); 10_000];
    for verdict in relocate(&page, &anchors) {
        assert_eq!(verdict.node, Some(buttons[7]));
    }
}

#[test]
fn a_capture_travels_before_it_is_looked_at() {
    let (page, buttons) = equal_rows(50);
    let capture: Capture = page.to_capture();
    let again = Page::from_capture(capture).unwrap();
    assert_eq!(look(&page, buttons[9], &again).node, Some(buttons[9]));
}
