//! What a message would take in memory, before anything of it is decoded: a list entry of three bytes of JSON may
//! become hundreds. One pass over the text that keeps nothing but how deep it is.

use super::SourceQuery;
use super::limits::{MAX_FILES, MAX_HANDED, MAX_IMPORT};
use crate::anchor::MAX_WORDS;
use crate::element::ElementBrief;
use crate::model::FieldChange;
use crate::model::{
    Comment, HistoryEntry, MAX_VALUES, MAX_VARIED, RelatedElement, Reply, Target, TargetState, Varied, limits,
};

/// Most class names of one element, most attributes, and most capabilities of a speaker. The extension sends
/// at most 40.
const MAX_NAMES: usize = 1_000;
/// The deepest nesting. The protocol's own messages have 10 levels.
const MAX_DEPTH: usize = 128;
/// What the entries of all lists may take together, in bytes: so many for each byte of the message, and so many more.
const PER_BYTE: usize = 2;
const AT_LEAST: usize = 4 * 1024 * 1024;
/// The same of `import_comments`: so many more that 10,000 comments of any size are taken.
const AT_LEAST_OF_IMPORT: usize = 32 * 1024 * 1024;
/// An entry of a map of texts, with its share of the tree.
const MAP_ENTRY: usize = 100;
/// Longest name of a list as JSON, each character as an escape.
const MAX_KEY: usize = 6 * 16;

/// A list of the protocol.
#[derive(Clone, Copy, Debug)]
struct List {
    name: &'static str,
    /// Most entries.
    most: usize,
    /// What one takes in memory beside its texts, in bytes.
    entry: usize,
}

const fn list(name: &'static str, most: usize, entry: usize) -> List {
    List { name, most, entry }
}

const TEXT: usize = size_of::<String>();
const BRIEF: usize = if size_of::<RelatedElement>() > size_of::<ElementBrief>() {
    size_of::<RelatedElement>()
} else {
    size_of::<ElementBrief>()
};
const COMMENTS: &str = "comments";

/// Every list that a request may hold, by the field that it stands in.
const LISTS: [List; 20] = [
    list("ancestors", limits::MAX_BRIEFS, BRIEF),
    list("attributes", MAX_NAMES, MAP_ENTRY),
    list("capabilities", MAX_NAMES, TEXT),
    list("children", limits::MAX_BRIEFS, BRIEF),
    list("classList", MAX_NAMES, TEXT),
    list("classes", MAX_NAMES, TEXT),
    list(COMMENTS, MAX_IMPORT, size_of::<Comment>()),
    list("diff", limits::MAX_DIFF, size_of::<FieldChange>()),
    list("files", MAX_FILES, TEXT),
    list("history", limits::MAX_HISTORY, size_of::<HistoryEntry>()),
    list("messageIds", MAX_HANDED, TEXT),
    list("others", limits::MAX_ADDRESSES, TEXT),
    list("queries", MAX_FILES, size_of::<SourceQuery>()),
    list("replies", limits::MAX_REPLIES, size_of::<Reply>()),
    list("states", limits::MAX_TARGETS, size_of::<TargetState>()),
    list("targets", limits::MAX_TARGETS, size_of::<Target>()),
    list("toldInPart", MAX_HANDED, TEXT),
    list("values", MAX_VALUES, TEXT),
    list("varied", MAX_VARIED, size_of::<Varied>()),
    list("words", MAX_WORDS, TEXT),
];

/// Why a message is not decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Overweight {
    #[error("{field} has more than {most} entries, at most {most} are taken")]
    ManyEntries { field: &'static str, most: usize },
    #[error("the lists of the message have too many short entries for its {bytes} bytes")]
    ShortEntries { bytes: usize },
    #[error("the message is nested more than {MAX_DEPTH} levels deep")]
    Depth,
}

/// An object or a list that is open.
#[derive(Clone, Copy, Default)]
struct Open {
    list: Option<List>,
    /// Entries that are over, each ended by a comma.
    ended: usize,
}

/// Checks the text of a message. What is no JSON passes as far as it can be told: decoding says what is wrong with it.
pub(super) fn check(json: &[u8]) -> Result<(), Overweight> {
    let mut open: Vec<Open> = Vec::new();
    let (mut weight, mut most) = (0_usize, json.len().saturating_mul(PER_BYTE).saturating_add(AT_LEAST));
    // The text that ended last, and whether a colon came after it.
    let (mut text, mut names): (&[u8], bool) = (&[], false);
    let mut at = 0;
    while let Some(byte) = json.get(at) {
        at += 1;
        match byte {
            b'"' => {
                let begin = at;
                at = end_of_text(json, at);
                text = json.get(begin..at.saturating_sub(1)).unwrap_or_default();
                names = false;
            }
            b':' => names = true,
            b'{' | b'[' => {
                if open.len() >= MAX_DEPTH {
                    return Err(Overweight::Depth);
                }
                let list = if names { list_of(text) } else { None };
                names = false;
                if let Some(list) = list {
                    weight = weight.saturating_add(list.entry);
                    if list.name == COMMENTS {
                        most =
                            most.max(json.len().saturating_mul(PER_BYTE).saturating_add(AT_LEAST_OF_IMPORT));
                    }
                }
                open.push(Open { list, ended: 0 });
            }
            b'}' | b']' => drop(open.pop()),
            b',' => {
                names = false;
                let Some(Open { list: Some(list), ended }) = open.last_mut() else { continue };
                *ended += 1;
                if *ended >= list.most {
                    return Err(Overweight::ManyEntries { field: list.name, most: list.most });
                }
                weight = weight.saturating_add(list.entry);
                if weight > most {
                    return Err(Overweight::ShortEntries { bytes: json.len() });
                }
            }
            _ => {}
        }
    }
    if weight > most { Err(Overweight::ShortEntries { bytes: json.len() }) } else { Ok(()) }
}

/// After the quote that ends the text that begins here.
fn end_of_text(json: &[u8], mut at: usize) -> usize {
    while let Some(byte) = json.get(at) {
        at += match byte {
            b'"' => return at + 1,
            b'\\' => 2,
            _ => 1,
        };
    }
    json.len()
}

/// The list that stands under this name, as it is written in JSON.
fn list_of(name: &[u8]) -> Option<List> {
    if !name.contains(&b'\\') {
        return LISTS.into_iter().find(|list| list.name.as_bytes() == name);
    }
    if name.len() > MAX_KEY {
        return None;
    }
    let name: String = serde_json::from_slice(&[b"\"", name, b"\""].concat()).ok()?;
    LISTS.into_iter().find(|list| list.name == name)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at what cannot be")]
    use super::*;
    use crate::model::arbitrary;
    use proptest::prelude::*;

    fn many(entry: &str, count: usize) -> String {
        vec![entry; count].join(",")
    }

    #[test]
    fn every_list_is_taken_up_to_its_bound_and_no_further() {
        for List { name, most, .. } in LISTS {
            let of = |count| format!("{{\"payload\":{{\"{name}\":[{}]}}}}", many("{}", count));
            assert_eq!(check(of(most).as_bytes()), Ok(()), "{name}");
            let error = check(of(most + 1).as_bytes()).unwrap_err();
            assert_eq!(error, Overweight::ManyEntries { field: name, most });
            assert!(
                error.to_string().starts_with(&format!("{name} has more than {most} entries")),
                "{error}"
            );
        }
    }

    #[test]
    fn a_name_that_is_written_with_escapes_is_the_same_name() {
        let of = |name: &str| format!("{{\"{name}\":[{}]}}", many("\"\"", 2_000));
        for name in ["classList", "class\\u004cist", "\\u0063lassList"] {
            let error = check(of(name).as_bytes()).unwrap_err();
            assert_eq!(error, Overweight::ManyEntries { field: "classList", most: MAX_NAMES }, "{name}");
        }
        assert_eq!(check(of("class\\\\List").as_bytes()), Ok(()));
        assert_eq!(check(of("somethingNew").as_bytes()), Ok(()), "nothing is made of it");
    }

    #[test]
    fn brackets_and_commas_in_texts_are_text() {
        let text = "[,{\\\",\\\\".repeat(40_000);
        assert_eq!(check(format!("{{\"targets\":[\"{text}\"],\"classes\":[\"a\"]}}").as_bytes()), Ok(()));
    }

    #[test]
    fn lists_in_lists_are_weighed_together() {
        let classes = format!("{{\"classes\":[{}]}}", many("\"\"", MAX_NAMES));
        let target = format!("{{\"snapshot\":{{\"children\":[{}]}}}}", many(&classes, limits::MAX_BRIEFS));
        let message = format!("{{\"targets\":[{}]}}", many(&target, limits::MAX_TARGETS));
        assert_eq!(check(message.as_bytes()), Err(Overweight::ShortEntries { bytes: message.len() }));
        assert_eq!(check("[".repeat(1_000).as_bytes()), Err(Overweight::Depth));
    }

    #[test]
    fn as_many_comments_as_one_import_may_hold_are_taken() {
        let comment = serde_json::to_string(&arbitrary::sample("c_1")).unwrap();
        let message = format!("{{\"comments\":[{}]}}", many(&comment, MAX_IMPORT));
        assert_eq!(check(message.as_bytes()), Ok(()));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn whatever_comment_is_valid_is_taken(comment in arbitrary::comment()) {
            let comment = serde_json::to_string(&comment).unwrap();
            prop_assert_eq!(check(comment.as_bytes()), Ok(()));
            let message = format!("{{\"comments\":[{}]}}", many(&comment, 200));
            prop_assert_eq!(check(message.as_bytes()), Ok(()));
        }
    }
}
