//! Pages that are made to break selectors: each element still gets its own, in every form, and nothing panics.

use crate::support::{Builder, xpath};
use opentoolbar_core::page::Page;
use opentoolbar_core::selector::{diverse, forms, generate, resolve, vote};
use proptest::prelude::*;

/// What is asked of each element, whatever the page.
fn is_found(page: &Page, node: u32) {
    let selectors = diverse(page, node, 5).unwrap();
    assert_eq!(selectors.first(), generate(page, node).ok().as_ref());
    for selector in &selectors {
        assert_eq!(resolve(page, selector).unwrap(), [node], "{selector}");
    }
    assert_eq!(vote(page, &selectors, None).node, Some(node), "{selectors:?}");
    let forms = forms(page, node).unwrap();
    assert_eq!(resolve(page, &forms.css).unwrap(), [node], "{}", forms.css);
}

const ODD: [&str; 22] = [
    "",
    " ",
    "\"",
    "'",
    "\"'\"",
    "\\",
    "\\\"",
    "]",
    ")",
    "a\nb",
    "\r\n",
    "\t",
    "\u{0}",
    "\u{7f}",
    "\u{feff}",
    "a:b.c#d",
    "»>>«",
    " >>> ",
    "0",
    "-",
    "--x",
    "\u{10ffff}",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn odd_names_values_and_texts_are_no_obstacle(
        rows in proptest::collection::vec((0..ODD.len(), 0..ODD.len(), 0..ODD.len(), 0..ODD.len(), any::<bool>()), 1..20)
    ) {
        let mut b = Builder::new("https://example.com/", "odd");
        b.open("html", &[]);
        b.open("body", &[]);
        let mut nodes = Vec::new();
        for (id, class, title, text, twice) in rows {
            let said = format!("{}{}", ODD[text], ODD[title]);
            for _ in 0..=u32::from(twice) {
                let attributes = [("id", ODD[id]), ("class", ODD[class]), ("title", ODD[title]), ("data-x", &said)];
                nodes.push(b.leaf("button", &attributes, &said));
            }
        }
        let page = b.page();
        for node in nodes {
            is_found(&page, node);
            let xpath = forms(&page, node).unwrap().xpath;
            prop_assert_eq!(xpath::evaluate(&page, 0, &xpath), vec![node], "{}", xpath);
        }
    }

    #[test]
    fn what_changes_elsewhere_leaves_a_name_of_its_own_alone(before in 0usize..30, after in 0usize..30, at in 0usize..8) {
        let page = |before: usize, after: usize| {
            let mut b = Builder::new("https://example.com/", "");
            b.open("html", &[]);
            b.open("body", &[]);
            (0..before).for_each(|_| { b.leaf("p", &[("class", "note")], "More"); });
            b.open("ul", &[("id", "menu")]);
            let items: Vec<u32> = ["Home", "Shop", "Cart", "Help", "News", "Jobs", "Blog", "Team"]
                .into_iter()
                .map(|name| b.leaf("li", &[], name))
                .collect();
            b.close();
            (0..after).for_each(|_| { b.leaf("div", &[("class", "card")], "Less"); });
            (b.page(), items)
        };
        let (old, items) = page(3, 3);
        let (new, now) = page(before, after);
        let set = diverse(&old, items[at], 4).unwrap();
        prop_assert_eq!(resolve(&new, &set[0]).unwrap(), vec![now[at]], "{}", &set[0]);
        prop_assert_eq!(vote(&new, &set, None).node, Some(now[at]), "{:?}", set);
    }
}

#[test]
fn a_text_that_css_cannot_write_names_nothing() {
    let mut b = Builder::new("https://example.com/", "");
    b.open("html", &[]);
    b.open("body", &[]);
    let nodes = ["\u{0}", "\u{fffd}", "a\u{0}b"].map(|text| b.leaf("i", &[], text));
    let page = b.page();
    nodes.into_iter().for_each(|node| is_found(&page, node));
}

#[test]
fn a_page_of_text_alone_has_its_own_elements_only() {
    let mut b = Builder::new("https://example.com/", "");
    let html = b.open("html", &[]);
    let body = b.open("body", &[]);
    let text = b.text("Nothing but words, many of them. ");
    let page = b.page();
    [html, body].into_iter().for_each(|node| is_found(&page, node));
    assert!(generate(&page, text).is_err());
}

#[test]
fn very_long_names_values_and_texts_are_not_used() {
    let long = "word ".repeat(20_000);
    let hash = "x".repeat(100_000);
    let mut b = Builder::new("https://example.com/", "");
    b.open("html", &[]);
    b.open("body", &[]);
    let nodes: Vec<u32> = (0..3)
        .map(|_| {
            let attributes = [("id", hash.as_str()), ("class", &long), ("title", &long), ("href", &hash)];
            b.leaf("a", &attributes, &long)
        })
        .collect();
    let page = b.page();
    for node in nodes {
        is_found(&page, node);
        for selector in diverse(&page, node, 5).unwrap() {
            assert!(selector.len() <= 240, "{} bytes", selector.len());
        }
    }
}

#[test]
fn a_hundred_thousand_rows_have_selectors_of_their_own() {
    let mut b = Builder::new("https://example.com/", "");
    b.open("html", &[]);
    b.open("body", &[]);
    b.open("ul", &[]);
    let rows: Vec<u32> = (0..100_000).map(|_| b.leaf("li", &[("class", "row")], "")).collect();
    let page = b.page();
    for (at, place) in [(0, "first-of-type"), (40_000, "nth-of-type(40001)"), (99_999, "last-of-type")] {
        is_found(&page, rows[at]);
        assert!(generate(&page, rows[at]).unwrap().ends_with(&format!("li:{place}")));
    }
}

#[test]
fn rows_with_something_five_thousand_levels_deep_in_each_are_told_apart() {
    let mut b = Builder::new("https://example.com/", "");
    b.open("html", &[]);
    b.open("body", &[]);
    let mut rows = Vec::new();
    for _ in 0..6 {
        rows.push(b.open("section", &[]));
        (0..5_000).for_each(|_| {
            b.open("div", &[]);
        });
        rows.push(b.leaf("b", &[], "Deep"));
        (0..=5_000).for_each(|_| b.close());
    }
    let page = b.page();
    for node in rows {
        let selector = generate(&page, node).unwrap();
        assert_eq!(resolve(&page, &selector).unwrap(), [node], "{selector}");
    }
}
