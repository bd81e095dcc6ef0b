//! Enums that are one word each, read by that word.
//!
//! Serde's own reading of an enum also knows variants with content, which costs more than a kilobyte of WASM for each
//! of ours; they are written by serde all the same, and the tests hold the two to one another.

/// A word that is none of an enum's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{word}` is not one of {known}")]
pub struct UnknownWord {
    word: String,
    known: &'static str,
}

impl UnknownWord {
    pub(crate) fn new(word: &str, known: &'static str) -> Self {
        Self { word: word.chars().take(40).collect(), known }
    }
}

/// `TryFrom<String>` for an enum of words, for `#[serde(try_from = "String")]`.
macro_rules! read_by_word {
    ($name:ty: $($variant:ident = $word:literal),+) => {
        impl TryFrom<String> for $name {
            type Error = $crate::model::UnknownWord;
            fn try_from(word: String) -> Result<Self, $crate::model::UnknownWord> {
                match word.as_str() {
                    $($word => Ok(Self::$variant),)+
                    _ => Err($crate::model::UnknownWord::new(&word, concat!($($word, " "),+).trim_ascii_end())),
                }
            }
        }

        #[cfg(test)]
        impl $name {
            /// Every variant, with the word it is read by.
            #[allow(dead_code, reason = "the flat forms are private and tested with what they become")]
            pub(crate) const WORDS: &[(Self, &str)] = &[$((Self::$variant, $word)),+];
        }
    };
}

pub(crate) use read_by_word;

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at what cannot be")]
    use crate::model::VerdictKind;
    use crate::model::{Cause, Stage, Status};

    #[test]
    fn each_word_is_read_as_what_wrote_it() {
        fn check<T>(words: &[(T, &str)])
        where
            T: serde::Serialize + serde::de::DeserializeOwned + PartialEq + std::fmt::Debug,
        {
            for (value, word) in words {
                let json = serde_json::to_string(value).unwrap();
                assert_eq!(json, format!("\"{word}\""));
                assert_eq!(serde_json::from_str::<T>(&json).unwrap(), *value);
            }
        }
        check(Status::WORDS);
        check(Stage::WORDS);
        check(VerdictKind::WORDS);
        check(Cause::WORDS);
    }

    #[test]
    fn another_word_is_refused_with_the_known_ones() {
        let error = serde_json::from_str::<Stage>("\"done\"").unwrap_err().to_string();
        assert!(error.starts_with("`done` is not one of open in_progress review"), "{error}");
    }
}
