//! How an agent is told of the chain that a person has made its default.

use super::chain::{Chain, ChainTool};
use crate::prompt::{neutralise, one_line};

/// Longest name on a line, in characters.
const NAME: usize = 100;
/// Longest description on a line, in characters.
const DESCRIPTION: usize = 300;

/// The section of a chain that its file calls `file`.
#[must_use]
pub fn chain_section(chain: &Chain, file: &str) -> String {
    let parts = ChainParts::of(chain, file);
    [parts.head, parts.instructions, parts.sub_prompts, parts.tools].concat()
}

/// The same in parts, for who has less room. Each but the first may be empty, and begins with an empty line.
pub(super) struct ChainParts {
    pub(super) head: String,
    pub(super) instructions: String,
    pub(super) sub_prompts: String,
    pub(super) tools: String,
}

impl ChainParts {
    pub(super) fn of(chain: &Chain, file: &str) -> Self {
        let name = one_line(chain.name(file), NAME);
        let mut head = format!("## Active Prompt Chain: {name}\n");
        if let Some(description) = chain.meta().description.as_deref().filter(|text| !text.trim().is_empty())
        {
            head += &format!("\n{}\n", one_line(description, DESCRIPTION));
        }
        let instructions = match chain.entry().system.trim() {
            "" => String::new(),
            system => format!("\n### Chain Instructions\n\n{}\n", neutralise(system)),
        };
        let names: Vec<String> =
            chain.sub_prompts().map(|prompt| format!("- {}\n", one_line(&prompt.name, NAME))).collect();
        let tools: Vec<String> = chain.tools().iter().map(tool).collect();
        Self {
            head,
            instructions,
            sub_prompts: list("### Available Sub-Prompts", &names),
            tools: list("### Chain-Specific Tools", &tools),
        }
    }
}

fn tool(tool: &ChainTool) -> String {
    let name = one_line(&tool.name, NAME);
    match tool.description.trim() {
        "" => format!("- {name}\n"),
        description => format!("- {name}: {}\n", one_line(description, DESCRIPTION)),
    }
}

fn list(heading: &str, entries: &[String]) -> String {
    if entries.is_empty() { String::new() } else { format!("\n{heading}\n\n{}", entries.concat()) }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_whole_chain_and_the_smallest_one() {
        let whole = Chain::parse(
            r#"{
                "_name": "Software\nFactory", "_description": "Plans, builds and reviews",
                "prompts": [
                    { "name": "plan", "system": "no" },
                    { "name": "main", "system": "Plan first.\nThen build {goal}.\n" },
                    { "name": "review" }
                ],
                "tools": [
                    { "type": "function", "function": { "name": "run_tests", "description": "Runs\nall of them" } },
                    { "type": "function", "function": { "name": "deploy" } }
                ]
            }"#,
        );
        insta::assert_snapshot!("whole", chain_section(&whole.unwrap(), "software-factory"));
        let smallest = Chain::parse(r#"{"prompts":[{"name":"a"}]}"#).unwrap();
        assert_eq!(chain_section(&smallest, "little"), "## Active Prompt Chain: little\n");
    }
}
