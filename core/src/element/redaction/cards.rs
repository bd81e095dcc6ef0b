//! Numbers that are secrets: of payment cards by their check digit, and codes by what is said of them.

use std::ops::Range;

use super::lists::CODE_ENDS;
use super::names::normalised;
use super::steps::run_end;
use crate::find;

const CARD_DIGITS: std::ops::RangeInclusive<usize> = 13..=19;
const CODE_DIGITS: std::ops::RangeInclusive<usize> = 4..=8;
/// How far from a code its name is looked for, in characters.
const SAID_WITHIN: usize = 40;

pub(super) fn cards(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let mut end = run_end(bytes, at, &|b| b.is_ascii_digit());
        let mut groups = std::iter::once(at..end).collect::<Vec<_>>();
        while matches!(bytes.get(end), Some(b' ' | b'-'))
            && bytes.get(end + 1).is_some_and(u8::is_ascii_digit)
        {
            let next = end + 1..run_end(bytes, end + 1, &|b| b.is_ascii_digit());
            end = next.end;
            groups.push(next);
        }
        let before = at.checked_sub(1).map(|i| bytes[i]);
        let after = bytes.get(end).copied();
        let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
        let first = usize::from(before.is_some_and(|b| is_word(b) || matches!(b, b'.' | b'%')));
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

/// `Your verification code is 482913`, `482913 is your login code`: the digits.
pub(super) fn codes(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let is_word = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b'%');
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let end = run_end(bytes, at, &|b| b.is_ascii_digit());
        let touches = at.checked_sub(1).is_some_and(|i| is_word(bytes[i]))
            || bytes.get(end).is_some_and(|&b| b.is_ascii_alphanumeric() || b == b'_');
        if CODE_DIGITS.contains(&(end - at)) && !touches && is_told_of(text, at..end) {
            found.push(at..end);
        }
        at = end;
    }
    found
}

fn is_told_of(text: &str, digits: Range<usize>) -> bool {
    // The names of the codes of cards are too short to be looked for in a sentence.
    let says = |said: &str| CODE_ENDS.split(' ').any(|name| name.len() > 3 && find::has(said, name));
    let (before, after) = (&text[..digits.start], &text[digits.end..]);
    let start = before.char_indices().rev().take(SAID_WITHIN).last().map_or(digits.start, |(at, _)| at);
    let end = after.char_indices().nth(SAID_WITHIN).map_or(after.len(), |(at, _)| at);
    says(&normalised(&before[start..]))
        || (after.starts_with(" is your ") && says(&normalised(&after[..end])))
}
