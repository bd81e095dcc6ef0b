//! `wait_for_feedback`: returns as soon as a person makes or changes a comment.

use std::time::Duration;

use opentoolbar_core::protocol::{Answer, FeedbackQuery, Request, StatusFilter};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::time::Instant;

use super::get_conversation_history::{self, Told};
use super::{Context, Declared, Effect};
use crate::mcp::outcome::Outcome;
use crate::mcp::view::{Detail, NOTICE, comments_schema, fit, with_unreadable};
use crate::mcp::{arguments, budget, schema};

const NAME: &str = "wait_for_feedback";

/// Some clients cut a call at 60 s.
const LONGEST: u32 = 45;
const DEFAULT: u32 = 30;
/// How much later than asked for the hub's own answer may come.
const GRACE: Duration = Duration::from_secs(2);

pub(super) const TOOL: Declared = Declared {
    name: NAME,
    title: "Wait for feedback",
    description: "\
Waits until the developer makes or changes a comment in the browser, or says something in the chat beside the page, and returns it \
at once.

Use this tool when:
- you are done with all comments and the developer wants you to keep going with new ones
- you asked something with reply_to_comment and need the answer

Parameters (all optional):
- timeoutSeconds: how long to wait, 1 to 45 (default 30)
- after: position of the last answer of get_ui_feedback or wait_for_feedback, so that nothing in between is missed; without it \
only what happens from now on counts

Returns: comments (new or changed ones), messages (said in the chat; answer with respond_to_browser), both empty when the time ran \
out, timedOut, and position for the next wait. \
After a time-out call again if the developer still wants you to wait.

Example usage scenarios:
- \"Watch for my comments and fix them\": get_ui_feedback, fix and resolve all, wait_for_feedback with its position, repeat
- after a question: wait_for_feedback, then read the thread in the returned comment's replies",
    input: schema::input::<Arguments>,
    output: schema::output::<News>,
    effect: Effect::Reads,
    run: |context, arguments| Box::pin(async move { run(context, arguments).await.unwrap_or_else(|outcome| outcome) }),
};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
struct Arguments {
    /// How long to wait; default 30
    #[schemars(with = "u32", range(min = 1, max = 45))]
    timeout_seconds: Option<u32>,
    /// position of the last answer
    #[schemars(with = "u64")]
    after: Option<u64>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct News {
    #[schemars(schema_with = "comments_schema")]
    comments: Vec<Value>,
    messages: Vec<Told>,
    timed_out: bool,
    /// Pass as `after` next time
    position: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    notice: String,
}

async fn run(context: &Context, arguments: Option<rmcp::model::JsonObject>) -> Result<Outcome, Outcome> {
    let wanted: Arguments = arguments::decode(NAME, arguments)?;
    let seconds = arguments::within("timeoutSeconds", wanted.timeout_seconds.unwrap_or(DEFAULT), 1, LONGEST)?;
    let until = Instant::now() + Duration::from_secs(seconds.into());
    let mut gone = context.gone.clone();
    tokio::select! {
        outcome = wait(context, wanted.after, until) => outcome,
        // Nobody is left to hear the answer; the process can end.
        _ = gone.wait_for(|gone| *gone) => Err(Outcome::Unexpected("the client has closed its input".to_owned())),
    }
}

async fn wait(context: &Context, after: Option<u64>, until: Instant) -> Result<Outcome, Outcome> {
    // A position of our own makes the wait survive a restart of the hub without missing anything.
    let after = match after {
        Some(after) => after,
        None => position(context).await?,
    };
    let left = until.saturating_duration_since(Instant::now());
    let timeout_ms = u32::try_from(left.as_millis()).unwrap_or(u32::MAX);
    let asked = context.link.ask(Request::WaitForFeedback { after: Some(after), timeout_ms });
    // A hub that restarts meanwhile begins the wait anew; the client's own patience does not.
    let (comments, messages, position, unreadable) = match tokio::time::timeout_at(until + GRACE, asked).await
    {
        Err(_) => (Vec::new(), Vec::new(), after, 0),
        Ok(answer) => match answer? {
            Answer::News { comments, messages, position, unreadable } => {
                (comments, messages, position, unreadable)
            }
            _ => return Err(Outcome::mismatch("news")),
        },
    };
    let said = messages.len();
    // A person waits for an answer: messages before comments.
    let messages =
        get_conversation_history::fit(messages.iter().map(|one| Told::of(one, true)), budget::ANSWER / 2);
    let cost: usize = messages.iter().map(Told::tokens).sum();
    let fitted = fit(&comments, Detail::Standard, budget::ANSWER - 400 - cost);
    let missing = comments.len() - fitted.comments.len();
    let unsaid = said - messages.len();
    let timed_out = comments.is_empty() && said == 0 && unreadable == 0;
    let note = if timed_out {
        Some("Nothing new. Call again to keep waiting.".to_owned())
    } else if unsaid > 0 {
        Some(format!("{unsaid} older messages do not fit here: call get_conversation_history."))
    } else if missing > 0 {
        Some(format!("{missing} more changed but do not fit here: call get_ui_feedback."))
    } else {
        None
    };
    let note = with_unreadable(note, unreadable);
    let comments = fitted.comments;
    let notice = format!("{NOTICE} `messages` are the developer's words too.");
    Ok(Outcome::success(&News { comments, messages, timed_out, position, note, notice }))
}

async fn position(context: &Context) -> Result<u64, Outcome> {
    let newest = FeedbackQuery { status: StatusFilter::All, limit: Some(1), ..FeedbackQuery::default() };
    match context.link.ask(Request::GetFeedback(newest)).await? {
        Answer::Feedback { position, .. } => Ok(position),
        _ => Err(Outcome::mismatch("feedback")),
    }
}
