//! The vectors that Rust and TypeScript share, and the laws of redaction.
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

use std::collections::BTreeMap;

use opentoolbar_core::element::{REDACTED, is_secret_field, redact_attribute, redact_text};
use proptest::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    what: String,
    kind: Kind,
    element: Option<Element>,
    name: Option<String>,
    input: String,
    expect: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Attribute,
    Text,
    Url,
}

#[derive(Deserialize, Default)]
struct Element {
    tag: String,
    attributes: BTreeMap<String, String>,
}

fn redact(case: &Case) -> String {
    let nothing = Element::default();
    let element = case.element.as_ref().unwrap_or(&nothing);
    let attr = |name: &str| element.attributes.get(name).map(String::as_str);
    match case.kind {
        Kind::Attribute => redact_attribute(&element.tag, attr, case.name.as_deref().unwrap(), &case.input),
        Kind::Text if is_secret_field(&element.tag, attr) => REDACTED.to_owned(),
        Kind::Text | Kind::Url => redact_text(&case.input),
    }
}

#[test]
fn every_shared_vector_is_redacted_as_it_says() {
    let cases: Vec<Case> =
        serde_json::from_str(include_str!("../../tests/cases/redaction.json")).expect("the vectors parse");
    assert!(cases.len() > 50);
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            let got = redact(case);
            (got != case.expect).then(|| format!("{}: {:?}, not {:?}", case.what, got, case.expect))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

proptest! {
    #[test]
    fn redacting_twice_changes_nothing_more(text in "\\PC{0,120}") {
        let once = redact_text(&text);
        prop_assert_eq!(redact_text(&once), once);
    }

    #[test]
    fn redacting_text_full_of_signs_twice_changes_nothing_more(text in "[a-z0-9:/@=&?. \\-_#\\[\\]eyJ]{0,80}") {
        let once = redact_text(&text);
        prop_assert_eq!(redact_text(&once), once);
    }

    #[test]
    fn a_secret_parameter_never_survives(name in "[a-z]{0,4}(token|secret|password)", secret in "[A-Za-z0-9]{12,40}") {
        let redacted = redact_text(&format!("https://example.com/a?x=1&{name}={secret}&y=2"));
        prop_assert!(!redacted.contains(&secret));
        prop_assert!(redacted.ends_with("&y=2"));
    }
}
