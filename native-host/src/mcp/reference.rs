//! The reference of the tools, written from the table that serves them.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::costs::{COSTS, LEVELS};
use super::offer::Offer;
use super::{server, tools};

/// docs/tools.md. Deterministic.
pub fn markdown() -> String {
    let everything = Offer::default();
    let listed: Vec<_> = everything.tools().map(|tool| everything.listed(tool)).collect();
    let list = serde_json::to_string(&listed).unwrap_or_default();
    let mut text = String::from(
        "<!-- Written by `cargo xtask codegen` from native-host/src/mcp/tools. Do not edit. -->\n\n# MCP tools\n\n",
    );
    // Writing to a String does not fail.
    let _ = writeln!(
        text,
        "`opentoolbar mcp` offers {} tools. Their list costs an agent {} tokens of context ({} bytes of JSON, measured with \
         o200k_base and cl100k_base by a test; the higher figure counts).\n",
        listed.len(),
        COSTS.iter().map(|(_, cost)| cost).sum::<usize>(),
        list.len()
    );
    text.push_str("| tool | toolset | tokens | with `--read-only` |\n| --- | --- | --- | --- |\n");
    for tool in tools::TABLE {
        let cost = COSTS.iter().find(|(name, _)| *name == tool.name).map_or(0, |(_, cost)| *cost);
        let stays = if tool.effect.writes() { "" } else { "yes" };
        let named = tool.toolsets.iter().filter_map(clap::ValueEnum::to_possible_value);
        let toolset = named.map(|set| set.get_name().to_owned()).collect::<Vec<_>>().join(", ");
        let _ = writeln!(text, "| `{}` | {toolset} | {cost} | {stays} |", tool.name);
    }
    text.push_str(
        "\nA comment in an answer costs, as the mean of twenty with a path of ten tokens and twelve tokens of words:\n\n\
         | `detail` | tokens a comment |\n| --- | --- |\n",
    );
    for (detail, cost) in LEVELS {
        let detail = json!(detail);
        let _ = writeln!(text, "| `{}` | {cost} |", detail.as_str().unwrap_or_default());
    }
    text.push('\n');
    let _ = writeln!(text, "The server's instructions:\n\n```text\n{}\n```\n", server::INSTRUCTIONS);
    text.push_str(
        "Every call returns JSON text and the same value as structured content: `success: true` with the fields below, \
         `success: false` with `error` and, in `nextStep`, what to do next, or, after an unexpected failure, `isError: true` \
         with `message`.\n",
    );
    for (tool, listed) in tools::TABLE.iter().zip(&listed) {
        let _ = writeln!(text, "\n## {}\n\n{}\n", tool.name, tool.description);
        let _ = writeln!(
            text,
            "### Parameters\n\n```json\n{}\n```\n",
            pretty(&Value::Object((*listed.input_schema).clone()))
        );
        if let Some(output) = &listed.output_schema {
            let _ = writeln!(
                text,
                "### Result\n\n```json\n{}\n```\n",
                pretty(&Value::Object((**output).clone()))
            );
        }
        if let Some(hints) = &listed.annotations {
            let said = |hint: Option<bool>| hint.map_or("not said", |hint| if hint { "yes" } else { "no" });
            let _ = writeln!(
                text,
                "Read-only: {}. Destructive: {}. Idempotent: {}.",
                said(hints.read_only_hint),
                said(hints.destructive_hint),
                said(hints.idempotent_hint)
            );
        }
    }
    text
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}
