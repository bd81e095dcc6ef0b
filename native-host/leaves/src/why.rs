//! Why the system refused, in words for people: without numbers that only programs know.

use std::io::{Error, ErrorKind};

/// A clause for the end of a sentence: `cannot read x: there is no such file or directory`.
pub fn why(error: &Error) -> String {
    // Said by ourselves or by a library: already words.
    if error.raw_os_error().is_none() {
        return error.to_string();
    }
    let known = match error.kind() {
        ErrorKind::NotFound => "there is no such file or directory",
        ErrorKind::PermissionDenied => "you have no permission for it",
        ErrorKind::AlreadyExists => "something else is in its place",
        ErrorKind::IsADirectory => "it is a directory",
        ErrorKind::NotADirectory => "it, or a part of its path, is not a directory",
        ErrorKind::ReadOnlyFilesystem => "that disk can only be read",
        ErrorKind::StorageFull => "that disk is full",
        ErrorKind::QuotaExceeded => "no more room is given to you on that disk",
        ErrorKind::AddrInUse => "another program uses it",
        ErrorKind::ConnectionRefused => "nothing listens there",
        _ => return without_number(&error.to_string()),
    };
    known.to_owned()
}

/// `Input/output error (os error 5)` without what is in parentheses.
fn without_number(text: &str) -> String {
    text.split_once(" (os error ").map_or(text, |(words, _)| words).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_number_of_the_system_is_shown_and_our_own_words_stay() {
        for number in 1..132 {
            let said = why(&Error::from_raw_os_error(number));
            assert!(!said.is_empty() && !said.contains("os error"), "{number}: {said}");
        }
        assert_eq!(
            why(&Error::other("x is a link, which is not followed")),
            "x is a link, which is not followed"
        );
    }
}
