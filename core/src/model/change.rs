use serde::{Deserialize, Serialize};

use super::flat::{MissingField, need};
use super::word::read_by_word;
use super::{Author, CommentError, CommentId, ReplyId, Stage, Target, TargetState, Timestamp};

/// One change to a comment, made by a person or an agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase", try_from = "FlatChange")]
pub enum CommentChange {
    /// Replace the text. Conflicts when the comment's text changed since `base_revision`.
    Edit {
        /// New text.
        text: String,
        /// The revision the person saw.
        base_revision: u32,
    },
    /// Mark as done.
    Resolve {
        /// What was done.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        summary: Option<String>,
    },
    /// Undo a resolve.
    Reopen,
    /// Say how far the work is.
    SetStage {
        /// The stage.
        stage: Stage,
    },
    /// Answer in the thread.
    Reply {
        /// Applied once.
        id: ReplyId,
        /// Markdown.
        text: String,
    },
    /// What a look at the page said, one state per target, in order. Moves status between active and outdated.
    ReportStates {
        /// As many as the comment has targets.
        states: Vec<TargetState>,
    },
    /// Pin to other elements, or confirm the present ones as they are now.
    Repin {
        /// At least one.
        targets: Vec<Target>,
    },
    /// Hide; can be restored.
    Delete,
    /// Undo a delete.
    Restore,
}

#[derive(Deserialize)]
#[serde(try_from = "String")]
enum ChangeKind {
    Edit,
    Resolve,
    Reopen,
    SetStage,
    Reply,
    ReportStates,
    Repin,
    Delete,
    Restore,
}

read_by_word!(
    ChangeKind: Edit = "edit",
    Resolve = "resolve",
    Reopen = "reopen",
    SetStage = "set_stage",
    Reply = "reply",
    ReportStates = "report_states",
    Repin = "repin",
    Delete = "delete",
    Restore = "restore"
);

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FlatChange {
    kind: ChangeKind,
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    base_revision: Option<u32>,
    #[serde(default)]
    summary: Option<String>,
    #[serde(default)]
    stage: Option<Stage>,
    #[serde(default)]
    id: Option<ReplyId>,
    #[serde(default)]
    states: Option<Vec<TargetState>>,
    #[serde(default)]
    targets: Option<Vec<Target>>,
}

impl TryFrom<FlatChange> for CommentChange {
    type Error = MissingField;
    fn try_from(flat: FlatChange) -> Result<Self, MissingField> {
        Ok(match flat.kind {
            ChangeKind::Edit => Self::Edit {
                text: need(flat.text, "a change of kind edit", "text")?,
                base_revision: need(flat.base_revision, "a change of kind edit", "baseRevision")?,
            },
            ChangeKind::Resolve => Self::Resolve { summary: flat.summary },
            ChangeKind::Reopen => Self::Reopen,
            ChangeKind::SetStage => {
                Self::SetStage { stage: need(flat.stage, "a change of kind set_stage", "stage")? }
            }
            ChangeKind::Reply => Self::Reply {
                id: need(flat.id, "a change of kind reply", "id")?,
                text: need(flat.text, "a change of kind reply", "text")?,
            },
            ChangeKind::ReportStates => {
                Self::ReportStates { states: need(flat.states, "a change of kind report_states", "states")? }
            }
            ChangeKind::Repin => {
                Self::Repin { targets: need(flat.targets, "a change of kind repin", "targets")? }
            }
            ChangeKind::Delete => Self::Delete,
            ChangeKind::Restore => Self::Restore,
        })
    }
}

/// Why a change was not applied. The comment is as it was.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ChangeError {
    /// A value of the change is out of range.
    #[error(transparent)]
    Invalid(#[from] CommentError),
    /// Somebody else changed the text meanwhile. Both texts are here in full, so that neither is lost.
    #[error(
        "comment {id}: the text was changed by {by} since revision {base_revision}; it now says {current:?}, and the edit that was not applied says {yours:?}"
    )]
    TextChanged {
        /// Which comment.
        id: CommentId,
        /// Who changed it last.
        by: Author,
        /// What the edit was made against.
        base_revision: u32,
        /// The comment's revision now.
        revision: u32,
        /// The text now.
        current: String,
        /// The text that was not applied.
        yours: String,
    },
    /// An edit of a revision that this side has not seen.
    #[error(
        "comment {id} is at revision {revision}; the edit {yours:?} was made against revision {base_revision}, which is not known here"
    )]
    UnknownRevision {
        /// Which comment.
        id: CommentId,
        /// What the edit was made against.
        base_revision: u32,
        /// The comment's revision here.
        revision: u32,
        /// The text that was not applied.
        yours: String,
    },
    /// Resolved before.
    #[error("comment {id} was already resolved by {by} at {at}")]
    AlreadyResolved {
        /// Which comment.
        id: CommentId,
        /// Who resolved it.
        by: Author,
        /// When.
        at: Timestamp,
    },
    /// The change needs a comment that waits for work, and this one is resolved.
    #[error("comment {id} is resolved (by {by} at {at})")]
    Resolved {
        /// Which comment.
        id: CommentId,
        /// Who resolved it.
        by: Author,
        /// When.
        at: Timestamp,
    },
    /// Reopened without being resolved.
    #[error("comment {id} is not resolved, so it cannot be reopened")]
    NotResolved {
        /// Which comment.
        id: CommentId,
    },
    /// The person deleted it.
    #[error("comment {id} was deleted at {at}")]
    Deleted {
        /// Which comment.
        id: CommentId,
        /// When.
        at: Timestamp,
    },
    /// Restored without being deleted.
    #[error("comment {id} is not deleted, so it cannot be restored")]
    NotDeleted {
        /// Which comment.
        id: CommentId,
    },
    /// Another number of states than the comment has targets.
    #[error("comment {id} has {targets} targets, but {states} states were reported")]
    WrongStateCount {
        /// Which comment.
        id: CommentId,
        /// How many targets it has.
        targets: usize,
        /// How many states came.
        states: usize,
    },
    /// The comment has as many replies, edits or revisions as it can hold.
    #[error("comment {id} already has {limit} {what}")]
    Full {
        /// Which comment.
        id: CommentId,
        /// `replies`, `edits in its history` or `revisions`.
        what: &'static str,
        /// How many it can hold.
        limit: usize,
    },
}

impl ChangeError {
    /// What to do about it, a sentence.
    pub fn next_step(&self) -> String {
        match self {
            Self::Invalid(error) => error.next_step(),
            Self::TextChanged { revision, .. } => {
                format!("Read both texts, merge them, and send the edit again with baseRevision {revision}.")
            }
            Self::UnknownRevision { .. } => {
                "Read the comment again and send the edit with the revision it has.".to_owned()
            }
            Self::AlreadyResolved { .. } => {
                "Nothing is left to do; to add something reply to it, or reopen it first: only the person can.".to_owned()
            }
            Self::Resolved { .. } => {
                "Reply to it, or reopen it first: only the person can, in the browser.".to_owned()
            }
            Self::NotResolved { .. } => "Nothing is left to do: it already waits for work.".to_owned(),
            Self::Deleted { .. } => {
                "Leave it; only the person can restore it, in the panel under \"deleted\".".to_owned()
            }
            Self::NotDeleted { .. } => "Nothing is left to do: it is there.".to_owned(),
            Self::WrongStateCount { targets, .. } => {
                format!("Read the comment again and report {targets} states, one for each target in order.")
            }
            Self::Full { .. } => "Resolve it and continue in a new comment.".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::model::arbitrary;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_repin_reads_back(comment in arbitrary::comment()) {
            let change = CommentChange::Repin { targets: comment.targets };
            let json = serde_json::to_string(&change).unwrap();
            prop_assert_eq!(serde_json::from_str::<CommentChange>(&json).unwrap(), change);
        }
    }

    #[test]
    fn every_kind_reads_back() {
        let changes = [
            CommentChange::Edit { text: "now".into(), base_revision: 3 },
            CommentChange::Resolve { summary: None },
            CommentChange::Resolve { summary: Some("done".into()) },
            CommentChange::Reopen,
            CommentChange::SetStage { stage: Stage::InProgress },
            CommentChange::Reply { id: "r_1".parse().unwrap(), text: "yes".into() },
            CommentChange::ReportStates { states: vec![] },
            CommentChange::Delete,
            CommentChange::Restore,
        ];
        for change in changes {
            let json = serde_json::to_string(&change).unwrap();
            assert_eq!(serde_json::from_str::<CommentChange>(&json).unwrap(), change, "{json}");
        }
    }

    #[test]
    fn a_missing_field_is_named() {
        let error = serde_json::from_str::<CommentChange>(r#"{"kind": "edit", "text": "a"}"#).unwrap_err();
        assert!(error.to_string().starts_with("a change of kind edit needs `baseRevision`"), "{error}");
    }
}
