//! How a prompt is declared: everything that is known of it stands in its file.

use std::collections::BTreeMap;
use std::pin::Pin;

use serde_json::Value;

use crate::mcp::completes::Completes;
use crate::mcp::context::Context;
use crate::mcp::declared::Toolset;
use crate::mcp::outcome::Outcome;
use crate::mcp::tools;

type Running<'a> = Pin<Box<dyn Future<Output = Outcome> + Send + 'a>>;

/// One prompt.
pub(in crate::mcp) struct Declared {
    pub(in crate::mcp) name: &'static str,
    pub(super) title: &'static str,
    pub(super) description: &'static str,
    pub(super) toolset: Toolset,
    pub(in crate::mcp) arguments: &'static [Argument],
    /// What is to be done. Sentences about tools that are off are left out.
    pub(super) text: &'static str,
    /// What is told with it.
    pub(super) data: for<'a> fn(&'a Context, &'a Given) -> Running<'a>,
}

/// One argument, a text.
pub(in crate::mcp) struct Argument {
    pub(in crate::mcp) name: &'static str,
    pub(super) description: &'static str,
    pub(super) required: bool,
    pub(in crate::mcp) completes: Completes,
}

/// Arguments by name; empty ones are not given.
pub(super) type Given = BTreeMap<String, String>;

/// What a tool tells, with these arguments.
pub(super) async fn told(tool: &str, context: &Context, arguments: Value) -> Outcome {
    match (tools::find(tool), arguments) {
        (Some(tool), Value::Object(arguments)) => (tool.run)(context, Some(arguments)).await,
        _ => Outcome::Unexpected(format!("{tool} is no tool")),
    }
}
