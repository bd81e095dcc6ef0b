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
        context: wanted.context.map(text_of).transpose()?,
        timeout_seconds: Some(arguments::within("timeoutSeconds", seconds, least, most)?),
        timeout_ms: MAX_WAIT_MS,
        process: context.link.process(),
    };
    approval::ask(context, request).await
}

/// Of the same value always the same text: its fields are sorted. Not of one that was rounded as it was read: two
/// contexts would be one.
fn text_of(context: Value) -> Result<String, Outcome> {
    match context {
        Value::String(text) => Ok(text),
        context if is_rounded(&context) => Err(Outcome::refused(
            "`context` has a number with more digits than JSON readers keep",
            "Give the context as text.",
        )),
        context => Ok(context.to_string()),
    }
}

fn is_rounded(value: &Value) -> bool {
    /// From here on not every whole number has a float of its own.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match value {
        Value::Number(number) => {
            number.is_f64() && number.as_f64().is_none_or(|number| number.abs() >= EXACT)
        }
        Value::Array(list) => list.iter().any(is_rounded),
        Value::Object(fields) => fields.values().any(is_rounded),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_context_whose_numbers_were_rounded_is_refused_and_others_are_told_apart() {
        let text = |json: &str| text_of(serde_json::from_str(json).unwrap());
        assert!(text(r#"{"id":[100000000000000000001]}"#).is_err());
        assert_eq!(
            text(r#"{"b":1.5,"a":18446744073709551615}"#).unwrap(),
            r#"{"a":18446744073709551615,"b":1.5}"#
        );
        assert_eq!(text(r#""100000000000000000001""#).unwrap(), "100000000000000000001");
    }
}
