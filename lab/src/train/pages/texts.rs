//! How texts are compared: by their words.

/// FNV-1a.
pub(super) fn hash(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// With single blanks, and none around.
pub(super) fn normal(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The words of a text, each once.
#[derive(Clone, Debug, Default)]
pub(super) struct Words {
    hashes: Vec<u64>,
    /// Of more than three letters or digits.
    pub(super) long: usize,
}

impl Words {
    pub(super) fn of(text: &str) -> Self {
        let lower = text.to_lowercase();
        let is_word = |word: &&str| word.chars().nth(1).is_some();
        let mut words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(is_word).collect();
        words.sort_unstable();
        words.dedup();
        let long = words.iter().filter(|word| word.chars().nth(3).is_some()).count();
        let mut hashes: Vec<u64> = words.into_iter().map(hash).collect();
        hashes.sort_unstable();
        Self { hashes, long }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    /// Those in both, of those in either: 0 to 1. Nothing has nothing in common with anything.
    pub(super) fn shared(&self, other: &Self) -> f32 {
        let both = self.hashes.iter().filter(|word| other.hashes.binary_search(word).is_ok()).count();
        let either = self.hashes.len() + other.hashes.len() - both;
        if either == 0 { 0.0 } else { both as f32 / either as f32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_compared_without_case_marks_and_order() {
        let (one, other) = (Words::of("Save the file!"), Words::of("the file: save"));
        assert!((one.shared(&other) - 1.0).abs() < f32::EPSILON);
        assert!((one.shared(&Words::of("Save as")) - 0.25).abs() < f32::EPSILON);
        assert!(one.shared(&Words::of("")).abs() < f32::EPSILON);
        assert_eq!(one.long, 2);
    }
}
