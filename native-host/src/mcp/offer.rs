//! What of the table is offered to one client: some toolsets or all, and nothing that writes when it asked for that.
//! What is said to it names no tool that is not among them.

use opentoolbar_core::protocol::NewsOf;
use rmcp::model::{Tool, ToolAnnotations};
use serde_json::Value;

use super::declared::{Declared, Effect, Toolset};
use super::tools;

/// Chosen at the start, for as long as the server lives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Offer {
    toolsets: Vec<Toolset>,
    read_only: bool,
}

impl Offer {
    /// No toolset: all of them. `read_only`: what reads stays and marks nothing as read; what writes is not there.
    #[must_use]
    pub fn new(toolsets: Vec<Toolset>, read_only: bool) -> Self {
        Self { toolsets, read_only }
    }

    pub(super) fn is_read_only(&self) -> bool {
        self.read_only
    }

    pub(super) fn has(&self, set: Toolset) -> bool {
        self.toolsets.is_empty() || self.toolsets.contains(&set)
    }

    /// What a wait is for: what cannot be answered is not handed over.
    pub(super) fn news(&self) -> Option<NewsOf> {
        match (self.has(Toolset::Feedback), self.has(Toolset::Chat)) {
            (true, false) => Some(NewsOf::Comments),
            (false, true) => Some(NewsOf::Messages),
            _ => None,
        }
    }

    fn is_on(&self, tool: &Declared) -> bool {
        tool.toolsets.iter().any(|set| self.has(*set)) && !(self.read_only && tool.effect.writes())
    }

    /// In the order of the table.
    pub(super) fn tools(&self) -> impl Iterator<Item = &'static Declared> + '_ {
        tools::TABLE.iter().copied().filter(|tool| self.is_on(tool))
    }

    pub(super) fn find(&self, name: &str) -> Option<&'static Declared> {
        self.tools().find(|tool| tool.name == name)
    }

    /// As `tools/list` tells it.
    pub(super) fn listed(&self, tool: &Declared) -> Tool {
        // What is not said is as MCP has it: it writes, may destroy, and is not idempotent.
        let mut hints = ToolAnnotations::new();
        if self.read_only || matches!(tool.effect, Effect::Reads) {
            hints = hints.read_only(true);
        } else {
            hints = hints.destructive(false);
            if tool.effect.is_idempotent() {
                hints = hints.idempotent(true);
            }
        }
        let mut input = (tool.input)();
        self.tidy_descriptions(input.get_mut("properties"));
        let mut output = (tool.output)();
        self.tidy_descriptions(output.get_mut("properties"));
        Tool::new(tool.name, self.about_what_is_on(tool.description), input)
            .with_title(tool.title)
            .with_raw_output_schema(output.into())
            .with_annotations(hints)
    }

    /// Without each sentence that names a tool which is not offered, and without a line of which nothing is left.
    pub(super) fn about_what_is_on(&self, text: &str) -> String {
        let lines = text.lines().filter_map(|line| {
            let kept: Vec<&str> =
                line.split_inclusive(". ").filter(|part| !self.names_what_is_off(part)).collect();
            (line.is_empty() || !kept.is_empty()).then(|| kept.concat().trim_end().to_owned())
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    fn names_what_is_off(&self, text: &str) -> bool {
        let mut words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        words.any(|word| tools::find(word).is_some_and(|tool| !self.is_on(tool)))
    }

    fn tidy_descriptions(&self, schema: Option<&mut Value>) {
        match schema {
            Some(Value::Object(fields)) => {
                if let Some(Value::String(text)) = fields.get_mut("description") {
                    *text = self.about_what_is_on(text);
                    if text.is_empty() {
                        fields.remove("description");
                    }
                }
                fields.values_mut().for_each(|field| self.tidy_descriptions(Some(field)));
            }
            Some(Value::Array(list)) => list.iter_mut().for_each(|one| self.tidy_descriptions(Some(one))),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests;
