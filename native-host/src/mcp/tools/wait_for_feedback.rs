//! `wait_for_feedback`: returns as soon as a person makes or changes a comment.

use std::collections::BTreeMap;
use std::time::Duration;

use opentoolbar_core::model::{Comment, CommentId, Message, MessageId};
use opentoolbar_core::prompt::Projected;
use opentoolbar_core::protocol::limits::of_agents::MAX_WAIT_SECONDS;
use opentoolbar_core::protocol::{Answer, Claim, FeedbackQuery, NewsOf, NewsQuery, Request, StatusFilter};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tokio::time::Instant;

use super::get_conversation_history::{Told, rest_of};
use crate::mcp::context::Context;
use crate::mcp::declared::{Declared, Effect, Toolset, call};
use crate::mcp::outcome::Outcome;
use crate::mcp::progress::Piece;
use crate::mcp::view::{Detail, NEWS_NOTICE, fit, with_unreadable};
use crate::mcp::{arguments, budget, schema, view};

const NAME: &str = "wait_for_feedback";

/// How long it waits when the call does not say, in seconds.
const DEFAULT: u32 = 30;
/// How much later than asked for the hub's own answer may come.
const GRACE: Duration = Duration::from_secs(2);

/// How often a hub of an earlier version is asked, which gives what it gave before.
const AGAIN: Duration = Duration::from_secs(1);

pub(super) const TOOL: Declared = Declared {
    name: NAME,
    title: "Wait for feedback",
    toolsets: &[Toolset::Feedback, Toolset::Chat],
    effect: Effect::HandsOver,
    description: "\
Waits until the developer comments, or writes in the chat beside the page. Call again after a time-out.

Use this tool when:
- all is done and you are to go on with what comes
- you asked something

Example usage scenarios:
- \"Watch for my comments\": fix all, wait with after, repeat",
    input: schema::input::<Arguments>,
    output: schema::output::<News>,
    run: |context, given| Box::pin(call(NAME, context, given, run)),
};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
struct Arguments {
    /// Default 30
    #[schemars(with = "u32", range(min = 1, max = MAX_WAIT_SECONDS))]
    timeout_seconds: Option<u32>,
    /// position of the last answer
    #[schemars(with = "u64")]
    after: Option<u64>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct News {
    // Each as get_ui_feedback tells it.
    #[schemars(with = "Vec<Map<String, Value>>")]
    comments: Vec<Projected>,
    /// What was said in the chat
    #[schemars(with = "Vec<Map<String, Value>>")]
    messages: Vec<Told>,
    timed_out: bool,
    position: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    notice: &'static str,
}

async fn run(context: &Context, wanted: Arguments) -> Result<Outcome, Outcome> {
    let seconds =
        arguments::within("timeoutSeconds", wanted.timeout_seconds.unwrap_or(DEFAULT), 1, MAX_WAIT_SECONDS)?;
    let until = Instant::now() + Duration::from_secs(seconds.into());
    let mut gone = context.gone.clone();
    tokio::select! {
        outcome = wait(context, wanted.after, until) => outcome,
        // Nobody is left to hear the answer; the process can end.
        _ = gone.wait_for(|gone| *gone) => Err(Outcome::Unexpected("the client has closed its input".to_owned())),
    }
}

async fn wait(context: &Context, after: Option<u64>, until: Instant) -> Result<Outcome, Outcome> {
    let given = after;
    // A position of our own makes the wait survive a restart of the hub without missing anything.
    let after = match after {
        Some(after) => after,
        None => position(context).await?,
    };
    let found = untold(context, after, until).await?;
    let taken = take(&found, given, |id| context.told.next(id));
    let timed_out = found.is_empty();
    let note = if timed_out {
        Some("Nothing new. Call again to keep waiting.".to_owned())
    } else {
        note_of(&taken, found.is_cut)
    };
    let note = with_unreadable(note, found.unreadable);
    let Taken { comments, messages, pieces, position, .. } = taken;
    let news = News { comments, messages, timed_out, position, note, notice: NEWS_NOTICE };
    Ok(Outcome::success(&news).telling(pieces))
}

/// What the agent was not told yet. A hub that is not told what was handed over gives it again, page by page.
async fn untold(context: &Context, mut after: u64, until: Instant) -> Result<Found, Outcome> {
    loop {
        let mut found = ask(context, after, until).await?;
        // The log began anew, as the project's data was deleted.
        if context.told.passed().is_some_and(|passed| passed > found.position) {
            context.told.pass(0);
        }
        let given = found.messages.iter().filter_map(|one| found.positions.get(one.id.as_str()).copied());
        let last = given.max();
        // A hub of an earlier version gives what is not asked for.
        match context.news {
            Some(NewsOf::Comments) => found.messages.clear(),
            Some(NewsOf::Messages) => found.comments.clear(),
            None => {}
        }
        if !context.marks {
            found.messages.retain(|message| !context.told.is_whole(&message.id));
        }
        let Some(last) = last.filter(|_| found.is_empty() && Instant::now() < until) else {
            return Ok(found);
        };
        after = after.max(last);
        if !context.told.pass(last) {
            tokio::time::sleep_until(until.min(Instant::now() + AGAIN)).await;
        }
    }
}

/// One wait of the hub's.
async fn ask(context: &Context, after: u64, until: Instant) -> Result<Found, Outcome> {
    let left = until.saturating_duration_since(Instant::now());
    let timeout_ms = u32::try_from(left.as_millis()).unwrap_or(u32::MAX);
    let query =
        NewsQuery { after: Some(after), unread_after: context.told.passed(), only: context.news, timeout_ms };
    let asked = context.link.ask(Request::WaitForFeedback(query));
    // A hub that restarts meanwhile begins the wait anew; the client's own patience does not.
    match tokio::time::timeout_at(until + GRACE, asked).await {
        Err(_) => Ok(Found { position: after, ..Found::default() }),
        Ok(answer) => match answer? {
            Answer::News { comments, messages, claims, positions, position, is_cut, unreadable } => {
                Ok(Found { comments, messages, claims, positions, position, is_cut, unreadable })
            }
            _ => Err(Outcome::mismatch("news")),
        },
    }
}

/// What the hub says is new.
#[derive(Default)]
struct Found {
    comments: Vec<Comment>,
    messages: Vec<Message>,
    claims: Vec<Claim>,
    positions: BTreeMap<String, u64>,
    position: u64,
    is_cut: bool,
    unreadable: u32,
}

impl Found {
    fn is_empty(&self) -> bool {
        self.comments.is_empty() && self.messages.is_empty() && self.unreadable == 0
    }
}

/// What of it the agent is handed.
struct Taken {
    comments: Vec<Projected>,
    messages: Vec<Told>,
    /// How much that is of each message.
    pieces: Vec<Piece>,
    /// Of the last thing that is handed over.
    position: u64,
    /// The first comment, when it does not fit in the usual detail.
    brief: Option<CommentId>,
    /// How many more are new.
    left: usize,
}

enum Item<'a> {
    Comment(&'a Comment),
    Message(&'a Message),
}

/// The oldest of it that fit, in the order in which it came, so that the next wait goes on behind the last of them. The
/// first is told whatever it costs, with less detail or cut. `given`: the position that the agent gave. `next`: from
/// which character on a message is told that was begun.
fn take(found: &Found, given: Option<u64>, next: impl Fn(&MessageId) -> usize) -> Taken {
    let position = |id: &str| found.positions.get(id).copied().unwrap_or(found.position);
    let comments = found.comments.iter().map(|one| (position(one.id.as_str()), Item::Comment(one)));
    let messages = found.messages.iter().map(|one| (position(one.id.as_str()), Item::Message(one)));
    let mut items: Vec<(u64, Item<'_>)> = messages.chain(comments).collect();
    items.sort_by_key(|(position, _)| *position);
    // A comment at a position that the agent has had: the log began anew, as the project's data was deleted.
    let is_anew = |given: &u64| {
        items.iter().any(|(position, item)| matches!(item, Item::Comment(_)) && position <= given)
    };
    let given = given.filter(|given| !is_anew(given));
    let mut taken = Taken {
        comments: Vec::new(),
        messages: Vec::new(),
        pieces: Vec::new(),
        position: found.position,
        brief: None,
        left: items.len(),
    };
    let mut left = budget::ANSWER - 500;
    for (at, item) in items {
        let is_first = taken.comments.is_empty() && taken.messages.is_empty();
        match item {
            Item::Comment(comment) => {
                let fitted = fit(std::slice::from_ref(comment), &found.claims, Detail::Standard, left);
                let cost: usize = fitted.comments.iter().map(|one| budget::tokens(&one.json()) + 1).sum();
                if !is_first && (cost > left || fitted.detail != Detail::Standard) {
                    break;
                }
                left = left.saturating_sub(cost);
                if fitted.detail != Detail::Standard {
                    taken.brief = Some(comment.id.clone());
                }
                taken.comments.extend(fitted.comments);
            }
            Item::Message(message) => {
                let told = Told::of(message, true);
                let (from, all) = (next(&message.id), told.content.chars().count());
                let Some((told, cost)) = told.behind(from).within(left, is_first) else { break };
                let piece = Piece::of(message, from, from + told.kept(), all);
                left = left.saturating_sub(cost);
                taken.messages.push(told);
                taken.pieces.push(piece);
            }
        }
        taken.left -= 1;
        if taken.left > 0 || found.is_cut {
            // A message that waited from before takes nobody back behind a position that it has.
            taken.position = given.map_or(at, |given| at.max(given));
        } else {
            taken.position = found.position;
        }
    }
    taken
}

fn note_of(taken: &Taken, is_cut: bool) -> Option<String> {
    let begun = taken.pieces.iter().filter(|piece| piece.from > 0).map(|Piece { id, from, .. }| {
        format!(
            "Of message {id} you were told the beginning before: this is the rest, from character {from} on."
        )
    });
    let cut =
        taken.pieces.iter().filter(|piece| piece.end < piece.all).map(|Piece { id, end, all, .. }| {
            format!("The message is cut: that is up to character {end} of {all}. {}", rest_of(id, *end))
        });
    let brief = taken.brief.as_ref().map(|id| {
        let whole = view::rest_of(id, 0);
        format!("The comment is too long to be told in the usual detail. All its words, with the whole thread: {whole}.")
    });
    let left = match (taken.left, is_cut) {
        (0, false) => None,
        (0, true) => Some("More is new: call again with this position.".to_owned()),
        (left, false) => Some(format!("{left} more do not fit here: call again with this position.")),
        (left, true) => Some(format!("More than {left} do not fit here: call again with this position.")),
    };
    let said: Vec<String> = begun.chain(cut).chain(brief).chain(left).collect();
    (!said.is_empty()).then(|| said.join(" "))
}

async fn position(context: &Context) -> Result<u64, Outcome> {
    let newest = FeedbackQuery { status: StatusFilter::All, limit: Some(1), ..FeedbackQuery::default() };
    match context.link.ask(Request::GetFeedback(newest)).await? {
        Answer::Feedback { position, .. } => Ok(position),
        _ => Err(Outcome::mismatch("feedback")),
    }
}
