//! How steps of the history begin that a merge of two copies looks for: each says when a part of the comment was last
//! set.

pub(super) const PINNED: &str = "pinned to";
pub(super) const RESOLVED: &str = "resolved";
pub(super) const DELETED: &str = "deleted";
pub(super) const LOOKS: [&str; 3] = ["became outdated", "active again", "its elements were looked at again"];
pub(super) const REOPENED: &str = "reopened";
pub(super) const RESTORED: &str = "restored";
pub(super) const STAGES: [&str; 3] = ["set to open", "set to in progress", "ready for review"];

/// Whether a step, by what it says, sets the stage. To resolve does too, but what was resolved in one copy may be
/// reopened in the other.
pub(super) fn sets_stage(what: &str) -> bool {
    what == REOPENED || STAGES.contains(&what)
}
