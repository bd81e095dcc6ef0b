//! The vectors of `tests/cases/redaction.json`, as `tests/cases/README.md` states them: for the tests and for the
//! bench.

use std::collections::BTreeMap;

use opentoolbar_core::element::{REDACTED, is_secret_field, redact_attribute, redact_text};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    pub(crate) what: String,
    kind: Kind,
    #[serde(default)]
    element: Element,
    #[serde(default)]
    name: String,
    pub(crate) input: Parts,
    pub(crate) expect: Parts,
    /// What must not be left of the input. Of the cases that have it, one is one of a hundred common kinds of secrets.
    pub(crate) secret: Option<Parts>,
}

/// A text, in parts where a scanner of commits would take it for somebody's secret.
#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum Parts {
    Whole(String),
    Several(Vec<String>),
}

impl Parts {
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Whole(text) => text.clone(),
            Self::Several(parts) => parts.concat(),
        }
    }
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

impl Case {
    pub(crate) fn redacted(&self) -> String {
        let attr = |name: &str| self.element.attributes.get(name).map(String::as_str);
        let input = self.input.text();
        match self.kind {
            Kind::Attribute => redact_attribute(&self.element.tag, attr, &self.name, &input),
            Kind::Text if is_secret_field(&self.element.tag, attr) => REDACTED.to_owned(),
            Kind::Text | Kind::Url => redact_text(&input),
        }
    }
}

pub(crate) fn cases() -> Result<Vec<Case>, serde_json::Error> {
    serde_json::from_str(include_str!("../../../tests/cases/redaction.json"))
}
