//! What an argument may be, while a person types it: for clients that ask.

use opentoolbar_core::protocol::{Answer, Completed, Request};
use rmcp::model::{CompleteRequestParams, CompleteResult, CompletionInfo, ErrorData, Reference};

use super::completes::Completes;
use super::context::Context;
use super::dialogs;
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
    let (mut values, mut has_more) = values(context, completes, &wanted.argument.value).await;
    has_more |= values.len() > CompletionInfo::MAX_VALUES;
    let total = u32::try_from(values.len()).ok().filter(|_| !has_more);
    values.truncate(CompletionInfo::MAX_VALUES);
    let info = CompletionInfo::with_pagination(values, total, has_more);
    info.map(CompleteResult::new).map_err(|error| ErrorData::internal_error(error, None))
}

/// Those that begin so, and whether there are more. Without a hub there are none of ours: an argument can be typed all
/// the same.
async fn values(context: &Context, completes: Completes, prefix: &str) -> (Vec<String>, bool) {
    let of = match completes {
        Completes::Comment => Completed::Comment,
        Completes::Pathname => Completed::Pathname,
        Completes::Context => Completed::Context,
        Completes::Dialog => Completed::Conversation,
    };
    let ours = Request::Complete { of, prefix: prefix.to_owned() };
    let (mut values, more) = match context.link.ask(ours).await {
        Ok(Answer::Completions { values, more }) => (values, more),
        _ => (Vec::new(), false),
    };
    if completes == Completes::Dialog {
        values.extend(dialogs::ids(context, prefix).await);
    }
    (values, more)
}
