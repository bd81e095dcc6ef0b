//! The steps over free text and addresses. Each finds ranges in the whole string, and all cut at ASCII characters.
//! Each takes time in proportion to the text's length, whatever is in it.

use std::borrow::Cow;
use std::ops::Range;

use super::REDACTED;
use super::assignments::assignments;
use super::cards::{cards, codes};
use super::tokens::{hooks, json_web_tokens, keys, links, long_tokens, private_keys, schemes};
use crate::find;

type Step = fn(&str) -> Vec<Range<usize>>;

/// Text or an address without private keys, user info, values of secret names, tokens, keys, personal links, card
/// numbers and codes. What names a machine in an address stays: without it nobody finds the page again.
#[must_use]
pub fn redact_text(text: &str) -> String {
    let mut current = Cow::Borrowed(text);
    let steps: [Step; 11] = [
        private_keys,
        user_info,
        assignments,
        schemes,
        hooks,
        links,
        json_web_tokens,
        keys,
        long_tokens,
        cards,
        codes,
    ];
    for (at, step) in steps.into_iter().enumerate() {
        let found = step(&current);
        if !found.is_empty() {
            let hosts = if at > 1 { authorities(&current) } else { Vec::new() };
            current = Cow::Owned(replaced(&current, &found, &hosts));
        }
    }
    current.into_owned()
}

/// Both are sorted and do not overlap themselves. What begins in the name of a machine stays.
fn replaced(text: &str, found: &[Range<usize>], hosts: &[Range<usize>]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    let mut host = 0;
    for range in found {
        while hosts.get(host).is_some_and(|host| host.end <= range.start) {
            host += 1;
        }
        let is_host = hosts.get(host).is_some_and(|host| {
            host.start <= range.start && text.as_bytes()[host.start..host.end].contains(&b'.')
        });
        if !is_host {
            out.push_str(text.get(from..range.start).unwrap_or(""));
            out.push_str(REDACTED);
            from = range.end;
        }
    }
    out.push_str(text.get(from..).unwrap_or(""));
    out
}

pub(super) fn is_token_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b == b'-'
}

/// The end of the run that begins at `from`.
///
/// By `dyn`: each of its many callers would have a copy.
pub(super) fn run_end(bytes: &[u8], from: usize, belongs: &dyn Fn(u8) -> bool) -> usize {
    let mut end = from;
    while bytes.get(end).is_some_and(|b| belongs(*b)) {
        end += 1;
    }
    end
}

/// Where a run goes on that begins with the digits of a percent-encoded character, encoded once or twice.
pub(super) fn after_escape(bytes: &[u8], from: usize) -> usize {
    let is_hex = |at: usize| bytes.get(at..at + 2).is_some_and(|pair| pair.iter().all(u8::is_ascii_hexdigit));
    if from == 0 || bytes[from - 1] != b'%' || !is_hex(from) {
        return from;
    }
    if bytes[from..].starts_with(b"25") && is_hex(from + 2) { from + 4 } else { from + 2 }
}

/// What stands between `://` and the path of every address in the text: user info and host.
pub(super) fn authorities(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text.get(from..).and_then(|rest| find::first(rest, "://")) {
        let colon = from + at;
        let start = colon + 3;
        from = start;
        let has_scheme = text.as_bytes()[..colon]
            .last()
            // `]` ends one that was redacted itself.
            .is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'.' | b'-' | b']'));
        let rest = &text[start..];
        let length = rest
            .find(|c: char| matches!(c, '/' | '?' | '#' | '"' | '\'' | '<' | '>') || c.is_whitespace())
            .unwrap_or(rest.len());
        if has_scheme {
            found.push(start..start + length);
        }
    }
    found
}

fn user_info(text: &str) -> Vec<Range<usize>> {
    let mut found = authorities(text);
    found.retain_mut(|authority| {
        let last = text.as_bytes()[authority.start..authority.end].iter().rposition(|b| *b == b'@');
        authority.end = authority.start + last.unwrap_or(0);
        authority.end > authority.start
    });
    found
}
