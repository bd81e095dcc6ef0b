//! `resolve_comment`: marks a comment as done; it is kept with its history.

use opentoolbar_core::model::CommentChange;
use opentoolbar_core::protocol::limits::of_agents::MAX_SUMMARY;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::mcp::context::Context;
use crate::mcp::declared::{Declared, Effect};
use crate::mcp::outcome::Outcome;
use crate::mcp::tools::update_comment::Changed;
use crate::mcp::{arguments, schema};

const NAME: &str = "resolve_comment";

pub(super) const TOOL: Declared = Declared {
    name: NAME,
    title: "Resolve a comment",
    description: "\
Marks a comment as resolved after you did what it asks. The pin in the browser shows it at once; the comment is kept with its \
history and the developer can reopen it.

Use this tool when:
- you changed the code and the comment's request is fulfilled
- the request was fulfilled already and nothing is left to do (say so in summary)
Do not use it for a comment you could not fulfil: use reply_to_comment to ask.

Parameters:
- commentId (required): id from get_ui_feedback, for example \"c_abc123\"
- summary (optional): what you did, a sentence or two for the developer; at most 2,000 characters

Returns: commentId, status \"resolved\" and stage \"review\". What is resolved already, or worked on by another agent, is refused.

Example usage scenarios:
- after changing a colour: commentId \"c_abc123\", summary \"Set the button's background to #2563EB in Button.tsx\"
- working through a list: fix one comment, resolve it, take the next",
    input: schema::input::<Arguments>,
    output: schema::output::<Changed>,
    effect: Effect::Sets,
    run: |context, arguments| Box::pin(async move { run(context, arguments).await.unwrap_or_else(|outcome| outcome) }),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Arguments {
    /// "c_..." or "#3" from get_ui_feedback
    comment_id: String,
    /// What was done, for the developer
    #[serde(default)]
    #[schemars(with = "String", length(max = MAX_SUMMARY))]
    summary: Option<String>,
}

async fn run(context: &Context, arguments: Option<rmcp::model::JsonObject>) -> Result<Outcome, Outcome> {
    let wanted: Arguments = arguments::decode(NAME, arguments)?;
    let summary = match wanted.summary {
        Some(summary) if !summary.trim().is_empty() => {
            Some(arguments::words("summary", summary, MAX_SUMMARY)?)
        }
        _ => None,
    };
    let comment = context.change(&wanted.comment_id, CommentChange::Resolve { summary }).await?;
    Ok(Outcome::success(&Changed::of(&comment)))
}
