//! Which resources there are now. More can be read by their templates: of each kind the latest are listed.

use opentoolbar_core::model::{Comment, ContextId};
use opentoolbar_core::prompt::one_line;
use opentoolbar_core::protocol::{Answer, FeedbackQuery, Request, SessionSummary};
use rmcp::model::{ErrorData, Resource};

use super::kinds::{FEEDBACK, JSON, Kind, kind};
use crate::mcp::context::Context;
use crate::mcp::declared::Toolset;
use crate::mcp::dialogs::{self, Page};
use crate::mcp::offer::Offer;

/// Of each kind.
const MOST: u32 = 50;
/// Characters of a name.
const NAME: usize = 80;

/// The comments that wait, their screenshots, what is selected in open tabs, and the latest dialogs.
pub(in crate::mcp) async fn list(context: &Context, offer: &Offer) -> Result<Vec<Resource>, ErrorData> {
    let mut all = Vec::new();
    if offer.has(Toolset::Feedback) {
        let every = Resource::new(FEEDBACK, "comments");
        let told = "Every comment that waits, as get_ui_feedback tells them.";
        all.push(
            every
                .with_title("UI feedback")
                .with_description(offer.about_what_is_on(told))
                .with_mime_type(JSON),
        );
        let comments = comments(context).await?;
        let (of_comments, of_screenshots) = (kind(offer, "comments"), kind(offer, "screenshots"));
        let listed = of_comments.into_iter().flat_map(|kind| comments.iter().map(|one| comment(kind, one)));
        all.extend(listed);
        let pictured = comments.iter().filter(|one| one.screenshot.is_some());
        all.extend(
            of_screenshots.into_iter().flat_map(|kind| pictured.clone().map(|one| screenshot(kind, one))),
        );
    }
    if let Some(kind) = kind(offer, "contexts") {
        let selections = selections(context).await?.into_iter();
        all.extend(selections.map(|(id, title)| {
            Resource::new(kind.uri(id.as_str()), title.clone()).with_title(title).with_mime_type(JSON)
        }));
    }
    if let Some(kind) = kind(offer, "dialogs") {
        let page = Page { limit: MOST as usize, ..Page::default() };
        // Without the histories there is all the rest.
        let listed = dialogs::list(context, page).await.map(|listed| listed.dialogs).unwrap_or_default();
        all.extend(listed.into_iter().map(|one| {
            let title = one.title.unwrap_or_else(|| "Untitled dialog".to_owned());
            Resource::new(kind.uri(&one.session_id), one_line(&title, NAME))
                .with_title(one_line(&title, NAME))
                .with_description(one.source)
                .with_mime_type(JSON)
        }));
    }
    Ok(all)
}

async fn comments(context: &Context) -> Result<Vec<Comment>, ErrorData> {
    let query = FeedbackQuery { limit: Some(MOST), ..FeedbackQuery::default() };
    match context.link.ask(Request::GetFeedback(query)).await {
        Ok(Answer::Feedback { comments, .. }) => Ok(comments),
        Ok(_) => Ok(Vec::new()),
        Err(error) => Err(ErrorData::internal_error(error.to_string(), None)),
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
async fn selections(context: &Context) -> Result<Vec<(ContextId, String)>, ErrorData> {
    let sessions = match context.link.ask(Request::ListSessions).await {
        Ok(Answer::Sessions { sessions, .. }) => sessions,
        Ok(_) => Vec::new(),
        Err(error) => return Err(ErrorData::internal_error(error.to_string(), None)),
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
    Ok(all)
}

/// Their ids.
pub(in crate::mcp) async fn contexts(context: &Context) -> Result<Vec<String>, ErrorData> {
    Ok(selections(context).await?.into_iter().map(|(id, _)| id.to_string()).collect())
}
