//! `fix-feedback`: work through the comments.

use serde_json::json;

use super::declared::{Argument, Declared};
use crate::mcp::completes::Completes;
use crate::mcp::declared::Toolset;
use crate::mcp::tools;

pub(super) const PROMPT: Declared = Declared {
    name: "fix-feedback",
    title: "Fix the UI feedback",
    description: "Work through the comments that are pinned to the running app",
    toolset: Toolset::Feedback,
    arguments: &[Argument {
        name: "pathname",
        description: "Only this page, for example /settings",
        required: false,
        completes: Completes::Pathname,
    }],
    text: "\
Work through the comments below, which I pinned to elements of the running app. One after the other:
- find the element's source by `file`, else by `component` and `selector`
- where that is a component that others use too, as a shared button, look where it is used: what I ask is for the one
  at `selector`, unless I say all
- take it: update_comment with stage in_progress
- change the code as `text` asks. If that is unclear, ask me with reply_to_comment and take the next
- resolve_comment with a short summary
A comment that is outdated is about an element that changed since: look whether it is done already.",
    tool: &tools::GET_UI_FEEDBACK,
    given: |given| json!({ "pathname": given.get("pathname") }),
};
