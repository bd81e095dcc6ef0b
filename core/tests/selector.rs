//! The laws of selectors, and what good ones look like.

use crate::support::{Builder, any_capture};
use opentoolbar_core::element::describe;
use opentoolbar_core::page::Page;
use opentoolbar_core::selector::{SelectorError, Vote, diverse, forms, generate, resolve, vote};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_generated_selector_resolves_to_its_element_only(capture in any_capture()) {
        let page = Page::from_capture(capture).unwrap();
        for node in page.elements() {
            let selector = generate(&page, node).unwrap();
            prop_assert_eq!(resolve(&page, &selector).unwrap(), vec![node], "{}", selector);
        }
    }

    #[test]
    fn diverse_selectors_are_unique_and_agree_on_their_own_page(capture in any_capture()) {
        let page = Page::from_capture(capture).unwrap();
        for node in page.elements() {
            let selectors = diverse(&page, node, 5).unwrap();
            prop_assert_eq!(&selectors[0], &generate(&page, node).unwrap());
            for (at, selector) in selectors.iter().enumerate() {
                prop_assert_eq!(resolve(&page, selector).unwrap(), vec![node], "{}", selector);
                prop_assert!(!selectors[..at].contains(selector));
            }
            let vote = vote(&page, &selectors, None);
            prop_assert_eq!((vote.node, vote.support), (Some(node), 1.0));
        }
    }

    #[test]
    fn no_text_makes_the_resolver_panic(capture in any_capture(), text in "\\PC{0,40}") {
        let page = Page::from_capture(capture).unwrap();
        let _ = resolve(&page, &text);
    }

    #[test]
    fn no_text_of_selector_signs_makes_the_resolver_panic(text in "[a-c#.\\[\\]=\"'>+~*:()n1 \\\\,|-]{0,24}") {
        let page = Builder::new("https://example.com/", "").page();
        let _ = resolve(&page, &text);
    }
}

fn shop() -> (Page, Vec<(u32, &'static str)>) {
    let mut b = Builder::new("https://example.com/", "Shop");
    let mut expected = Vec::new();
    b.open("html", &[]);
    b.open("body", &[]);
    b.open("nav", &[("class", "css-1a2b3c")]);
    expected.push((b.leaf("a", &[("href", "/orders")], "Orders"), "a[href=\"/orders\"]"));
    expected.push((b.leaf("a", &[("href", "/invoices")], "Invoices"), "a[href=\"/invoices\"]"));
    b.close();
    b.open("main", &[("id", "content")]);
    expected.push((
        b.leaf("button", &[("data-testid", "checkout"), ("id", "x17a9f3")], "Pay"),
        "[data-testid=\"checkout\"]",
    ));
    expected.push((
        b.leaf("input", &[("name", "email"), ("class", "form-control")], ""),
        "input[name=\"email\"]",
    ));
    b.open("ul", &[("class", "cart flex mt-4")]);
    b.leaf("li", &[("class", "sc-bdVaJa item")], "Duck");
    expected.push((b.leaf("li", &[("class", "sc-bdVaJa item")], "Goose"), "li:text-is(\"Goose\")"));
    b.close();
    b.open("aside", &[("class", "summary")]);
    expected.push((b.leaf("h2", &[("class", "title")], "Sum"), "aside > h2"));
    b.leaf("h3", &[("class", "title")], "Sum");
    b.close();
    b.leaf("h2", &[("class", "title")], "More");
    b.open("x-card", &[("id", "promo")]);
    b.shadow();
    expected.push((b.leaf("button", &[("class", "close")], "x"), "#promo >>> button"));
    b.close();
    b.close();
    b.open("iframe", &[("name", "ads")]);
    b.document("https://example.com/ads");
    b.open("html", &[]);
    expected.push((b.leaf("p", &[("id", "1:odd id")], "Ad"), "iframe[name=\"ads\"] >>> p"));
    (b.page(), expected)
}

#[test]
fn selectors_are_those_a_person_would_write() {
    let (page, expected) = shop();
    for (node, selector) in expected {
        assert_eq!(generate(&page, node).unwrap(), selector);
    }
}

#[test]
fn a_long_text_is_told_by_its_first_words_where_they_say_enough() {
    let mut b = Builder::new("https://example.com/", "");
    b.open("html", &[]);
    b.open("body", &[]);
    let alone = b.leaf("h2", &[], "Opening hours of the shop in winter");
    let twins =
        ["Delivery to other countries", "Delivery to other islands"].map(|text| b.leaf("h2", &[], text));
    let page = b.page();
    assert_eq!(generate(&page, alone).unwrap(), "h2:text-starts(\"Opening hours\")");
    for (twin, whole) in twins.into_iter().zip(["countries", "islands"]) {
        let selector = format!("h2:text-is(\"Delivery to other {whole}\")");
        assert!(diverse(&page, twin, 4).unwrap().contains(&selector), "{selector}");
    }
}

#[test]
fn selectors_from_elsewhere_are_resolved_as_a_browser_would() {
    let (page, _) = shop();
    let count = |selector: &str| resolve(&page, selector).unwrap().len();
    for (selector, found) in [
        ("li", 2),
        ("UL > LI", 2),
        (".item + .item", 1),
        ("li ~ li", 1),
        ("li:first-child", 1),
        ("li:last-of-type", 1),
        ("li:only-child", 0),
        ("li:nth-last-child(2)", 1),
        ("li:nth-last-of-type(1)", 1),
        ("main > :nth-last-child(odd)", 4),
        ("a:nth-last-of-type(2)[href='/orders']", 1),
        ("li:nth-child(odd)", 1),
        ("li:nth-child(-n+2)", 2),
        ("li:nth-child( 2n + 1 )", 1),
        ("a[href^='/o']", 1),
        ("a[href$=ices]", 1),
        ("[class~=item]", 2),
        ("[class|=css]", 1),
        ("[data-testid=CHECKOUT i]", 1),
        ("[data-testid=CHECKOUT]", 0),
        ("*:root", 1),
        (":root > body > main", 1),
        ("body body", 0),
        ("#content .title", 3),
        ("x-card>>>.close", 1),
        ("iframe >>> #\\31 \\:odd\\ id", 1),
        ("x-card button", 0),
        ("x-card >>> :not(* *)", 1),
        ("li:text-is('Go ose')", 1),
        ("li:text-is('goose')", 0),
        ("li:text-starts('Go')", 1),
        (":text-starts('DuckG')", 1),
        ("a:text-is('')", 0),
        ("aside:has(h3) > .title", 2),
        ("main:has(.cart) h2:text-is('More')", 1),
        ("ul:has(li:text-is(\"Duck\")) li + li", 1),
        ("ul:has(h2)", 0),
        ("body:has(.close)", 0),
    ] {
        assert_eq!(count(selector), found, "{selector}");
    }
}

#[test]
fn what_is_not_in_the_notation_is_refused_with_its_place() {
    let (page, _) = shop();
    for selector in [
        "",
        " ",
        "a, b",
        "a:hover",
        "a::before",
        "ns|a",
        "a >",
        "> a",
        "a >>> ",
        "a[",
        "a[b=",
        "a[b='c]",
        "#1a",
        ".-1",
        "a:nth-child(x)",
        "a:nth-last-of-type()",
        "a:nth-last(2)",
        "a:not(.b)",
        "a:text-is(b)",
        "a:text-is('b'",
        "a:has(> b)",
        "a:has(b c)",
        "a:has(b:has(c))",
        "a)",
    ] {
        let error = resolve(&page, selector).unwrap_err();
        assert!(matches!(error, SelectorError::Syntax { .. }), "{selector}: {error}");
    }
    let error = resolve(&page, "div:is(a)").unwrap_err().to_string();
    assert!(error.contains("character 3") && error.contains(":is"), "{error}");
}

#[test]
fn a_text_has_no_selector() {
    let (page, _) = shop();
    let text = (0..page.len()).find(|&n| !page.is_element(n) && n > 0).unwrap();
    assert_eq!(generate(&page, text), Err(SelectorError::NotAnElement { node: text }));
    assert_eq!(generate(&page, u32::MAX), Err(SelectorError::NotAnElement { node: u32::MAX }));
}

#[test]
fn a_deep_page_of_bare_elements_still_has_unique_selectors() {
    let mut b = Builder::new("https://example.com/", "deep");
    b.open("html", &[]);
    let nodes: Vec<u32> = (0..5_000).map(|_| b.open("div", &[])).collect();
    let page = b.page();
    for at in [0, 1, 2_500, 4_999] {
        let selector = generate(&page, nodes[at]).unwrap();
        assert_eq!(resolve(&page, &selector).unwrap(), vec![nodes[at]]);
    }
}

#[test]
fn the_same_ids_everywhere_still_give_unique_selectors() {
    let mut b = Builder::new("https://example.com/", "same");
    b.open("html", &[]);
    let nodes: Vec<u32> =
        (0..300).map(|_| b.leaf("div", &[("id", "a"), ("class", "b c d")], "same")).collect();
    let page = b.page();
    for node in nodes {
        let selector = generate(&page, node).unwrap();
        assert_eq!(resolve(&page, &selector).unwrap(), vec![node], "{selector}");
    }
}

#[test]
fn five_thousand_rows_alike_are_told_apart_in_every_form() {
    let mut b = Builder::new("https://example.com/", "rows");
    b.open("html", &[]);
    b.open("body", &[]);
    b.open("table", &[("class", "orders")]);
    b.open("tbody", &[]);
    let mut cells = Vec::new();
    for _ in 0..5_000 {
        b.open("tr", &[("class", "row"), ("id", "row")]);
        b.leaf("td", &[("class", "name")], "Same");
        cells.push(b.leaf("td", &[("class", "name")], "Same"));
        b.close();
    }
    let page = b.page();
    for at in [0, 1, 2_499, 4_999] {
        let node = cells[at];
        for selector in diverse(&page, node, 5).unwrap() {
            assert_eq!(resolve(&page, &selector).unwrap(), vec![node], "{selector}");
        }
        let forms = forms(&page, node).unwrap();
        assert_eq!(resolve(&page, &forms.css).unwrap(), vec![node], "{}", forms.css);
        assert!(forms.xpath.len() < 120, "{}", forms.xpath);
    }
}

#[test]
fn an_empty_page_has_nothing_to_name() {
    let page = Builder::new("https://example.com/", "").page();
    assert_eq!(generate(&page, 0), Err(SelectorError::NotAnElement { node: 0 }));
    assert_eq!(diverse(&page, 0, 5), Err(SelectorError::NotAnElement { node: 0 }));
    assert_eq!(forms(&page, 0), Err(SelectorError::NotAnElement { node: 0 }));
    assert_eq!(vote(&page, &["p".into(), "a[".into()], None), Vote::default());
}

#[test]
fn names_that_tools_make_up_are_used_by_no_form() {
    let mut b = Builder::new("https://example.com/", "hashed");
    b.open("html", &[]);
    b.open("main", &[("class", "css-1a2b3c"), ("id", "radix-:r3:")]);
    let nodes: Vec<u32> = (0..6)
        .map(|n| b.leaf("div", &[("class", "sc-bdVaJa x7f3k9q2"), ("id", &format!("ember{n}1234"))], ""))
        .collect();
    let page = b.page();
    for node in nodes {
        let forms = forms(&page, node).unwrap();
        for said in diverse(&page, node, 5).unwrap().into_iter().chain([forms.css, forms.xpath]) {
            assert!(
                !["css-", "sc-", "x7f", "ember", "radix"].iter().any(|made| said.contains(made)),
                "{said}"
            );
        }
    }
}

#[test]
fn holders_are_all_that_contain_what_is_asked_for() {
    let mut b = Builder::new("https://example.com/", "nested");
    b.open("html", &[]);
    let outer = b.open("div", &[]);
    let inner = b.open("div", &[("class", "inner")]);
    b.leaf("em", &[], "one");
    let holder = b.open("em", &[]);
    b.leaf("em", &[], "two");
    b.close();
    b.close();
    b.leaf("i", &[], "three");
    b.leaf("div", &[], "none");
    let page = b.page();
    let meant = |selector: &str| resolve(&page, selector).unwrap();
    assert_eq!(meant("div:has(em)"), [outer, inner]);
    assert_eq!(meant("div div:has(em)"), [inner]);
    assert_eq!(meant("em:has(em)"), [holder]);
    assert_eq!(meant("div:has(em):has(i)"), [outer]);
    assert_eq!(meant("div:has(i) > .inner:has(em)"), [inner]);
    assert_eq!(meant("html > div:has(em):has(.inner) em:has(em)"), [holder]);
    assert_eq!(meant("div:has(div)"), [outer]);
}

#[test]
fn selectors_that_disagree_are_weighed() {
    let (page, _) = shop();
    let vote = |selectors: &[&str]| {
        let selectors: Vec<String> = selectors.iter().map(|&one| one.to_owned()).collect();
        vote(&page, &selectors, None)
    };
    let duck = resolve(&page, "li:text-is('Duck')").unwrap()[0];
    let goose = resolve(&page, "li:text-is('Goose')").unwrap()[0];
    let told = vote(&["li:text-is('Goose')", "li:nth-of-type(1)", "li"]);
    assert_eq!(told.node, Some(goose));
    assert!(told.support < 1.0 && told.candidates[1].0 == duck, "{told:?}");
    let tied = vote(&["li:nth-of-type(2)", "li:nth-of-type(1)"]);
    assert_eq!((tied.node, tied.support), (None, 0.0), "two places that disagree mean nothing");
    assert_eq!(tied.candidates.iter().map(|one| one.0).collect::<Vec<_>>(), [goose, duck]);
    let known = vote(&["li:nth-of-type(2)", "li:nth-of-type(1)", ".cart > :text-is('Goose') + *"]);
    assert_eq!(known.node, None, "the words are another's: {known:?}");
    let known = vote(&["li:nth-of-type(2)", "li:nth-of-type(1)", ".flex.mt-5 > :text-is('Goose')"]);
    assert_eq!(known.node, Some(goose), "it has the words that the set knows it by: {known:?}");
    let outvoted = vote(&["li:nth-of-type(2)", "li:nth-of-type(1)", "ul > li:first-child"]);
    assert_eq!(outvoted.candidates, [(duck, 2.0 / 3.0), (goose, 0.0)], "one place against more has no share");
    assert_eq!(outvoted.node, None, "places fail together, however many: {outvoted:?}");
    let named = vote(&["li:nth-of-type(2)", "li:nth-of-type(1)", "ul > li + li"]);
    assert_eq!(named.node, Some(goose), "a place alone does not speak against two kinds: {named:?}");
    let shifted = vote(&["li:text-is('Duck')", "li + li", "ul > :first-child + li", "ul > * + li"]);
    assert_eq!(shifted.node, Some(duck), "what counts on neighbours fails together: {shifted:?}");
    assert_eq!((told.first, tied.first), (Some(goose), Some(goose)));
    // The first is told apart even when it cannot be read, or fits several.
    assert_eq!(
        (vote(&["a[", "li:nth-of-type(1)"]).first, vote(&["li", "li:nth-of-type(1)"]).first),
        (None, None)
    );
}

#[test]
fn a_set_abstains_where_none_of_the_elements_words_is_left() {
    let (page, _) = shop();
    let vote = |selectors: &[&str], said: &str| {
        let selectors: Vec<String> = selectors.iter().map(|&one| one.to_owned()).collect();
        vote(&page, &selectors, Some(said))
    };
    let goose = resolve(&page, "li:text-is('Goose')").unwrap()[0];
    let by_place = ["li:text-is('Blue tit')", "ul > li + li", "li:nth-of-type(2)"];
    let gone = vote(&by_place, "Blue tit");
    assert_eq!((gone.node, gone.support), (None, 0.0), "another stands at its place: {gone:?}");
    assert_eq!(gone.candidates[0].0, goose, "what was found is told all the same");
    for said in ["", " - ", "12,00", "Goose", "A grey goose, fat"] {
        assert_eq!(vote(&by_place, said).node, Some(goose), "{said:?}");
    }
    let agreed = vote(&["ul > li + li", "li:nth-of-type(2)"], "Blue tit");
    assert_eq!(agreed.node, Some(goose), "all that was asked agrees, by more than one kind: it was edited");
    let mut b = Builder::new("https://example.com/", "");
    b.open("html", &[]);
    b.open("body", &[]);
    let named = b.leaf("a", &[("id", "buy")], "Order now");
    let called = b.leaf("button", &[("aria-label", "Close the menu")], "");
    let page = b.page();
    let vote = |selector: &str, said: &str| meant_by(&page, selector, said);
    assert_eq!(vote("#buy", "Add to cart"), Some(named), "its own name says that it is the same");
    assert_eq!(vote("body > a", "Add to cart"), None);
    assert_eq!(vote("body > button", "Close"), Some(called), "it is called by a word");
    assert_eq!(vote("body > button", "Send"), None);
}

#[test]
fn what_an_element_is_and_says_comes_before_an_id_that_another_has_years_later() {
    let mut b = Builder::new("https://example.com/", "");
    b.open("html", &[]);
    b.open("body", &[]);
    b.open("div", &[]);
    b.leaf("button", &[], "Log in");
    let cart = b.leaf("button", &[("id", "cart")], "Open cart");
    let old = b.page();
    let set = diverse(&old, cart, 4).unwrap();
    assert_eq!(set[0], "#cart", "as long as nothing else is known the id comes first: {set:?}");

    let years_later = |words: &str| {
        let mut b = Builder::new("https://example.com/", "");
        b.open("html", &[]);
        b.open("body", &[]);
        let drawer = b.leaf("section", &[("id", "cart")], "Nothing here yet");
        b.open("article", &[]);
        b.open("header", &[]);
        let button = b.leaf("button", &[], words);
        (b.page(), drawer, button)
    };
    let (page, drawer, button) = years_later("Open cart");
    for said in [None, Some("Open cart")] {
        let meant = vote(&page, &set, said);
        assert_eq!((meant.node, meant.candidates[1].0), (Some(button), drawer), "{set:?}: {meant:?}");
    }
    // Where nothing says what it said the id is all that is left.
    let (page, drawer, _) = years_later("Checkout");
    assert_eq!(vote(&page, &set, None).node, Some(drawer));
}

fn meant_by(page: &Page, selector: &str, said: &str) -> Option<u32> {
    vote(page, &[selector.to_owned()], Some(said)).node
}

#[test]
fn a_text_is_found_as_it_reads_though_it_is_split_into_several_nodes() {
    let mut b = Builder::new("https://example.com/", "");
    b.open("html", &[]);
    b.open("body", &[]);
    let split = b.open("button", &[]);
    for part in ["Open cart (", "0", ")"] {
        b.text(part);
    }
    b.close();
    b.leaf("button", &[], "Open chart (0)");
    let page = b.page();
    assert_eq!(page.text(split, 99), "Open cart (0)");
    assert_eq!(describe(&page, split, None).unwrap().text, "Open cart (0)");
    for selector in [
        "button:text-is(\"Open cart (0)\")",
        ":text-starts(\"Open cart (0\")",
        "body:has(button:text-is(\"Open cart (0)\")) > :text-starts(\"Open car\")",
    ] {
        let found = resolve(&page, selector).unwrap();
        assert_eq!(found.last(), Some(&split), "{selector}");
    }
    let own = generate(&page, split).unwrap();
    assert!(own.contains("Open cart"), "{own}");
    assert_eq!(resolve(&page, &own).unwrap(), [split]);
}
