//! What is at an address: told by the tool of its kind.

use rmcp::model::{ContentBlock, ErrorData, ReadResourceResult, ResourceContents};
use serde_json::json;

use super::kinds::{JSON, Named, ToldBy, named, templates};
use crate::mcp::context::Context;
use crate::mcp::offer::Offer;
use crate::mcp::outcome::Outcome;
use crate::mcp::{dialogs, running, tools};

/// What is at an address.
///
/// # Errors
/// `resource_not_found` with the next step; `internal_error` where it failed unexpectedly.
pub(in crate::mcp) async fn read(
    context: &Context,
    offer: &Offer,
    uri: &str,
) -> Result<ReadResourceResult, ErrorData> {
    let not_found = |message: String| ErrorData::resource_not_found(message, Some(json!({ "uri": uri })));
    let Some(named) = named(offer, uri) else {
        let known: Vec<String> = templates(offer).into_iter().map(|one| one.uri_template).collect();
        return Err(not_found(format!(
            "There is no such resource. The addresses are: {}.",
            known.join(", ")
        )));
    };
    let outcome = match named {
        Named::Feedback => running::run_with(context, offer, &tools::GET_UI_FEEDBACK, json!({})).await,
        Named::One(kind, id) => match kind.told_by {
            ToldBy::Tool(tool, arguments) => running::run_with(context, offer, tool, arguments(&id)).await,
            ToldBy::WholeDialog => {
                let dialog = dialogs::whole(context, &id).await.unwrap_or_else(|refused| refused);
                dialog.with_advice(|text| offer.about_what_is_on(text))
            }
        },
    };
    match outcome {
        Outcome::Success { text, more, .. } => {
            let picture = more.into_iter().find_map(|block| match block {
                ContentBlock::Image(image) => {
                    Some(ResourceContents::blob(image.data, uri).with_mime_type(image.mime_type))
                }
                _ => None,
            });
            let contents = picture.unwrap_or_else(|| ResourceContents::text(text, uri).with_mime_type(JSON));
            Ok(ReadResourceResult::new(vec![contents]))
        }
        Outcome::Refused { error, next_step } => Err(not_found(format!("{error}. {next_step}"))),
        Outcome::Unexpected(message) => Err(ErrorData::internal_error(message, None)),
    }
}
