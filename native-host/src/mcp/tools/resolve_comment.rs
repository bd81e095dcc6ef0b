//! `resolve_comment`: marks a comment as done; it is kept with its history.

use opentoolbar_core::model::CommentChange;
use opentoolbar_core::protocol::limits::of_agents::MAX_SUMMARY;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::mcp::context::Context;
use crate::mcp::declared::{Declared, Effect, Toolset, call};
use crate::mcp::outcome::Outcome;
use crate::mcp::tools::update_comment::Changed;
use crate::mcp::{arguments, schema};

const NAME: &str = "resolve_comment";

pub(super) const TOOL: Declared = Declared {
    name: NAME,
    title: "Resolve a comment",
    toolsets: &[Toolset::Feedback],
    effect: Effect::Sets,
    description: "\
Marks a comment as done. The developer sees it at the pin and can reopen it.

Use this tool when:
- the request is fulfilled, or was already
- never for what you could not do. Then reply_to_comment

Example usage scenarios:
- commentId \"3\", summary \"Button is #2563EB now\"",
    input: schema::input::<Arguments>,
    output: schema::output::<Changed>,
    run: |context, given| Box::pin(call(NAME, context, given, run)),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Arguments {
    /// Number or id
    #[serde(deserialize_with = "arguments::comment_name")]
    comment_id: String,
    /// What you did, for the developer
    #[serde(default)]
    #[schemars(with = "String", length(max = MAX_SUMMARY))]
    summary: Option<String>,
}

async fn run(context: &Context, wanted: Arguments) -> Result<Outcome, Outcome> {
    let summary = match wanted.summary {
        Some(summary) if !summary.trim().is_empty() => {
            Some(arguments::words("summary", summary, MAX_SUMMARY)?)
        }
        _ => None,
    };
    let id = context.comment_id(&wanted.comment_id).await?;
    let comment = context.change(id, CommentChange::Resolve { summary }).await?;
    Ok(Outcome::success(&Changed::of(&comment)))
}
