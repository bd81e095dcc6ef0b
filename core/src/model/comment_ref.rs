use std::str::FromStr;

use super::CommentId;
use super::id::IdError;

/// A comment as people and agents name it: by its id, or by its number in the project, `3` or `#3`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommentRef {
    /// `c_abc123`.
    Id(CommentId),
    /// From 1.
    Number(u32),
}

impl FromStr for CommentRef {
    type Err = IdError;

    fn from_str(given: &str) -> Result<Self, IdError> {
        let name = given.trim();
        let digits = name.strip_prefix('#').unwrap_or(name);
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            let id = name.parse().map(Self::Id);
            return id.map_err(|_| IdError::of_reference(given));
        }
        match digits.parse() {
            Ok(number @ 1..) => Ok(Self::Number(number)),
            _ => Err(IdError::of_reference(given)),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_comment_is_named_by_its_id_or_its_number() {
        for given in ["3", "#3", " #3 ", "003"] {
            assert_eq!(given.parse(), Ok(CommentRef::Number(3)), "{given}");
        }
        assert_eq!("4294967295".parse(), Ok(CommentRef::Number(u32::MAX)));
        for given in ["c_3", " c_3"] {
            assert_eq!(given.parse(), Ok(CommentRef::Id("c_3".parse().unwrap())), "{given}");
        }
    }

    #[test]
    fn what_names_no_comment_is_refused_with_what_would() {
        for given in ["", "#", "0", "#0", "##3", "# 3", "-1", "+1", "1.5", "3a", "#c_3", "4294967296", "٣"] {
            let refused = given.parse::<CommentRef>().unwrap_err().to_string();
            let must = "comment id must be \"c_\" followed by 1 to 64 of A-Z a-z 0-9 _ -, or a number from 1 as \
                        3 or #3";
            assert!(refused.starts_with(must), "{refused}");
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(given in "\\PC{0,80}") {
            drop(given.parse::<CommentRef>());
        }
    }
}
