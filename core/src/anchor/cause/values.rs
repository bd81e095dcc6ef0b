//! The values that an element takes by itself: counters, clocks, badges, themes, and what comes and goes.
//!
//! Of a text only the words that differ are kept, each run of them with a word on either side, so that one counter in a
//! long text says nothing about the rest of it.

use std::ops::Range;

use super::super::FieldChange;
use super::super::diff::counts;
use super::super::parts::{ROW, TEXT, without_seams};
use crate::model::{MAX_VALUE, Varied};
use crate::sort;

/// The field that says whether the element is there at all.
const PRESENCE: &str = "presence";
const ABSENT: &str = "absent";
/// What differs beyond the part of a text that is kept.
const BEYOND: &str = "…";
/// Most bytes of a text that are compared: an anchor keeps no more.
const COMPARED: usize = 190;
/// Two values that differ in their numbers alone show that the numbers vary; more of them say nothing new.
const OF_A_SHAPE: usize = 2;
/// A field that took as many values, and not by its numbers, is data: any other value is one more of them.
const DATA: usize = 6;
/// Among the values of a list that grew by itself: what else comes into it is data. No value of a page begins with a
/// blank.
const ANY: &str = " any";
/// What the rows of lists are made of.
const ROWS: [&str; 7] = ["li", "tr", "td", "dt", "dd", "option", "article"];

/// Keeps what differs between two looks under the same source. Says whether it is new.
pub(super) fn learn(varied: &mut Vec<Varied>, diff: &[FieldChange]) -> bool {
    let mut grew = false;
    for change in diff.iter().filter(|change| counts(change)) {
        if grows(change) {
            let more = Varied { field: change.field.clone(), values: vec![ANY.to_owned()] };
            grew |= Varied::merge(varied, &[more]);
        }
        for (before, after) in pieces(change) {
            for value in [before, after] {
                let is_known = values(varied, &change.field).contains(&value)
                    || of_shape(varied, &change.field, &shape(&value)) >= OF_A_SHAPE;
                if !is_known {
                    let more = Varied { field: change.field.clone(), values: vec![value] };
                    grew |= Varied::merge(varied, &[more]);
                }
            }
        }
    }
    grew
}

/// Keeps that the element is not there while what is around it is. Says whether that is new.
pub(super) fn learn_absence(varied: &mut Vec<Varied>) -> bool {
    let more = Varied { field: PRESENCE.to_owned(), values: vec![ABSENT.to_owned()] };
    Varied::merge(varied, &[more])
}

/// Whether the element was seen to go while the source stayed the same.
pub(super) fn comes_and_goes(varied: &[Varied]) -> bool {
    !values(varied, PRESENCE).is_empty()
}

/// Whether a field differs in the way in which it was seen to vary: one of the very values, or other numbers in the
/// same words.
pub(super) fn is_known(varied: &[Varied], change: &FieldChange) -> bool {
    let field = change.field.as_str();
    let known = values(varied, field);
    if known.is_empty() {
        return false;
    }
    let mut shapes: Vec<String> = Vec::new();
    for value in known {
        let shape = shape(value);
        if !shapes.contains(&shape) {
            shapes.push(shape);
        }
    }
    let is_of_state = |(before, after): (String, String)| {
        let of_after = shape(&after);
        known.contains(&after)
            || (shape(&before) == of_after && of_shape(varied, field, &of_after) >= OF_A_SHAPE)
    };
    shapes.len() >= DATA
        || known.iter().any(|value| value == ANY)
        || pieces(change).into_iter().all(is_of_state)
}

/// Whether a text says other numbers in the same words.
pub(super) fn are_other_numbers(change: &FieldChange) -> bool {
    let [before, after] = texts(change);
    change.field.starts_with(TEXT) && before != after && shape(&before) == shape(&after)
}

/// Whether a text says other numbers in the same words, and those were seen to vary in the words of an edit: as many of
/// the kind, `(#)` or `$#`. `by_look`: what differs from the look; those of an edit have no other numbers than that.
pub(super) fn counts_in_other_words(
    varied: &[Varied],
    change: &FieldChange,
    by_look: Option<&FieldChange>,
) -> bool {
    let numbers = |text: &str| -> Vec<String> {
        words(text).into_iter().map(str::to_owned).filter(|word| shape(word).contains('#')).collect()
    };
    let is_of_look = by_look.is_none_or(|change| {
        let [was, is] = texts(change);
        numbers(&was) == numbers(&is)
    });
    let mut seen: Vec<String> =
        values(varied, &change.field).iter().flat_map(|value| numbers(value)).collect();
    sort::plain(&mut seen);
    seen.dedup();
    let varies = |word: &String| {
        let wanted = shape(word);
        seen.iter().filter(|one| shape(one) == wanted).count() >= OF_A_SHAPE
    };
    is_of_look && are_other_numbers(change) && differing(change)[1].iter().all(varies)
}

/// Whether a list got a row such as it had none before: not one of its own with other numbers.
fn grows(change: &FieldChange) -> bool {
    let is_list = change
        .field
        .strip_prefix(TEXT)
        .is_some_and(|tags| tags.trim_start_matches(':').split(' ').any(|tag| ROWS.contains(&tag)));
    let (Some(before), Some(after)) = (&change.before, &change.after) else { return false };
    let shapes = |text: &str| text.split(ROW).map(shape).collect::<Vec<_>>();
    let (before, after) = (shapes(before), shapes(after));
    is_list && after.len() > before.len() && after.iter().any(|row| !before.contains(row))
}

fn values<'v>(varied: &'v [Varied], field: &str) -> &'v [String] {
    varied.iter().find(|one| one.field == field).map_or(&[], |one| &one.values)
}

fn of_shape(varied: &[Varied], field: &str, wanted: &str) -> usize {
    values(varied, field).iter().filter(|value| wanted.contains('#') && shape(value) == wanted).count()
}

/// A value with each number as `#`.
pub(in crate::anchor) fn shape(value: &str) -> String {
    let mut shape = String::new();
    for letter in value.chars() {
        let in_number = shape.ends_with('#') && matches!(letter, '.' | ',' | ':' | '0'..='9');
        match letter {
            '0'..='9' if !in_number => shape.push('#'),
            _ if in_number => {}
            _ => shape.push(letter),
        }
    }
    shape
}

/// The parts of a field that differ: before and after, each with a word on either side.
fn pieces(change: &FieldChange) -> Vec<(String, String)> {
    let [before, after] = texts(change);
    let (old, new) = (words(&before), words(&after));
    let runs = runs(&old, &new).into_iter();
    let mut pieces: Vec<_> =
        runs.map(|[was, is]| (piece(&old, was.start, was.end), piece(&new, is.start, is.end))).collect();
    if pieces.is_empty() {
        pieces.push((BEYOND.to_owned(), BEYOND.to_owned()));
    }
    pieces
}

/// The words that differ, of all runs together: those of before and those of after.
pub(super) fn differing(change: &FieldChange) -> [Vec<String>; 2] {
    let [before, after] = texts(change);
    let (old, new) = (words(&before), words(&after));
    let mut differing = [Vec::new(), Vec::new()];
    for runs in runs(&old, &new) {
        for ((words, run), kept) in [&old, &new].into_iter().zip(runs).zip(&mut differing) {
            kept.extend(words.get(run).unwrap_or(&[]).iter().map(|&word| word.to_owned()));
        }
    }
    differing
}

/// Before and after as they read, as far as both are whole.
fn texts(change: &FieldChange) -> [String; 2] {
    let read = |text: &Option<String>| without_seams(text.as_deref().map_or("", kept));
    [read(&change.before), read(&change.after)]
}

fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

/// The runs of words between those that two texts have in common.
fn runs(old: &[&str], new: &[&str]) -> Vec<[Range<usize>; 2]> {
    let mut runs = Vec::new();
    let (mut from, mut to) = (0, 0);
    for (a, b) in common(old, new).into_iter().chain([(old.len(), new.len())]) {
        if from < a || to < b {
            runs.push([from..a, to..b]);
        }
        (from, to) = (a + 1, b + 1);
    }
    runs
}

/// The part of a text that is whole on both sides: a text that was cut may end in half a word.
fn kept(text: &str) -> &str {
    if text.len() <= COMPARED {
        return text;
    }
    let start = &text[..text.floor_char_boundary(COMPARED)];
    &start[..start.rfind(' ').unwrap_or(start.len())]
}

fn piece(words: &[&str], from: usize, to: usize) -> String {
    let around = from.saturating_sub(1)..(to + 1).min(words.len());
    let words = if from < to { words.get(around).unwrap_or(&[]).join(" ") } else { String::new() };
    words.chars().take(MAX_VALUE).collect()
}

/// The places of the words that two texts have in common, in order: the most that there can be.
fn common(old: &[&str], new: &[&str]) -> Vec<(usize, usize)> {
    let width = new.len() + 1;
    // `longest[a * width + b]`: how many words the rests from `a` and `b` on have in common. At most 95 words each.
    let mut longest = vec![0u8; (old.len() + 1) * width];
    for a in (0..old.len()).rev() {
        for b in (0..new.len()).rev() {
            longest[a * width + b] = if old[a] == new[b] {
                longest[(a + 1) * width + b + 1].saturating_add(1)
            } else {
                longest[(a + 1) * width + b].max(longest[a * width + b + 1])
            };
        }
    }
    let (mut a, mut b) = (0, 0);
    let mut pairs = Vec::new();
    while a < old.len() && b < new.len() {
        if old[a] == new[b] {
            pairs.push((a, b));
            (a, b) = (a + 1, b + 1);
        } else if longest[(a + 1) * width + b] >= longest[a * width + b + 1] {
            a += 1;
        } else {
            b += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(before: &str, after: &str) -> FieldChange {
        FieldChange { field: "text".into(), before: Some(before.into()), after: Some(after.into()) }
    }

    fn learnt(looks: &[&str]) -> Vec<Varied> {
        let mut varied = Vec::new();
        for pair in looks.windows(2) {
            learn(&mut varied, &[text(pair[0], pair[1])]);
        }
        varied
    }

    #[test]
    fn a_counter_that_was_seen_to_count_may_have_any_number() {
        let varied = learnt(&["Open cart (0)", "Open cart (1)"]);
        assert!(is_known(&varied, &text("Open cart (1)", "Open cart (12)")));
        assert!(is_known(&varied, &text("Open cart (3)", "Open cart (0)")));
        assert!(!is_known(&varied, &text("Open cart (1)", "Open basket (1)")));
        assert!(!is_known(&varied, &text("Open cart (1)", "Show cart (2) now")));
    }

    #[test]
    fn a_number_that_was_never_seen_to_vary_counts() {
        assert!(!is_known(&[], &text("Top 10", "Top 5")));
        let varied = learnt(&["3 in cart, $9 each", "4 in cart, $9 each"]);
        assert!(is_known(&varied, &text("4 in cart, $9 each", "5 in cart, $9 each")));
        assert!(!is_known(&varied, &text("4 in cart, $9 each", "5 in cart, $12 each")));
        assert!(!is_known(&varied, &text("4 in cart, $9 each", "4 in cart, $12 each")));
    }

    #[test]
    fn words_are_known_by_the_very_values() {
        let varied = learnt(&["Pause", "Play"]);
        assert!(is_known(&varied, &text("Play", "Pause")));
        assert!(!is_known(&varied, &text("Play", "Stop")));
    }

    #[test]
    fn in_a_container_only_what_varied_is_state() {
        let looks = ["Inbox 3 Ann: lunch? Settings", "Inbox 4 Bob: call me Settings"];
        let varied = learnt(&looks);
        assert!(is_known(&varied, &text(looks[1], looks[0])));
        assert!(!is_known(&varied, &text(looks[1], "Inbox 4 Bob: call me Options")));
    }

    #[test]
    fn what_took_many_values_is_data() {
        let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
        assert!(is_known(&learnt(&days), &text("Sat", "Sun")));
        assert!(!is_known(&learnt(&days[..5]), &text("Fri", "Sun")));
    }

    #[test]
    fn a_list_that_got_a_row_of_other_words_is_data() {
        let part = |field: &str, before: &str, after: &str| FieldChange {
            field: field.into(),
            before: Some(before.into()),
            after: Some(after.into()),
        };
        let is_data = |field: &str, before: &str, after: &str| {
            let mut varied = Vec::new();
            learn(&mut varied, &[part(field, before, after)]);
            is_known(&varied, &part(field, after, "Paid in Oslo"))
        };
        assert!(is_data("text:ol li", "Bremen", "Lund\nBremen"));
        assert!(is_data("text:tbody tr td", "Bremen\n3", "Bremen\n3\nLund\n4"));
        assert!(!is_data("text:ol li", "Bremen", "Lund"), "no more rows");
        assert!(!is_data("text:ol li", "Bremen\nLund", "Bremen"), "fewer rows");
        assert!(!is_data("text:ol li", "3 left", "4 left\n3 left"), "its own row with another number");
        assert!(!is_data("text:p", "Name", "Name\nEnter a name"), "no list");
        assert!(!is_data("text", "Name", "Name\nEnter a name"));
        assert!(!is_data("attribute:title", "a", "b\na"));
    }

    #[test]
    fn counting_on_brings_nothing_new() {
        let mut varied = learnt(&["1 item", "2 items", "3 items"]);
        let before = varied.clone();
        for n in 3..60 {
            let change = text(&format!("{n} items"), &format!("{} items", n + 1));
            assert!(!learn(&mut varied, &[change]) || n == 3, "{varied:?}");
        }
        assert!(varied.iter().map(|one| one.values.len()).sum::<usize>() <= before[0].values.len() + 1);
    }

    #[test]
    fn a_number_that_varied_in_the_words_of_an_edit_varies_in_those_of_before() {
        let varied = learnt(&["Open tickets (2)", "Open tickets (1)"]);
        let is_state = |change: FieldChange, by_look: FieldChange| {
            counts_in_other_words(&varied, &change, Some(&by_look))
        };
        let undone = || text("Open tickets (1)", "Tickets (1)");
        assert!(is_state(text("Tickets (2)", "Tickets (1)"), undone()));
        assert!(is_state(text("Tickets (2)", "Tickets (7)"), text("Open tickets (7)", "Tickets (7)")));
        assert!(!is_state(text("Tickets (2)", "Issues (1)"), undone()), "other words");
        assert!(
            !is_state(text("For $9", "For $12"), text("All for $12", "For $12")),
            "another kind of number"
        );
        assert!(
            !is_state(text("Tickets (2)", "Tickets (1)"), text("Open tickets (2)", "Tickets (1)")),
            "edited too"
        );
        assert!(!counts_in_other_words(&[], &text("Tickets (2)", "Tickets (1)"), None), "not seen to vary");
    }

    #[test]
    fn what_differs_beyond_what_is_kept_is_known_once_it_varied() {
        let long = "word ".repeat(60);
        let change = text(&long, &long);
        assert!(!is_known(&[], &change));
        let mut varied = Vec::new();
        assert!(learn(&mut varied, std::slice::from_ref(&change)));
        assert!(is_known(&varied, &change));
    }
}
