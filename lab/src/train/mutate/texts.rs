//! What people make of a text.

use super::tree::{Tree, What};
use super::words::word;
use crate::train::random::Random;

impl Tree {
    /// A word that is new here: one of the page's own, or a made-up one.
    pub(super) fn word(&self, random: &mut Random) -> String {
        if self.vocabulary.is_empty() || random.chance(0.3) {
            word(random)
        } else {
            random.of(&self.vocabulary).clone()
        }
    }

    pub(super) fn phrase(&self, most: usize, random: &mut Random) -> String {
        let count = 1 + random.below(most);
        (0..count).map(|_| self.word(random)).collect::<Vec<_>>().join(" ")
    }

    pub(super) fn edit_text(&mut self, at: usize, random: &mut Random) {
        let What::Text(text) = &self.pieces[at].what else { return };
        let edited = self.other_text(text, random);
        self.pieces[at].what = What::Text(edited);
    }

    /// What a person makes of a text.
    fn other_text(&self, text: &str, random: &mut Random) -> String {
        let mut words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        let Some(last) = words.len().checked_sub(1) else { return self.phrase(3, random) };
        let place = random.below(words.len());
        match random.below(12) {
            0 | 1 => return self.phrase(words.len().min(10) + 1, random),
            2 => words.insert(place, self.word(random)),
            3 if last > 0 => drop(words.remove(place)),
            4 | 5 => words[place] = self.word(random),
            6 | 7 => words[place] = slip(&words[place], random),
            8 if last > 2 => {
                words.truncate(words.len().div_ceil(2));
                return format!("{}…", words.join(" "));
            }
            9 => return text.to_uppercase(),
            10 if text.bytes().any(|b| b.is_ascii_digit()) => return other_numbers(text, random),
            _ => words.push(self.word(random)),
        }
        words.join(" ")
    }
}

impl Tree {
    /// The same thing in other words: shorter, longer, or with some of the words left.
    pub(super) fn rephrased(&self, text: &str, random: &mut Random) -> String {
        let mut words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        if words.is_empty() {
            return text.to_owned();
        }
        let some = 1 + random.below(words.len().div_ceil(2));
        match random.below(10) {
            0..=2 if words.len() > 1 => (0..some.min(words.len() - 1)).for_each(|_| {
                words.remove(random.below(words.len()));
            }),
            0..=5 => (0..some).for_each(|_| {
                let place = random.below(words.len() + 1);
                words.insert(place, self.word(random));
            }),
            6 | 7 if words.len() > 1 => (0..some).for_each(|_| {
                let place = random.below(words.len());
                words[place] = self.word(random);
            }),
            8 => return if random.chance(0.5) { text.to_uppercase() } else { format!("{text}:") },
            _ => {
                let kept = random.chance(0.5).then(|| random.of(&words).clone());
                let count = words.len().min(12);
                words = (0..count).map(|_| self.word(random)).collect();
                if let (Some(kept), Some(first)) = (kept.filter(|_| count > 1), words.first_mut()) {
                    *first = kept;
                }
            }
        }
        words.join(" ")
    }
}

/// A slip of the finger: a letter left out, or two in the wrong order.
fn slip(word: &str, random: &mut Random) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    if letters.len() < 3 {
        return format!("{word}{word}");
    }
    let at = random.below(letters.len() - 1);
    if random.chance(0.5) {
        letters.swap(at, at + 1);
    } else {
        letters.remove(at);
    }
    letters.into_iter().collect()
}

/// The same text with other numbers.
fn other_numbers(text: &str, random: &mut Random) -> String {
    let mut other = String::new();
    for sign in text.chars() {
        let digit = sign.is_ascii_digit() && random.chance(0.6);
        other.push(if digit {
            *random.of(&['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
        } else {
            sign
        });
    }
    other
}
