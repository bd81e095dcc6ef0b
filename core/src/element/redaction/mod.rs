//! The second line of defence against secrets: what a capture should already have left out is left out here too.
//!
//! The content script applies the same rules before anything leaves the page; `tests/cases/README.md` states them and
//! both sides run `tests/cases/redaction.json`. Knows nothing of pages: an element is a tag and a way to ask for
//! attributes.

mod assignments;
mod commands;
mod fold;
mod lists;
mod mark;
mod names;
mod numbers;
mod runs;
mod shape;
mod steps;
mod tokens;

use std::borrow::Cow;

pub(crate) use fold::folded;
pub use mark::{REDACTED, is_redacted};
use names::{Place, Says, is_secret, is_secret_field_name, normalised, says};
use runs::looked;
#[cfg(test)]
pub(crate) use steps::cost::looked_during;
pub(super) use steps::redact_beginning;
pub use steps::redact_text;

/// Whether an element is a field whose value must not be seen. `attr` looks its attributes up.
#[must_use]
pub fn is_secret_field<'a>(tag: &str, attr: impl Fn(&str) -> Option<&'a str>) -> bool {
    matches!(tag, "input" | "textarea" | "select") && is_secret_control(&attr)
}

/// By `dyn`, as everything below that takes a look-up: its callers are many, and each would have a copy.
fn is_secret_control<'a>(attr: &dyn Fn(&str) -> Option<&'a str>) -> bool {
    let kind = attr("type").unwrap_or("");
    if kind.eq_ignore_ascii_case("password") || kind.eq_ignore_ascii_case("hidden") {
        return true;
    }
    let autocomplete = attr("autocomplete").unwrap_or("").to_ascii_lowercase();
    let by_autocomplete = autocomplete.split_ascii_whitespace().any(|token| {
        matches!(token, "current-password" | "new-password" | "one-time-code") || token.starts_with("cc-")
    });
    by_autocomplete || ["name", "id"].into_iter().filter_map(attr).any(is_secret_field_name)
}

/// The value of attribute `name`, without secrets. `attr` looks the element's other attributes up.
#[must_use]
pub fn redact_attribute<'a>(
    tag: &str,
    attr: impl Fn(&str) -> Option<&'a str>,
    name: &str,
    value: &str,
) -> String {
    redacted(tag, &attr, name, value)
}

fn redacted<'a>(tag: &str, attr: &dyn Fn(&str) -> Option<&'a str>, name: &str, value: &str) -> String {
    if value.is_empty() {
        return String::new();
    }
    let of = AttributeName::new(name);
    let said = AttributeValue::new(value);
    let secret = match name {
        "value" | "data-value" | "aria-valuetext" | "aria-valuenow" => is_secret_field(tag, attr),
        "content" => {
            let named = |name| Said::by(name).hides(&said);
            tag == "meta" && ["name", "property"].into_iter().filter_map(attr).any(named)
        }
        _ => false,
    };
    if secret || of.hides(&said) {
        return REDACTED.to_owned();
    }
    if of.is_structural { value.to_owned() } else { redact_text(value) }
}

/// What the name of an attribute says of any value: found once, for whoever has many values.
pub(crate) struct AttributeName {
    said: Said,
    is_always_secret: bool,
    /// Its values are names of the page's own parts.
    pub(crate) is_structural: bool,
}

impl AttributeName {
    pub(crate) fn new(name: &str) -> Self {
        let says_nothing = name == "accesskey" || name.starts_with("aria-");
        Self {
            said: if says_nothing { Said(Says::Nothing) } else { Said::by(name) },
            is_always_secret: name == "nonce",
            is_structural: is_structural(name),
        }
    }

    /// Whether a value is a secret because of its name, whatever else the element has.
    pub(crate) fn hides(&self, value: &AttributeValue<'_>) -> bool {
        !value.0.is_empty() && (self.is_always_secret || self.said.hides(value))
    }
}

/// What a text says of what it names: `<meta property="token" content="...">`.
pub(crate) struct Said(Says);

impl Said {
    pub(crate) fn by(name: &str) -> Self {
        looked(name.len());
        Self(says(&normalised(&folded(name))))
    }

    pub(crate) fn hides(&self, value: &AttributeValue<'_>) -> bool {
        is_secret(self.0, &value.0, Place::Value)
    }
}

/// A value as names judge it.
pub(crate) struct AttributeValue<'v>(Cow<'v, str>);

impl<'v> AttributeValue<'v> {
    pub(crate) fn new(value: &'v str) -> Self {
        looked(value.len());
        Self(folded(value))
    }
}

/// Attributes that hold names of the page's own parts.
fn is_structural(name: &str) -> bool {
    matches!(
        name,
        "id" | "class"
            | "for"
            | "name"
            | "type"
            | "role"
            | "slot"
            | "part"
            | "form"
            | "list"
            | "headers"
            | "aria-labelledby"
            | "aria-describedby"
            | "aria-controls"
            | "aria-owns"
    )
}
