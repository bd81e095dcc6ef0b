//! The steps over free text and addresses. Each finds ranges in the whole string; all cut at ASCII characters.

use std::borrow::Cow;
use std::ops::Range;

use super::REDACTED;
use super::words::is_secret_parameter;
use crate::find;

/// Key prefixes that well-known services give.
const PREFIXES: [&str; 19] = [
    "sk-",
    "sk_live_",
    "sk_test_",
    "pk_live_",
    "rk_live_",
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "ghr_",
    "github_pat_",
    "xoxa-",
    "xoxb-",
    "xoxp-",
    "xoxs-",
    "glpat-",
    "npm_",
    "AKIA",
    "ASIA",
];
const GOOGLE_PREFIX: &str = "AIza";
/// Characters after a prefix that make it a key.
const MIN_KEY: usize = 16;
const MIN_JWT_PART: usize = 8;
const MIN_LONG_TOKEN: usize = 32;
const MIN_TOKEN_DIGITS: usize = 4;
const MIN_TOKEN_CHANGES: usize = 8;
const CARD_DIGITS: std::ops::RangeInclusive<usize> = 13..=19;

/// Text or an address without user info, secret parameters, tokens, keys and card numbers.
#[must_use]
pub fn redact_text(text: &str) -> String {
    let mut current = Cow::Borrowed(text);
    for step in [user_info, parameters, json_web_tokens, keys, long_tokens, cards] {
        let found = step(&current);
        if !found.is_empty() {
            current = Cow::Owned(replaced(&current, &found));
        }
    }
    current.into_owned()
}

/// `found` is sorted and does not overlap.
fn replaced(text: &str, found: &[Range<usize>]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for range in found {
        out.push_str(text.get(from..range.start).unwrap_or(""));
        out.push_str(REDACTED);
        from = range.end;
    }
    out.push_str(text.get(from..).unwrap_or(""));
    out
}

fn is_token_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b == b'-'
}

/// The end of the run that begins at `from`.
fn run_end(bytes: &[u8], from: usize, belongs: impl Fn(u8) -> bool) -> usize {
    from + bytes.get(from..).unwrap_or(&[]).iter().take_while(|b| belongs(**b)).count()
}

fn user_info(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text.get(from..).and_then(|rest| find::first(rest, "://")) {
        let colon = from + at;
        let start = colon + 3;
        from = start;
        let has_scheme = text.as_bytes()[..colon]
            .last()
            .is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'.' | b'-'));
        let rest = &text[start..];
        let authority = rest
            .find(|c: char| matches!(c, '/' | '?' | '#' | '"' | '\'' | '<' | '>') || c.is_whitespace())
            .map_or(rest, |end| &rest[..end]);
        if let Some(last) = authority.rfind('@').filter(|&last| has_scheme && last > 0) {
            found.push(start..start + last);
        }
    }
    found
}

fn parameters(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut done = 0;
    for (equals, _) in text.match_indices('=') {
        if equals < done {
            continue;
        }
        let name_length = bytes[done..equals]
            .iter()
            .rev()
            .take_while(|b| is_token_byte(**b) || matches!(b, b'.' | b'[' | b']' | b'%'))
            .count();
        let name = &text[equals - name_length..equals];
        // The names are ASCII words; a longer run is no name, and reading it whole at every `=` would be slow.
        done = equals + 1;
        if name.is_empty() || !is_secret_parameter(name) {
            continue;
        }
        let rest = &text[equals + 1..];
        let length = rest
            .find(|c: char| matches!(c, '&' | ';' | '"' | '\'' | '<' | '>' | '#') || c.is_whitespace())
            .unwrap_or(rest.len());
        if length > 0 {
            found.push(equals + 1..equals + 1 + length);
            done = equals + 1 + length;
        }
    }
    found
}

fn json_web_tokens(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut done = 0;
    for (start, _) in bytes.windows(3).enumerate().filter(|(_, letters)| letters == b"eyJ") {
        if start < done || (start > 0 && is_token_byte(bytes[start - 1])) {
            continue;
        }
        let head = run_end(bytes, start + 3, is_token_byte);
        if head - start - 3 < MIN_JWT_PART || bytes.get(head) != Some(&b'.') {
            continue;
        }
        let body = run_end(bytes, head + 1, is_token_byte);
        if body - head - 1 < MIN_JWT_PART {
            continue;
        }
        let end = if bytes.get(body) == Some(&b'.') { run_end(bytes, body + 1, is_token_byte) } else { body };
        found.push(start..end);
        done = end;
    }
    found
}

fn keys(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut start = 0;
    while start < bytes.len() {
        if !is_token_byte(bytes[start]) {
            start += 1;
            continue;
        }
        let end = run_end(bytes, start, is_token_byte);
        let run = &text[start..end];
        let tail = PREFIXES.into_iter().chain([GOOGLE_PREFIX]).filter_map(|p| run.strip_prefix(p)).next();
        if tail.is_some_and(|t| t.len() >= MIN_KEY && t.bytes().any(|b| b.is_ascii_digit())) {
            found.push(start..end);
        }
        start = end;
    }
    found
}

fn long_tokens(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let belongs = |b: u8| is_token_byte(b) || b == b'+';
    let mut found = Vec::new();
    let mut start = 0;
    while start < bytes.len() {
        let end = run_end(bytes, start, belongs);
        let run = &bytes[start..end];
        if run.len() >= MIN_LONG_TOKEN && is_random(run) && !is_uuid(run) && !is_machine(bytes, start..end) {
            found.push(start..end);
        }
        start = end.max(start + 1);
    }
    found
}

/// The first part of an address's host: hosted workspaces have such names, and without them nobody finds the page again.
fn is_machine(bytes: &[u8], run: Range<usize>) -> bool {
    let before = bytes.get(..run.start).unwrap_or(&[]);
    let before =
        before.strip_suffix(b"@").and_then(|rest| rest.strip_suffix(REDACTED.as_bytes())).unwrap_or(before);
    before.ends_with(b"://") && bytes.get(run.end) == Some(&b'.')
}

fn is_random(run: &[u8]) -> bool {
    let class = |b: u8| match b {
        b'a'..=b'z' => 1,
        b'A'..=b'Z' => 2,
        b'0'..=b'9' => 3,
        _ => 0,
    };
    let digits = run.iter().filter(|b| b.is_ascii_digit()).count();
    let changes = run
        .windows(2)
        .filter(|pair| {
            let (a, b) = (class(pair[0]), class(pair[1]));
            a != 0 && b != 0 && a != b
        })
        .count();
    digits >= MIN_TOKEN_DIGITS && changes >= MIN_TOKEN_CHANGES
}

fn is_uuid(run: &[u8]) -> bool {
    run.len() == 36
        && run.iter().enumerate().all(|(at, b)| match at {
            8 | 13 | 18 | 23 => *b == b'-',
            _ => b.is_ascii_hexdigit(),
        })
}

fn cards(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let mut end = run_end(bytes, at, |b| b.is_ascii_digit());
        let mut groups = std::iter::once(at..end).collect::<Vec<_>>();
        while matches!(bytes.get(end), Some(b' ' | b'-'))
            && bytes.get(end + 1).is_some_and(u8::is_ascii_digit)
        {
            let next = end + 1..run_end(bytes, end + 1, |b| b.is_ascii_digit());
            end = next.end;
            groups.push(next);
        }
        let before = at.checked_sub(1).map(|i| bytes[i]);
        let after = bytes.get(end).copied();
        let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
        let first = usize::from(before.is_some_and(|b| is_word(b) || b == b'.'));
        let last = groups.len() - usize::from(after.is_some_and(is_word));
        cards_in(bytes, groups.get(first..last).unwrap_or(&[]), &mut found);
        at = end;
    }
    found
}

fn cards_in(bytes: &[u8], groups: &[Range<usize>], found: &mut Vec<Range<usize>>) {
    let mut start = 0;
    while start < groups.len() {
        let mut digits = 0;
        let mut longest = None;
        for (stop, group) in groups.iter().enumerate().skip(start) {
            digits += group.len();
            if digits > *CARD_DIGITS.end() {
                break;
            }
            let span = groups[start].start..group.end;
            if CARD_DIGITS.contains(&digits) && is_card(&bytes[span.clone()]) {
                longest = Some((stop, span));
            }
        }
        if let Some((stop, span)) = longest {
            found.push(span);
            start = stop;
        }
        start += 1;
    }
}

/// The issuers' first digits, and the Luhn check.
fn is_card(span: &[u8]) -> bool {
    let digits = || span.iter().filter(|b| b.is_ascii_digit()).map(|b| u32::from(b - b'0'));
    let sum: u32 = digits()
        .collect::<Vec<_>>()
        .into_iter()
        .rev()
        .enumerate()
        .map(|(place, digit)| match (place % 2, digit * 2) {
            (0, _) => digit,
            (_, double) if double > 9 => double - 9,
            (_, double) => double,
        })
        .sum();
    digits().next().is_some_and(|first| (2..=6).contains(&first)) && sum.is_multiple_of(10)
}
