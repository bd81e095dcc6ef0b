//! `select_session`: the tab that is meant when this agent names none.

use schemars::JsonSchema;
use serde::Deserialize;

use super::list_sessions::{Sessions, ask, told};
use crate::mcp::context::Context;
use crate::mcp::declared::{Declared, Effect};
use crate::mcp::outcome::Outcome;
use crate::mcp::{arguments, schema};

const NAME: &str = "select_session";

pub(super) const TOOL: Declared = Declared {
    name: NAME,
    title: "Select a session",
    description: "\
Picks the browser tab that you mean when you give no sessionId. It holds for you alone, until the tab is closed or you pick another.

Use this tool when:
- several tabs are open and the developer means another than the latest active one
- the developer says which: \"tab #2\", \"the settings page\"

Parameters:
- sessionId: from list_sessions; \"#2\" for the tab of that number; without it the latest active tab is meant again

Returns: sessions as list_sessions does, with isSelected.

Example usage scenarios:
- \"Work on the mobile window\": list_sessions, then select_session with its sessionId
- done there: select_session without parameters",
    input: schema::input::<Arguments>,
    output: schema::output::<Sessions>,
    effect: Effect::Sets,
    run: |context, arguments| Box::pin(async move { run(context, arguments).await.unwrap_or_else(|outcome| outcome) }),
};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
struct Arguments {
    /// From list_sessions, or "#2"
    #[schemars(with = "String")]
    session_id: Option<String>,
}

async fn run(context: &Context, arguments: Option<rmcp::model::JsonObject>) -> Result<Outcome, Outcome> {
    let wanted: Arguments = arguments::decode(NAME, arguments)?;
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
                return Err(Outcome::Refused(format!(
                    "No open tab of this project is {name:?}. list_sessions shows which there are."
                )));
            };
            Some(one.session_id.clone())
        }
    };
    context.select(picked);
    Ok(Outcome::success(&told(context, &found)))
}
