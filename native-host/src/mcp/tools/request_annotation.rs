//! `request_annotation`: the agent asks the developer to point at something.

use std::sync::PoisonError;
use std::time::Duration;

use opentoolbar_core::model::{AnnotationId, ContextId, SessionId};
use opentoolbar_core::prompt::project_selection;
use opentoolbar_core::protocol::limits::of_agents::{MAX_WAIT_SECONDS, MAX_WISH};
use opentoolbar_core::protocol::{AnnotationOutcome, Answer, Request};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tokio::time::Instant;

use crate::ids::random_id;
use crate::mcp::context::Context;
use crate::mcp::declared::{Declared, Effect, Toolset, call};
use crate::mcp::outcome::Outcome;
use crate::mcp::view::{Cut, words_from};
use crate::mcp::{arguments, budget, schema};

const NAME: &str = "request_annotation";

/// How long it waits when the call does not say, in seconds.
const DEFAULT: u32 = 45;
/// Tokens of what they pointed at; the words have the rest.
const SELECTION: usize = 5_000;
/// Tokens of everything else.
const REST: usize = 700;
/// Requests whose words are remembered.
const WISHES: usize = 64;
/// Said when nobody is there any more who could answer.
const CLOSED: &str = "The page was closed, or went to another project, before the developer did anything. list_sessions shows the open ones.";
/// How much later than asked for the hub's own answer may come.
const GRACE: Duration = Duration::from_secs(2);

pub(super) const TOOL: Declared = Declared {
    name: NAME,
    title: "Request an annotation",
    toolsets: &[Toolset::Feedback],
    effect: Effect::Asks,
    description: "\
Asks the developer to point at an element in the browser.

Use this tool when:
- you cannot tell which is meant, or where it goes wrong

Example usage scenarios:
- message \"Which header? Please click it.\"
- still waiting: its annotationId",
    input: schema::input::<Arguments>,
    output: schema::output::<Asked>,
    run: |context, given| Box::pin(call(NAME, context, given, run)),
};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
struct Arguments {
    /// What to point at
    #[schemars(with = "String", length(min = 1, max = MAX_WISH))]
    message: Option<String>,
    /// A tab
    #[schemars(with = "String")]
    session_id: Option<String>,
    /// Goes on waiting
    #[schemars(with = "String")]
    annotation_id: Option<String>,
    /// With annotationId: from this character
    #[schemars(with = "u32")]
    from: Option<u32>,
    /// Default 45
    #[schemars(with = "u32", range(min = 1, max = MAX_WAIT_SECONDS))]
    timeout_seconds: Option<u32>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Asked {
    /// answered, declined, waiting
    outcome: &'static str,
    annotation_id: String,
    session_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    context_id: Option<String>,
    // The developer's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    said: Option<String>,
    // Why nobody answered; not the developer's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Map<String, Value>")]
    element: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<Map<String, Value>>")]
    targets: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    screenshot_path: Option<String>,
    // What is not told whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    cut: Option<Vec<String>>,
}

/// What they pointed at, as the agent is told of it.
#[derive(Debug, Default)]
struct PointedAt {
    element: Option<Value>,
    targets: Option<Value>,
    screenshot_path: Option<String>,
    cut: Vec<String>,
}

async fn run(context: &Context, wanted: Arguments) -> Result<Outcome, Outcome> {
    let seconds =
        arguments::within("timeoutSeconds", wanted.timeout_seconds.unwrap_or(DEFAULT), 1, MAX_WAIT_SECONDS)?;
    let annotation_id: AnnotationId = match &wanted.annotation_id {
        Some(id) => arguments::annotation_id(id)?,
        None => random_id("a_")?,
    };
    if wanted.from.is_some() && wanted.annotation_id.is_none() {
        return Err(Outcome::refused("`from` is of one request", "Give its `annotationId` too."));
    }
    let message = match wanted.message {
        Some(message) => arguments::words("message", message, MAX_WISH)?,
        None if wanted.annotation_id.is_some() => known(context, &annotation_id)?,
        None => {
            return Err(Outcome::refused("`message` is missing", "Say what the developer should point at."));
        }
    };
    remember(context, &annotation_id, &message);
    let until = Instant::now() + Duration::from_secs(seconds.into());
    let request = |session_id| Request::RequestAnnotation {
        session_id,
        annotation_id: annotation_id.clone(),
        message: message.clone(),
        timeout_ms: seconds * 1_000,
    };
    let named = wanted.session_id.as_deref();
    let mut gone = context.gone.clone();
    let asked = tokio::select! {
        asked = tokio::time::timeout_at(until + GRACE, context.ask_in(named, request)) => asked,
        _ = gone.wait_for(|gone| *gone) => {
            return Err(Outcome::Unexpected("the client has closed its input".to_owned()));
        }
    };
    let Ok(answer) = asked else {
        let session = context.session(named)?.map(|id| id.to_string()).unwrap_or_default();
        let waits = (AnnotationOutcome::Waiting, PointedAt::default());
        return Ok(Outcome::success(&told(annotation_id, session, waits, None)?));
    };
    let Answer::Annotation { session_id, outcome, .. } = answer? else {
        return Err(Outcome::mismatch("an annotation"));
    };
    let pointed_at = match &outcome {
        AnnotationOutcome::Answered { context_id, .. } => pointed_at(context, &session_id, context_id).await,
        AnnotationOutcome::Waiting | AnnotationOutcome::Declined { .. } => None,
    };
    let outcome = (outcome, pointed_at.unwrap_or_default());
    Ok(Outcome::success(&told(annotation_id, session_id.to_string(), outcome, wanted.from)?))
}

fn told(
    annotation_id: AnnotationId,
    session_id: String,
    (outcome, pointed_at): (AnnotationOutcome, PointedAt),
    from: Option<u32>,
) -> Result<Asked, Outcome> {
    let is_closed = matches!(outcome, AnnotationOutcome::Declined { closed: true, .. });
    let (outcome, context_id, words) = match outcome {
        AnnotationOutcome::Waiting => ("waiting", None, None),
        // What the hub says of it is not the person's word.
        AnnotationOutcome::Declined { reason, closed } => ("declined", None, reason.filter(|_| !closed)),
        AnnotationOutcome::Answered { context_id, message } => {
            ("answered", Some(context_id.to_string()), message)
        }
    };
    let PointedAt { element, targets, screenshot_path, mut cut } = pointed_at;
    let shown = [&element, &targets].into_iter().flatten();
    let cost: usize = shown.map(|value| budget::tokens(&value.to_string())).sum();
    let left = budget::ANSWER.saturating_sub(REST + cost);
    let from = from.unwrap_or(0) as usize;
    let words = words.map(|words| words_from(&words, from, left)).transpose()?;
    let (said, is_cut) = words.unzip();
    cut.extend(is_cut.flatten().map(|Cut { end, all }| {
        format!(
            "said: the characters up to {end} of {all} characters. For the rest: {NAME} with annotationId {annotation_id} and from \
             {end}."
        )
    }));
    Ok(Asked {
        outcome,
        annotation_id: annotation_id.to_string(),
        session_id,
        context_id,
        said,
        reason: is_closed.then_some(CLOSED),
        element,
        targets,
        screenshot_path,
        cut: (!cut.is_empty()).then_some(cut),
    })
}

/// Element, targets and picture of a selection. Without them the agent has its id.
async fn pointed_at(context: &Context, session: &SessionId, id: &ContextId) -> Option<PointedAt> {
    let request = Request::GetUiContext { session_id: Some(session.clone()), context_id: Some(id.clone()) };
    let Ok(Answer::UiContext(found)) = context.link.ask(request).await else { return None };
    let context = found.context?;
    let mut told = project_selection(&context.selection, |json| budget::tokens(json) <= SELECTION);
    let mut part = |name: &str| told.get_mut(name).map(Value::take);
    let mut cut: Vec<String> =
        part("cut").and_then(|cut| serde_json::from_value(cut).ok()).unwrap_or_default();
    // These are not told here.
    cut.retain(|one| !one.contains("ancestors") && !one.starts_with("children"));
    Some(PointedAt {
        element: part("element"),
        targets: part("targets"),
        screenshot_path: found.screenshot_path,
        cut,
    })
}

/// The words of the call that began it.
fn known(context: &Context, id: &AnnotationId) -> Result<String, Outcome> {
    let wishes = context.wishes.lock().unwrap_or_else(PoisonError::into_inner);
    wishes.get(id).cloned().ok_or_else(|| {
        Outcome::refused(
            format!("No request of yours with the `annotationId` {id} is known here"),
            "Take annotationId from the call that returned \"waiting\", or ask anew: call without annotationId and say in \
             `message` what the developer should point at.",
        )
    })
}

fn remember(context: &Context, id: &AnnotationId, message: &str) {
    let mut wishes = context.wishes.lock().unwrap_or_else(PoisonError::into_inner);
    if wishes.len() >= WISHES && !wishes.contains_key(id) {
        // Which one goes matters little: whoever goes on waiting for it says its words again.
        wishes.pop_first();
    }
    wishes.insert(id.clone(), message.to_owned());
}
