//! The tagged enums as they are read: all fields beside the tag, the ones that the kind needs present.
//!
//! Serde's own reading of a tagged enum keeps every value in a buffer and decodes each type inside it a second way,
//! which costs a fifth of the WASM. These structs read the same JSON straight.

use serde::Deserialize;

use super::word::read_by_word;
use super::{Author, CommentChange, ReplyId, Stage, Target, TargetState};

/// A kind without a field that it needs.
#[derive(Debug, thiserror::Error)]
#[error("{kind} needs `{field}`")]
pub(super) struct MissingField {
    kind: &'static str,
    field: &'static str,
}

fn need<T>(value: Option<T>, kind: &'static str, field: &'static str) -> Result<T, MissingField> {
    value.ok_or(MissingField { kind, field })
}

#[derive(Deserialize)]
#[serde(try_from = "String")]
enum AuthorKind {
    Person,
    Agent,
}

read_by_word!(AuthorKind: Person = "person", Agent = "agent");

#[derive(Deserialize)]
pub(super) struct FlatAuthor {
    kind: AuthorKind,
    #[serde(default)]
    name: Option<String>,
}

impl TryFrom<FlatAuthor> for Author {
    type Error = MissingField;
    fn try_from(flat: FlatAuthor) -> Result<Self, MissingField> {
        Ok(match flat.kind {
            AuthorKind::Person => Self::Person,
            AuthorKind::Agent => Self::Agent { name: need(flat.name, "an agent as author", "name")? },
        })
    }
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
pub(super) struct FlatChange {
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::model::arbitrary;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn an_author_reads_back(comment in arbitrary::comment()) {
            let json = serde_json::to_string(&comment.author).unwrap();
            prop_assert_eq!(serde_json::from_str::<Author>(&json).unwrap(), comment.author);
        }

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
        let error = serde_json::from_str::<Author>(r#"{"kind": "agent"}"#).unwrap_err();
        assert!(error.to_string().starts_with("an agent as author needs `name`"), "{error}");
    }
}
