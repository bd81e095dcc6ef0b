//! `get_ui_context`: what the developer selected in the browser, and what they said about it.

use opentoolbar_core::protocol::{Answer, Request, UiContext};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{Context, Declared, Effect};
use crate::mcp::outcome::Outcome;
use crate::mcp::view::PAGE_NOTICE;
use crate::mcp::{arguments, schema};

const NAME: &str = "get_ui_context";

/// Most characters of all unanswered messages together.
const SAID: usize = 16_000;

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
    children: Option<Vec<Value>>,
    #[schemars(with = "Option<Map<String, Value>>")]
    page: Option<Value>,
    /// selector, component and file of each selected element
    targets: Option<Vec<Value>>,
    screenshot_path: Option<String>,
    viewport_screenshot_path: Option<String>,
    user_message: String,
    /// When it was selected, milliseconds since 1970
    timestamp: u64,
    other_sessions: u32,
    notice: String,
}

async fn run(context: &Context, arguments: Option<rmcp::model::JsonObject>) -> Result<Outcome, Outcome> {
    let wanted: Arguments = arguments::decode(NAME, arguments)?;
    let session_id = context.session(wanted.session_id.as_deref())?;
    let Answer::UiContext(found) = context.link.ask(Request::GetUiContext { session_id }).await? else {
        return Err(Outcome::mismatch("a selection"));
    };
    Ok(Outcome::success(&told(&found)))
}

fn told(found: &UiContext) -> Value {
    let mut value = json!({
        "sessionId": found.session_id,
        "contextId": null,
        "element": null,
        "ancestors": [],
        "page": null,
        "screenshotPath": found.screenshot_path,
        "viewportScreenshotPath": found.viewport_screenshot_path,
        "userMessage": said(found),
        "timestamp": found.pending.last().map_or(0, |message| message.created_at.0),
        "otherSessions": found.others,
        "notice": PAGE_NOTICE,
    });
    if let (Some(fields), Some(context)) = (value.as_object_mut(), &found.context) {
        fields.insert("contextId".into(), json!(context.id));
        fields.insert("timestamp".into(), json!(context.created_at));
        if let Value::Object(selection) = opentoolbar_core::prompt::project_selection(&context.selection) {
            fields.extend(selection);
        }
    }
    value
}

/// Oldest first; the newest are never cut.
fn said(found: &UiContext) -> String {
    let mut left = SAID;
    let mut kept: Vec<String> = Vec::new();
    for message in found.pending.iter().rev() {
        let text: String = message.content.chars().take(left).collect();
        let length = text.chars().count();
        let is_cut = length < message.content.chars().count();
        kept.push(if is_cut { format!("{text}… (cut; get_conversation_history has more)") } else { text });
        left = left.saturating_sub(length);
        if left == 0 {
            break;
        }
    }
    kept.reverse();
    kept.join("\n\n")
}
