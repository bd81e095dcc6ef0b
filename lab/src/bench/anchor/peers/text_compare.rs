//! How alike two values are, by the comparisons that the papers name. All from 0 to 1.

use super::approximate::distance;
use crate::bench::statistics::number;

/// Longer values are cut to one less than this (2022), or compared as sets of words (2025).
const SHORT: usize = 50;

/// A value as both papers compare it.
pub(super) struct Value {
    /// Its first characters in lower case.
    head: Vec<u32>,
    /// All characters of a short one.
    short: Option<Vec<u32>>,
    /// The set of a short one's characters. Those beyond ASCII share places with others.
    characters: u128,
    /// Sorted ids of its words.
    words: Vec<u32>,
}

impl Value {
    pub(super) fn new(text: &str, word: impl FnMut(&str) -> u32) -> Self {
        let symbols: Vec<u32> = text.chars().take(SHORT + 1).map(u32::from).collect();
        let is_short = symbols.len() <= SHORT;
        let kept = if is_short { SHORT } else { SHORT - 1 };
        let head = text.chars().take(kept).flat_map(char::to_lowercase).map(u32::from).collect();
        let characters = symbols.iter().fold(0, |set, symbol| set | 1 << (symbol % 128));
        let mut words: Vec<u32> = text.split([' ', '\n']).map(word).collect();
        words.sort_unstable();
        words.dedup();
        Self { head, short: is_short.then_some(symbols), characters, words }
    }

    /// 2022: the edit distance of the beginnings.
    pub(super) fn like_2022(&self, other: &Self) -> f64 {
        closeness(&self.head, &other.head)
    }

    /// 2025: the edit distance of short ones, else the words they share.
    pub(super) fn like_2025(&self, other: &Self) -> f64 {
        match (&self.short, &other.short) {
            (Some(a), Some(b)) => closeness(a, b),
            _ => shared(&self.words, &other.words),
        }
    }

    /// 2025: the characters that short ones share, else the words.
    pub(super) fn characters_like(&self, other: &Self) -> f64 {
        if self.short.is_none() || other.short.is_none() {
            return shared(&self.words, &other.words);
        }
        let (both, either) = (self.characters & other.characters, self.characters | other.characters);
        if either == 0 { 1.0 } else { f64::from(both.count_ones()) / f64::from(either.count_ones()) }
    }
}

fn closeness(a: &[u32], b: &[u32]) -> f64 {
    let longest = a.len().max(b.len());
    if longest == 0 { 1.0 } else { 1.0 - number(distance(a, b)) / number(longest) }
}

/// Of the words of both sorted lists, the share that is in both.
pub(super) fn shared(a: &[u32], b: &[u32]) -> f64 {
    let (mut i, mut j, mut both) = (0, 0, 0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        both += usize::from(x == y);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    let either = a.len() + b.len() - both;
    if either == 0 { 0.0 } else { number(both) / number(either) }
}

/// How near two whole numbers are.
pub(super) fn near(a: i64, b: i64) -> f64 {
    let most = a.max(b);
    #[expect(clippy::cast_precision_loss, reason = "pixels")]
    if most <= 0 { 1.0 } else { (most - (a - b).abs()) as f64 / most as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Value {
        Value::new(text, |word| word.bytes().map(u32::from).sum())
    }

    #[test]
    fn edits_count_in_short_values_and_words_in_long_ones() {
        assert!((value("Save").like_2022(&value("save")) - 1.0).abs() < 1e-9);
        assert!((value("Save").like_2025(&value("save")) - 0.75).abs() < 1e-9);
        let (long, other) = ("one ".repeat(14) + "two", "one ".repeat(14) + "three");
        assert!((value(&long).like_2025(&value(&other)) - 1.0 / 3.0).abs() < 1e-9);
        assert!((value("abc").characters_like(&value("abd")) - 0.5).abs() < 1e-9);
    }

    #[test]
    fn shared_words_of_sorted_lists() {
        assert!((shared(&[1, 2, 3], &[2, 3, 4]) - 0.5).abs() < 1e-9);
        assert!(shared(&[], &[]).abs() < 1e-9);
        assert!((near(50, 100) - 0.5).abs() < 1e-9);
    }
}
