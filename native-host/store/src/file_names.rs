//! How the files in a project are called; those of an id so that no two ids have one file, also on a disk that does not
//! tell capital letters from small ones, and none has the name of a device of Windows. An id of small letters, as those
//! that we make, stands as it is.

use opentoolbar_core::model::SessionId;

/// In the directory of ours in a project: the comments that wait, the sessions' folder, the latest conversations.
pub(super) const REPORT: &str = "feedback.md";
pub(super) const SESSIONS: &str = "sessions";
pub(super) const HISTORY: &str = "history.db";
/// In complaints: that directory itself.
pub(super) const ALL: &str = ".";

/// Before a letter that is a capital, and behind the name of a device. No id has it.
const MARK: char = '+';

/// What Windows takes for a device, whatever ending follows.
fn is_device(name: &str) -> bool {
    let port = || name.strip_prefix("com").or_else(|| name.strip_prefix("lpt"));
    matches!(name, "con" | "prn" | "aux" | "nul")
        || port().is_some_and(|number| matches!(number.as_bytes(), [digit] if digit.is_ascii_digit()))
}

/// The name of its files, without an ending.
pub(super) fn stem_of(id: &str) -> String {
    let mut stem = String::with_capacity(id.len());
    for letter in id.chars() {
        if letter.is_ascii_uppercase() {
            stem.push(MARK);
        }
        stem.push(letter.to_ascii_lowercase());
    }
    if is_device(&stem) {
        stem.push(MARK);
    }
    stem
}

/// The id whose files have this name; `None` when no id's have.
pub(super) fn id_of(stem: &str) -> Option<String> {
    let mut id = String::with_capacity(stem.len());
    let mut letters = stem.chars();
    while let Some(letter) = letters.next() {
        match letter {
            MARK => match letters.next() {
                Some(capital) => id.push(capital.to_ascii_uppercase()),
                None => break,
            },
            _ => id.push(letter),
        }
    }
    // Each has one name alone.
    (stem_of(&id) == stem).then_some(id)
}

/// How a session's file is called.
pub(super) fn name_of(session: &SessionId) -> String {
    format!("{}.json", stem_of(session.as_str()))
}

/// What is noted and said of a file of this name; of two that may be one there is one.
pub(super) fn path_of(name: &str) -> String {
    format!("{SESSIONS}/{}", name.to_ascii_lowercase())
}

/// A file that this room has named, in this version or an earlier one. What else stands there is not ours to remove.
pub(super) fn is_sessions(name: &str) -> bool {
    session_of(name).is_some()
}

/// The session that a file of this name is of.
pub(super) fn session_of(name: &str) -> Option<SessionId> {
    let stem = name.strip_suffix(".json")?;
    id_of(stem).unwrap_or_else(|| stem.to_owned()).parse().ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ids_of_ours_stand_as_they_are_and_what_windows_takes_for_a_device_does_not() {
        for id in ["s_0123456789abcdef", "tab-1", "s_nul", "com", "com10", "lpt-1", "auxiliary", "c_1", "_"] {
            assert_eq!(stem_of(id), id);
        }
        for (id, stem) in [
            ("Tab", "+tab"),
            ("taB", "ta+b"),
            ("nul", "nul+"),
            ("NUL", "+n+u+l"),
            ("Con", "+con"),
            ("com0", "com0+"),
            ("LPT9", "+l+p+t9"),
        ] {
            assert_eq!((stem_of(id).as_str(), id_of(stem).as_deref()), (stem, Some(id)));
        }
        for stem in ["Tab", "nul", "tab+", "+", "++a", "+1", "NUL+", "nul++"] {
            assert_eq!(id_of(stem), None, "{stem}");
        }
    }

    proptest! {
        #[test]
        fn no_two_ids_have_one_file_on_a_disk_that_is_blind_to_case(
            one in "[A-Ca-c_-]{1,4}|(?i)(con|nul|aux|com1)",
            other in "[A-Ca-c_-]{1,4}|(?i)(con|nul|aux|com1)",
        ) {
            let (stem, others) = (stem_of(&one), stem_of(&other));
            prop_assert_eq!(stem.eq_ignore_ascii_case(&others), one == other);
            prop_assert!(!is_device(&stem));
            prop_assert_eq!(id_of(&stem), Some(one));
        }
    }
}
