//! `respond_to_browser`: the agent's answer in the page's chat, whole or part by part.

use opentoolbar_core::protocol::limits::of_agents::MAX_ANSWER;
use opentoolbar_core::protocol::{Answer, Request};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::get_conversation_history::rest_of;
use crate::mcp::context::Context;
use crate::mcp::declared::{Declared, Effect};
use crate::mcp::outcome::Outcome;
use crate::mcp::progress::Told;
use crate::mcp::{arguments, schema};

const NAME: &str = "respond_to_browser";

pub(super) const TOOL: Declared = Declared {
    name: NAME,
    title: "Respond to the browser",
    description: "\
Answers in the chat that the developer has open beside the page. They see it at once, also part by part.

Use this tool when:
- get_ui_context gave you a userMessage: every one wants an answer
- a long piece of work deserves a word in between

Parameters:
- sessionId (required): from get_ui_context
- contextId: from get_ui_context; required unless it is null there: what was said before anything was selected has none
- message (required): markdown. With isComplete false: the next part, which is put behind the parts before. With isComplete \
true: the whole answer when there are no parts, else the last part; it may be empty. Saying everything again is understood too: a \
last message that begins with all the parts before replaces them, unless it has an index
- isComplete (required): false for streaming; the last call has true
- index: which part this is, from 0; with it the message is always a part, and one that comes twice or out of order is refused \
instead of put in the wrong place

Returns: messageId, parts (how many there are now) and note (which message is not answered by this, as you were told a part of it alone). \
The answer is kept also when the tab is closed.

Example usage scenarios:
- one answer: message \"Done: the button is 8 px taller.\", isComplete true
- streaming: \"Looking at Card.tsx\" with false, then \" and its styles.\" with false, then \" Fixed.\" with true",
    input: schema::input::<Arguments>,
    output: schema::output::<Responded>,
    effect: Effect::Adds,
    run: |context, arguments| Box::pin(async move { run(context, arguments).await.unwrap_or_else(|outcome| outcome) }),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Arguments {
    /// From get_ui_context
    session_id: String,
    /// From get_ui_context; left out where it is null there
    #[serde(default)]
    #[schemars(with = "String")]
    context_id: Option<String>,
    /// Markdown
    #[schemars(length(max = MAX_ANSWER))]
    message: String,
    /// false for streaming
    is_complete: bool,
    /// From 0
    #[serde(default)]
    #[schemars(with = "u32")]
    index: Option<u32>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Responded {
    message_id: String,
    /// How many parts the answer has now
    parts: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

async fn run(context: &Context, arguments: Option<rmcp::model::JsonObject>) -> Result<Outcome, Outcome> {
    let wanted: Arguments = arguments::decode(NAME, arguments)?;
    // The end of a stream may have no words of its own.
    let message = if wanted.is_complete && wanted.message.is_empty() {
        wanted.message
    } else {
        arguments::at_most("message", wanted.message, MAX_ANSWER)?
    };
    let session_id = arguments::session_id(&wanted.session_id)?;
    let begun = context.told.begun();
    let mut here: Vec<Told> = begun.iter().filter(|one| one.session == session_id).cloned().collect();
    let request = Request::RespondToBrowser {
        session_id,
        context_id: wanted.context_id.as_deref().map(arguments::context_id).transpose()?,
        message,
        is_complete: wanted.is_complete,
        index: wanted.index,
        // Also those that are answered or taken back by now: who was told a part of one answers nothing else that it
        // was not told.
        told_in_part: begun.into_iter().map(|one| one.id).collect(),
    };
    match context.link.ask(request).await? {
        Answer::MessageStored { message_id, parts, told_in_part, .. } => {
            // A hub of an earlier version does not say which of them still wait.
            here.retain(|one| told_in_part.as_ref().is_none_or(|waiting| waiting.contains(&one.id)));
            let note = here.pop().filter(|_| wanted.is_complete).map(|Told { id, end, all, .. }| {
                format!(
                    "Message {id} is not answered by this: you were told {end} of its {all} characters. {}",
                    rest_of(&id, end)
                )
            });
            Ok(Outcome::success(&Responded { message_id: message_id.to_string(), parts, note }))
        }
        _ => Err(Outcome::mismatch("the message")),
    }
}
