//! Resources: what the tools tell, by an address. A person attaches them to a prompt, and a client reads them again when
//! they change.
//!
//! Each is read by the tool that tells it, so that it is as small, as redacted and as permitted as there, and nothing is
//! to be had here alone. What is read so does not count as handed to the agent.

mod changes;
mod list;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use rmcp::model::{
    ContentBlock, ErrorData, JsonObject, ReadResourceResult, ResourceContents, ResourceTemplate,
};
use serde_json::{Value, json};

use super::completion::Completes;
use super::context::Context;
use super::declared::{Declared, Toolset};
use super::offer::Offer;
use super::outcome::Outcome;
use super::tools;

pub(super) use changes::Subscriptions;
pub(super) use changes::listen;
pub(super) use list::{contexts, list};

/// How addresses begin.
const SCHEME: &str = "opentoolbar://";
/// Every comment that waits.
pub(super) const FEEDBACK: &str = "opentoolbar://comments";
const JSON: &str = "application/json";
/// All but what RFC 3986 calls unreserved.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// One kind of resource.
pub(super) struct Kind {
    /// Stands in the address before the id.
    pub(super) name: &'static str,
    /// What the id is called in the template.
    id: &'static str,
    completes: Completes,
    title: &'static str,
    description: &'static str,
    toolset: Toolset,
    tool: &'static str,
    arguments: fn(&str) -> Value,
}

/// Sorted by name.
pub(super) const KINDS: &[Kind] = &[
    Kind {
        name: "comments",
        id: "commentId",
        completes: Completes::Comment,
        title: "Comment",
        description: "A comment with its thread and elements, in full. By id or number.",
        toolset: Toolset::Feedback,
        tool: "get_ui_feedback",
        arguments: |id| json!({ "commentId": id, "detail": "full" }),
    },
    Kind {
        name: "contexts",
        id: "contextId",
        completes: Completes::Context,
        title: "Selection",
        description: "What was selected on a page: the element, what is around it, and what was said about it.",
        toolset: Toolset::Chat,
        tool: "get_ui_context",
        arguments: |id| json!({ "contextId": id }),
    },
    Kind {
        name: "dialogs",
        id: "sessionId",
        completes: Completes::Dialog,
        title: "Dialog",
        description: "What was asked in an earlier dialog: its requests, the first ones where not all fit.",
        toolset: Toolset::Dialogs,
        tool: DIALOG,
        arguments: |id| json!({ "sessionId": id }),
    },
    Kind {
        name: "screenshots",
        id: "commentId",
        completes: Completes::Comment,
        title: "Screenshot",
        description: "The picture of a comment's element. By the comment's id or number.",
        toolset: Toolset::Feedback,
        tool: "get_screenshot",
        arguments: |id| json!({ "commentId": id }),
    },
];

/// No tool tells a whole dialog: an answer is for one request.
const DIALOG: &str = "";

impl Kind {
    /// The address of one.
    pub(super) fn uri(&self, id: &str) -> String {
        format!("{SCHEME}{}/{}", self.name, utf8_percent_encode(id, ESCAPED))
    }

    fn template(&self) -> ResourceTemplate {
        let uri = format!("{SCHEME}{}/{{{}}}", self.name, self.id);
        ResourceTemplate::new(uri, self.name).with_title(self.title).with_description(self.description)
    }
}

/// The kinds that are offered.
pub(super) fn offered(offer: &Offer) -> impl Iterator<Item = &'static Kind> + '_ {
    KINDS.iter().filter(|kind| offer.has(kind.toolset))
}

pub(super) fn kind(offer: &Offer, name: &str) -> Option<&'static Kind> {
    offered(offer).find(|kind| kind.name == name)
}

pub(super) fn templates(offer: &Offer) -> Vec<ResourceTemplate> {
    offered(offer).map(Kind::template).collect()
}

/// What an argument of a template is of.
pub(super) fn argument(offer: &Offer, template: &str, name: &str) -> Option<Completes> {
    let kind = offered(offer).find(|kind| kind.template().uri_template == template);
    kind.filter(|kind| kind.id == name).map(|kind| kind.completes)
}

/// What an address names.
enum Named {
    Feedback,
    One(&'static Kind, String),
}

fn named(offer: &Offer, uri: &str) -> Option<Named> {
    if uri == FEEDBACK && offer.has(Toolset::Feedback) {
        return Some(Named::Feedback);
    }
    let (name, id) = uri.strip_prefix(SCHEME)?.split_once('/')?;
    let id = percent_decode_str(id).decode_utf8().ok().filter(|id| !id.is_empty())?;
    Some(Named::One(kind(offer, name)?, id.into_owned()))
}

/// Whether an address may name something: whether it is there is seen when it is read.
pub(super) fn is_ours(offer: &Offer, uri: &str) -> bool {
    named(offer, uri).is_some()
}

/// What is at an address.
///
/// # Errors
/// `resource_not_found` with the next step; `internal_error` where it failed unexpectedly.
pub(super) async fn read(
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
        Named::Feedback => run("get_ui_feedback", context, json!({})).await,
        Named::One(kind, id) if kind.tool == DIALOG => {
            super::dialogs::whole(context, &id).await.unwrap_or_else(|refused| refused)
        }
        Named::One(kind, id) => run(kind.tool, context, (kind.arguments)(&id)).await,
    };
    match outcome.about_what_is_on(offer) {
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

async fn run(tool: &str, context: &Context, arguments: Value) -> Outcome {
    let arguments: Option<JsonObject> = match arguments {
        Value::Object(fields) => Some(fields),
        _ => None,
    };
    match tools::find(tool) {
        Some(Declared { run, .. }) => run(context, arguments).await,
        None => Outcome::Unexpected(format!("{tool} is no tool")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_told_by_a_tool_of_its_toolset() {
        assert!(KINDS.is_sorted_by_key(|kind| kind.name));
        for kind in KINDS.iter().filter(|kind| kind.tool != DIALOG) {
            let tool = tools::find(kind.tool);
            assert!(tool.is_some_and(|tool| tool.toolsets.contains(&kind.toolset)), "{}", kind.name);
        }
    }

    #[test]
    fn an_address_leads_back_to_its_kind_and_id_whatever_is_in_it() {
        let offer = Offer::default();
        for kind in KINDS {
            for id in ["c_1", "a/b?c#d", "ä ö", "3", "..", "%2F"] {
                let uri = kind.uri(id);
                assert!(
                    matches!(named(&offer, &uri), Some(Named::One(found, told)) if found.name == kind.name && told == id),
                    "{uri}"
                );
            }
        }
        for none in [
            "",
            "opentoolbar://",
            "opentoolbar://comments/",
            "file:///etc/passwd",
            "opentoolbar://x/1",
            "opentoolbar://comments/%FF",
        ] {
            assert!(named(&offer, none).is_none(), "{none}");
        }
        let chat = Offer::new(vec![Toolset::Chat], false);
        assert!(!is_ours(&chat, FEEDBACK) && !is_ours(&chat, "opentoolbar://comments/c_1"));
        assert!(is_ours(&chat, "opentoolbar://contexts/ctx_1"));
    }
}
