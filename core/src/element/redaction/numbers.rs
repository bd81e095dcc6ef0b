//! Numbers that are secrets: of payment cards by their check digit, codes and those of persons by what is said of them.

use std::ops::Range;

use super::lists::{CODE_ENDS, SAID_OF_CODES, SAID_OF_PERSONS, SHORT_CODES};
use super::names::normalised;
use super::steps::{is_token_byte, run_end};
use crate::find;

const CARD_DIGITS: std::ops::RangeInclusive<usize> = 13..=19;
const CODE_DIGITS: std::ops::RangeInclusive<usize> = 4..=8;
const SHORT_CODE_DIGITS: std::ops::RangeInclusive<usize> = 3..=8;
/// At least the longest of the words before such a code.
const LONGEST_WORD: usize = 8;
/// How far from a number what is said of it is looked for, in characters.
const SAID_WITHIN: usize = 40;

/// Numbers of cards, of persons, and codes: one walk over the digits.
pub(super) fn numbers(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut groups = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let end = run_end(bytes, at, &|b| b.is_ascii_digit());
        if end == at {
            at += 1;
            continue;
        }
        groups.push(at..end);
        at = end;
        // What one blank or hyphen parts belongs together.
        if matches!(bytes.get(at), Some(b' ' | b'-')) && bytes.get(at + 1).is_some_and(u8::is_ascii_digit) {
            at += 1;
        } else {
            numbers_in(text, &groups, &mut found);
            groups.clear();
        }
    }
    found
}

fn numbers_in(text: &str, groups: &[Range<usize>], found: &mut Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    let (Some(first), Some(last)) = (groups.first(), groups.last()) else { return };
    let before = first.start.checked_sub(1).map(|at| bytes[at]);
    let after = bytes.get(last.end).copied();
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let from = usize::from(before.is_some_and(|b| is_word(b) || matches!(b, b'.' | b'%')));
    let to = groups.len() - usize::from(after.is_some_and(is_word));
    let mut at = 0;
    while at < groups.len() {
        let whole = groups.get(at..to).filter(|_| at >= from).unwrap_or(&[]);
        let number = card(bytes, whole).or_else(|| person(text, whole));
        if let Some(length) = number {
            found.push(groups[at].start..groups[at + length - 1].end);
            at += length;
            continue;
        }
        let whole = groups.first().map_or(0, |group| group.start)..groups[groups.len() - 1].end;
        if at == 0 && is_in_groups(groups) && is_code(text, &whole) {
            found.push(whole);
            return;
        }
        let alone = &groups[at];
        if (CODE_DIGITS.contains(&alone.len()) && is_code(text, alone)) || is_short_code(text, alone) {
            found.push(alone.clone());
        }
        at += 1;
    }
}

/// How many of the groups are the longest number of a card that begins with the first.
fn card(bytes: &[u8], groups: &[Range<usize>]) -> Option<usize> {
    let start = groups.first()?.start;
    let mut digits = 0;
    let mut longest = None;
    for (at, group) in groups.iter().enumerate() {
        digits += group.len();
        if digits > *CARD_DIGITS.end() {
            break;
        }
        if CARD_DIGITS.contains(&digits) && is_card(&bytes[start..group.end]) {
            longest = Some(at + 1);
        }
    }
    longest
}

/// `078-05-1120` after words that say what it is: of the groups three.
fn person(text: &str, groups: &[Range<usize>]) -> Option<usize> {
    let is_its = groups.len() == 3
        && groups.iter().map(Range::len).eq([3, 2, 4])
        && text.as_bytes()[groups[0].end..groups[2].start].iter().filter(|b| **b == b'-').count() == 2
        && is_said(&[SAID_OF_PERSONS], &text[..groups[0].start]);
    is_its.then_some(3)
}

/// Whether the end of `before` has one of the words.
fn is_said(lists: &[&str], before: &str) -> bool {
    let start = before.char_indices().rev().take(SAID_WITHIN).last().map_or(0, |(at, _)| at);
    says(lists, &before[start..])
}

fn says(lists: &[&str], text: &str) -> bool {
    let said = normalised(text);
    lists.iter().flat_map(|list| list.split(' ')).any(|name| find::has(&said, name))
}

/// `Your verification code is 482913`, `482913 is your login code`.
fn is_code(text: &str, digits: &Range<usize>) -> bool {
    if touches(text.as_bytes(), digits) {
        return false;
    }
    let names = [CODE_ENDS, SAID_OF_CODES];
    let after = &text[digits.end..];
    let end = after.char_indices().nth(SAID_WITHIN).map_or(after.len(), |(at, _)| at);
    is_said(&names, &text[..digits.start]) || (after.starts_with(" is your ") && says(&names, &after[..end]))
}

/// Whether it is a part of something longer. `G-482910` is none: a sender's letter stands before its code.
fn touches(bytes: &[u8], digits: &Range<usize>) -> bool {
    let before = &bytes[..digits.start];
    let is_lettered = match before {
        [.., other, letter, b'-'] => letter.is_ascii_uppercase() && *other <= b' ',
        [letter, b'-'] => letter.is_ascii_uppercase(),
        _ => false,
    };
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b'%');
    let goes_on = match &bytes[digits.end..] {
        // A date, a number of a part.
        [b'-', next, ..] => next.is_ascii_digit(),
        [next, ..] => next.is_ascii_alphanumeric() || *next == b'_',
        [] => false,
    };
    goes_on || (!is_lettered && before.last().is_some_and(is_part))
}

/// `482 910`: of one length, as dates and telephone numbers are not.
fn is_in_groups(groups: &[Range<usize>]) -> bool {
    let digits: usize = groups.iter().map(Range::len).sum();
    groups.len() > 1
        && CODE_DIGITS.contains(&digits)
        && groups.iter().all(|group| group.len() > 1 && group.len() == groups[0].len())
}

/// `OTP 482910`, `CVV: 123`: the word right before it.
fn is_short_code(text: &str, digits: &Range<usize>) -> bool {
    let said = text[..digits.start].trim_end_matches([' ', ':', '#']);
    if !SHORT_CODE_DIGITS.contains(&digits.len())
        || said.len() == digits.start
        || touches(text.as_bytes(), digits)
    {
        return false;
    }
    let length = said.bytes().rev().take(LONGEST_WORD + 1).take_while(|b| is_token_byte(*b)).count();
    let word = &said[said.len() - length..];
    SHORT_CODES.split(' ').any(|name| word.eq_ignore_ascii_case(name))
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
