//! How to connect each agent: a ready command or a piece of its settings. Nothing of an agent's is written here.

use std::path::Path;

use serde_json::json;

/// `(agent, where, what)`, ready to paste, for this program.
pub fn connect_lines(program: &Path) -> Vec<(&'static str, &'static str, String)> {
    let program = program.to_string_lossy();
    let quoted = shell_quoted(&program);
    let server = json!({ "command": program, "args": ["mcp"] });
    let named = |key: &str| json!({ key: { "opentoolbar": server } }).to_string();
    // Of the user's own servers VS Code starts each in the home directory, which is no project: one project's file.
    let vscode = json!({ "servers": { "opentoolbar": {
        "type": "stdio", "command": program, "args": ["mcp", "--project", "${workspaceFolder}"],
    } } });
    vec![
        ("Claude Code", "run", format!("claude mcp add --scope user opentoolbar -- {quoted} mcp")),
        ("Codex", "run", format!("codex mcp add opentoolbar -- {quoted} mcp")),
        ("Cursor", ".cursor/mcp.json", named("mcpServers")),
        ("VS Code", ".vscode/mcp.json", vscode.to_string()),
        ("Zed", "settings.json", named("context_servers")),
    ]
}

/// As one word of a POSIX shell.
pub fn shell_quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_ready_to_paste() {
        let lines: Vec<String> = connect_lines(Path::new("/opt/open toolbar/opentoolbar"))
            .into_iter()
            .map(|(agent, place, line)| format!("{agent} | {place} | {line}"))
            .collect();
        insta::assert_snapshot!(lines.join("\n"));
    }
}
