//! What is no change of an element, name by name, and beside each kind something near it that is one.

use opentoolbar_core::anchor::{Anchor, VerdictKind, relocate, target_of};
use opentoolbar_core::page::{KIND_ELEMENT, NODE_STRIDE, Page};

use crate::support::Builder;

/// A page with one button of which something is as given.
fn page(attributes: &[(&str, &str)], text: &str) -> (Page, u32) {
    let mut builder = Builder::new("http://localhost/", "Booking");
    builder.open("html", &[]);
    builder.open("body", &[]);
    builder.leaf("h1", &[], "Book a lane");
    let node = builder.leaf("a", attributes, text);
    builder.leaf("p", &[], "The water is warm.");
    (builder.page(), node)
}

/// What is said when the one becomes the other.
fn verdict(before: (&[(&str, &str)], &str), after: (&[(&str, &str)], &str)) -> (VerdictKind, Vec<String>) {
    let ((old, node), (new, same)) = (page(before.0, before.1), page(after.0, after.1));
    let anchor = Anchor::from_base64(&target_of(&old, node, None).unwrap().anchor).unwrap();
    let verdict = relocate(&new, &[anchor]).remove(0);
    assert_eq!(verdict.node, Some(same), "{before:?} {after:?} {verdict:?}");
    (verdict.kind, verdict.diff.into_iter().map(|change| change.field).collect())
}

/// Of an element that bears one more attribute, or none where there is no value.
fn of_attribute(name: &str, before: Option<&str>, after: Option<&str>) -> (VerdictKind, Vec<String>) {
    let all = |value: Option<&str>| -> Vec<(String, String)> {
        let more = value.map(|value| (name.to_owned(), value.to_owned()));
        [("title".to_owned(), "Beside the wall".to_owned())].into_iter().chain(more).collect()
    };
    fn borrowed(all: &[(String, String)]) -> Vec<(&str, &str)> {
        all.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
    }
    verdict((&borrowed(&all(before)), "Lane four"), (&borrowed(&all(after)), "Lane four"))
}

fn of_text(before: &str, after: &str) -> VerdictKind {
    verdict((&[("title", "Lane")], before), (&[("title", "Lane")], after)).0
}

#[test]
fn attributes_of_state_of_tools_and_of_other_extensions_are_no_change() {
    for name in [
        "aria-activedescendant",
        "aria-busy",
        "aria-checked",
        "aria-controls",
        "aria-current",
        "aria-describedby",
        "aria-expanded",
        "aria-hidden",
        "aria-invalid",
        "aria-labelledby",
        "aria-owns",
        "aria-pressed",
        "aria-selected",
        "aria-sort",
        "aria-valuenow",
        "aria-valuetext",
        "checked",
        "data-1p-ignore",
        "data-bwignore",
        "data-dashlane-rid",
        "data-gramm",
        "data-headlessui-state",
        "data-lpignore",
        "data-state",
        "datetime",
        "hidden",
        "inert",
        "open",
        "tabindex",
        "nonce",
        "integrity",
        "style",
        "data-reactid",
        "data-reactroot",
        "data-server-rendered",
        "data-source",
        "data-loc",
        "data-source-loc",
        "data-source-file",
        "data-component-file",
        "data-insp-path",
        "data-tsd-source",
        "data-sentry-source-file",
        "data-v-7ba5bd90",
        "data-astro-cid-j7pv25f6",
        "data-astro-source-loc",
        "data-inspector-line",
        "data-locatorjs-id",
        "_ngcontent-abc-c12",
        "_nghost-abc-c12",
        "data-styled",
        "data-emotion",
    ] {
        for (before, after) in [(Some("one"), Some("two")), (None, Some("two")), (Some("one"), None)] {
            let (kind, fields) = of_attribute(name, before, after);
            assert_eq!(kind, VerdictKind::Unchanged, "{name} {before:?} {after:?}: {fields:?}");
        }
    }
}

#[test]
fn attributes_that_say_what_an_element_is_are_a_change() {
    for name in [
        "href",
        "alt",
        "data-price",
        "data-lane",
        "aria-label",
        "placeholder",
        "data-statement",
        "disabled",
        "role",
    ] {
        for (before, after) in [(Some("one"), Some("two")), (None, Some("two")), (Some("one"), None)] {
            let (kind, fields) = of_attribute(name, before, after);
            assert_eq!(
                (kind, fields),
                (VerdictKind::Changed, vec![format!("attribute:{name}")]),
                "{before:?} {after:?}"
            );
        }
    }
}

#[test]
fn class_names_of_state_are_no_change_and_others_are() {
    let of_class = |class: &str| of_attribute("class", Some("lane"), Some(&format!("lane {class}")));
    for class in [
        "active",
        "collapsed",
        "current",
        "expanded",
        "focus",
        "focus-visible",
        "hide",
        "hover",
        "in",
        "loading",
        "open",
        "selected",
        "show",
        "visible",
        "is-dragged",
        "htmx-settling",
        "ng-dirty",
        "ng-invalid",
        "ng-pristine",
        "ng-touched",
        "ng-untouched",
        "ng-valid",
    ] {
        assert_eq!(of_class(class), (VerdictKind::Unchanged, vec![]), "{class}");
    }
    for class in ["primary", "opening", "island", "ng-star", "showcase", "warning"] {
        assert_eq!(of_class(class), (VerdictKind::Changed, vec!["classes".to_owned()]), "{class}");
    }
}

#[test]
fn an_address_is_the_same_but_for_what_counts_visits_and_for_hashes_of_files() {
    let kind = |name: &str, before: &str, after: &str| of_attribute(name, Some(before), Some(after)).0;
    for part in ["utm_source=mail", "gclid=12", "fbclid=34", "msclkid=56", "mc_cid=78"] {
        for name in ["href", "action"] {
            assert_eq!(
                kind(name, "/lanes?page=2", &format!("/lanes?page=2&{part}")),
                VerdictKind::Unchanged,
                "{part}"
            );
        }
    }
    for name in ["src", "poster"] {
        let same = kind(name, "/img/lane-3f9a27bc.webp", "/img/lane-b81c04de.webp");
        assert_eq!(same, VerdictKind::Unchanged, "{name}");
        assert_eq!(kind(name, "/img/lane.webp", "/img/pool.webp"), VerdictKind::Changed, "{name}");
        // Counted by a person, and too short for a hash.
        assert_eq!(kind(name, "/img/lane-1.webp", "/img/lane-2.webp"), VerdictKind::Changed, "{name}");
        assert_eq!(kind(name, "/img/20240101.webp", "/img/20250101.webp"), VerdictKind::Changed, "{name}");
    }
    assert_eq!(kind("href", "/lanes?page=2", "/lanes?page=3"), VerdictKind::Changed);
    assert_eq!(kind("title-of", "/a?utm_x=1", "/a"), VerdictKind::Changed);
}

#[test]
fn clocks_run_on_and_times_that_a_page_is_about_do_not() {
    for unit in ["second", "sec", "minute", "min", "hour", "day", "week", "month", "year"] {
        let (before, after) = (format!("Saved 1 {unit} ago"), format!("Saved 12 {unit}s ago"));
        assert_eq!(of_text(&before, &after), VerdictKind::Unchanged, "{unit}");
    }
    for (before, after) in [
        ("Now 10:15:07", "Now 11:02:59"),
        ("At 2026-11-22T10:15:07.123Z", "At 2026-11-23T00:00:00.000Z"),
        ("2 hours ago, by Ida", "1 day ago, by Ida"),
    ] {
        assert_eq!(of_text(before, after), VerdictKind::Unchanged, "{before}");
    }
    for (before, after) in [
        ("Opens 10:15", "Opens 11:15"),
        ("Lane 4 long ago", "Lane 5 long ago"),
        ("3 winters ago", "4 winters ago"),
        ("Ratio 1:2:x", "Ratio 1:3:x"),
    ] {
        assert_eq!(of_text(before, after), VerdictKind::Changed, "{before}");
    }
}

/// The page with every element as wide as given.
fn as_wide(page: &Page, width: i32) -> Page {
    let mut capture = page.to_capture();
    let (rows, _) = capture.nodes.as_chunks_mut::<NODE_STRIDE>();
    for row in rows.iter_mut().filter(|row| row[0] == KIND_ELEMENT) {
        row[5..9].copy_from_slice(&[0, 0, width, 20]);
    }
    Page::from_capture(capture).unwrap()
}

#[test]
fn another_size_is_told_beside_another_change_and_is_none_by_itself() {
    let look = |text: &str, width: i32| {
        let (old, node) = page(&[("title", "Lane")], "Lane four");
        let (new, _) = page(&[("title", "Lane")], text);
        let (old, new) = (as_wide(&old, 400), as_wide(&new, width));
        let anchor = Anchor::from_base64(&target_of(&old, node, None).unwrap().anchor).unwrap();
        let verdict = relocate(&new, &[anchor]).remove(0);
        let fields: Vec<String> = verdict.diff.into_iter().map(|change| change.field).collect();
        (verdict.kind, fields.join(" "))
    };
    assert_eq!(look("Lane four", 200), (VerdictKind::Unchanged, String::new()));
    assert_eq!(look("Lane four, the warm one", 200), (VerdictKind::Changed, "text box".to_owned()));
    // A tenth is what a longer word makes of it.
    assert_eq!(look("Lane four, the warm one", 440), (VerdictKind::Changed, "text".to_owned()));
}
