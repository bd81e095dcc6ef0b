//! `update_comment`: says how far the work is. The words of a comment are its author's; an agent adds notes instead.

use opentoolbar_core::model::{Comment, CommentChange, Stage};
use opentoolbar_core::protocol::limits::of_agents::MAX_REPLY;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::reply_to_comment::reply;
use crate::mcp::context::Context;
use crate::mcp::declared::{Declared, Effect};
use crate::mcp::outcome::Outcome;
use crate::mcp::{arguments, schema, view};

const NAME: &str = "update_comment";

pub(super) const TOOL: Declared = Declared {
    name: NAME,
    title: "Update a comment's stage",
    description: "\
Says how far your work on a comment is, so that the developer sees it on the pin. It never changes the developer's words; \
add a note instead.

Use this tool when:
- you begin to work on a comment: stage \"in_progress\". It is yours then: other agents can neither set its stage nor resolve it \
until you set another stage, resolve it or disconnect
- you are done and want the developer to look before it is resolved: stage \"review\"
- you stop without finishing: stage \"open\", with a note why

Parameters:
- commentId (required): id from get_ui_feedback, for example \"c_abc123\"
- stage (optional): open, in_progress or review
- note (optional): added to the comment's thread as your reply; at most 4,000 characters
At least one of stage and note is needed.

Returns: commentId, status and stage. A stage is refused, and no note added, when another agent works on the comment (error names it), or \
it is resolved: only the developer can reopen it. A note alone is added in any case.

Example usage scenarios:
- before the first edit: commentId \"c_abc123\", stage \"in_progress\"
- a change that the developer should judge: stage \"review\", note \"Two variants are behind the ?variant= parameter\"",
    input: schema::input::<Arguments>,
    output: schema::output::<Changed>,
    // The same note again is one more.
    effect: Effect::Adds,
    run: |context, arguments| Box::pin(async move { run(context, arguments).await.unwrap_or_else(|outcome| outcome) }),
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
    /// "c_..." or "#3" from get_ui_feedback
    comment_id: String,
    /// How far the work is
    #[serde(default)]
    #[schemars(with = "WantedStage")]
    stage: Option<WantedStage>,
    /// Added to the comment's thread
    #[serde(default)]
    #[schemars(with = "String", length(max = MAX_REPLY))]
    note: Option<String>,
}

/// A comment after a change, in brief.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Changed {
    comment_id: String,
    /// active, outdated or resolved
    status: &'static str,
    /// open, in_progress or review
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

async fn run(context: &Context, arguments: Option<rmcp::model::JsonObject>) -> Result<Outcome, Outcome> {
    let wanted: Arguments = arguments::decode(NAME, arguments)?;
    let note = wanted.note.map(|note| arguments::words("note", note, MAX_REPLY)).transpose()?;
    let stage = wanted.stage.map(|stage| match stage {
        WantedStage::Open => Stage::Open,
        WantedStage::InProgress => Stage::InProgress,
        WantedStage::Review => Stage::Review,
    });
    let mut comment = None;
    if let Some(stage) = stage {
        comment = Some(context.change(&wanted.comment_id, CommentChange::SetStage { stage }).await?);
    }
    if let Some(note) = note {
        let added = match reply(note) {
            Ok(reply) => context.change(&wanted.comment_id, reply).await,
            Err(outcome) => Err(outcome),
        };
        comment = Some(added.map_err(|outcome| match (&comment, outcome) {
            // Half of it is done, which the agent must know before it tries again.
            (Some(_), Outcome::Refused(why)) => {
                Outcome::Refused(format!("The stage was set, but the note was not added: {why}"))
            }
            (_, outcome) => outcome,
        })?);
    }
    match comment {
        Some(comment) => Ok(Outcome::success(&Changed::of(&comment))),
        None => Err(Outcome::Refused(
            "Nothing to update: give `stage` (open, in_progress or review) or `note`.".to_owned(),
        )),
    }
}
