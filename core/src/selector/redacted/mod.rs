//! A selector, an XPath or a locator without the secrets in it, whoever wrote it. Ours are made without.
//!
//! The values of attributes and all other strings are redacted. What names the page's own parts (`#id`, `.class`, tags)
//! stays, as in attributes. Reads whatever is written, valid or not.

mod calls;
mod escapes;
mod look;
mod read;
mod reading;

use std::borrow::Cow;

use calls::{Call, is_no_text};
use escapes::{Notation, unescaped};
use read::read;
use reading::{Name, Piece, Reading, VALUES, Value, Wrap};

use super::escape;
use crate::element::{AttributeValue, REDACTED, folded, redact_text};

/// Selectors inside of a locator's strings.
const DEPTH: u32 = 3;
/// No secret outside of strings has fewer letters and digits.
const SHORT: usize = 6;
/// How often what is left is looked at again.
const PASSES: usize = 4;

/// Without secrets. The same when there are none. Of a field that holds a secret no value stays.
pub(crate) fn redact_selector_of(selector: &str, is_secret_field: bool) -> String {
    let redact = |selector: &str| redacted(selector, is_secret_field, DEPTH);
    let mut before = redact(selector);
    // What is left of one secret may be read as another; done again it must not change.
    for _ in 0..PASSES {
        let mut after = redact(&before);
        if after == before {
            // Nor may anything be hidden by signs that nobody sees or tells apart.
            let Cow::Owned(shown) = folded(&before) else { return before };
            after = redact(&shown);
            if after == shown {
                return before;
            }
        }
        before = after;
    }
    REDACTED.to_owned()
}

fn redacted(selector: &str, is_secret_field: bool, depth: u32) -> String {
    let reading = read(selector, is_secret_field);
    if reading.values > VALUES {
        return REDACTED.to_owned();
    }
    let mut out = String::with_capacity(selector.len());
    for piece in &reading.pieces {
        match piece {
            Piece::Kept(range) => out.push_str(&selector[range.clone()]),
            Piece::Plain(range) => plain(&mut out, &selector[range.clone()]),
            Piece::Value(value) => put(&mut out, &reading, value, selector, depth),
        }
    }
    out
}

/// What stands outside of strings and brackets, as text. `token:nth-child(12)` is none.
fn plain(out: &mut String, text: &str) {
    for (at, text) in text.split(":nth-").enumerate() {
        out.push_str(if at > 0 { ":nth-" } else { "" });
        let is_short = text.chars().filter(|c| c.is_alphanumeric()).count() < SHORT;
        out.push_str(&if is_short { Cow::Borrowed(text) } else { redact_text(text).into() });
    }
}

/// A value, as it was when nothing in it is secret.
fn put(out: &mut String, reading: &Reading, value: &Value, selector: &str, depth: u32) {
    let written = &selector[value.range.clone()];
    let said = unescaped(written, value.notation);
    let safe = match reading.names(value) {
        _ if said.is_empty() => String::new(),
        _ if value.is_unclear || value.call == Call::Typed => REDACTED.to_owned(),
        _ if value.call == Call::Keys && !is_no_text(&said) => REDACTED.to_owned(),
        None => REDACTED.to_owned(),
        Some(names) if names.is_empty() && depth > 0 && value.call == Call::Selector => {
            redacted(&said, reading.is_secret_field, depth - 1)
        }
        Some(names) => of_names(reading, value, &names, &said)
            .unwrap_or_else(|| words(&said, reading.is_secret_field, depth)),
    };
    if let Wrap::Quotes(quote) = value.wrap {
        out.push(quote);
    }
    match value.wrap {
        _ if safe == said => out.push_str(written),
        // Into a string nothing can fail to be written.
        Wrap::None => drop(escape::string(out, &safe)),
        Wrap::Quotes(quote) if value.notation != Notation::XPath => {
            for c in safe.chars() {
                match c {
                    '\n' if value.notation == Notation::Script => out.push_str("\\n"),
                    '\n' => out.push_str("\\a "),
                    _ => {
                        out.push_str(if c == quote || c == '\\' { "\\" } else { "" });
                        out.push(c);
                    }
                }
            }
        }
        _ => out.push_str(&safe),
    }
    if let Wrap::Quotes(quote) = value.wrap
        && value.range.end < selector.len()
    {
        out.push(quote);
    }
}

/// What the names make of their value; none when it is to be judged by what it says.
fn of_names(reading: &Reading, value: &Value, names: &[&Name], said: &str) -> Option<String> {
    let run = reading.run(value)?;
    let judged = AttributeValue::new(said);
    if names.iter().any(|name| name.says.hides(&judged) || run.hides(&name.text, &judged)) {
        return Some(REDACTED.to_owned());
    }
    let is_structural = !names.is_empty() && names.iter().all(|name| name.says.is_structural);
    (is_structural || (!names.is_empty() && redact_text(said) == said)).then(|| said.to_owned())
}

#[cfg(test)]
fn redact_selector(selector: &str) -> String {
    redact_selector_of(selector, false)
}

/// A text that is looked for. It may have a selector in it.
fn words(said: &str, is_secret_field: bool, depth: u32) -> String {
    let may_have_one = depth > 0 && said.contains('[');
    let said = if may_have_one { redacted(said, is_secret_field, depth - 1) } else { said.to_owned() };
    redact_text(&said)
}

#[cfg(test)]
mod ordinary;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod typed;
