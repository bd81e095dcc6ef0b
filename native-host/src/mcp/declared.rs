//! How a tool is declared, and how `tools/list` tells of it.

use std::pin::Pin;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};

use super::context::Context;
use super::outcome::Outcome;

type Running<'a> = Pin<Box<dyn Future<Output = Outcome> + Send + 'a>>;

/// One tool: everything that is known of it stands in its file.
pub(super) struct Declared {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    /// What for; "Use this tool when:"; parameters; returns; "Example usage scenarios".
    pub(super) description: &'static str,
    pub(super) input: fn() -> JsonObject,
    pub(super) output: fn() -> JsonObject,
    pub(super) effect: Effect,
    pub(super) run: for<'a> fn(&'a Context, Option<JsonObject>) -> Running<'a>,
}

/// What a call does to what is stored.
pub(super) enum Effect {
    /// Nothing. What marks messages as read is not meant: the developer sees that they were read.
    Reads,
    /// Adds or changes; again with the same arguments changes nothing more.
    Sets,
    /// May add something more every time, also with the same arguments.
    Adds,
}

impl Declared {
    /// As `tools/list` tells it.
    pub(super) fn listed(&self) -> Tool {
        let hints = ToolAnnotations::new().open_world(false);
        let hints = match self.effect {
            Effect::Reads => hints.read_only(true),
            Effect::Sets => hints.read_only(false).destructive(false).idempotent(true),
            Effect::Adds => hints.read_only(false).destructive(false).idempotent(false),
        };
        Tool::new(self.name, self.description, (self.input)())
            .with_title(self.title)
            .with_raw_output_schema((self.output)().into())
            .with_annotations(hints)
    }
}
