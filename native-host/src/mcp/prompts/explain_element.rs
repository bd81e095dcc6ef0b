//! `explain-element`: what the selected element is and where it is made.

use serde_json::json;

use super::declared::{Argument, Declared};
use crate::mcp::completes::Completes;
use crate::mcp::declared::Toolset;
use crate::mcp::tools;

pub(super) const PROMPT: Declared = Declared {
    name: "explain-element",
    title: "Explain the selected element",
    description: "Where the element that is selected in the browser is made, and why it looks as it does",
    toolset: Toolset::Chat,
    arguments: &[Argument {
        name: "contextId",
        description: "A selection; default: the latest",
        required: false,
        completes: Completes::Context,
    }],
    text: "\
Explain the element below, which I selected in the running app. Change nothing.
- where its source is: file, line and component. Read it before you answer
- what it shows, and where that comes from
- which styles make it look as it does, and where they stand
- what else uses the same component
If nothing is selected, say so. request_annotation asks me to point at something.",
    tool: &tools::GET_UI_CONTEXT,
    given: |given| json!({ "contextId": given.get("contextId") }),
};
