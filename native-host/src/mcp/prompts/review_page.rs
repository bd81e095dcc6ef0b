//! `review-page`: what of a page's comments is done, and what is left.

use serde_json::json;

use super::declared::{Argument, Declared};
use crate::mcp::completes::Completes;
use crate::mcp::declared::Toolset;
use crate::mcp::tools;

pub(super) const PROMPT: Declared = Declared {
    name: "review-page",
    title: "Review the feedback on a page",
    description: "Say of each comment on a page whether it is done, and change nothing",
    toolset: Toolset::Feedback,
    arguments: &[Argument {
        name: "pathname",
        description: "The page, for example /settings",
        required: true,
        completes: Completes::Pathname,
    }],
    text: "\
Review the comments below, which I pinned to one page of the running app. Change nothing. Say of each, by its number:
- whether the source does what `text` asks, and where
- whether its element changed since (status outdated). check_comment looks at it again
- what is left to do, and what you would ask me
Begin with those that are left.",
    tool: &tools::GET_UI_FEEDBACK,
    given: |given| json!({ "pathname": given.get("pathname"), "status": "all" }),
};
