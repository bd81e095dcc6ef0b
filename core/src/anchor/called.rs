//! Words of the attributes that say what an element is called.

use super::few::Few;
use super::hash::{self, Kind};

/// Most words that are compared.
pub(super) const MAX_WORDS: usize = 20;

/// The words of a text, sorted.
pub(super) fn words_in(said: &str) -> Vec<u32> {
    Few::<u32, MAX_WORDS>::set(hash::words(said)).to_vec()
}

/// Whether an attribute says what an element is called.
pub(super) fn is_name(attribute: &str) -> bool {
    matches!(attribute, "aria-label" | "alt" | "title" | "value")
}

/// A word of a name.
pub(super) fn feature(word: u32) -> u32 {
    (hash::join(Kind::Id, [u64::from(word)]) >> 32) as u32
}
