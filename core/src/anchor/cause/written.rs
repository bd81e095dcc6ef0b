//! Whether what differs is written in the source at all: numbers that stand in a text node of their own, and words that
//! no file has.

use serde::{Deserialize, Serialize};

use super::super::FieldChange;
use super::super::diff::counts;
use super::super::parts::{ROW, SEAM, TEXT};
use super::values;
use crate::model::read_by_word;
use crate::source::words_of;

/// Where a word stands literally among the files of a project.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case", try_from = "String")]
pub enum FoundIn {
    /// In a file that changed since the last look.
    ChangedFile,
    /// In the element's own file, which has not changed since.
    OwnFile,
    /// In none of these, and all were read.
    Nowhere,
    /// It cannot be told.
    #[default]
    Unknown,
}

read_by_word!(
    FoundIn: ChangedFile = "changed_file",
    OwnFile = "own_file",
    Nowhere = "nowhere",
    Unknown = "unknown"
);

/// What is known of one word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct FoundWord {
    /// As [`Judged::words`](super::Judged::words) has it.
    pub word: String,
    /// Where it stands.
    pub found_in: FoundIn,
}

/// Most words that are asked for of one element.
pub const MAX_WORDS: usize = 24;

/// The words that would tell whether these differences are written in the source.
pub(super) fn asked<'c>(changes: impl Iterator<Item = &'c FieldChange>) -> Vec<String> {
    let mut asked: Vec<String> = Vec::new();
    for word in changes.filter(|change| is_text(change)).flat_map(values::differing).flatten() {
        ask(&mut asked, &word);
    }
    asked
}

/// The same of more differences.
pub(super) fn ask_too<'c>(words: &mut Vec<String>, changes: impl Iterator<Item = &'c FieldChange>) {
    asked(changes).iter().for_each(|word| ask(words, word));
}

/// The words of a text that is not there any more.
pub(super) fn words_in(text: &str) -> Vec<String> {
    let mut asked = Vec::new();
    ask(&mut asked, text);
    asked
}

fn ask(asked: &mut Vec<String>, text: &str) {
    for word in words_of(text) {
        if asked.len() < MAX_WORDS && !asked.contains(&word) {
            asked.push(word);
        }
    }
}

/// Whether all words that were asked for still stand in the element's file, or in one that changed: what is not shown
/// is not taken out then.
pub(super) fn are_written(found: &[FoundWord]) -> bool {
    let is_written = |one: &FoundWord| matches!(one.found_in, FoundIn::ChangedFile | FoundIn::OwnFile);
    !found.is_empty() && found.iter().all(is_written)
}

/// Whether a difference is one of what the source does not say: a number that is a text node of its own, unless a file
/// was edited to that number; another number, or any words inside a container, that stand in no file.
pub(super) fn is_unwritten(change: &FieldChange, is_container: bool, found: &[FoundWord]) -> bool {
    if !counts(change) || !is_text(change) {
        return false;
    }
    let found_in =
        |word: &str| found.iter().find(|one| one.word == word).map_or(FoundIn::Unknown, |one| one.found_in);
    if let Some(numbers) = own_numbers(change) {
        let is_brought = |number: &str| words_of(number).any(|word| found_in(&word) == FoundIn::ChangedFile);
        return numbers.iter().all(|(was, is)| is_brought(was) || !is_brought(is));
    }
    let [was, is] = values::differing(change);
    let is_number = |word: &String| word.contains(|c: char| c.is_ascii_digit());
    let are_numbers = !was.is_empty() && was.len() == is.len() && was.iter().chain(&is).all(is_number);
    let mut new = is.iter().flat_map(|word| words_of(word)).peekable();
    (are_numbers || is_container)
        && new.peek().is_some()
        && new.all(|word| found_in(&word) == FoundIn::Nowhere)
}

/// The same of a difference that may be of an earlier edit: what stands in the element's own file was perhaps written
/// then.
pub(super) fn is_in_no_file(change: &FieldChange, is_container: bool, found: &[FoundWord]) -> bool {
    let [_, is] = values::differing(change);
    let is_own = |word: String| found.iter().any(|one| one.word == word && one.found_in == FoundIn::OwnFile);
    is_unwritten(change, is_container, found) && !is.iter().flat_map(|word| words_of(word)).any(is_own)
}

fn is_text(change: &FieldChange) -> bool {
    change.field.starts_with(TEXT)
}

/// The numbers that differ, before and after, when nothing else does and each is a text node beside others.
fn own_numbers(change: &FieldChange) -> Option<Vec<(&str, &str)>> {
    let [before, after] = [change.before.as_deref()?, change.after.as_deref()?];
    let (before, after): (Vec<&str>, Vec<&str>) = (before.split(ROW).collect(), after.split(ROW).collect());
    let mut numbers = Vec::new();
    for (was, is) in before.iter().zip(&after).filter(|(was, is)| was != is) {
        let (was, is): (Vec<&str>, Vec<&str>) = (was.split(SEAM).collect(), is.split(SEAM).collect());
        if was.len() < 2 || was.len() != is.len() {
            return None;
        }
        numbers.extend(was.into_iter().zip(is).filter(|(was, is)| was != is));
    }
    let are_numbers = numbers.iter().all(|(was, is)| is_number(was) && is_number(is));
    (before.len() == after.len() && !numbers.is_empty() && are_numbers).then_some(numbers)
}

/// Digits, and what stands between those of one number: a text that was written has blanks about it, or words.
fn is_number(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit())
        && text
            .chars()
            .all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | ':' | '-' | '+' | '%' | '\u{2212}'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(before: &str, after: &str) -> FieldChange {
        let split = |text: &str| Some(text.replace('|', "\u{1f}"));
        FieldChange { field: TEXT.to_owned(), before: split(before), after: split(after) }
    }

    fn found(words: &[(&str, FoundIn)]) -> Vec<FoundWord> {
        words.iter().map(|&(word, found_in)| FoundWord { word: word.to_owned(), found_in }).collect()
    }

    use FoundIn::{ChangedFile, Nowhere, OwnFile, Unknown};

    #[test]
    fn a_number_in_a_text_node_of_its_own_is_not_written_in_the_source() {
        assert!(is_unwritten(&text("Open cart (|0|)", "Open cart (|4|)"), false, &[]));
        assert!(!is_unwritten(&text("Open cart (0)", "Open cart (4)"), false, &[]));
        for (before, after) in [
            ("Open cart (|0|)", "Open basket (|4|)"),
            ("Hello |Ada|", "Hello |Bob|"),
            ("Top |10| of |20", "Top |5| of all"),
            ("|a| 9 |b|", "|a| 12 |b|"),
        ] {
            assert!(!is_unwritten(&text(before, after), true, &[]), "{after}");
        }
    }

    #[test]
    fn a_number_to_which_a_file_was_edited_is_written() {
        let price = text("€ |24", "€ |29");
        assert!(is_unwritten(&price, false, &[]));
        assert!(!is_unwritten(&price, false, &found(&[("24", Nowhere), ("29", ChangedFile)])));
        assert!(
            is_unwritten(&price, false, &found(&[("24", ChangedFile), ("29", ChangedFile)])),
            "it has both"
        );
        assert!(is_unwritten(&price, false, &found(&[("24", Nowhere), ("29", OwnFile)])), "not edited");
    }

    #[test]
    fn a_number_that_stands_in_the_elements_own_file_may_be_of_an_earlier_edit() {
        let price = text("€ |24", "€ |29");
        let own = found(&[("24", Nowhere), ("29", OwnFile)]);
        assert!(is_unwritten(&price, false, &own) && !is_in_no_file(&price, false, &own));
        assert!(is_in_no_file(&price, false, &found(&[("24", OwnFile), ("29", Nowhere)])));
        assert!(is_in_no_file(&price, false, &[]), "nobody tells");
        assert!(!is_in_no_file(&text("Buy for $9", "Buy for $12"), false, &[]));
    }

    #[test]
    fn what_stands_in_no_file_is_not_written() {
        let price = text("Buy for $9", "Buy for $12");
        assert!(!is_unwritten(&price, false, &[]));
        assert!(is_unwritten(&price, false, &found(&[("9", ChangedFile), ("12", Nowhere)])));
        for known in [OwnFile, ChangedFile, Unknown] {
            assert!(!is_unwritten(&price, false, &found(&[("12", known)])));
        }
        let mail = text("Ann: lunch?", "Bob: call me");
        let nowhere = found(&[("bob", Nowhere), ("call", Nowhere), ("me", Nowhere)]);
        assert!(is_unwritten(&mail, true, &nowhere));
        assert!(!is_unwritten(&mail, false, &nowhere), "words of an element's own count");
        assert!(!is_unwritten(&mail, true, &nowhere[..2]));
        assert!(!is_unwritten(&text("Ann: lunch?", "Ann:"), true, &nowhere), "what is gone says nothing");
    }

    #[test]
    fn only_words_that_differ_are_asked_for() {
        let changes = [text("Buy it for $9 now", "Buy it for $1,200.50 today"), text("a", "b")];
        assert_eq!(asked(changes.iter()), ["9", "now", "1200.5", "today", "a", "b"]);
        let long = text("", &(0..90).map(|n| format!("word{n} ")).collect::<String>());
        assert!(asked([long].iter()).len() <= MAX_WORDS);
    }
}
