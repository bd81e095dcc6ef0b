//! Secrets that are known by themselves or by what stands before them.

use std::ops::Range;

use super::lists::{HOOKS, LINKS, PREFIXES};
use super::names::normalised;
use super::runs::{after_escape, authorities, is_token_byte, run_end};
use super::shape::{is_bearer, is_dense, is_key, is_mixed, is_random, is_token, is_uuid};
use crate::find;

/// Shortest base64 of JSON.
const MIN_JSON: usize = 20;
/// Shortest key with its prefix.
const MIN_KEY: usize = 15;
/// Most dots and slashes within a key.
const MAX_KEY_PARTS: usize = 16;
/// Longest number of a token's owner.
const MAX_OWNER: usize = 20;
/// Shortest base64 with slashes in it, so that no path is taken for it.
const MIN_BASE64: usize = 30;

/// Private keys whole, from header to footer; one whose end or beginning is missing as far as it goes.
pub(super) fn private_keys(text: &str) -> Vec<Range<usize>> {
    const BEGIN: &str = "-----BEGIN ";
    const END: &str = "-----END ";
    let bytes = text.as_bytes();
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut open: Option<usize> = None;
    // Up to where nothing is left to be looked for.
    let mut done = 0;
    let mut at = 0;
    while let Some(dashes) = text.get(at..).and_then(|rest| find::first(rest, "-----")) {
        let start = at + dashes;
        let rest = &text[start..];
        let is_end = rest.starts_with(END);
        if !is_end && !rest.starts_with(BEGIN) {
            at = start + 1;
            continue;
        }
        let label = start + if is_end { END.len() } else { BEGIN.len() };
        let close = run_end(bytes, label, &|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b' ');
        at = close;
        if !find::has(&text[label..close], "PRIVATE KEY") {
            continue;
        }
        let end = run_end(bytes, close, &|b| b == b'-').min(close + 5);
        at = end;
        if !is_end {
            if let Some((from, end)) = open.and_then(|from| Some((from, cut_key(&text[..start], done)?))) {
                found.push(from..end);
                open = None;
            }
            open.get_or_insert(start);
            done = start;
            continue;
        }
        let first = open.take().unwrap_or_else(|| {
            let is_body = |b: &&u8| {
                b.is_ascii_alphanumeric()
                    || matches!(b, b'+' | b'/' | b'=' | b'\\')
                    || b.is_ascii_whitespace()
            };
            start - bytes[done..start].iter().rev().take_while(is_body).count()
        });
        found.push(first..end);
        done = end;
    }
    if let Some(start) = open {
        found.push(start..cut_key(text, start.max(done)).unwrap_or(text.len()));
    }
    found
}

/// Lines that say that a private key begins, without the dashes or without a key: harmless, and so is that they go.
pub(super) fn key_headers(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found: Vec<Range<usize>> = Vec::new();
    for mark in ["BEGIN ", "PuTTY-User-Key-File"] {
        let mut at = 0;
        while let Some(next) = text.get(at..).and_then(|rest| find::first(rest, mark)) {
            let start = at + next;
            let belongs = |b: u8| b.is_ascii_uppercase() || b.is_ascii_digit() || matches!(b, b' ' | b'-');
            let end = run_end(bytes, start + mark.len(), &belongs);
            let label = text[start..end].trim_end();
            at = end;
            if mark.len() > 6 || find::has(label, "PRIVATE KEY") {
                found.push(start..start + label.len());
            }
        }
    }
    crate::sort::by_key(&mut found, |range| range.start);
    found
}

/// Where what cannot be in a private key without its footer begins.
fn cut_key(text: &str, from: usize) -> Option<usize> {
    let ends = |c: char| matches!(c, '"' | '\'' | '`' | '<' | '}');
    text[from..].find(ends).map(|length| from + length)
}

/// What stands behind `Bearer`, and behind `Basic` when it is a name and a password or looks random.
pub(super) fn schemes(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found: Vec<Range<usize>> = Vec::new();
    let is_value = |b: u8| is_token_byte(b) || matches!(b, b'.' | b'~' | b'+' | b'/' | b'=');
    for at in 0..bytes.len() {
        if bytes[at] != b' ' {
            continue;
        }
        let word = |word: &str| {
            let before = &bytes[at.saturating_sub(word.len())..at];
            before.eq_ignore_ascii_case(word.as_bytes())
                && (at == word.len() || !bytes[at - word.len() - 1].is_ascii_alphanumeric())
        };
        let value = at + 1..run_end(bytes, at + 1, &is_value);
        let is_secret = ((word("bearer") || word("ntlm")) && is_bearer(&bytes[value.clone()]))
            || (word("basic")
                && (is_name_and_password(&bytes[value.clone()]) || is_random(&bytes[value.clone()])));
        if is_secret {
            found.push(value);
        }
    }
    found
}

/// base64 of readable text with a colon in it.
fn is_name_and_password(value: &[u8]) -> bool {
    let mut bits = 0_u32;
    let mut count = 0;
    let mut has_colon = false;
    for byte in value.iter().take_while(|b| **b != b'=') {
        let six = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return false,
        };
        bits = bits << 6 | u32::from(six);
        count += 6;
        if count >= 8 {
            count -= 8;
            let said = (bits >> count & 0xff) as u8;
            if said < b' ' || said == 0x7f {
                return false;
            }
            has_colon |= said == b':';
        }
    }
    has_colon && value.len() >= 4
}

fn ends_address(b: u8) -> bool {
    b <= b' ' || b >= 0x7f || matches!(b, b'"' | b'\'' | b'`' | b'<' | b'>' | b')' | b'[')
}

/// The paths of addresses that are secrets themselves.
pub(super) fn hooks(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut done = 0;
    for slash in 0..bytes.len() {
        if bytes[slash] != b'/' || slash < done {
            continue;
        }
        // A hook's mark ends at a slash, but for those that end in a word.
        for mark in HOOKS.split(' ') {
            let last = mark.bytes().rposition(|b| b == b'/').unwrap_or(0);
            let Some(from) = slash.checked_sub(last) else { continue };
            let start = from + mark.len();
            if bytes.get(from..start) != Some(mark.as_bytes()) {
                continue;
            }
            let end = run_end(bytes, start, &|b| !ends_address(b));
            if end - start >= 8 {
                found.push(start..end);
                done = end;
            }
            break;
        }
    }
    found
}

/// In paths, what looks random behind a word like `reset`: who has such a link is let in.
pub(super) fn links(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found: Vec<Range<usize>> = Vec::new();
    let hosts = authorities(text);
    let mut host = 0;
    let mut at = 0;
    let mut is_link = false;
    while at < bytes.len() {
        let end = run_end(bytes, at, &|b| is_token_byte(b) || matches!(b, b'.' | b'=' | b':' | b'%' | b'~'));
        while hosts.get(host).is_some_and(|host| host.end < at) {
            host += 1;
        }
        let in_host = hosts.get(host).is_some_and(|host| host.start <= at && at < host.end);
        // What is no segment may begin within a character.
        let segment = text.get(at..end).unwrap_or("");
        if !in_host && at > 0 && bytes[at - 1] == b'/' && !segment.is_empty() {
            if is_link && (is_mixed(segment) || is_uuid(segment.as_bytes())) {
                found.push(at..end);
            }
            let name = normalised(segment);
            is_link |= LINKS.split(' ').any(|word| find::has(&name, word));
        }
        // A path ends where something else than a slash follows.
        is_link &= bytes.get(end) == Some(&b'/');
        at = end + 1;
    }
    found
}

/// JSON web tokens, signed or not, encrypted ones too, and other base64 that begins as JSON does.
pub(super) fn json_web_tokens(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while let Some(next) = text.get(at..).and_then(|rest| find::first(rest, "eyJ")) {
        let start = at + next;
        let run =
            run_end(bytes, start, &|b| is_token_byte(b) || matches!(b, b'.' | b'=' | b'+' | b'~' | b'/'));
        let dots = bytes[start..run].iter().rev().take_while(|b| **b == b'.').count();
        let end = run - dots;
        at = run;
        if end - start >= MIN_JSON {
            found.push(start..end);
        }
    }
    found
}

/// Keys by the prefixes that services give them.
pub(super) fn keys(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut start = 0;
    while start < bytes.len() {
        if !is_token_byte(bytes[start]) {
            start += 1;
            continue;
        }
        start = after_escape(bytes, start);
        let end = run_end(bytes, start, &is_token_byte);
        let mut last = end;
        // Few services put dots or slashes between the parts; those of a host or a sentence part words.
        for _ in 0..MAX_KEY_PARTS {
            if !matches!(bytes.get(last), Some(b'.' | b'/' | b'=' | b'+' | b'$' | b'%'))
                || !bytes.get(last + 1).is_some_and(|b| is_token_byte(*b) || matches!(b, b'/' | b'+' | b'~'))
            {
                break;
            }
            last = run_end(bytes, last + 1, &is_token_byte);
        }
        let run = &text[start..last];
        // Nearly every word is too short: the list is gone through for few.
        let is_long = run.len() >= MIN_KEY;
        let its = || PREFIXES.split(' ').find(|prefix| run.starts_with(*prefix));
        match is_long.then(its).flatten() {
            Some(prefix) if is_key(&run.as_bytes()[prefix.len()..]) => {
                found.push(start..last);
                start = last;
            }
            _ => start = end,
        }
    }
    found
}

/// Where the number of a token's owner begins that stands before it, as in `123456789:token`; else the token's own
/// beginning.
fn owner(bytes: &[u8], after: usize, token: usize) -> usize {
    let Some(sign) = token.checked_sub(1).filter(|at| matches!(bytes[*at], b':' | b'|' | b'!')) else {
        return token;
    };
    let whole = bytes[after.max(sign.saturating_sub(MAX_OWNER))..sign].iter();
    let length = whole.rev().take_while(|b| b.is_ascii_alphanumeric()).count();
    let is_number = length >= 8 && bytes[sign - length..sign].iter().any(u8::is_ascii_digit);
    if is_number { sign - length } else { token }
}

/// Long runs that look random, wherever they stand.
pub(super) fn long_tokens(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let belongs = |b: u8| is_token_byte(b) || matches!(b, b'+' | b'~');
    let mut found: Vec<Range<usize>> = Vec::new();
    let hosts = authorities(text);
    let mut host = 0;
    let mut start = 0;
    while start < bytes.len() {
        start = after_escape(bytes, start);
        while hosts.get(host).is_some_and(|host| host.end <= start) {
            host += 1;
        }
        // A path goes on with no name of a machine.
        let most = hosts.get(host).filter(|host| host.start <= start).map_or(bytes.len(), |host| host.end);
        let whole = start..run_end(&bytes[..most], start, &|b| belongs(b) || b == b'/');
        let run = &bytes[whole.clone()];
        let mut is_base64 = run.len() >= MIN_BASE64 && run[0] != b'/' && is_token(run);
        let before = found.len();
        let mut from = whole.start;
        for part in run.split(|b| *b == b'/') {
            is_base64 &= is_dense(part);
            if is_token(part) {
                let after = found.last().map_or(0, |range| range.end);
                found.push(owner(bytes, after, from)..from + part.len());
            }
            from += part.len() + 1;
        }
        if is_base64 {
            found.truncate(before);
            let after = found.last().map_or(0, |range| range.end);
            found.push(
                owner(bytes, after, whole.start)
                    ..run_end(bytes, whole.end, &|b| b == b'=').min(whole.end + 2),
            );
        }
        start = whole.end.max(start + 1);
    }
    found
}
