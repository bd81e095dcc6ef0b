//! The reference of the tools, written from the table that serves them.

use std::fmt::Write as _;

use serde_json::Value;

use super::{server, tools};

/// Tokens of `tools/list`, whichever of two real tokenizers says more; a test measures it.
pub(super) const MEASURED: usize = 8_410;

/// docs/tools.md. Deterministic.
pub fn markdown() -> String {
    let listed: Vec<_> = tools::TABLE.iter().map(|tool| tool.listed()).collect();
    let list = serde_json::to_string(&listed).unwrap_or_default();
    let mut text = String::from(
        "<!-- Written by `cargo xtask codegen` from native-host/src/mcp/tools. Do not edit. -->\n\n# MCP tools\n\n",
    );
    // Writing to a String does not fail.
    let _ = writeln!(
        text,
        "`opentoolbar mcp` offers {} tools. Their list costs an agent about {MEASURED} tokens of context ({} bytes of JSON, measured \
         with o200k_base and cl100k_base by a test).\n",
        listed.len(),
        list.len()
    );
    let _ = writeln!(text, "The server's instructions:\n\n```text\n{}\n```\n", server::INSTRUCTIONS);
    text.push_str(
        "Every call returns JSON text and the same value as structured content: `success: true` with the fields below, \
         `success: false` with `error` that says what to do next, or, after an unexpected failure, `isError: true` with \
         `message`.\n",
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
