//! How a prompt is declared: everything that is known of it stands in its file.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::mcp::completes::Completes;
use crate::mcp::declared::{Declared as Tool, Toolset};

/// One prompt.
pub(in crate::mcp) struct Declared {
    pub(in crate::mcp) name: &'static str,
    pub(super) title: &'static str,
    pub(super) description: &'static str,
    pub(super) toolset: Toolset,
    pub(in crate::mcp) arguments: &'static [Argument],
    /// What is to be done. Sentences about tools that are off are left out.
    pub(super) text: &'static str,
    /// Which tool tells what goes with it, and its arguments.
    pub(super) tool: &'static Tool,
    pub(super) given: fn(&Given) -> Value,
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
