//! `get_ui_feedback`: the comments that wait for work, in pages that an agent can take in.

use opentoolbar_core::model::SessionId;
use opentoolbar_core::prompt::Projected;
use opentoolbar_core::protocol::{
    Answer, FeedbackCursor, FeedbackQuery, FeedbackSummary, MAX_FEEDBACK, Request, StatusFilter,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::mcp::context::Context;
use crate::mcp::declared::{Declared, Effect, Toolset, call};
use crate::mcp::outcome::Outcome;
use crate::mcp::view::{Cut, Detail, NOTICE, comments_schema, fit, with_unreadable};
use crate::mcp::{arguments, budget, schema, view};

const NAME: &str = "get_ui_feedback";

/// Comments per page when `limit` is not given.
const LIMIT: u32 = 50;

pub(in crate::mcp) const TOOL: Declared = Declared {
    name: NAME,
    title: "Get UI feedback",
    toolsets: &[Toolset::Feedback],
    effect: Effect::Reads,
    description: "\
Gets the comments that the developer pinned to elements of the running app. Outdated: the element changed since. \
claimedBy other than you: leave it. in_progress without: take it.

Use this tool when:
- the developer mentions comments, feedback, pins or what they marked
- you begin or finish UI work

Example usage scenarios:
- \"Fix my comments on the settings page\": pathname \"/settings\"
- \"Is anything open?\": detail \"brief\"",
    input: schema::input::<Arguments>,
    output: schema::output::<Found>,
    run: |context, given| Box::pin(call(NAME, context, given, run)),
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
    /// Only this page, exactly: "/about"
    #[schemars(with = "String")]
    pathname: Option<String>,
    /// Default: active and outdated
    #[schemars(with = "Wanted")]
    status: Option<Wanted>,
    /// Only addresses that begin so
    #[schemars(with = "String")]
    url: Option<String>,
    /// Only from this tab
    #[schemars(with = "String")]
    session_id: Option<String>,
    /// Default 50
    #[schemars(with = "u32", range(min = 1, max = MAX_FEEDBACK))]
    limit: Option<u32>,
    /// nextCursor, same filters
    #[schemars(with = "String")]
    cursor: Option<String>,
    /// Only this one, by number or id
    #[serde(deserialize_with = "arguments::comment_name_if_any")]
    #[schemars(with = "String")]
    comment_id: Option<String>,
    /// With commentId: from this character
    #[schemars(with = "u32")]
    from: Option<u32>,
    /// brief: place, words, the unusual; default standard
    #[schemars(with = "Detail")]
    detail: Option<Detail>,
}

/// What the call returns.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Found {
    project: String,
    summary: Summary,
    #[schemars(schema_with = "comments_schema")]
    comments: Vec<Projected>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
    // For wait_for_feedback.
    position: u64,
    #[schemars(with = "String")]
    detail: Detail,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    notice: &'static str,
}

/// Counts over the whole query, whatever the page.
#[derive(Debug, Serialize, JsonSchema)]
struct Summary {
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

async fn run(context: &Context, wanted: Arguments) -> Result<Outcome, Outcome> {
    let detail = wanted.detail.unwrap_or_default();
    let limit = arguments::within("limit", wanted.limit.unwrap_or(LIMIT), 1, MAX_FEEDBACK)?;
    let session_id = match wanted.session_id {
        None => None,
        Some(id) => Some(id.parse::<SessionId>().map_err(|error| {
            Outcome::refused(
                format!("`sessionId` is not an id: {error}"),
                "Leave it out to get the comments of all tabs.",
            )
        })?),
    };
    if wanted.from.is_some() && wanted.comment_id.is_none() {
        return Err(Outcome::refused("`from` is of one comment", "Give its `commentId` too."));
    }
    if let Some(pathname) = wanted.pathname.as_deref().filter(|pathname| !pathname.starts_with('/')) {
        return Err(Outcome::refused(
            format!("`pathname` must begin with \"/\", got {pathname:?}"),
            "For a whole address use `url`.",
        ));
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
            return Err(Outcome::refused(
                format!(
                    "There is no comment {id} in this project, or none that these filters select; it may be deleted"
                ),
                "Call without commentId for all.",
            ));
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
            detail: Detail::Standard,
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
        "These are {count} of {total} comments, as limit is {limit}. For the next ones: get_ui_feedback with nextCursor as cursor."
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
            "Only {count} comments fit into one answer at this detail. For the rest: get_ui_feedback with nextCursor as \
             cursor, or detail \"brief\"."
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
