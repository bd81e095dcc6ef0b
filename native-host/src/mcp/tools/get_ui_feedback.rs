//! `get_ui_feedback`: the comments that wait for work, in pages that an agent can take in.

use opentoolbar_core::model::SessionId;
use opentoolbar_core::protocol::{
    Answer, FeedbackCursor, FeedbackQuery, FeedbackSummary, MAX_FEEDBACK, Request, StatusFilter,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::mcp::context::Context;
use crate::mcp::declared::{Declared, Effect};
use crate::mcp::outcome::Outcome;
use crate::mcp::view::{Cut, Detail, NOTICE, comments_schema, fit, with_unreadable};
use crate::mcp::{arguments, budget, schema, view};

const NAME: &str = "get_ui_feedback";

/// Comments per page when `limit` is not given.
const LIMIT: u32 = 50;

pub(super) const TOOL: Declared = Declared {
    name: NAME,
    title: "Get UI feedback",
    description: "\
Gets the comments that the developer pinned to elements of the running app, for the project you work in. Each comes with \
what is asked, the component, the source file and a selector.

Use this tool when:
- the developer mentions comments, feedback, annotations, pins or \"what I marked\" in the browser
- you start or finish a UI task and want to know what is still open
- wait_for_feedback reported something new and you need the whole list

Parameters (all optional):
- pathname: only this page, exactly, for example \"/about\"
- status: active, outdated, resolved or all; without it everything unresolved (active and outdated)
- url: only pages whose address begins with this
- sessionId: only comments made in this browser tab
- limit: at most this many comments, 1 to 200 (default 50)
- cursor: nextCursor of the previous answer, with the same filters, for the next page
- commentId: only this comment, whatever its status
- from: with commentId, the words of the comment and of its whole thread from this character on, counted from 0: for what was cut
- detail: brief (words, component, file, selector), standard (default: and element, thread, changes) or full (and attributes, \
ancestors, children, history, and the address as CSS, XPath and Playwright)

Returns: project (its directory), summary (total: how many comments the filters select; active, outdated and resolved: how many there \
are of each, whatever status you ask for), comments (active first, then outdated), position for wait_for_feedback, detail, and \
nextCursor when there is more. A comment's text and replies that are cut say how to get the rest; repliesNotShown counts older replies. Answers stay under 25,000 tokens: when the comments do not fit you get fewer, or less detail. note \
says so when some are left out, also by limit. A comment is outdated when \
its element changed after it was written: check whether it still applies. One with claimedBy is worked on: by you, or by the agent \
of that name; leave that one to it. in_progress without claimedBy: whoever began is gone, take it.

Example usage scenarios:
- \"Fix the comments I left on the settings page\": pathname \"/settings\", then change the code, then resolve_comment for each
- \"Is anything still open?\": detail \"brief\"
- \"What did we fix last week?\": status \"resolved\"",
    input: schema::input::<Arguments>,
    output: schema::output::<Found>,
    effect: Effect::Reads,
    run: |context, arguments| Box::pin(async move { run(context, arguments).await.unwrap_or_else(|outcome| outcome) }),
};

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Wanted {
    Active,
    Outdated,
    Resolved,
    All,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
struct Arguments {
    /// Only comments on this path, exactly: "/", "/about"
    #[schemars(with = "String")]
    pathname: Option<String>,
    /// Only comments with this status; default: all unresolved ones
    #[schemars(with = "Wanted")]
    status: Option<Wanted>,
    /// Only comments on pages whose address begins with this
    #[schemars(with = "String")]
    url: Option<String>,
    /// Only comments made in this browser tab: from list_sessions
    #[schemars(with = "String")]
    session_id: Option<String>,
    /// At most this many comments; default 50
    #[schemars(with = "u32", range(min = 1, max = MAX_FEEDBACK))]
    limit: Option<u32>,
    /// nextCursor of the previous answer
    #[schemars(with = "String")]
    cursor: Option<String>,
    /// Only this comment: id or number
    #[schemars(with = "String")]
    comment_id: Option<String>,
    /// From this character of its words on
    #[schemars(with = "u32")]
    from: Option<u32>,
    /// How much of each comment; default standard
    #[schemars(with = "Detail")]
    detail: Option<Detail>,
}

/// What the call returns.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Found {
    /// Directory of the project
    project: String,
    summary: Summary,
    #[schemars(schema_with = "comments_schema")]
    comments: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
    /// Pass to wait_for_feedback as `after`
    position: u64,
    /// Level of detail of these comments
    detail: Detail,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    notice: &'static str,
}

/// Counts over the whole query, whatever the page.
#[derive(Debug, Serialize, JsonSchema)]
struct Summary {
    /// What the filters select
    total: u32,
    active: u32,
    outdated: u32,
    resolved: u32,
}

impl From<FeedbackSummary> for Summary {
    fn from(summary: FeedbackSummary) -> Self {
        let FeedbackSummary { total, active, outdated, resolved } = summary;
        Self { total, active, outdated, resolved }
    }
}

async fn run(context: &Context, arguments: Option<rmcp::model::JsonObject>) -> Result<Outcome, Outcome> {
    let wanted: Arguments = arguments::decode(NAME, arguments)?;
    let detail = wanted.detail.unwrap_or_default();
    let limit = arguments::within("limit", wanted.limit.unwrap_or(LIMIT), 1, MAX_FEEDBACK)?;
    let session_id = match wanted.session_id {
        None => None,
        Some(id) => Some(id.parse::<SessionId>().map_err(|error| {
            Outcome::Refused(format!(
                "`sessionId` is not an id: {error}. Leave it out to get the comments of all tabs."
            ))
        })?),
    };
    if wanted.from.is_some() && wanted.comment_id.is_none() {
        return Err(Outcome::Refused("`from` is of one comment: give its `commentId` too.".to_owned()));
    }
    if let Some(pathname) = wanted.pathname.as_deref().filter(|pathname| !pathname.starts_with('/')) {
        return Err(Outcome::Refused(format!(
            "`pathname` must begin with \"/\", got {pathname:?}. For a whole address use `url`."
        )));
    }
    let comment_id = match wanted.comment_id.as_deref() {
        Some(name) => Some(context.comment_id(name).await?),
        None => None,
    };
    let query = FeedbackQuery {
        pathname: wanted.pathname,
        url: wanted.url,
        session_id,
        comment_id: comment_id.clone(),
        number: None,
        status: match wanted.status {
            None if comment_id.is_some() => StatusFilter::All,
            None => StatusFilter::Unresolved,
            Some(Wanted::Active) => StatusFilter::Active,
            Some(Wanted::Outdated) => StatusFilter::Outdated,
            Some(Wanted::Resolved) => StatusFilter::Resolved,
            Some(Wanted::All) => StatusFilter::All,
        },
        limit: Some(limit),
        cursor: wanted.cursor,
    };
    let Answer::Feedback { project, summary, mut comments, mut next_cursor, claims, position, unreadable } =
        context.link.ask(Request::GetFeedback(query)).await?
    else {
        return Err(Outcome::mismatch("feedback"));
    };
    if let Some(id) = comment_id {
        // A hub of another version may tell others too.
        comments.retain(|comment| comment.id == id);
        if comments.is_empty() && unreadable == 0 {
            return Err(Outcome::Refused(format!(
                "There is no comment {id} in this project, or none that these filters select; it may be deleted. Call without \
                 commentId for all."
            )));
        }
    }
    if let (Some(from), Some(comment)) = (wanted.from, comments.first()) {
        let (told, cut) = view::from(comment, &claims, from as usize, budget::ANSWER - OVERHEAD)?;
        let note = cut.map(|Cut { end, all }| {
            let rest = view::rest_of(&comment.id, end);
            format!("These are the characters up to {end} of {all} of all its words. For the rest: {rest}.")
        });
        return Ok(Outcome::success(&Found {
            project: project.root,
            summary: summary.into(),
            comments: vec![told],
            next_cursor: None,
            position,
            detail: Detail::Brief,
            note,
            notice: NOTICE,
        }));
    }
    let fitted = fit(&comments, &claims, detail, budget::ANSWER - OVERHEAD);
    let cut = fitted.comments.len() < comments.len();
    if cut {
        // The next page begins behind the last comment that fitted.
        let last = fitted.comments.len().checked_sub(1).and_then(|last| comments.get(last));
        next_cursor = last.map(|last| FeedbackCursor::after(last, position).encode());
    }
    let note = match note(fitted.comments.len(), detail, fitted.detail, cut) {
        None if next_cursor.is_some() => Some(limited(fitted.comments.len(), summary.total, limit)),
        note => note,
    };
    let note = with_unreadable(note, unreadable);
    Ok(Outcome::success(&Found {
        project: project.root,
        summary: summary.into(),
        comments: fitted.comments,
        next_cursor,
        position,
        detail: fitted.detail,
        note,
        notice: NOTICE,
    }))
}

/// Tokens of everything in an answer but the comments.
const OVERHEAD: usize = 600;

/// More wait than `limit` let through; an agent that gave none does not know that there is one.
fn limited(count: usize, total: u32, limit: u32) -> String {
    format!(
        "These are {count} of {total} comments, as limit is {limit}. Call again with nextCursor as cursor for the next ones."
    )
}

fn note(count: usize, asked: Detail, told: Detail, cut: bool) -> Option<String> {
    if told != asked {
        return Some(
            "This comment is told with less detail than asked for, to keep the answer small. All its words, with the whole thread, \
             are told by commentId and from 0."
                .to_owned(),
        );
    }
    if cut {
        return Some(format!(
            "Only {count} comments fit into one answer at this detail. Call again with cursor for the rest, or use detail \
             \"brief\"."
        ));
    }
    if count == 0 {
        return Some(
            "No comments match. The developer adds them in the browser with the opentoolbar extension; wait_for_feedback \
             waits for new ones."
                .to_owned(),
        );
    }
    None
}
