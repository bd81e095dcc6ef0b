//! Documents and comments are read in columns: no line of them is longer than 120 characters. Code is its formatter's,
//! and what stands in quotes is data.

use crate::{step, workspace};

const LONGEST: usize = 120;

/// Whether a line is too long and could have been broken.
fn is_too_long(file: &str, line: &str, is_fenced: bool) -> bool {
    if line.chars().count() <= LONGEST || is_fenced {
        return false;
    }
    let text = line.trim_start();
    let said = match file.rsplit_once('.').map(|(_, extension)| extension) {
        // A row of a table and a picture are one line.
        Some("md") if text.starts_with(['|', '<']) => None,
        Some("md") => Some(text),
        Some("rs") => text.strip_prefix("//").map(|rest| rest.trim_start_matches(['/', '!'])),
        Some("ts" | "tsx" | "mjs" | "css") => {
            ["/**", "//", "* ", "/*"].iter().find_map(|mark| text.strip_prefix(mark))
        }
        Some("toml") => text.strip_prefix('#'),
        _ => None,
    };
    let is_one = |text: &str| {
        let text = text.trim_start_matches(['-', '*', ' ']);
        // A name in backticks, an address and a link are not broken, nor is an example, which stands farther in.
        !text.trim().contains(' ')
            || (text.starts_with('`') && !text.trim_matches(['`', '.', ',', ';', ':', ')']).contains('`'))
            || (text.starts_with('[')
                && text.ends_with([')', ']', '.', ','])
                && text.matches('[').count() == 1)
    };
    said.is_some_and(|text| !text.starts_with("    ") && !is_one(text.trim()))
}

#[test]
fn no_line_of_a_document_or_a_comment_is_longer_than_120() {
    let listed =
        step::ask("git", &["-C", &workspace::path("").to_string_lossy(), "ls-files"]).unwrap_or_default();
    assert!(listed.lines().count() > 500, "git lists the files");
    let mut found = Vec::new();
    for file in listed.lines() {
        let is_made =
            file.contains("/generated/") || file.starts_with("tests/cases/") || file == "docs/protocol.md";
        let Some(text) = std::fs::read_to_string(workspace::path(file)).ok().filter(|_| !is_made) else {
            continue;
        };
        if text.lines().take(3).any(|line| line.contains("Do not edit")) {
            continue;
        }
        let mut is_fenced = false;
        for (number, line) in (1..).zip(text.lines()) {
            if file.ends_with(".md") && line.trim_start().starts_with("```") {
                is_fenced = !is_fenced;
            }
            if is_too_long(file, line, is_fenced) {
                found.push(format!("{file}:{number}"));
            }
        }
    }
    assert!(found.is_empty(), "longer than {LONGEST} characters:\n{}", found.join("\n"));
}

#[test]
fn what_can_be_broken_is_too_long() {
    let long = "words ".repeat(30);
    let is = |file: &str, line: &str| is_too_long(file, line, false);
    for (file, before) in
        [("a.md", "- "), ("a.rs", "    /// "), ("a.ts", "/** "), ("a.toml", "# "), ("a.tsx", " * ")]
    {
        assert!(is(file, &format!("{before}{long}")), "{file}");
        assert!(!is(file, before), "{file}");
    }
    assert!(!is("a.rs", &format!("let a = \"{long}\";")));
    assert!(!is("a.md", &format!("| {long} |")));
    assert!(!is("a.md", &format!("  `{long}`,")));
    assert!(!is_too_long("a.md", &long, true));
}
