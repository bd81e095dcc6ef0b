//! Where an element's source is, with how sure that is and why.

mod probe;
mod words;

use serde::{Deserialize, Serialize};

pub use probe::{component_name, from_probe};
pub use words::{words_in, words_of};

/// A place in the project's source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct SourceLocation {
    /// Path as the framework or build tool tells it: absolute, or relative to what the build tool serves.
    pub file: String,
    /// 1-based.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub line: Option<u32>,
    /// 1-based.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub column: Option<u32>,
    /// 0 to 1.
    pub confidence: f32,
    /// What told it, for people: `React _debugSource`.
    pub reason: String,
}

/// What the probe read from the page's framework about one element. Comes from the page: untrusted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct ProbeFacts {
    /// Nearest named component; where the file is known, the one in whose source the element is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub component: Option<String>,
    /// `react`, `vue`, `svelte` or `attribute`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub framework: Option<String>,
    /// File as the framework says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub file: Option<String>,
    /// 1-based.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub line: Option<u32>,
    /// 1-based.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub column: Option<u32>,
}
