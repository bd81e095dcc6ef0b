//! The steps over free text and addresses. Each finds ranges in the whole string, and all cut at ASCII characters.
//! Each takes time in proportion to the text's length, whatever is in it.

use std::ops::Range;

use super::assignments::assignments;
use super::commands::commands;
use super::fold::folded;
use super::mark::REDACTED;
use super::numbers::numbers;
use super::runs::{authorities, authorities_after};
use super::tokens::{hooks, json_web_tokens, key_headers, keys, links, long_tokens, private_keys, schemes};

type Step = fn(&str) -> Vec<Range<usize>>;

/// Text or an address without private keys, user info, values of secret names, tokens, keys, personal links, card
/// numbers and codes. What names a machine in an address stays: without it nobody finds the page again.
///
/// Where something is removed, what is left is folded (`fold.rs`); any other text stays as it is.
#[must_use]
pub fn redact_text(text: &str) -> String {
    redact_beginning(text, text.len())
}

/// What comes of the first `kept` bytes of `text`, with all of it looked at: the rest may be the beginning of a secret
/// that was cut in two, which is not told from text. What is redacted stays whole.
#[must_use]
pub(in crate::element) fn redact_beginning(text: &str, kept: usize) -> String {
    let beginning = text.get(..kept).unwrap_or(text);
    let mut end = folded(beginning).len();
    without_secrets(&folded(text), &mut end)
        .map_or_else(|| beginning.to_owned(), |redacted| redacted.get(..end).unwrap_or_default().to_owned())
}

/// None: there are none. `end` is a place in the text, and becomes that place in what is left of it.
fn without_secrets(text: &str, end: &mut usize) -> Option<String> {
    let mut current: Option<String> = None;
    let steps: [Step; 12] = [
        private_keys,
        key_headers,
        user_info,
        commands,
        assignments,
        schemes,
        hooks,
        links,
        json_web_tokens,
        keys,
        long_tokens,
        numbers,
    ];
    for (at, step) in steps.into_iter().enumerate() {
        let text = current.as_deref().unwrap_or(text);
        let found = step(text);
        if !found.is_empty() {
            let hosts = if at > 2 { hosts(text) } else { Vec::new() };
            // What was found may be in the names of machines alone.
            let (redacted, moved) = replaced(text, &found, &hosts, *end);
            if redacted != text {
                *end = moved;
                current = Some(redacted);
            }
        }
    }
    current
}

/// Both are sorted and do not overlap themselves. What begins in the name of a machine stays. With it comes where `end`
/// is then: behind what stands for a secret that it is in.
fn replaced(text: &str, found: &[Range<usize>], hosts: &[Range<usize>], end: usize) -> (String, usize) {
    let mut out = String::with_capacity(text.len());
    let mut moved = end;
    let mut from = 0;
    let mut host = 0;
    for range in found {
        while hosts.get(host).is_some_and(|host| host.end <= range.start) {
            host += 1;
        }
        if hosts.get(host).is_none_or(|host| host.start > range.start) {
            out.push_str(text.get(from..range.start).unwrap_or(""));
            out.push_str(REDACTED);
            from = range.end;
            if range.start < end {
                moved = out.len() + end.saturating_sub(from);
            }
        }
    }
    out.push_str(text.get(from..).unwrap_or(""));
    (out, moved)
}

/// The names of machines, which no page is found without. What a program calls its own (`app://...`) has dots where it
/// is one.
fn hosts(text: &str) -> Vec<Range<usize>> {
    let mut found = authorities(text);
    found.retain_mut(|host| {
        let said = &text[host.clone()];
        let from = said.rfind('@').unwrap_or(0);
        // In texts more may follow, as in `http://localhost:3000,token=...`.
        let ends = |c: char| matches!(c, ',' | ';' | '&' | '=' | '(' | ')' | '|' | '\\' | '`');
        let said = &said[..said[from..].find(ends).map_or(said.len(), |length| from + length)];
        host.end = host.start + said.len();
        let scheme = &text[..host.start - 3];
        let web = scheme.strip_suffix(['s', 'S']).unwrap_or(scheme).as_bytes();
        let is_web = web.last_chunk::<4>().is_some_and(|last| last.eq_ignore_ascii_case(b"http"));
        is_web || said.contains('.')
    });
    found
}

fn user_info(text: &str) -> Vec<Range<usize>> {
    // A scheme may have been cut off.
    let mut found = authorities_after(text, |_| true);
    found.retain_mut(|authority| {
        let last = text.as_bytes()[authority.start..authority.end].iter().rposition(|b| *b == b'@');
        authority.end = authority.start + last.unwrap_or(0);
        authority.end > authority.start
    });
    found
}

#[cfg(test)]
pub(super) mod cost;
