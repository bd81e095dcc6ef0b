//! What is said about elements of realistic pages.

use crate::support::{Builder, any_capture};
use opentoolbar_core::element::{DescribeError, ElementSnapshot, describe, redact_text};
use opentoolbar_core::page::Page;
use opentoolbar_core::source::ProbeFacts;
use proptest::prelude::*;

fn checkout() -> (Page, Vec<u32>) {
    let mut b = Builder::new("https://shop.example/checkout", "Checkout");
    let mut nodes = Vec::new();
    b.open("html", &[("lang", "en")]);
    b.open("body", &[]);
    b.open("main", &[("id", "checkout"), ("aria-label", "Checkout")]);
    b.leaf("h1", &[], "Pay");
    b.open("form", &[("action", "/pay?token=abc123&step=2"), ("class", "form")]);
    b.leaf("label", &[("for", "card")], "Card number");
    nodes.push(b.leaf(
        "input",
        &[
            ("id", "card"),
            ("name", "card_number"),
            ("autocomplete", "cc-number"),
            ("value", "4111111111111111"),
            ("placeholder", "0000 0000"),
        ],
        "",
    ));
    b.open("label", &[]);
    b.text("Password ");
    nodes.push(b.leaf("input", &[("type", "password"), ("value", "hunter2"), ("required", "")], ""));
    b.close();
    nodes.push(b.open(
        "button",
        &[("type", "submit"), ("class", "btn btn-primary"), ("data-testid", "pay"), ("data-token", "s3cret")],
    ));
    b.leaf("svg", &[("aria-hidden", "true")], "icon");
    b.leaf("span", &[], "Pay");
    b.leaf("b", &[], "20 €");
    b.close();
    nodes.push(b.leaf(
        "p",
        &[("class", "note")],
        "Card 4111 1111 1111 1111 is kept. Key sk-proj-abcdefgh12345678abcd.",
    ));
    b.close();
    b.close();
    b.open("x-badge", &[("title", "Cart")]);
    b.shadow();
    nodes.push(b.leaf(
        "a",
        &[("href", "https://ada:pw@shop.example/cart?session=1"), ("aria-labelledby", "n")],
        "3",
    ));
    b.leaf("span", &[("id", "n"), ("hidden", "")], "Cart, 3 items");
    (b.page(), nodes)
}

fn json(snapshot: &ElementSnapshot) -> String {
    serde_json::to_string_pretty(snapshot).unwrap()
}

#[test]
fn a_card_field_is_described_without_its_number() {
    let (page, nodes) = checkout();
    insta::assert_snapshot!(json(&describe(&page, nodes[0], None).unwrap()));
}

#[test]
fn a_password_field_is_named_by_the_label_around_it() {
    let (page, nodes) = checkout();
    insta::assert_snapshot!(json(&describe(&page, nodes[1], None).unwrap()));
}

#[test]
fn a_button_is_named_by_what_is_seen_in_it_and_placed_in_its_source() {
    let (page, nodes) = checkout();
    let facts = ProbeFacts {
        component: Some("PayButton".to_owned()),
        framework: Some("react".to_owned()),
        file: Some("/app/src/PayButton.tsx".to_owned()),
        line: Some(12),
        column: Some(5),
    };
    insta::assert_snapshot!(json(&describe(&page, nodes[2], Some(&facts)).unwrap()));
}

#[test]
fn secrets_in_text_are_left_out() {
    let (page, nodes) = checkout();
    insta::assert_snapshot!(json(&describe(&page, nodes[3], None).unwrap()));
}

#[test]
fn a_link_in_a_shadow_root_tells_the_host_among_its_ancestors() {
    let (page, nodes) = checkout();
    insta::assert_snapshot!(json(&describe(&page, nodes[4], None).unwrap()));
}

#[test]
fn nothing_secret_of_the_page_is_in_any_description() {
    let (page, _) = checkout();
    for node in page.elements() {
        let told = json(&describe(&page, node, None).unwrap());
        for secret in ["4111", "hunter2", "abc123", "s3cret", "sk-proj", "ada:pw", "session=1"] {
            assert!(!told.contains(secret), "{secret} in {told}");
        }
    }
}

/// Redaction makes a text shorter: then what was read behind the limit, up to where it is cut, comes into what is told.
#[test]
fn a_secret_that_the_end_of_what_is_read_cuts_in_two_is_left_out() {
    let key = "sk_live_4eC39HqLyjWDarjtT1zdp7dc9f0A ";
    for (kept, limit) in [(13, 1_000), (9, 1_000), (12, 500)] {
        let read = limit + 300;
        let mut text = key.repeat((read - kept - 2) / key.len());
        text.push_str(&"x".repeat(read - kept - 1 - text.len()));
        text.push(' ');
        text.push_str(&key.repeat(3));
        let mut b = Builder::new("https://shop.example/", "Keys");
        b.open("html", &[]);
        let node = b.leaf("p", &[], &text);
        let page = b.page();
        let told = describe(&page, node, None).unwrap();
        for said in [&told.text, &told.own_text] {
            assert!(!said.contains("sk_live") && said.contains("[redacted]"), "{said}");
        }
    }
}

/// A white space at the end of what is read is folded away, so that it looks as if the text ended there.
#[test]
fn a_card_that_what_is_read_ends_in_the_midst_of_is_left_out() {
    let key = "sk_live_4eC39HqLyjWDarjtT1zdp7dc9f0A ";
    let shown = "Card 4111 1111 1111 ";
    for limit in [500, 1_000] {
        let read = limit + 300 - shown.len();
        let mut text = key.repeat(read / key.len() - 1);
        text.push_str(&"x".repeat(read - 1 - text.len()));
        text.push(' ');
        text.push_str(shown);
        text.push_str("1111");
        for said in said_of(&text) {
            assert!(!said.contains("4111") && said.contains("[redacted]"), "{said}");
        }
    }
}

#[test]
fn what_is_no_element_is_an_error_that_says_so() {
    let (page, _) = checkout();
    assert_eq!(describe(&page, 0, None).unwrap_err(), DescribeError::NotAnElement { node: 0 });
    let len = page.len();
    assert_eq!(describe(&page, len, None).unwrap_err(), DescribeError::OutOfRange { node: len, len });
}

fn said_of(text: &str) -> [String; 2] {
    let mut b = Builder::new("https://shop.example/", "Texts");
    b.open("html", &[]);
    let node = b.leaf("p", &[], text);
    let page = b.page();
    let told = describe(&page, node, None).unwrap();
    [told.text, told.own_text]
}

#[test]
fn a_long_text_of_which_redaction_leaves_little_shows_what_it_leaves() {
    let key = "a1B2c3D4".repeat(200);
    assert_eq!(said_of(&format!("session={key}")), ["session=[redacted]", "session=[redacted]"]);
    let text = format!("Use token={} of Ada, then {}", &key[..1_000], "the next one ".repeat(100));
    for said in said_of(&text) {
        assert!(said.starts_with("Use token=[redacted]"), "{said}");
    }
    let [text, own_text] = said_of(&text);
    // 1,150 characters of what is read come into it for sure, 650 into the shorter one.
    assert_eq!(
        text,
        format!("Use token=[redacted] of Ada, then {}", &"the next one ".repeat(100)[..1_150 - 1_024])
            .trim_end()
    );
    assert_eq!(own_text, "Use token=[redacted]");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn of_a_long_text_the_beginning_of_what_redaction_leaves_of_all_of_it_is_shown(
        parts in prop::collection::vec(
            prop_oneof![
                3 => "[a-z]{1,9}( [a-z]{1,9}){0,30}",
                1 => "(token|api_key|session)=[A-Za-z0-9]{20,1500}",
                1 => "eyJ[A-Za-z0-9]{30,400}\\.[A-Za-z0-9]{30,200}",
                1 => prop::sample::select(vec![
                    "sk_live_4eC39HqLyjWDarjtT1zdp7dc9f0A", "Card 4111 1111 1111 1111",
                    "Your verification code is 482913.", "https://ada:hunter2@example.com/reset/9f86d081884c7d65",
                    "ghp_16C7e42F292c6912E7710c838347Ae178B4a", "https://hooks.slack.com/services/T0000/B0000/x1Y2z3W4x1Y2",
                    "Authorization: Bearer mF_9.B5f-4.1JqMa8s7", "curl -u ada:hunter2",
                ]).prop_map(str::to_owned),
            ],
            1..60,
        ),
    ) {
        let whole = parts.join(" ");
        let redacted = redact_text(&whole);
        for said in said_of(&whole) {
            prop_assert!(redacted.starts_with(&said), "{}\n{}", said, redacted);
            prop_assert!(!said.is_empty());
        }
    }
}

proptest! {
    #[test]
    fn describing_any_element_of_any_page_keeps_the_stated_limits(capture in any_capture()) {
        let page = Page::from_capture(capture).unwrap();
        for node in 0..page.len() {
            let Ok(told) = describe(&page, node, None) else {
                prop_assert!(!page.is_element(node));
                continue;
            };
            prop_assert!(told.own_text.chars().count() <= 500 && told.text.chars().count() <= 1_000);
            prop_assert!(told.ancestors.len() <= 12 && told.children.len() <= 10);
            prop_assert!(told.attributes.values().all(|value| value.chars().count() <= 200));
            prop_assert!(told.siblings.index < told.siblings.count);
        }
    }
}
