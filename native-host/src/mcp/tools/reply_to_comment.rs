//! `reply_to_comment`: answers in a comment's thread, which the developer reads at the pin.

use opentoolbar_core::model::{CommentChange, ReplyId};
use opentoolbar_core::protocol::limits::of_agents::MAX_REPLY;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::mcp::context::Context;
use crate::mcp::declared::{Declared, Effect, Toolset, call};
use crate::mcp::outcome::Outcome;
use crate::mcp::{arguments, schema};

const NAME: &str = "reply_to_comment";

pub(super) const TOOL: Declared = Declared {
    name: NAME,
    title: "Reply to a comment",
    toolsets: &[Toolset::Feedback],
    effect: Effect::Adds,
    description: "\
Adds to a comment's thread, which the developer reads and answers at the pin.

Use this tool when:
- a comment is unclear, or asks you something
- you cannot do it

Example usage scenarios:
- \"Make it bigger\": message \"The card or its title?\". Then wait_for_feedback",
    input: schema::input::<Arguments>,
    output: schema::output::<Replied>,
    run: |context, given| Box::pin(call(NAME, context, given, run)),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Arguments {
    /// Number or id
    #[serde(deserialize_with = "arguments::comment_name")]
    comment_id: String,
    /// Markdown
    #[schemars(length(min = 1, max = MAX_REPLY))]
    message: String,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Replied {
    comment_id: String,
    reply_id: String,
    // How many the thread has now.
    replies: usize,
}

/// A reply with a fresh id.
pub(super) fn reply(text: String) -> Result<CommentChange, Outcome> {
    let mut random = [0_u8; 12];
    getrandom::fill(&mut random)
        .map_err(|error| Outcome::Unexpected(format!("the system gives no random bytes: {error}")))?;
    let tail: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
    let id: ReplyId = format!("r_{tail}").parse().map_err(|error| Outcome::Unexpected(format!("{error}")))?;
    Ok(CommentChange::Reply { id, text })
}

async fn run(context: &Context, wanted: Arguments) -> Result<Outcome, Outcome> {
    let message = arguments::words("message", wanted.message, MAX_REPLY)?;
    let id = context.comment_id(&wanted.comment_id).await?;
    let comment = context.change(id, reply(message.clone())?).await?;
    // By its words: what is asked again after a silence has the id that it had.
    let stored = comment.replies.iter().rfind(|reply| reply.text == message);
    let reply_id = stored.map(|reply| reply.id.to_string()).unwrap_or_default();
    Ok(Outcome::success(&Replied {
        comment_id: comment.id.to_string(),
        reply_id,
        replies: comment.replies.len(),
    }))
}
