//! `select_session`: the tab that is meant when this agent names none.

use schemars::JsonSchema;
use serde::Deserialize;

use super::list_sessions::{Sessions, ask, told};
use crate::mcp::context::Context;
use crate::mcp::declared::{Declared, Effect, Toolset, call};
use crate::mcp::outcome::Outcome;
use crate::mcp::{arguments, schema};

const NAME: &str = "select_session";

pub(super) const TOOL: Declared = Declared {
    name: NAME,
    title: "Select a session",
    toolsets: &[Toolset::Chat],
    effect: Effect::Picks,
    description: "\
Picks the tab you mean without sessionId, until it is closed.

Use this tool when:
- another tab than the latest active one is meant

Example usage scenarios:
- \"Work on tab #2\": sessionId \"#2\"
- done there: without",
    input: schema::input::<Arguments>,
    output: schema::output::<Open>,
    run: |context, given| Box::pin(call(NAME, context, given, run)),
};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
struct Arguments {
    /// Its id or "#2"; none: the latest active tab again
    #[schemars(with = "String")]
    session_id: Option<String>,
}

/// As `list_sessions` tells them.
#[derive(JsonSchema)]
#[allow(dead_code, reason = "only its schema is used")]
struct Open {
    #[schemars(with = "Vec<serde_json::Map<String, serde_json::Value>>")]
    sessions: Sessions,
}

async fn run(context: &Context, wanted: Arguments) -> Result<Outcome, Outcome> {
    let found = ask(context).await?;
    let picked = match wanted.session_id.as_deref() {
        None => None,
        Some(name) => {
            let number: Option<u32> = name.strip_prefix('#').and_then(|number| number.parse().ok());
            let id = arguments::session_id(name).ok();
            let is_meant = |one: &&opentoolbar_core::protocol::SessionSummary| {
                number == Some(one.number) || id.as_ref() == Some(&one.session_id)
            };
            let Some(one) = found.0.iter().find(is_meant) else {
                return Err(Outcome::refused(
                    format!("No open tab of this project is {name:?}"),
                    "list_sessions shows which there are.",
                ));
            };
            Some(one.session_id.clone())
        }
    };
    context.select(picked);
    Ok(Outcome::success(&told(context, &found)))
}
