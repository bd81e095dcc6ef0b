//! `update_status`: what the agent is doing, for the developer at the page.

use opentoolbar_core::model::{AgentStatus, MAX_DETAIL};
use opentoolbar_core::protocol::{Answer, Request};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::mcp::context::Context;
use crate::mcp::declared::{Declared, Effect};
use crate::mcp::outcome::Outcome;
use crate::mcp::{arguments, schema};

const NAME: &str = "update_status";

pub(super) const TOOL: Declared = Declared {
    name: NAME,
    title: "Update the status",
    description: "\
Shows the developer, beside the page, what you are doing right now.

Use this tool when:
- you begin to work on a message of theirs: thinking
- you look for code: searching; you change it: editing
- you stop without an answer: idle (a complete respond_to_browser sets it by itself)

Parameters:
- sessionId (required): from get_ui_context
- status (required): idle, thinking, searching or editing
- detail: one short line, for example \"Searching for Button component...\"

Returns: success.

Example usage scenarios:
- before a search: status searching, detail \"Searching for Button component...\"
- before an edit: status editing, detail \"src/Button.tsx\"",
    input: schema::input::<Arguments>,
    output: schema::output::<Updated>,
    effect: Effect::Sets,
    run: |context, arguments| {
        Box::pin(async move { run(context, arguments).await.unwrap_or_else(|outcome| outcome) })
    },
};

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Status {
    Idle,
    Thinking,
    Searching,
    Editing,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Arguments {
    /// From get_ui_context
    session_id: String,
    /// In one word
    status: Status,
    /// One short line
    #[serde(default)]
    #[schemars(with = "String", length(max = MAX_DETAIL))]
    detail: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Updated {}

async fn run(context: &Context, arguments: Option<rmcp::model::JsonObject>) -> Result<Outcome, Outcome> {
    let wanted: Arguments = arguments::decode(NAME, arguments)?;
    let detail = wanted.detail.map(|detail| arguments::at_most("detail", detail, MAX_DETAIL)).transpose()?;
    let status = match wanted.status {
        Status::Idle => AgentStatus::Idle,
        Status::Thinking => AgentStatus::Thinking,
        Status::Searching => AgentStatus::Searching,
        Status::Editing => AgentStatus::Editing,
    };
    let session_id = arguments::session_id(&wanted.session_id)?;
    match context.link.ask(Request::UpdateStatus { session_id, status, detail }).await? {
        Answer::Done => Ok(Outcome::success(&Updated {})),
        _ => Err(Outcome::mismatch("an acknowledgement")),
    }
}
