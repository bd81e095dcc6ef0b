//! Which names say that what they name is a secret, and how sure they are of it.

use super::fold::folded;
use super::lists::{
    CODE_ENDS, FIELD_EDGES, FIELDS, FLAGS, MAYBE_ENDS, NO_CODES, PARAMETERS, PASSWORD_ENDS, PASSWORDS,
    SHORT_CODE_ENDS, WORD_ENDS, WORDS,
};
use super::mark::REDACTED;
use super::runs::looked;
use super::shape::{is_code, is_mixed, is_password, is_word};
use crate::find;

/// Lower-case, without separators: `api-key`, `api_key` and `apiKey` are one word.
pub(super) fn normalised(name: &str) -> String {
    name.chars().filter_map(letter).collect()
}

/// A letter or digit as names are compared by. The letters beyond ASCII are those of the scripts that the lists have,
/// and their small forms are reckoned here: tables of all of Unicode would cost kilobytes, and differ from the
/// browser's.
pub(super) fn letter(c: char) -> Option<char> {
    let code = u32::from(c);
    let small = match code {
        0xc0..=0xde | 0x410..=0x42f => code + 0x20,
        0x100..=0x137 | 0x14a..=0x177 => code | 1,
        0x139..=0x148 | 0x179..=0x17e => code + (code & 1),
        0xdf..=0x1fff | 0x3040..=0xd7ff => code,
        _ if c.is_ascii_alphanumeric() => u32::from(c.to_ascii_lowercase()),
        _ => return None,
    };
    char::from_u32(small)
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
    /// The same, made up by a person: it may be a word.
    Chosen,
}

/// Where a value stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// It is certainly the name's value, by quotes or as an attribute, and no sentence that goes on.
    Value,
    /// It is all that follows in its line.
    Line,
    /// More follows.
    Sentence,
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
    for (list, meant) in [(PASSWORDS, Says::Chosen), (WORDS, Says::Secret)] {
        for word in list.split(' ') {
            match is_meant(word) {
                Some(true) => return meant,
                Some(false) => says = Says::Maybe,
                None => {}
            }
        }
    }
    let ends = |list: &str| any(list, &|end| name.ends_with(end));
    if ends(CODE_ENDS) || (ends(SHORT_CODE_ENDS) && !any(NO_CODES, &|other| other == name)) {
        Says::Code
    } else if ends(PASSWORD_ENDS) {
        Says::Password
    } else if ends(MAYBE_ENDS) {
        Says::Maybe
    } else {
        says
    }
}

/// Whether the value is a secret.
pub(super) fn is_secret(says: Says, value: &str, place: Place) -> bool {
    looked(value.len());
    // What was secret in it is gone, and what stands for that has a shape of its own; the value may end before the
    // bracket.
    if find::has(value, REDACTED.trim_end_matches(']')) {
        return says != Says::Nothing && value == REDACTED;
    }
    match says {
        Says::Nothing => false,
        Says::Maybe => is_mixed(value),
        Says::Code => is_code(value) || is_password(value),
        Says::Secret | Says::Chosen if place == Place::Value => !is_harmless(value),
        Says::Chosen if place == Place::Line && is_word(value) => !is_harmless(value),
        Says::Secret | Says::Chosen | Says::Password => is_password(value),
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
    looked(name.len());
    let name = normalised(&folded(name));
    any(FIELDS, &|word| find::has(&name, word))
        || any(FIELD_EDGES, &|word| name.starts_with(word) || name.ends_with(word))
}

/// Whether the name of a parameter says that its value is a secret, whatever it looks like. `name` is normalised.
pub(super) fn is_secret_parameter(name: &str) -> bool {
    any(PARAMETERS, &|word| word == name)
        || find::has(name, "session")
        || [PASSWORDS, WORDS].iter().any(|list| any(list, &|word| find::has(name, word)))
}
