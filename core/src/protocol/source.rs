//! What is asked of a project's source files.

use serde::{Deserialize, Serialize};

use crate::model::Timestamp;

/// Words of one element of which a browser wants to know whether the source has them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct SourceQuery {
    /// The element's own file as its page names it, at most 8,192 bytes; absent when it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub file: Option<String>,
    /// Since when it matters which files changed, in milliseconds since 1970.
    pub since: Timestamp,
    /// At most 24 of at most 160 bytes: small letters, and plain numbers.
    pub words: Vec<String>,
}
