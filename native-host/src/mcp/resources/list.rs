//! Which resources there are now: every comment that waits, and of the others the latest. More can be read by their
//! templates.

use std::time::Duration;

use opentoolbar_core::model::{Comment, ContextId};
use opentoolbar_core::prompt::one_line;
use opentoolbar_core::protocol::{Answer, ErrorCode, FeedbackQuery, Request, SessionSummary};
use rmcp::model::{ErrorData, Resource};

use super::kinds::{FEEDBACK, JSON, Kind, Of, kind};
use crate::mcp::context::Context;
use crate::mcp::dialogs;
use crate::mcp::offer::Offer;

/// Of each kind, and comments of a page.
const MOST: u32 = 50;
/// How long histories are looked into for the titles of dialogs.
const LOOKING: Duration = Duration::from_secs(2);
/// Characters of a name.
const NAME: usize = 80;

/// A page of resources, and where the next one begins.
pub(in crate::mcp) struct Page {
    pub(in crate::mcp) resources: Vec<Resource>,
    pub(in crate::mcp) next: Option<String>,
}

/// What is selected in open tabs, the latest dialogs, and the comments that wait with their screenshots. Pages after
/// the first have comments alone. An agent in no project has what it may be told: no comments.
pub(in crate::mcp) async fn list(
    context: &Context,
    offer: &Offer,
    cursor: Option<String>,
) -> Result<Page, ErrorData> {
    let mut all = Vec::new();
    let mut next = None;
    let is_first = cursor.is_none();
    if let Some(of_comments) = kind(offer, Of::Comments) {
        if is_first {
            let told = "Every comment that waits, as get_ui_feedback tells them.";
            let every = Resource::new(FEEDBACK, Of::Comments.word()).with_title("UI feedback");
            all.push(every.with_description(offer.about_what_is_on(told)).with_mime_type(JSON));
        }
        let (comments, after) = comments(context, cursor).await?;
        next = after;
        all.extend(comments.iter().map(|one| comment(of_comments, one)));
        let pictured = comments.iter().filter(|one| one.screenshot.is_some());
        let of_screenshots = kind(offer, Of::Screenshots).into_iter();
        all.extend(of_screenshots.flat_map(|kind| pictured.clone().map(|one| screenshot(kind, one))));
    }
    if let Some(kind) = kind(offer, Of::Contexts).filter(|_| is_first) {
        all.extend(selections(context).await.into_iter().map(|(id, title)| {
            Resource::new(kind.uri(id.as_str()), title.clone()).with_title(title).with_mime_type(JSON)
        }));
    }
    if let Some(kind) = kind(offer, Of::Dialogs).filter(|_| is_first) {
        let which =
            dialogs::Which { limit: MOST as usize, looks_inside: LOOKING, ..dialogs::Which::default() };
        // Without the histories there is all the rest.
        let listed = dialogs::list(context, which).await.map(|listed| listed.dialogs).unwrap_or_default();
        all.extend(listed.into_iter().map(|one| {
            let title = one.title.unwrap_or_else(|| "Untitled dialog".to_owned());
            Resource::new(kind.uri(&one.session_id), one_line(&title, NAME))
                .with_title(one_line(&title, NAME))
                .with_description(one.source.word())
                .with_mime_type(JSON)
        }));
    }
    Ok(Page { resources: all, next })
}

async fn comments(
    context: &Context,
    cursor: Option<String>,
) -> Result<(Vec<Comment>, Option<String>), ErrorData> {
    let query = FeedbackQuery { limit: Some(MOST), cursor, ..FeedbackQuery::default() };
    match context.link.ask(Request::GetFeedback(query)).await {
        Ok(Answer::Feedback { comments, next_cursor, .. }) => Ok((comments, next_cursor)),
        Err(error) if error.code == ErrorCode::BadRequest => {
            Err(ErrorData::invalid_params(error.to_string(), None))
        }
        Ok(_) => Ok((Vec::new(), None)),
        // What is there without a hub can be listed.
        Err(error) => {
            tracing::warn!(%error, "comments are not listed");
            Ok((Vec::new(), None))
        }
    }
}

fn called(comment: &Comment) -> String {
    let number = comment.number.map_or_else(|| comment.id.to_string(), |number| format!("#{number}"));
    one_line(&format!("{number} {}", comment.text), NAME)
}

fn comment(kind: &Kind, comment: &Comment) -> Resource {
    Resource::new(kind.uri(comment.id.as_str()), called(comment))
        .with_title(called(comment))
        .with_description(one_line(&comment.pathname, NAME))
        .with_mime_type(JSON)
}

fn screenshot(kind: &Kind, comment: &Comment) -> Resource {
    let title = one_line(&format!("{} of {}", kind.title, called(comment)), NAME);
    Resource::new(kind.uri(comment.id.as_str()), title.clone()).with_title(title)
}

/// The latest selection of each open tab, the latest active one first.
async fn selections(context: &Context) -> Vec<(ContextId, String)> {
    let sessions = match context.link.ask(Request::ListSessions).await {
        Ok(Answer::Sessions { sessions, .. }) => sessions,
        Ok(_) => Vec::new(),
        Err(error) => {
            tracing::warn!(%error, "selections are not listed");
            Vec::new()
        }
    };
    let mut all = Vec::new();
    for SessionSummary { session_id, page_title, .. } in sessions.into_iter().take(MOST as usize) {
        let request = Request::GetUiContext { session_id: Some(session_id), context_id: None };
        // A tab may be gone by now.
        let Ok(Answer::UiContext(found)) = context.link.ask(request).await else { continue };
        let latest = found.selection.map(|latest| latest.context).or(found.context.map(|one| *one));
        let Some(latest) = latest else { continue };
        let tag = latest.selection.element.tag_name.to_lowercase();
        all.push((latest.id, one_line(&format!("Selection: {tag} on {page_title}"), NAME)));
    }
    all
}
