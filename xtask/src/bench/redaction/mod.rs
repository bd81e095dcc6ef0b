//! How many kinds of secrets redaction removes, of our own list and of two kept libraries' patterns, and how much of
//! ordinary pages it touches.

mod library;
mod ordinary;

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context as _, Result};
use opentoolbar_core::element::{redact_attribute, redact_text};
use serde::Deserialize;

use super::Args;
use crate::step::say;
use crate::workspace;

pub(super) fn run(args: &Args) -> Result<()> {
    own()?;
    library::run(args)?;
    ordinary::run(args.corpus.as_deref())
}

#[derive(Deserialize)]
struct Case {
    what: String,
    kind: String,
    #[serde(default)]
    element: Element,
    #[serde(default)]
    name: String,
    input: Parts,
    secret: Option<Parts>,
}

#[derive(Deserialize, Default)]
struct Element {
    tag: String,
    attributes: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Parts {
    Whole(String),
    Several(Vec<String>),
}

impl Parts {
    fn text(&self) -> String {
        match self {
            Self::Whole(text) => text.clone(),
            Self::Several(parts) => parts.concat(),
        }
    }
}

/// The kinds of `tests/cases/redaction.json`.
fn own() -> Result<()> {
    let path = workspace::path("tests/cases/redaction.json");
    let json = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let cases: Vec<Case> =
        serde_json::from_str(&json).context("tests/cases/redaction.json is not as expected")?;
    let kinds: Vec<&Case> = cases.iter().filter(|case| case.secret.is_some()).collect();
    let missed: Vec<&str> = kinds
        .iter()
        .filter(|case| {
            let secret = case.secret.as_ref().map(Parts::text).unwrap_or_default();
            is_left(&secret, &redact(case))
        })
        .map(|case| case.what.as_str())
        .collect();
    say(&format!("own list: {} of {} kinds removed", kinds.len() - missed.len(), kinds.len()));
    missed.iter().for_each(|what| say(&format!("  left: {what}")));
    Ok(())
}

fn redact(case: &Case) -> String {
    let input = case.input.text();
    if case.kind != "attribute" {
        return redact_text(&input);
    }
    let attr = |name: &str| case.element.attributes.get(name).map(String::as_str);
    redact_attribute(&case.element.tag, attr, &case.name, &input)
}

/// Whether more than a third of a secret is left in one piece.
fn is_left(secret: &str, redacted: &str) -> bool {
    let most = secret.len() / 3 + 1;
    (0..secret.len())
        .any(|start| secret.get(start..start + most).is_some_and(|piece| redacted.contains(piece)))
}

#[cfg(test)]
mod tests {
    use super::is_left;

    #[test]
    fn a_secret_is_left_when_more_than_a_third_of_it_is() {
        assert!(is_left("abcdefghi", "an abcd"));
        assert!(!is_left("abcdefghi", "an abc"));
        assert!(is_left("abcdefghi", "fghi"));
    }
}
