//! `update_comment`: says how far the work is. The words of a comment are its author's; an agent adds notes instead.

use opentoolbar_core::model::{Comment, CommentChange, Stage};
use opentoolbar_core::protocol::limits::of_agents::MAX_REPLY;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::reply_to_comment::reply;
use crate::mcp::context::Context;
use crate::mcp::declared::{Declared, Effect, Toolset, call};
use crate::mcp::outcome::Outcome;
use crate::mcp::{arguments, schema, view};

const NAME: &str = "update_comment";

pub(super) const TOOL: Declared = Declared {
    name: NAME,
    title: "Update a comment's stage",
    toolsets: &[Toolset::Feedback],
    effect: Effect::Adds,
    description: "\
Says how far your work on a comment is.

Use this tool when:
- you begin: in_progress. It is yours then, until you end it or disconnect
- they should judge first: review; you stop unfinished: open, with a note why

Example usage scenarios:
- before the first edit: commentId \"3\", stage \"in_progress\"",
    input: schema::input::<Arguments>,
    output: schema::output::<Changed>,
    run: |context, given| Box::pin(call(NAME, context, given, run)),
};

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum WantedStage {
    Open,
    InProgress,
    Review,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Arguments {
    /// Number or id
    #[serde(deserialize_with = "arguments::comment_name")]
    comment_id: String,
    /// How far it is
    #[serde(default)]
    #[schemars(with = "WantedStage")]
    stage: Option<WantedStage>,
    /// Added to the thread
    #[serde(default)]
    #[schemars(with = "String", length(max = MAX_REPLY))]
    note: Option<String>,
}

/// A comment after a change, in brief.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Changed {
    comment_id: String,
    status: &'static str,
    stage: &'static str,
}

impl Changed {
    pub(super) fn of(comment: &Comment) -> Self {
        Self {
            comment_id: comment.id.to_string(),
            status: view::status(comment.status),
            stage: view::stage(comment.stage),
        }
    }
}

async fn run(context: &Context, wanted: Arguments) -> Result<Outcome, Outcome> {
    let note = wanted.note.map(|note| arguments::words("note", note, MAX_REPLY)).transpose()?;
    let stage = wanted.stage.map(|stage| match stage {
        WantedStage::Open => Stage::Open,
        WantedStage::InProgress => Stage::InProgress,
        WantedStage::Review => Stage::Review,
    });
    let nothing =
        || Outcome::refused("Nothing to update", "Give `stage` (open, in_progress or review) or `note`.");
    if stage.is_none() && note.is_none() {
        return Err(nothing());
    }
    // Looked for once, also where it is named by its number.
    let id = context.comment_id(&wanted.comment_id).await?;
    let mut comment = None;
    if let Some(stage) = stage {
        comment = Some(context.change(id.clone(), CommentChange::SetStage { stage }).await?);
    }
    if let Some(note) = note {
        let added = match reply(note) {
            Ok(reply) => context.change(id, reply).await,
            Err(outcome) => Err(outcome),
        };
        comment = Some(added.map_err(|outcome| match (&comment, outcome) {
            // Half of it is done, which the agent must know before it tries again.
            (Some(_), Outcome::Refused { error, next_step }) => {
                Outcome::refused(format!("The stage was set, but the note was not added: {error}"), next_step)
            }
            (_, outcome) => outcome,
        })?);
    }
    comment.map(|comment| Outcome::success(&Changed::of(&comment))).ok_or_else(nothing)
}
