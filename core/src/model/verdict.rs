use serde::{Deserialize, Serialize};

use super::word::read_by_word;

/// What finding an element again says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case", try_from = "String")]
pub enum VerdictKind {
    /// The same element at the same place in the tree.
    Unchanged,
    /// The same element elsewhere in the tree.
    Moved,
    /// The same element, but what it says or is has changed.
    Changed,
    /// Several elements fit as well as one another.
    Ambiguous,
    /// No element fits.
    Missing,
}

read_by_word!(
    VerdictKind: Unchanged = "unchanged",
    Moved = "moved",
    Changed = "changed",
    Ambiguous = "ambiguous",
    Missing = "missing"
);

/// One field that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct FieldChange {
    /// `text`, `tag`, `label`, `drawing`, `colours`, `classes`, `children`, `box` or `attribute:NAME`.
    pub field: String,
    /// Before, at most 200 characters; absent when it was not there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub before: Option<String>,
    /// After, at most 200 characters; absent when it is not there any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub after: Option<String>,
}

/// Whether a verdict about one of its targets makes a comment outdated: the element is changed, cannot be told
/// from others, or is gone. An element that only moved is still what the comment is about.
pub fn outdates(verdict: VerdictKind) -> bool {
    match verdict {
        VerdictKind::Changed | VerdictKind::Ambiguous | VerdictKind::Missing => true,
        VerdictKind::Unchanged | VerdictKind::Moved => false,
    }
}
