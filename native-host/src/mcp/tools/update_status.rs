//! `update_status`: what the agent is doing, for the developer at the page.

use opentoolbar_core::model::{AgentStatus, MAX_DETAIL};
use opentoolbar_core::protocol::{Answer, Request};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::mcp::context::Context;
use crate::mcp::declared::{Declared, Effect, Toolset, call};
use crate::mcp::outcome::Outcome;
use crate::mcp::{arguments, schema};

const NAME: &str = "update_status";

pub(super) const TOOL: Declared = Declared {
    name: NAME,
    title: "Update the status",
    toolsets: &[Toolset::Chat],
    effect: Effect::Sets,
    description: "\
Shows beside the page what you are doing.

Use this tool when:
- you begin on a message, search, edit, or stop without an answer (idle)

Example usage scenarios:
- status searching, detail \"Searching for Button component...\"",
    input: schema::input::<Arguments>,
    output: schema::output::<Updated>,
    run: |context, given| Box::pin(call(NAME, context, given, run)),
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
    /// The message's
    session_id: String,
    /// What you do
    status: Status,
    /// One short line
    #[serde(default)]
    #[schemars(with = "String", length(max = MAX_DETAIL))]
    detail: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Updated {}

async fn run(context: &Context, wanted: Arguments) -> Result<Outcome, Outcome> {
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
