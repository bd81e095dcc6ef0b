//! A selector, an XPath or a locator without the secrets in it, whoever wrote it. Ours are made without.
//!
//! The values of attributes and all other strings are redacted. What names the page's own parts (`#id`, `.class`, tags) stays,
//! as in attributes. Reads whatever is written, valid or not.

use std::borrow::Cow;

use super::escape;
use crate::element::{redact_attribute, redact_text};

/// Selectors inside of a locator's strings.
const DEPTH: u32 = 3;
/// How far before a string its name is looked for, in bytes.
const BEFORE: usize = 64;
/// No secret outside of strings has fewer letters and digits.
const SHORT: usize = 6;

/// Without secrets. The same when there are none.
pub(crate) fn redact_selector(selector: &str) -> String {
    redacted(selector, DEPTH)
}

fn redacted(selector: &str, depth: u32) -> String {
    let mut out = String::with_capacity(selector.len());
    // What no string is open in, up to its end; and where that began in the whole.
    let (mut from, mut at) = (0, 0);
    while let Some(next) = selector.get(at..).and_then(|rest| rest.chars().next()) {
        match next {
            '\\' => {
                at +=
                    1 + selector.get(at + 1..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8)
            }
            '"' | '\'' | '`' => {
                bare(&mut out, selector.get(from..at).unwrap_or_default());
                let rest = selector.get(at + 1..).unwrap_or_default();
                let end = string_end(rest, next);
                let written = rest.get(..end).unwrap_or_default();
                string(&mut out, (next, written), depth);
                at += 1 + end;
                if rest.get(end..).is_some_and(|rest| !rest.is_empty()) {
                    out.push(next);
                    at += 1;
                }
                from = at;
            }
            next => at += next.len_utf8(),
        }
    }
    bare(&mut out, selector.get(from..).unwrap_or_default());
    out
}

/// Where the string ends whose opening quote was before `rest`.
fn string_end(rest: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in rest.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            c if c == quote => return at,
            _ => {}
        }
    }
    rest.len()
}

/// A string with its opening quote: as it was, when nothing in it is secret. By what was put out before it, so that it is the same
/// when done again.
fn string(out: &mut String, (quote, written): (char, &str), depth: u32) {
    let value = unescaped(written);
    let before = out.get(out.ceil_char_boundary(out.len().saturating_sub(BEFORE))..).unwrap_or_default();
    let is_selector = depth > 0 && before.trim_end().to_ascii_lowercase().ends_with("locator(");
    let safe = match attribute_before(before) {
        Some(name) => value_of(name, &value),
        None if is_selector => redacted(&value, depth - 1),
        None => redact_text(&value),
    };
    out.push(quote);
    if safe == value {
        out.push_str(written);
        return;
    }
    for c in safe.chars() {
        if c == quote || c == '\\' {
            out.push('\\');
        }
        out.push(c);
    }
}

/// The attribute whose value comes next: behind `[name=`, `@name=` and `contains(@name, `, also with blanks put around it.
fn attribute_before(before: &str) -> Option<&str> {
    let end = before.trim_end_matches(|c: char| c.is_whitespace() || "=~|^$*!,()'".contains(c));
    let (outside, name) = end.split_at(end.trim_end_matches(is_name).len());
    (!name.is_empty() && end.len() < before.len() && outside.trim_end().ends_with(['[', '@'])).then_some(name)
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_' | ':')
}

/// As CSS reads it: `\\3a ` and `\\:` are both a colon.
fn unescaped(written: &str) -> String {
    let mut out = String::with_capacity(written.len());
    let mut chars = written.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        let mut code = String::new();
        while let Some(digit) = chars.next_if(|c| code.len() < 6 && c.is_ascii_hexdigit()) {
            code.push(digit);
        }
        match u32::from_str_radix(&code, 16) {
            Ok(code) => {
                chars.next_if(char::is_ascii_whitespace);
                out.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            Err(_) => out.extend(chars.next()),
        }
    }
    out
}

fn value_of(attribute: &str, value: &str) -> String {
    redact_attribute("", |_| None, &attribute.to_ascii_lowercase(), value)
}

/// What stands outside of strings: names of parts as they are, values of attributes without secrets, and all else as text.
fn bare(out: &mut String, text: &str) {
    let mut rest = text;
    while !rest.is_empty() {
        let (kept, after) = match rest.find(['#', '.', '[']) {
            Some(at) => rest.split_at(at),
            None => (rest, ""),
        };
        // `text=...` and the like: all of it is what is looked for.
        if kept.contains('=') {
            out.push_str(&redact_text(rest));
            return;
        }
        let is_short = kept.chars().filter(|c| c.is_alphanumeric()).count() < SHORT;
        out.push_str(&if is_short { Cow::Borrowed(kept) } else { redact_text(kept).into() });
        rest = if after.starts_with('[') {
            attribute(out, after)
        } else {
            let (name, rest) = after.split_at(part_end(after));
            out.push_str(name);
            rest
        };
    }
}

/// Where the `#id` or `.class` at the beginning ends.
fn part_end(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if !is_escaped && c != '\\' && !is_name(c) {
            return at;
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    text.len()
}

/// `[name=value]` without quotes, or the beginning of one whose value is in quotes. Returns what comes after it.
fn attribute<'a>(out: &mut String, text: &'a str) -> &'a str {
    let (inside, rest) = match text.find(']') {
        Some(at) => text.split_at(at),
        None => (text, ""),
    };
    let Some((name, value)) = inside.split_once('=').filter(|(_, value)| !value.trim().is_empty()) else {
        // Not as text: it may be the name of a secret, whose value comes next.
        out.push_str(inside);
        return rest;
    };
    let value = unescaped(value.trim());
    let attribute = name.trim_start_matches('[').trim_matches(|c: char| !is_name(c));
    let safe = value_of(attribute, &value);
    if safe == value {
        out.push_str(inside);
    } else {
        out.push_str(name);
        out.push('=');
        // Into a string nothing can fail to be written.
        let _ = escape::string(out, &safe);
    }
    rest
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at what cannot be")]
    use proptest::prelude::*;

    use super::*;

    const SECRET: &str = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";

    #[test]
    fn strings_and_values_lose_their_secrets() {
        for (selector, expected) in [
            (r#"a[href="/x?token=hunter2"]"#, r#"a[href="/x?token=[redacted]"]"#),
            ("a[href='/x?token=hunter2' i] > b", "a[href='/x?token=[redacted]' i] > b"),
            (r#"[ data-token ~= "hunter2"]"#, r#"[ data-token ~= "[redacted]"]"#),
            ("[data-token=hunter2].on", r#"[data-token="[redacted]"].on"#),
            ("[DATA-TOKEN=hunter2]", r#"[DATA-TOKEN="[redacted]"]"#),
            (r#"[data-token="hunt\65 r2"]"#, r#"[data-token="[redacted]"]"#),
            (r"[title=SECRET]", r#"[title="[redacted]"]"#),
            (r#"p:text-is("SECRET")"#, r#"p:text-is("[redacted]")"#),
            (r#"p:text-is("a \"quoted\" SECRET")"#, r#"p:text-is("a \"quoted\" [redacted]")"#),
            (r#"p:has-text("SECRET"#, r#"p:has-text("[redacted]"#),
            ("//a[@data-token='hunter2']/b[2]", "//a[@data-token='[redacted]']/b[2]"),
            ("//a[contains(., 'SECRET')]", "//a[contains(., '[redacted]')]"),
            ("//a[contains(@data-token, 'hunter2')]", "//a[contains(@data-token, '[redacted]')]"),
            ("page.getByText('SECRET').nth(1)", "page.getByText('[redacted]').nth(1)"),
            (
                r#"page.locator('#a > [data-token="hunter2"]')"#,
                r#"page.locator('#a > [data-token="[redacted]"]')"#,
            ),
            ("text=SECRET", "text=[redacted]"),
            ("main SECRET", "main [redacted]"),
        ] {
            let put = |text: &str| text.replace("SECRET", SECRET);
            assert_eq!(redact_selector(&put(selector)), expected, "{selector}");
        }
    }

    #[test]
    fn what_names_parts_of_the_page_stays() {
        for selector in [
            "#css-9fK2mQ7xWb4Tz1Lp8Rv3Yc6Hd0 > .sc-9fK2mQ7xWb4Tz1Lp8Rv3Yc6Hd0:nth-child(2)",
            r#"[id="9fK2mQ7xWb4Tz1Lp8Rv3Yc6Hd0"], [class~='9fK2mQ7xWb4Tz1Lp8Rv3Yc6Hd0'] + i"#,
            "//*[@id='9fK2mQ7xWb4Tz1Lp8Rv3Yc6Hd0']/div[contains(concat(' ', @class, ' '), ' 9fK2mQ7xWb4Tz1Lp8Rv3Yc6Hd0 ')]",
            "page.locator('#css-9fK2mQ7xWb4Tz1Lp8Rv3Yc6Hd0').getByRole('button', { name: 'Save', exact: true })",
            r#"form.login input[type="password"][name="password"][autocomplete="current-password"]"#,
            r#"[data-testid="token-input"] >>> label[for="api-key"]:text-is("Password")"#,
            r"#radix-\:r1\: > .md\:w-1\/2",
            "",
            "\\",
            "[",
        ] {
            assert_eq!(redact_selector(selector), selector);
        }
    }

    proptest! {
        #[test]
        fn once_more_changes_nothing_and_nothing_panics(selector in "(\\PC|[\\[\\]=\"'`\\\\#.:() >@~,]|token|[a-z]{1,6}|ghp_16C7e42F292c6912E7710c838347Ae178B4a|locator\\('|é){0,30}") {
            let once = redact_selector(&selector);
            prop_assert_eq!(redact_selector(&once), once);
        }
    }
}
