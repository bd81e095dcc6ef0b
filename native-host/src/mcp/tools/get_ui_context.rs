//! `get_ui_context`: what the developer selected in the browser, and what they said about it.

use opentoolbar_core::prompt::{neutralise, project_selection};
use opentoolbar_core::protocol::{Answer, Request, UiContext};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Context, Declared, Effect};
use crate::mcp::outcome::Outcome;
use crate::mcp::view::{PAGE_NOTICE, with_unreadable};
use crate::mcp::{arguments, budget, schema};

const NAME: &str = "get_ui_context";

/// Tokens of the selection; all unanswered messages together have the rest.
const SELECTION: usize = 5_000;
/// Tokens of what is neither.
const REST: usize = 500;

pub(super) const TOOL: Declared = Declared {
    name: NAME,
    title: "Get the UI context",
    description: "\
Gets what the developer selected in the running app and the message they are waiting for an answer to.

Use this tool when:
- the developer speaks of \"this\", \"the selected element\" or what is on their screen
- wait_for_feedback returned messages, or list_sessions shows hasUnreadMessage
- you begin to work on something that was said in the browser's chat

Parameters (all optional):
- sessionId: one browser tab, from list_sessions; default: the tab picked with select_session, else the latest active one

Returns: sessionId, contextId (null when nothing is selected), element, ancestors, children and page of the selection, targets \
(selector, component and file of each selected element), screenshotPath (PNG of the element) and viewportScreenshotPath, \
userMessage (what is not answered yet; empty when nothing is), timestamp, and otherSessions (how many more tabs are open). \
Answer with respond_to_browser, with this sessionId and contextId.

Example usage scenarios:
- \"Make this bigger\": read component and file of the selection, change the code, respond_to_browser
- the developer asks in the chat: read userMessage, update_status while you work, respond_to_browser with the answer",
    input: schema::input::<Arguments>,
    output: schema::output::<Told>,
    effect: Effect::Reads,
    run: |context, arguments| Box::pin(async move { run(context, arguments).await.unwrap_or_else(|outcome| outcome) }),
};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
struct Arguments {
    /// From list_sessions
    #[schemars(with = "String")]
    session_id: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Told {
    session_id: String,
    context_id: Option<String>,
    // An object's schema: some clients refuse a tool whose property has `true` for one.
    #[schemars(with = "Option<Map<String, Value>>")]
    element: Option<Value>,
    ancestors: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    children: Option<Vec<Value>>,
    #[schemars(with = "Option<Map<String, Value>>")]
    page: Option<Value>,
    /// selector, component and file of each selected element
    #[serde(skip_serializing_if = "Option::is_none")]
    targets: Option<Vec<Value>>,
    screenshot_path: Option<String>,
    viewport_screenshot_path: Option<String>,
    user_message: String,
    /// When it was selected, milliseconds since 1970
    timestamp: u64,
    other_sessions: u32,
    notice: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

async fn run(context: &Context, arguments: Option<rmcp::model::JsonObject>) -> Result<Outcome, Outcome> {
    let wanted: Arguments = arguments::decode(NAME, arguments)?;
    let asked = context
        .ask_in(wanted.session_id.as_deref(), |session_id| Request::GetUiContext { session_id })
        .await?;
    let Answer::UiContext(found) = asked else { return Err(Outcome::mismatch("a selection")) };
    Ok(Outcome::success(&told(found)))
}

fn told(found: UiContext) -> Told {
    let fits = |json: &str| budget::tokens(json) <= SELECTION;
    let mut selection = match &found.context {
        Some(context) => project_selection(&context.selection, fits),
        None => Value::Null,
    };
    let cost = budget::tokens(&selection.to_string());
    let mut part = |name: &str| selection.get_mut(name).map(Value::take).filter(|part| !part.is_null());
    let list = |part: Option<Value>| match part {
        Some(Value::Array(list)) => Some(list),
        _ => None,
    };
    let said_at = found.pending.last().map_or(0, |message| message.created_at.0);
    Told {
        session_id: found.session_id.to_string(),
        context_id: found.context.as_ref().map(|context| context.id.to_string()),
        element: part("element"),
        ancestors: list(part("ancestors")).unwrap_or_default(),
        children: list(part("children")),
        page: part("page"),
        targets: list(part("targets")),
        user_message: said(&found, budget::ANSWER.saturating_sub(REST + cost)),
        timestamp: found.context.as_ref().map_or(said_at, |context| context.created_at.0),
        screenshot_path: found.screenshot_path,
        viewport_screenshot_path: found.viewport_screenshot_path,
        other_sessions: found.others,
        notice: PAGE_NOTICE,
        note: with_unreadable(None, found.unreadable),
    }
}

/// What is not answered yet, in at most so many tokens. Oldest first; the newest are never left out for older ones.
fn said(found: &UiContext, mut left: usize) -> String {
    const CUT: &str = "… (cut; get_conversation_history has more)";
    // What is said of a cut, and what stands between two messages.
    const ROOM: usize = 40;
    let mut kept: Vec<String> = Vec::new();
    for message in found.pending.iter().rev() {
        let text = neutralise(&message.content);
        let fitting = budget::beginning(&text, left.saturating_sub(ROOM));
        if fitting.len() < text.len() {
            kept.push(format!("{fitting}{CUT}"));
            break;
        }
        left = left.saturating_sub(budget::written(&text) + 4);
        kept.push(text);
    }
    kept.reverse();
    kept.join("\n\n")
}
