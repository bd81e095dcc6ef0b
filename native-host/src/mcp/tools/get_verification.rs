//! `get_verification`: how a verification stands, as soon as it is decided.

use opentoolbar_core::protocol::Request;
use opentoolbar_core::protocol::limits::of_agents::MAX_WAIT_SECONDS;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::mcp::approval::{self, Told};
use crate::mcp::context::Context;
use crate::mcp::declared::{Declared, Effect, Toolset, call};
use crate::mcp::outcome::Outcome;
use crate::mcp::{arguments, schema};

const NAME: &str = "get_verification";

pub(super) const TOOL: Declared = Declared {
    name: NAME,
    title: "Get a verification",
    toolsets: &[Toolset::Approval],
    effect: Effect::Reads,
    description: "\
Waits up to 45 s for the decision on a verification, and tells how it stands.

Use this tool when:
- what you asked the developer is still pending

Example usage scenarios:
- verificationId v_1a2b, again and again until approved or rejected",
    input: schema::input::<Arguments>,
    output: schema::output::<Told>,
    run: |context, given| Box::pin(call(NAME, context, given, run)),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Arguments {
    /// From request_verification
    verification_id: String,
    /// 0 to 45, default 45
    #[serde(default)]
    #[schemars(with = "u32")]
    wait_seconds: Option<u32>,
}

async fn run(context: &Context, wanted: Arguments) -> Result<Outcome, Outcome> {
    let seconds = arguments::within(
        "waitSeconds",
        wanted.wait_seconds.unwrap_or(MAX_WAIT_SECONDS),
        0,
        MAX_WAIT_SECONDS,
    )?;
    let verification_id = arguments::verification_id(&wanted.verification_id)?;
    let request = Request::GetVerification { verification_id, timeout_ms: seconds * 1_000 };
    approval::ask(context, request).await
}
