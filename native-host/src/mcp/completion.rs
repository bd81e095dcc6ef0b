//! What an argument may be, while a person types it: for clients that ask.

use opentoolbar_core::protocol::{Answer, FeedbackQuery, MAX_FEEDBACK, Request, StatusFilter};
use rmcp::model::{CompleteRequestParams, CompleteResult, CompletionInfo, ErrorData, Reference};

use super::completes::Completes;
use super::context::Context;
use super::dialogs::{self, Page};
use super::offer::Offer;
use super::{prompts, resources};

/// The values that begin so, at most 100.
///
/// # Errors
/// `invalid_params` for what has no such argument.
pub(super) async fn complete(
    context: &Context,
    offer: &Offer,
    wanted: CompleteRequestParams,
) -> Result<CompleteResult, ErrorData> {
    let name = wanted.argument.name.as_str();
    let found = match &wanted.r#ref {
        Reference::Prompt(prompt) => {
            let prompt = prompts::offered(offer).find(|one| one.name == prompt.name);
            let mut arguments = prompt.into_iter().flat_map(|one| one.arguments);
            arguments.find(|one| one.name == name).map(|one| one.completes)
        }
        Reference::Resource(resource) => resources::argument(offer, &resource.uri, name),
        // A kind of a revision to come.
        _ => None,
    };
    let Some(completes) = found else {
        return Err(ErrorData::invalid_params("There is no such prompt, template or argument.", None));
    };
    let mut values = values(context, completes).await;
    values.retain(|value| value.starts_with(&wanted.argument.value));
    let has_more = values.len() > CompletionInfo::MAX_VALUES;
    let total = u32::try_from(values.len()).ok();
    values.truncate(CompletionInfo::MAX_VALUES);
    let info = CompletionInfo::with_pagination(values, total, has_more);
    info.map(CompleteResult::new).map_err(|error| ErrorData::internal_error(error, None))
}

/// Without a hub there are none: an argument can be typed all the same.
async fn values(context: &Context, completes: Completes) -> Vec<String> {
    match completes {
        Completes::Pathname | Completes::Comment => {
            let (limit, status) = (Some(MAX_FEEDBACK), StatusFilter::All);
            let query = FeedbackQuery { limit, status, ..FeedbackQuery::default() };
            let Ok(Answer::Feedback { comments, .. }) = context.link.ask(Request::GetFeedback(query)).await
            else {
                return Vec::new();
            };
            if completes == Completes::Comment {
                let numbers = comments.iter().filter_map(|one| one.number).map(|number| number.to_string());
                return numbers.chain(comments.iter().map(|one| one.id.to_string())).collect();
            }
            let mut pages: Vec<String> = comments.into_iter().map(|one| one.pathname).collect();
            pages.sort();
            pages.dedup();
            pages
        }
        Completes::Context => resources::contexts(context).await.unwrap_or_default(),
        Completes::Dialog => {
            let listed = dialogs::list(context, Page { limit: 100, ..Page::default() }).await;
            let dialogs = listed.map(|listed| listed.dialogs).unwrap_or_default();
            dialogs.into_iter().map(|one| one.session_id).collect()
        }
    }
}
