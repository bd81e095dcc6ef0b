//! `list_sessions`: the project's open browser tabs.

use opentoolbar_core::prompt::one_line;
use opentoolbar_core::protocol::{Answer, Request, SessionSummary};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::mcp::context::Context;
use crate::mcp::declared::{Declared, Effect, Toolset, call};
use crate::mcp::outcome::Outcome;
use crate::mcp::view::with_unreadable;
use crate::mcp::{budget, schema};

const NAME: &str = "list_sessions";

/// Most sessions told; the latest active ones.
const MOST: usize = 50;
/// Most characters of an address or a title.
const LONGEST: usize = 300;

pub(super) const TOOL: Declared = Declared {
    name: NAME,
    title: "List sessions",
    toolsets: &[Toolset::Chat],
    effect: Effect::Reads,
    description: "\
Lists the project's open browser tabs, the latest active first.

Use this tool when:
- you need another tab, or where a message waits

Example usage scenarios:
- another page is meant: find its tab. Then select_session",
    input: schema::input::<Arguments>,
    output: schema::output::<Sessions>,
    run: |context, given| Box::pin(call(NAME, context, given, run)),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {}

/// What is told of a tab.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Session {
    session_id: String,
    // As in `opentoolbar ui list`.
    number: u32,
    page_url: String,
    page_title: String,
    // Milliseconds since 1970.
    last_active: u64,
    has_unread_message: bool,
    // What is meant when no sessionId is given.
    is_selected: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Sessions {
    pub(super) sessions: Vec<Session>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) note: Option<String>,
}

async fn run(context: &Context, Arguments {}: Arguments) -> Result<Outcome, Outcome> {
    Ok(Outcome::success(&told(context, &ask(context).await?)))
}

/// The open tabs, and how many more cannot be told of.
pub(super) type Open = (Vec<SessionSummary>, u32);

pub(super) async fn ask(context: &Context) -> Result<Open, Outcome> {
    match context.link.ask(Request::ListSessions).await? {
        Answer::Sessions { sessions, unreadable } => Ok((sessions, unreadable)),
        _ => Err(Outcome::mismatch("sessions")),
    }
}

/// The agent's own pick goes before the person's.
pub(super) fn told(context: &Context, (found, unreadable): &Open) -> Sessions {
    let own = context.selected().filter(|own| found.iter().any(|one| one.session_id == *own));
    let mut left = budget::ANSWER - 200;
    let sessions = found.iter().take(MOST).map(|one| Session {
        session_id: one.session_id.to_string(),
        number: one.number,
        page_url: one_line(&one.page_url, LONGEST),
        page_title: one_line(&one.page_title, LONGEST),
        last_active: one.last_active.0,
        has_unread_message: one.has_unread_message,
        is_selected: own.as_ref().map_or(one.is_selected, |own| *own == one.session_id),
    });
    let fits = |one: &Session| {
        let cost = serde_json::to_string(one).map_or(usize::MAX, |json| budget::tokens(&json) + 1);
        left.checked_sub(cost).inspect(|less| left = *less).is_some()
    };
    let sessions: Vec<Session> = sessions.take_while(fits).collect();
    let note = match found.len() - sessions.len() {
        _ if found.is_empty() && *unreadable == 0 => Some(
            "No page of this project is open in a browser with opentoolbar. Ask the developer to open the app.".to_owned(),
        ),
        0 => None,
        more => Some(format!("{more} more are open and were not active lately.")),
    };
    Sessions { sessions, note: with_unreadable(note, *unreadable) }
}
