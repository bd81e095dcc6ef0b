//! `reply_to_comment`: answers in a comment's thread, which the developer reads at the pin.

use opentoolbar_core::model::{CommentChange, ReplyId};
use opentoolbar_core::protocol::limits::of_agents::MAX_REPLY;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::mcp::context::Context;
use crate::mcp::declared::{Declared, Effect};
use crate::mcp::outcome::Outcome;
use crate::mcp::{arguments, schema};

const NAME: &str = "reply_to_comment";

pub(super) const TOOL: Declared = Declared {
    name: NAME,
    title: "Reply to a comment",
    description: "\
Adds your message to a comment's thread. The developer reads it at the pin, in the browser, and can answer there; \
wait_for_feedback tells you when they do.

Use this tool when:
- the comment is unclear and you need to ask
- you want to explain what you did or why you cannot do it
- the developer asked a question in the thread

Parameters:
- commentId (required): id from get_ui_feedback, for example \"c_abc123\"
- message (required): markdown, 1 to 4,000 characters

Returns: commentId, replyId and replies (how many the thread has).

Example usage scenarios:
- \"Make it bigger\" on a card: message \"Do you mean the card or its title?\", then wait_for_feedback
- a request that conflicts with the design system: message with the reason and a proposal",
    input: schema::input::<Arguments>,
    output: schema::output::<Replied>,
    effect: Effect::Adds,
    run: |context, arguments| Box::pin(async move { run(context, arguments).await.unwrap_or_else(|outcome| outcome) }),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Arguments {
    /// "c_..." or "#3" from get_ui_feedback
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
    /// How many replies the thread has now
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

async fn run(context: &Context, arguments: Option<rmcp::model::JsonObject>) -> Result<Outcome, Outcome> {
    let wanted: Arguments = arguments::decode(NAME, arguments)?;
    let message = arguments::words("message", wanted.message, MAX_REPLY)?;
    let comment = context.change(&wanted.comment_id, reply(message.clone())?).await?;
    // By its words: what is asked again after a silence has the id that it had.
    let stored = comment.replies.iter().rfind(|reply| reply.text == message);
    let reply_id = stored.map(|reply| reply.id.to_string()).unwrap_or_default();
    Ok(Outcome::success(&Replied {
        comment_id: comment.id.to_string(),
        reply_id,
        replies: comment.replies.len(),
    }))
}
