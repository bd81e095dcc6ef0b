//! What the MCP tools cost an agent, for whoever reads the end of a run. The figures are those of docs/tools.md, which
//! two suites hold against the tools: `nextest` measures them, `codegen` compares the file.

use crate::workspace;

/// One line for the tools and one for the levels of an answer; nothing where the file says nothing.
pub(super) fn costs() -> String {
    std::fs::read_to_string(workspace::path("docs/tools.md")).map(|text| told(&text)).unwrap_or_default()
}

fn told(reference: &str) -> String {
    let (mut tools, mut levels, mut sum) = (Vec::new(), Vec::new(), 0);
    for line in reference.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        match cells.as_slice() {
            ["", name, _, cost, _, ""] => {
                if let Ok(cost) = cost.parse::<u64>() {
                    sum += cost;
                    tools.push(format!("{} {cost}", name.trim_matches('`')));
                }
            }
            ["", name, cost, ""] if cost.parse::<u64>().is_ok() => {
                levels.push(format!("{} {cost}", name.trim_matches('`')));
            }
            _ => {}
        }
    }
    if tools.is_empty() {
        return String::new();
    }
    format!(
        "Tokens of {} tools: {sum} ({}).\nTokens of a comment: {}.",
        tools.len(),
        tools.join(", "),
        levels.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_costs_of_tools_and_levels_are_told_and_nothing_else_of_the_file() {
        let reference = "# MCP tools\n\n| tool | toolset | tokens | with `--read-only` |\n| --- | --- | --- | --- |\n\
            | `a_tool` | chat, feedback | 120 | yes |\n| `b_tool` | chat | 30 |  |\n\n| `detail` | tokens a comment |\n\
            | --- | --- |\n| `brief` | 36 |\n\ntext | with | bars\n";
        assert_eq!(
            told(reference),
            "Tokens of 2 tools: 150 (a_tool 120, b_tool 30).\nTokens of a comment: brief 36."
        );
        assert_eq!(told("nothing"), "");
    }

    #[test]
    fn the_file_that_is_committed_says_them() {
        let told = costs();
        assert!(told.contains("get_ui_feedback ") && told.contains("standard "), "{told}");
    }
}
