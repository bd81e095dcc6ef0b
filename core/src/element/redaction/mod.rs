//! The second line of defence against secrets: what a capture should already have left out is left out here too.
//!
//! The content script applies the same rules before anything leaves the page; `tests/cases/README.md` states them and
//! both sides run `tests/cases/redaction.json`. Knows nothing of pages: an element is a tag and a way to ask for
//! attributes.

mod assignments;
mod commands;
mod fold;
mod lists;
mod names;
mod numbers;
mod shape;
mod steps;
mod tokens;

use fold::folded;
use names::{Place, is_secret, is_secret_field_name, normalised, says};
pub(super) use steps::redact_beginning;
pub use steps::redact_text;

/// What stands in place of something that was removed.
pub const REDACTED: &str = "[redacted]";

/// Whether a string holds something that was removed, so that it tells nothing about the element.
#[must_use]
pub fn is_redacted(text: &str) -> bool {
    crate::find::has(text, REDACTED)
}

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
    let secret = match name {
        "nonce" => true,
        "value" | "data-value" | "aria-valuetext" | "aria-valuenow" => is_secret_field(tag, attr),
        "content" => {
            tag == "meta" && ["name", "property"].into_iter().filter_map(attr).any(|name| is_of(name, value))
        }
        _ => false,
    };
    if secret || (name != "accesskey" && !name.starts_with("aria-") && is_of(name, value)) {
        return REDACTED.to_owned();
    }
    if is_structural(name) { value.to_owned() } else { redact_text(value) }
}

/// Whether `value` is a secret because of its name.
fn is_of(name: &str, value: &str) -> bool {
    is_secret(says(&normalised(&folded(name))), &folded(value), Place::Value)
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
