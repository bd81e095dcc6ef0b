//! The kinds of resources, and their addresses.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use rmcp::model::ResourceTemplate;
use serde_json::{Value, json};

use crate::mcp::completes::Completes;
use crate::mcp::declared::Toolset;
use crate::mcp::offer::Offer;

/// How addresses begin.
const SCHEME: &str = "opentoolbar://";
/// Every comment that waits.
pub(in crate::mcp) const FEEDBACK: &str = "opentoolbar://comments";
pub(super) const JSON: &str = "application/json";
/// All but what RFC 3986 calls unreserved.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// One kind of resource.
pub(in crate::mcp) struct Kind {
    /// Stands in the address before the id.
    pub(in crate::mcp) name: &'static str,
    /// What the id is called in the template.
    id: &'static str,
    completes: Completes,
    pub(super) title: &'static str,
    description: &'static str,
    toolset: Toolset,
    pub(super) tool: &'static str,
    pub(super) arguments: fn(&str) -> Value,
}

/// Sorted by name.
pub(in crate::mcp) const KINDS: &[Kind] = &[
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
pub(super) const DIALOG: &str = "";

impl Kind {
    /// The address of one.
    pub(in crate::mcp) fn uri(&self, id: &str) -> String {
        format!("{SCHEME}{}/{}", self.name, utf8_percent_encode(id, ESCAPED))
    }

    fn template(&self) -> ResourceTemplate {
        let uri = format!("{SCHEME}{}/{{{}}}", self.name, self.id);
        ResourceTemplate::new(uri, self.name).with_title(self.title).with_description(self.description)
    }
}

/// The kinds that are offered.
pub(in crate::mcp) fn offered(offer: &Offer) -> impl Iterator<Item = &'static Kind> + '_ {
    KINDS.iter().filter(|kind| offer.has(kind.toolset))
}

pub(in crate::mcp) fn kind(offer: &Offer, name: &str) -> Option<&'static Kind> {
    offered(offer).find(|kind| kind.name == name)
}

pub(in crate::mcp) fn templates(offer: &Offer) -> Vec<ResourceTemplate> {
    offered(offer).map(Kind::template).collect()
}

/// What an argument of a template is of.
pub(in crate::mcp) fn argument(offer: &Offer, template: &str, name: &str) -> Option<Completes> {
    let kind = offered(offer).find(|kind| kind.template().uri_template == template);
    kind.filter(|kind| kind.id == name).map(|kind| kind.completes)
}

/// What an address names.
pub(super) enum Named {
    Feedback,
    One(&'static Kind, String),
}

pub(super) fn named(offer: &Offer, uri: &str) -> Option<Named> {
    if uri == FEEDBACK && offer.has(Toolset::Feedback) {
        return Some(Named::Feedback);
    }
    let (name, id) = uri.strip_prefix(SCHEME)?.split_once('/')?;
    let id = percent_decode_str(id).decode_utf8().ok().filter(|id| !id.is_empty())?;
    Some(Named::One(kind(offer, name)?, id.into_owned()))
}

/// Whether an address may name something: whether it is there is seen when it is read.
pub(in crate::mcp) fn is_ours(offer: &Offer, uri: &str) -> bool {
    named(offer, uri).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcp::tools;

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
