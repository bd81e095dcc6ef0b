//! Numbers that are secrets: of payment cards by their check digit, codes and those of persons by what is said of them.

use std::ops::Range;

use super::lists::{
    AFTER_CODES, BEFORE_CODES, CARD_CODES, CODE_ENDS, COUNTED, LONG_CODES, SAID_OF_CODES, SAID_OF_PERSONS,
    SHORT_CODES, VERBS,
};
use super::names::normalised;
use super::runs::{is_token_byte, run_end};
use crate::find;

const CARD_DIGITS: std::ops::RangeInclusive<usize> = 13..=19;
const CODE_DIGITS: std::ops::RangeInclusive<usize> = 4..=8;
const CARD_CODE_DIGITS: std::ops::RangeInclusive<usize> = 3..=4;
/// Fewest digits that years and counts seldom have.
const LONG_CODE: usize = 6;
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
    let whole = first.start..last.end;
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let from = usize::from(before.is_some_and(|b| is_word(b) || matches!(b, b'.' | b'%')));
    let to = groups.len() - usize::from(after.is_some_and(is_word));
    let mut at = 0;
    while at < groups.len() {
        let rest = groups.get(at..to).filter(|_| at >= from).unwrap_or(&[]);
        let number = card(bytes, rest).or_else(|| person(text, rest));
        if let Some(length) = number {
            found.push(groups[at].start..groups[at + length - 1].end);
            at += length;
            continue;
        }
        if at == 0 && is_in_groups(groups) && (is_code(text, &whole) || is_short_code(text, &whole)) {
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
    says(lists, &normalised(end_of(before)))
}

/// As much of what stands before a number as is looked at.
fn end_of(before: &str) -> &str {
    &before[before.char_indices().rev().take(SAID_WITHIN).last().map_or(0, |(at, _)| at)..]
}

fn says(lists: &[&str], said: &str) -> bool {
    names(lists).any(|name| find::has(said, name))
}

fn names<'a>(lists: &'a [&str]) -> impl Iterator<Item = &'a str> {
    lists.iter().flat_map(|list| list.split(' '))
}

/// `Your verification code is 482913`, `482913 is your login code`.
fn is_code(text: &str, digits: &Range<usize>) -> bool {
    if touches(text.as_bytes(), digits) {
        return false;
    }
    let lists = [CODE_ENDS, SAID_OF_CODES];
    let (before, after) = (&text[..digits.start], &text[digits.end..]);
    let said = normalised(end_of(before));
    let end = after.char_indices().nth(SAID_WITHIN).map_or(after.len(), |(at, _)| at);
    (says(&lists, &said) && !is_other(text, digits, &said))
        || (after.starts_with(" is your ") && says(&lists, &normalised(&after[..end])))
}

/// Whether a number behind the name of a code is a year or counts something: `your code to 1000 servers`. None is
/// behind a sign or a verb, or of 6 digits and no two years. Right behind the name it takes a word that is counted for
/// sure. `said`: what stands before it.
fn is_other(text: &str, digits: &Range<usize>, said: &str) -> bool {
    let number = &text[digits.clone()];
    let before = &text[..digits.start];
    if is_told(before) {
        return false;
    }
    if number.len() >= LONG_CODE {
        return are_years(number);
    }
    let is_near = names(&[CODE_ENDS, SAID_OF_CODES]).any(|name| said.ends_with(name));
    let word = next_word(text, digits.end).unwrap_or("");
    if is_near && !before.trim_end_matches(' ').ends_with(['.', '!', '?', ';']) {
        let is_behind_owner = |name| {
            said.strip_suffix(name)
                .is_some_and(|rest| names(&[BEFORE_CODES]).any(|word| rest.ends_with(word)))
        };
        return is_one(COUNTED, word)
            && !text[digits.end..].starts_with(" times out")
            && !names(&[CODE_ENDS]).any(is_behind_owner);
    }
    let counts = !word.is_empty() && is_counted(word);
    word == "of" || (counts && is_plural(word)) || (is_year(number) && (counts || !is_near))
}

fn is_year(number: &str) -> bool {
    number.len() == 4 && (number.starts_with("19") || number.starts_with("20"))
}

/// `2019-2021`
fn are_years(number: &str) -> bool {
    number.split_once('-').is_some_and(|(from, to)| is_year(from) && is_year(to))
}

fn is_plural(word: &str) -> bool {
    word.len() > 3 && word.ends_with('s') && word.as_bytes()[0].is_ascii_lowercase()
}

/// Whether a sign or a verb stands before: `Code: 4829`, `code is 4829`.
fn is_told(before: &str) -> bool {
    let before = before.trim_end_matches(' ');
    let is_verb = |verb: &str| before.strip_suffix(verb).is_some_and(|rest| rest.ends_with(' '));
    before.ends_with([':', '#', '=']) || VERBS.split(' ').any(is_verb)
}

/// The word behind one blank, as far as its letters are ASCII.
fn next_word(text: &str, from: usize) -> Option<&str> {
    let start = from + 1;
    let end = run_end(text.as_bytes(), start, &|b| b.is_ascii_alphanumeric());
    text.get(start..end).filter(|word| !word.is_empty() && text.as_bytes()[from] == b' ')
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
    let before = &text[..digits.start];
    let said = before.trim_end_matches([' ', ':', '#']);
    if said.len() == before.len() || touches(text.as_bytes(), digits) {
        return false;
    }
    let length = said.bytes().rev().take(LONGEST_WORD + 1).take_while(|b| is_token_byte(*b)).count();
    let word = &said[said.len() - length..];
    let name = word.to_ascii_lowercase();
    let is_of = |list: &str| is_one(list, &name);
    let is_told = is_told(before);
    // A verb is not written in capitals: `pin 1234 Main Street`.
    let may_be_verb = !is_told && is_of("pin") && word != "PIN" && !is_anyones(&said[..said.len() - length]);
    let number = &text[digits.clone()];
    let count = number.bytes().filter(u8::is_ascii_digit).count();
    let is_long = count >= LONG_CODE;
    // Other groups are years, or numbers of their own: `MFA 2019-2021`, `pin 10 11 12 13`.
    let is_longest = count == *CODE_DIGITS.end()
        && (is_told || (is_of(SHORT_CODES) && !(may_be_verb && number.len() > count + 1)))
        && !are_years(number);
    if count < number.len() && count != LONG_CODE && !is_longest {
        return false;
    }
    if is_of(CARD_CODES) {
        // `CSC 101` is a course.
        return CARD_CODE_DIGITS.contains(&count) && (is_told || !is_of("csc"));
    }
    let is_verb = may_be_verb && next_word(text, digits.end).is_some_and(is_counted);
    CODE_DIGITS.contains(&count)
        && ((is_of(SHORT_CODES) && !is_verb) || (is_of(LONG_CODES) && (is_told || is_long)))
}

/// Whether a word behind a number is what there are so many of, and does not go on with what is said of a code.
fn is_counted(word: &str) -> bool {
    !is_one(AFTER_CODES, word)
}

/// Whether the end of `before` says that somebody has or types what is named next: `Your pin 4829`.
fn is_anyones(before: &str) -> bool {
    let before = before.trim_end_matches(' ');
    let length = before.bytes().rev().take(LONGEST_WORD + 1).take_while(|b| is_token_byte(*b)).count();
    is_one(BEFORE_CODES, &before[before.len() - length..].to_ascii_lowercase())
}

fn is_one(list: &str, word: &str) -> bool {
    list.split(' ').any(|other| other == word)
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
