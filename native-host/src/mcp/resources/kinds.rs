//! The kinds of resources, and their addresses.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use rmcp::model::ResourceTemplate;
use serde_json::{Value, json};

use crate::mcp::completes::Completes;
use crate::mcp::declared::{Declared, Toolset};
use crate::mcp::offer::Offer;
use crate::mcp::tools;

/// How addresses begin.
const SCHEME: &str = "opentoolbar://";
/// Every comment that waits.
pub(in crate::mcp) const FEEDBACK: &str = "opentoolbar://comments";
pub(super) const JSON: &str = "application/json";
/// Bytes of an address: ids are far shorter.
const LONGEST: usize = 4_096;
/// All but what RFC 3986 calls unreserved.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// One kind of resource.
pub(in crate::mcp) struct Kind {
    pub(super) of: Of,
    /// What the id is called in the template.
    id: &'static str,
    completes: Completes,
    pub(super) title: &'static str,
    description: &'static str,
    toolset: Toolset,
    pub(super) told_by: ToldBy,
}

/// What a resource is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    Comments,
    Contexts,
    Dialogs,
    Screenshots,
}

impl Of {
    /// Stands in the address before the id.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Comments => "comments",
            Self::Contexts => "contexts",
            Self::Dialogs => "dialogs",
            Self::Screenshots => "screenshots",
        }
    }
}

/// Who tells what is at an address.
pub(super) enum ToldBy {
    /// A tool, with these arguments for an id.
    Tool(&'static Declared, fn(&str) -> Value),
    /// No tool tells a whole dialog: an answer is for one request.
    WholeDialog,
}

/// Sorted by name.
pub(in crate::mcp) const KINDS: &[Kind] = &[
    Kind {
        of: Of::Comments,
        id: "commentId",
        completes: Completes::Comment,
        title: "Comment",
        description: "A comment with its thread and elements, in full. By id or number.",
        toolset: Toolset::Feedback,
        told_by: ToldBy::Tool(&tools::GET_UI_FEEDBACK, |id| json!({ "commentId": id, "detail": "full" })),
    },
    Kind {
        of: Of::Contexts,
        id: "contextId",
        completes: Completes::Context,
        title: "Selection",
        description: "What was selected on a page: the element, what is around it, and what was said about it.",
        toolset: Toolset::Chat,
        told_by: ToldBy::Tool(&tools::GET_UI_CONTEXT, |id| json!({ "contextId": id })),
    },
    Kind {
        of: Of::Dialogs,
        id: "sessionId",
        completes: Completes::Dialog,
        title: "Dialog",
        description: "What was asked in an earlier dialog: its requests, the first ones where not all fit.",
        toolset: Toolset::Dialogs,
        told_by: ToldBy::WholeDialog,
    },
    Kind {
        of: Of::Screenshots,
        id: "commentId",
        completes: Completes::Comment,
        title: "Screenshot",
        description: "The picture of a comment's element. By the comment's id or number.",
        toolset: Toolset::Feedback,
        told_by: ToldBy::Tool(&tools::GET_SCREENSHOT, |id| json!({ "commentId": id })),
    },
];

impl Kind {
    /// The address of one.
    pub(in crate::mcp) fn uri(&self, id: &str) -> String {
        format!("{SCHEME}{}/{}", self.of.word(), utf8_percent_encode(id, ESCAPED))
    }

    fn template(&self) -> ResourceTemplate {
        let uri = format!("{SCHEME}{}/{{{}}}", self.of.word(), self.id);
        ResourceTemplate::new(uri, self.of.word()).with_title(self.title).with_description(self.description)
    }
}

/// The kinds that are offered.
pub(in crate::mcp) fn offered(offer: &Offer) -> impl Iterator<Item = &'static Kind> + '_ {
    KINDS.iter().filter(|kind| offer.has(kind.toolset))
}

pub(super) fn kind(offer: &Offer, of: Of) -> Option<&'static Kind> {
    offered(offer).find(|kind| kind.of == of)
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
    let (kind, id) = one(uri).filter(|(kind, _)| offer.has(kind.toolset))?;
    Some(Named::One(kind, id))
}

/// The kind and the id in an address, offered or not.
pub(super) fn one(uri: &str) -> Option<(&'static Kind, String)> {
    if uri.len() > LONGEST {
        return None;
    }
    let (name, id) = uri.strip_prefix(SCHEME)?.split_once('/')?;
    let id = percent_decode_str(id).decode_utf8().ok().filter(|id| !id.is_empty())?;
    Some((KINDS.iter().find(|kind| kind.of.word() == name)?, id.into_owned()))
}

/// Whether an address may name something: whether it is there is seen when it is read.
pub(in crate::mcp) fn is_ours(offer: &Offer, uri: &str) -> bool {
    named(offer, uri).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_told_by_a_tool_of_its_toolset() {
        assert!(KINDS.is_sorted_by_key(|kind| kind.of.word()));
        for kind in KINDS {
            if let ToldBy::Tool(tool, _) = kind.told_by {
                assert!(tool.toolsets.contains(&kind.toolset), "{:?}", kind.of);
            }
        }
    }

    #[test]
    fn an_address_leads_back_to_its_kind_and_id_whatever_is_in_it() {
        let offer = Offer::default();
        for kind in KINDS {
            for id in ["c_1", "a/b?c#d", "ä ö", "3", "..", "%2F"] {
                let uri = kind.uri(id);
                assert!(
                    matches!(named(&offer, &uri), Some(Named::One(found, told)) if found.of == kind.of && told == id),
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
