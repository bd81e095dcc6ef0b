//! `copilot_chat_secretary_get_first_request`: how a dialog began. Its name, parameters, fields and sentences are a
//! contract.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::mcp::context::Context;
use crate::mcp::declared::{Declared, Effect, Toolset, call};
use crate::mcp::outcome::Outcome;
use crate::mcp::{dialogs, schema};

const NAME: &str = "copilot_chat_secretary_get_first_request";

pub(super) const TOOL: Declared = Declared {
    name: NAME,
    title: "Get a dialog's first request",
    toolsets: &[Toolset::Dialogs],
    effect: Effect::Reads,
    description: "\
Gets how a dialog began: its first request, in up to 80 characters.

Use this tool when:
- you want to know what a dialog is about
- you lost sight of the original task

Parameters:
- sessionId: the dialog; default: the current one of VS Code's chat or the chat beside the page

Returns: JSON, for example {\"success\": true, \"sessionId\": \"abc-123\", \"firstRequest\": \"Fix the header\", \
\"timestamp\": 1764000000000, \"requestsCount\": 5}

Example usage scenarios:
- without parameters: the current dialog
- with: sessionId \"abc-123\"",
    input: schema::input::<Arguments>,
    output: schema::output::<Told>,
    run: |context, given| Box::pin(call(NAME, context, given, run)),
};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
struct Arguments {
    /// Default: the current dialog
    #[schemars(with = "String")]
    session_id: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Told {
    session_id: String,
    first_request: String,
    // When it was made, milliseconds since 1970; absent where the history does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    timestamp: Option<u64>,
    requests_count: u64,
}

async fn run(context: &Context, wanted: Arguments) -> Result<Outcome, Outcome> {
    let asked = dialogs::request(context, wanted.session_id.as_deref(), 1).await?;
    let first = asked.request.and_then(|request| Some((request.preview()?, request.at)));
    let Some((first_request, at)) = first else {
        return Err(Outcome::refused(
            "First request not available",
            "Nothing was asked in this dialog yet. Give the sessionId of another.",
        ));
    };
    Ok(Outcome::success(&Told {
        session_id: asked.session_id,
        first_request,
        timestamp: at.map(|at| at.0),
        requests_count: asked.total,
    }))
}
