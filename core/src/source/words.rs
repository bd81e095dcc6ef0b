//! The words of a text as a page shows them and as a file of source has them.

use std::collections::BTreeSet;

/// Longer ones are none, in characters.
const LONGEST: usize = 40;

/// Words in small letters and numbers without what only shows them: `$1,200.50` is `1200.5`.
pub fn words_of(text: &str) -> impl Iterator<Item = String> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            let start = rest.find(char::is_alphanumeric)?;
            let from = rest.get(start..)?;
            let end = end_of_word(from);
            rest = from.get(end..)?;
            let word = from.get(..end)?;
            if word.chars().count() <= LONGEST {
                return Some(plain(word));
            }
        }
    })
}

/// A word goes on through a point or comma between two digits.
fn end_of_word(text: &str) -> usize {
    let mut before = ' ';
    let mut letters = text.char_indices().peekable();
    while let Some((at, c)) = letters.next() {
        let is_digit = |c: char| c.is_ascii_digit();
        let joins = matches!(c, '.' | ',')
            && is_digit(before)
            && letters.peek().is_some_and(|&(_, next)| is_digit(next));
        if !c.is_alphanumeric() && !joins {
            return at;
        }
        before = c;
    }
    text.len()
}

/// Letters beyond ASCII stay as they are: what tells small ones from great ones would be a sixth of all that this costs
/// in WASM.
fn plain(word: &str) -> String {
    let is_number = word.starts_with(|c: char| c.is_ascii_digit());
    let mut plain: String = word.chars().filter(|&c| c != ',').map(|c| c.to_ascii_lowercase()).collect();
    // Of a number with one point what says nothing behind it is taken away; a version has two.
    if is_number && plain.bytes().filter(|&b| b == b'.').count() == 1 {
        while plain.ends_with('0') {
            plain.pop();
        }
        if plain.ends_with('.') {
            plain.pop();
        }
    }
    plain
}

/// Which of these words stand in a text of source, in their order. A number also where it stands in hundredths: `2900`
/// for `29`.
#[must_use]
pub fn words_in(source: &str, words: &[String]) -> Vec<bool> {
    let wanted: BTreeSet<&str> = words.iter().map(String::as_str).collect();
    let mut found: BTreeSet<String> = BTreeSet::new();
    for word in words_of(source) {
        if let Some(whole) = of_hundredths(&word)
            && wanted.contains(whole.as_str())
        {
            found.insert(whole);
        }
        if wanted.contains(word.as_str()) {
            found.insert(word);
        }
    }
    // Some scripts put no blanks between words. What has blanks or marks in it is no word, and tells nothing of what
    // stands beside one.
    let is_wide = |word: &&str| !word.is_ascii() && word.chars().all(char::is_alphanumeric);
    let wide = parts_in(source, wanted.iter().copied().filter(is_wide).collect());
    words.iter().map(|word| found.contains(word) || wide.contains(word.as_str())).collect()
}

/// Which of these stand anywhere in the text, whatever stands around them. They are sorted; the text is looked through
/// once for all.
fn parts_in<'w>(text: &str, parts: Vec<&'w str>) -> BTreeSet<&'w str> {
    let mut found = BTreeSet::new();
    if parts.is_empty() {
        return found;
    }
    for (start, _) in text.char_indices() {
        let rest = text.as_bytes().get(start..).unwrap_or_default();
        // Those that begin with what stands here so far, and how much that is.
        let (mut fitting, mut length) = (parts.as_slice(), 0);
        while let Some((shortest, longer)) = fitting.split_first() {
            if shortest.len() == length {
                found.insert(*shortest);
                fitting = longer;
            }
            let Some(byte) = rest.get(length) else { break };
            let at = |part: &&str| part.as_bytes().get(length).copied();
            let from = fitting.partition_point(|part| at(part) < Some(*byte));
            let to = fitting.partition_point(|part| at(part) <= Some(*byte));
            fitting = fitting.get(from..to).unwrap_or_default();
            length += 1;
        }
    }
    found
}

fn of_hundredths(word: &str) -> Option<String> {
    let is_whole = word.len() > 2 && word.bytes().all(|b| b.is_ascii_digit());
    let (whole, part) = word.split_at_checked(word.len().checked_sub(2)?).filter(|_| is_whole)?;
    Some(plain(&format!("{whole}.{part}")))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words(text: &str) -> Vec<String> {
        words_of(text).collect()
    }

    #[test]
    fn words_are_small_and_numbers_are_plain() {
        assert_eq!(words("Buy it, for $1,200.50!"), ["buy", "it", "for", "1200.5"]);
        assert_eq!(words("29.00 0.50 1.2.3 3px v2 10."), ["29", "0.5", "1.2.3", "3px", "v2", "10"]);
        assert_eq!(words("don't Über-groß"), ["don", "t", "Über", "groß"]);
        assert_eq!(words(&"x".repeat(41)), [""; 0]);
    }

    #[test]
    fn only_whole_words_are_found() {
        let source = "const goods = [{ name: 'Mill', price: 2900, w: 24 }]; // h-7 #9 新しい注文";
        let asked = ["mill", "29", "2900", "24", "4", "good", "7", "9", "注文"].map(str::to_owned);
        assert_eq!(words_in(source, &asked), [true, true, true, true, false, false, true, true, true]);
    }

    #[test]
    fn what_stands_beside_a_word_is_not_found_with_it() {
        let source = "// Schlüssel für den Dienst: sk_live_Ab9x";
        let asked = ["für", "für den", "für den Dienst: s", "für ", "\u{fc}r d"].map(str::to_owned);
        assert_eq!(words_in(source, &asked), [true, false, false, false, false]);
    }

    proptest! {
        #[test]
        fn what_stands_anywhere_is_found_and_nothing_else(
            text in "[aé新注 ]{0,30}", parts in prop::collection::btree_set("[aé新注]{1,4}", 0..20),
        ) {
            let sorted: Vec<&str> = parts.iter().map(String::as_str).collect();
            let expected: BTreeSet<&str> = sorted.iter().copied().filter(|part| text.contains(part)).collect();
            prop_assert_eq!(parts_in(&text, sorted), expected);
        }

        #[test]
        fn no_text_panics_and_each_word_is_found_in_its_own_text(text: String) {
            let asked = words(&text);
            let found = words_in(&text, &asked);
            prop_assert!(found.iter().all(|&found| found), "{asked:?} {found:?}");
        }
    }
}
