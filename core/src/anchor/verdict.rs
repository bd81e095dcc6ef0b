use serde::{Deserialize, Serialize};

use crate::model::{FieldChange, VerdictKind};

/// What finding an element again on one page says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct Verdict {
    /// The verdict.
    pub kind: VerdictKind,
    /// 0 to 1.
    pub confidence: f32,
    /// 0 to 1: how likely the element is another than it was, in what it says or is.
    #[serde(default)]
    pub change: f32,
    /// The element, as an index into the page that was searched; absent for `ambiguous` and `missing`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub node: Option<u32>,
    /// For `ambiguous` the elements that fit, for `missing` what is most like it; best first, at most 5.
    #[serde(default)]
    pub candidates: Vec<u32>,
    /// What differs.
    #[serde(default)]
    pub diff: Vec<FieldChange>,
    /// One sentence for people.
    pub reason: String,
}
