use serde::{Deserialize, Serialize};

use super::{SessionId, Timestamp};

/// One browser tab on one origin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct Session {
    /// Chosen by the extension when the tab first connects.
    pub id: SessionId,
    /// The tab's address, redacted, at most 8 KiB.
    pub url: String,
    /// The document's title.
    pub title: String,
    /// Last sign of life.
    pub last_active: Timestamp,
}
