use serde::{Deserialize, Serialize};

/// The directory an agent works in.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct Project {
    /// Absolute path of the project root, UTF-8.
    pub root: String,
    /// The root's last path component, for people.
    pub name: String,
}
