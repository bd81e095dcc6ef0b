//! `respond_to_browser`: the agent's answer in the page's chat, whole or part by part.

use opentoolbar_core::protocol::limits::of_agents::MAX_ANSWER;
use opentoolbar_core::protocol::{Answer, Request};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::get_conversation_history::rest_of;
use crate::mcp::context::Context;
use crate::mcp::declared::{Declared, Effect, Toolset, call};
use crate::mcp::outcome::Outcome;
use crate::mcp::progress::Told;
use crate::mcp::{arguments, schema};

const NAME: &str = "respond_to_browser";

pub(super) const TOOL: Declared = Declared {
    name: NAME,
    title: "Respond to the browser",
    toolsets: &[Toolset::Chat],
    effect: Effect::Adds,
    description: "\
Answers in the chat beside the page, at once or part by part.

Use this tool when:
- you have a userMessage: every one wants an answer
- long work deserves a word in between

Example usage scenarios:
- message \"Done: 8 px taller.\", isComplete true
- \"Looking at Card.tsx\" false, then \" and fixed it.\" true",
    input: schema::input::<Arguments>,
    output: schema::output::<Responded>,
    run: |context, given| Box::pin(call(NAME, context, given, run)),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Arguments {
    /// The message's
    session_id: String,
    /// The message's, unless null
    #[serde(default)]
    #[schemars(with = "String")]
    context_id: Option<String>,
    /// Markdown: all, or the next part
    #[schemars(length(max = MAX_ANSWER))]
    message: String,
    /// false: more parts come
    is_complete: bool,
    /// Of the part, from 0
    #[serde(default)]
    #[schemars(with = "u32")]
    index: Option<u32>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Responded {
    message_id: String,
    // How many the answer has now.
    parts: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

async fn run(context: &Context, wanted: Arguments) -> Result<Outcome, Outcome> {
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
