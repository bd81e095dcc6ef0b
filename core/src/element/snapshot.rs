use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::page::Rect;
use crate::source::SourceLocation;

/// A neighbour of the element, in brief.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct ElementBrief {
    /// Lower-case tag name.
    pub tag: String,
    /// `id`, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub id: Option<String>,
    /// Class names, in order.
    #[serde(default)]
    pub classes: Vec<String>,
    /// Accessible name or text, at most 80 characters; empty when there is none.
    #[serde(default)]
    pub text: String,
}

/// The element's place among its siblings.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct Siblings {
    /// 0-based position among element siblings.
    pub index: u32,
    /// How many element siblings there are, itself included.
    pub count: u32,
    /// The one before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub previous: Option<ElementBrief>,
    /// The one after.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub next: Option<ElementBrief>,
}

/// What a person would say about one element. Already redacted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct ElementSnapshot {
    /// Lower-case tag name.
    pub tag: String,
    /// `id`, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub id: Option<String>,
    /// Class names, in order.
    #[serde(default)]
    pub classes: Vec<String>,
    /// ARIA role, explicit or implied by the tag.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub role: Option<String>,
    /// Accessible name by the W3C rules, as far as a capture allows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub name: Option<String>,
    /// Text directly inside, white space folded, at most 500 characters.
    #[serde(default)]
    pub own_text: String,
    /// Text of the whole subtree, white space folded, at most 1,000 characters.
    #[serde(default)]
    pub text: String,
    /// Attributes that tell something, values at most 200 characters; `id` and `class` are not repeated.
    #[serde(default)]
    pub attributes: BTreeMap<String, String>,
    /// Where it stands.
    #[serde(rename = "box")]
    pub bounds: Rect,
    /// From the parent up to the root, at most 12; hosts of shadow roots and frames are among them.
    #[serde(default)]
    pub ancestors: Vec<ElementBrief>,
    /// The first element children, at most 10.
    #[serde(default)]
    pub children: Vec<ElementBrief>,
    /// How many element children there are.
    #[serde(default)]
    pub child_count: u32,
    /// Its place among its siblings.
    #[serde(default)]
    pub siblings: Siblings,
    /// The framework component it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub component: Option<String>,
    /// Where its source is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub source: Option<SourceLocation>,
}
