use serde::{Deserialize, Serialize};

use crate::model::{Project, Timestamp};

/// What is kept of one project in the home.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct StoredProject {
    /// Name of its directory in the home's `projects`.
    pub id: String,
    /// The project's directory: absolute, with links resolved.
    pub root: String,
    /// Whether that directory is there.
    pub is_there: bool,
    /// Bytes of its database with its log; 0 while nothing was said.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub bytes: u64,
    /// When something was first stored.
    pub first_used: Timestamp,
    /// When something was last stored, as far as is noted.
    pub last_used: Timestamp,
}

/// A project of which something is kept whose record cannot be read: nothing of it is used before somebody has mended
/// it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct UnreadableProject {
    /// Name of its directory in the home's `projects`.
    pub id: String,
    /// The project's directory, when the record says at least that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub root: Option<String>,
    /// Which file cannot be read, and why.
    pub message: String,
    /// What to do.
    pub next_step: String,
}

/// What stands in a project's `.opentoolbar/` and cannot be put right, or a copy that cannot be written there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct CopyProblem {
    /// In which project.
    pub project: Project,
    /// Which file, and why.
    pub message: String,
    /// What to do.
    pub next_step: String,
}

/// How much waits until the project of its page is known, and what of it cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct UnplacedSummary {
    /// Selections and messages that can be read.
    pub things: u32,
    /// Of how many sessions.
    pub sessions: u32,
    /// When the oldest of them came; where none can be read, the oldest of the others.
    #[serde(default)]
    pub since: Timestamp,
    /// Selections and messages that cannot be read. They are let go after a week, like the others.
    #[serde(default)]
    pub unreadable: u32,
}

/// Where offered data comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum OfferKind {
    /// What is kept of a project that is gone from where it was: all of it, as one's own.
    Moved,
    /// A database that stands in the project: its comments, as somebody else's.
    Found,
}

/// Data that could belong to a project and is the person's to take or to decline, once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct Offer {
    /// Names it and its content: what changes afterwards is another offer.
    pub id: String,
    /// To which project.
    pub project: Project,
    /// Where it comes from.
    pub kind: OfferKind,
    /// The directory where the project was, or the file.
    pub from: String,
    /// Size of the database.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub bytes: u64,
    /// Why it is offered and not simply taken.
    pub reason: String,
}
