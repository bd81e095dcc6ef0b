//! `get_ui_context`: what the developer selected in the browser, and what they said about it.

use opentoolbar_core::prompt::project_selection;
use opentoolbar_core::protocol::{Answer, PicturedContext, Request, UiContext};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::get_conversation_history::rest_of;
use crate::mcp::context::Context;
use crate::mcp::declared::{Declared, Effect, Toolset, call};
use crate::mcp::outcome::Outcome;
use crate::mcp::progress::Piece;
use crate::mcp::schema::nullable;
use crate::mcp::view::{Cut, PAGE_NOTICE, with_unreadable, words_within};
use crate::mcp::{arguments, budget, schema};

const NAME: &str = "get_ui_context";

/// Tokens of what the message is about, and of the latest selection where it is another; the message has the rest.
const ABOUT: usize = 4_500;
const LATEST: usize = 1_500;
/// Tokens of everything else.
const REST: usize = 700;

pub(in crate::mcp) const TOOL: Declared = Declared {
    name: NAME,
    title: "Get the UI context",
    toolsets: &[Toolset::Chat],
    effect: Effect::Marks,
    description: "\
Gets the oldest message that waits, with the element it is about; when none waits, what the developer selected last.

Use this tool when:
- the developer says \"this\", or means their screen
- a message waits in the browser's chat

Example usage scenarios:
- \"Make this bigger\": find file here, change it. Then respond_to_browser",
    input: schema::input::<Arguments>,
    output: schema::output::<Told>,
    run: |context, given| Box::pin(call(NAME, context, given, run)),
};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
struct Arguments {
    /// Default: the picked, else the latest tab
    #[schemars(with = "String")]
    session_id: Option<String>,
    /// One selection
    #[schemars(with = "String")]
    context_id: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Told {
    session_id: String,
    /// null: answer without it
    #[schemars(schema_with = "nullable::<String>")]
    context_id: Option<String>,
    // An object's schema: some clients refuse a tool whose property has `true` for one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Map<String, Value>")]
    element: Option<Value>,
    #[schemars(with = "Vec<Map<String, Value>>")]
    ancestors: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<Map<String, Value>>")]
    children: Option<Vec<Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Map<String, Value>")]
    page: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<Map<String, Value>>")]
    targets: Option<Vec<Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    screenshot_path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    viewport_screenshot_path: Option<String>,
    user_message: String,
    /// How many more wait
    waiting: u32,
    // What is selected now, if something else.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Map<String, Value>")]
    selection: Option<Value>,
    // What is not told whole, and where the rest is.
    #[serde(skip_serializing_if = "Option::is_none")]
    cut: Option<Vec<String>>,
    // When it was selected, milliseconds since 1970.
    timestamp: u64,
    other_sessions: u32,
    notice: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

async fn run(context: &Context, wanted: Arguments) -> Result<Outcome, Outcome> {
    let context_id = wanted.context_id.as_deref().map(arguments::context_id).transpose()?;
    let request = |session_id| Request::GetUiContext { session_id, context_id: context_id.clone() };
    let asked = match &context_id {
        // A selection says itself of which tab it is.
        Some(_) => {
            let session = wanted.session_id.as_deref().map(arguments::session_id).transpose()?;
            context.link.ask(request(session)).await?
        }
        None => context.ask_in(wanted.session_id.as_deref(), request).await?,
    };
    let Answer::UiContext(found) = asked else { return Err(Outcome::mismatch("a selection")) };
    let message = found.pending.first().cloned();
    let (told, cut) = told(found);
    let piece = message.map(|message| {
        let Cut { end, all } = cut.unwrap_or(Cut { end: 0, all: 0 });
        Piece::of(&message, 0, end, all)
    });
    Ok(Outcome::success(&told).telling(piece.into_iter().collect()))
}

/// And how much of the message is told, when it is cut.
fn told(found: UiContext) -> (Told, Option<Cut>) {
    let note = with_unreadable(nothing_selected(&found), found.unreadable);
    let mut selection = match &found.context {
        Some(context) => project_selection(&context.selection, |json| budget::tokens(json) <= ABOUT),
        None => Value::Null,
    };
    let latest = found.selection.map(|latest| latest_of(*latest));
    let cost = [Some(&selection), latest.as_ref()].into_iter().flatten();
    let cost: usize = cost.map(|value| budget::tokens(&value.to_string())).sum();
    let mut part = |name: &str| selection.get_mut(name).map(Value::take).filter(|part| !part.is_null());
    let list = |part: Option<Value>| match part {
        Some(Value::Array(list)) => Some(list),
        _ => None,
    };
    let mut cut: Vec<String> =
        part("cut").and_then(|cut| serde_json::from_value(cut).ok()).unwrap_or_default();
    let message = found.pending.first();
    let said_at = message.map_or(0, |message| message.created_at.0);
    let (user_message, is_cut) = message
        .map(|message| words_within(&message.content, budget::ANSWER.saturating_sub(REST + cost)))
        .unwrap_or_default();
    let rest = message.zip(is_cut).map(|(message, Cut { end, all })| {
        format!("userMessage: {end} of {all} characters. {}", rest_of(&message.id, end))
    });
    cut.extend(rest);
    let told = Told {
        session_id: found.session_id.to_string(),
        context_id: found.context.as_ref().map(|context| context.id.to_string()),
        element: part("element"),
        ancestors: list(part("ancestors")).unwrap_or_default(),
        children: list(part("children")),
        page: part("page"),
        targets: list(part("targets")),
        user_message,
        waiting: found.waiting,
        selection: latest,
        cut: (!cut.is_empty()).then_some(cut),
        timestamp: found.context.as_ref().map_or(said_at, |context| context.created_at.0),
        screenshot_path: found.screenshot_path,
        viewport_screenshot_path: found.viewport_screenshot_path,
        other_sessions: found.others,
        notice: PAGE_NOTICE,
        note,
    };
    (told, is_cut)
}

/// What to do where there is no element.
fn nothing_selected(found: &UiContext) -> Option<String> {
    if found.context.is_some() || found.selection.is_some() {
        return None;
    }
    let ask = "call request_annotation to have the developer point at the element";
    Some(if found.pending.is_empty() {
        let others = if found.others > 0 { ", list_sessions for the other tabs" } else { "" };
        format!(
            "Nothing is selected in this tab and no message waits: {ask}, or wait_for_feedback for their words{others}."
        )
    } else {
        format!("This was said before anything was selected. If it is about an element, {ask}.")
    })
}

/// What is selected now, shorter: it is not what the message is about.
fn latest_of(latest: PicturedContext) -> Value {
    let PicturedContext { context, screenshot_path, viewport_screenshot_path } = latest;
    let mut told = project_selection(&context.selection, |json| budget::tokens(json) <= LATEST);
    told["contextId"] = context.id.as_str().into();
    told["timestamp"] = context.created_at.0.into();
    told["screenshotPath"] = screenshot_path.into();
    told["viewportScreenshotPath"] = viewport_screenshot_path.into();
    told
}
