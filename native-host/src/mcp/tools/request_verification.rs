//! `request_verification`: the agent asks for the developer's yes or no before it does something risky.

use opentoolbar_core::model::{
    DEFAULT_VERIFICATION_SECONDS, MAX_ACTION, MAX_ACTION_REASON, VERIFICATION_SECONDS,
};
use opentoolbar_core::protocol::{MAX_WAIT_MS, Request};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::mcp::approval::{self, Told};
use crate::mcp::context::Context;
use crate::mcp::declared::{Declared, Effect, Toolset, call};
use crate::mcp::outcome::Outcome;
use crate::mcp::{arguments, schema};

const NAME: &str = "request_verification";

pub(super) const TOOL: Declared = Declared {
    name: NAME,
    title: "Request a verification",
    toolsets: &[Toolset::Approval],
    effect: Effect::Asks,
    description: "\
Asks the developer to approve or reject one action, and waits up to 45 s. pending: go on with get_verification.

Use this tool when:
- what you are about to do cannot be undone, or the developer wants to be asked first
- once an action: an approval is for these exact words, once

Example usage scenarios:
- action \"Run the migration 0042 on staging\", reason \"The new column is needed\", context the SQL",
    input: schema::input::<Arguments>,
    output: schema::output::<Told>,
    run: |context, given| Box::pin(call(NAME, context, given, run)),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Arguments {
    /// What exactly you would do
    #[schemars(length(min = 1, max = MAX_ACTION))]
    action: String,
    /// Why
    #[schemars(length(min = 1, max = MAX_ACTION_REASON))]
    reason: String,
    /// What helps to decide: command, diff, files
    #[serde(default)]
    #[schemars(with = "String")]
    context: Option<Value>,
    /// Then it is rejected. 5 to 86400, default 300
    #[serde(default)]
    #[schemars(with = "u32")]
    timeout_seconds: Option<u32>,
}

async fn run(context: &Context, wanted: Arguments) -> Result<Outcome, Outcome> {
    let seconds = wanted.timeout_seconds.unwrap_or(DEFAULT_VERIFICATION_SECONDS);
    let (least, most) = (*VERIFICATION_SECONDS.start(), *VERIFICATION_SECONDS.end());
    let request = Request::RequestVerification {
        action: arguments::words("action", wanted.action, MAX_ACTION)?,
        reason: arguments::words("reason", wanted.reason, MAX_ACTION_REASON)?,
        context: wanted.context.map(|given| match given {
            Value::String(text) => text,
            // Of the same value always the same text: its fields are sorted.
            other => other.to_string(),
        }),
        timeout_seconds: Some(arguments::within("timeoutSeconds", seconds, least, most)?),
        timeout_ms: MAX_WAIT_MS,
        process: context.link.process(),
    };
    approval::ask(context, request).await
}
