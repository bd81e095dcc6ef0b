//! Which names say that what they name is a secret, and how sure they are of it.

use super::REDACTED;
use super::lists::{CODE_ENDS, FIELDS, FLAGS, MAYBE_ENDS, PARAMETERS, PASSWORD_ENDS, WORD_ENDS, WORDS};
use super::shape::{is_code, is_mixed, is_password};
use crate::find;

/// Lower-case, without separators: `api-key`, `api_key` and `apiKey` are one word.
pub(super) fn normalised(name: &str) -> String {
    let mut word = String::new();
    name.bytes().for_each(|byte| push_normalised(&mut word, byte));
    word
}

pub(super) fn push_normalised(word: &mut String, byte: u8) {
    if byte.is_ascii_alphanumeric() {
        word.push(byte.to_ascii_lowercase().into());
    }
}

fn any(list: &str, test: &dyn Fn(&str) -> bool) -> bool {
    list.split(' ').any(test)
}

/// What a name says of its value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Says {
    Nothing,
    /// It may be a secret: `session`, `token_type`.
    Maybe,
    /// A code of a few digits.
    Code,
    /// A password, unless it is a plain word: `pass`.
    Password,
    /// A secret, whatever it looks like.
    Secret,
}

/// `name` is normalised.
pub(super) fn says(name: &str) -> Says {
    let mut says = Says::Nothing;
    let is_meant = |word: &str| {
        find::split_last(name, word).map(|(_, rest)| {
            let rest = rest.trim_end_matches(|c: char| c.is_ascii_digit());
            rest.is_empty() || any(WORD_ENDS, &|end| end == rest)
        })
    };
    for word in WORDS.split(' ') {
        match is_meant(word) {
            Some(true) => return Says::Secret,
            Some(false) => says = Says::Maybe,
            None => {}
        }
    }
    let ends = |list: &str| any(list, &|end| name.ends_with(end));
    if ends(CODE_ENDS) {
        Says::Code
    } else if ends(PASSWORD_ENDS) {
        Says::Password
    } else if ends(MAYBE_ENDS) {
        Says::Maybe
    } else {
        says
    }
}

/// Whether the value is a secret. `is_value`: it is certainly the name's value, by quotes or as an attribute, and no
/// sentence that goes on.
pub(super) fn is_secret(says: Says, value: &str, is_value: bool) -> bool {
    // What was secret in it is gone, and what stands for that has a shape of its own; the value may end before the bracket.
    if find::has(value, REDACTED.trim_end_matches(']')) {
        return says != Says::Nothing && value == REDACTED;
    }
    match says {
        Says::Nothing => false,
        Says::Maybe => is_mixed(value),
        Says::Code => is_code(value) || is_password(value),
        Says::Secret if is_value => !is_harmless(value),
        Says::Secret | Says::Password => is_password(value),
    }
}

/// A flag, a sentence, or a mask.
fn is_harmless(value: &str) -> bool {
    let has_digit = value.bytes().any(|b| b.is_ascii_digit());
    (!has_digit && value.contains(char::is_whitespace))
        || value.chars().all(|c| matches!(c, '*' | '•' | '●' | '.' | '-' | '_'))
        || any(FLAGS, &|flag| value.eq_ignore_ascii_case(flag))
}

/// Whether the `name` or `id` of a form field says that its value is a secret.
pub(super) fn is_secret_field_name(name: &str) -> bool {
    let name = normalised(name);
    any(FIELDS, &|word| find::has(&name, word))
}

/// Whether the name of a parameter says that its value is a secret, whatever it looks like. `name` is normalised.
pub(super) fn is_secret_parameter(name: &str) -> bool {
    any(PARAMETERS, &|word| word == name)
        || find::has(name, "session")
        || any(WORDS, &|word| find::has(name, word))
}
