//! Text from strangers, made harmless for a markdown reader: it can neither end its fence nor hide what it says.

use std::fmt::Write;

/// Whether a character could hide or reorder what a reader sees: controls other than tab and line feed,
/// bidirectional marks, invisible operators, line separators, and the tag characters and variation selectors with
/// which whole hidden sentences can be written.
fn deceives(character: char) -> bool {
    match character {
        '\t' | '\n' => false,
        '\u{ad}'
        | '\u{61c}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{180e}'
        | '\u{200b}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{3164}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e0fff}' => true,
        _ => character.is_control(),
    }
}

/// The text with every deceiving character written out as `⟨U+202E⟩`. Line ends become `\n`; lines stay.
#[must_use]
pub fn neutralise(text: &str) -> String {
    let mut harmless = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\r' if characters.peek() == Some(&'\n') => {}
            '\r' => harmless.push('\n'),
            _ if deceives(character) => {
                // Writing to a String cannot fail.
                let _ = write!(harmless, "⟨U+{:04X}⟩", u32::from(character));
            }
            _ => harmless.push(character),
        }
    }
    harmless
}

/// The text on one line: as [`neutralise`], with line ends and tabs as spaces, at most `limit` characters, then `…`.
#[must_use]
pub fn one_line(text: &str, limit: usize) -> String {
    let harmless = neutralise(text);
    let mut line: String =
        harmless.chars().take(limit).map(|c| if matches!(c, '\n' | '\t') { ' ' } else { c }).collect();
    if harmless.chars().nth(limit).is_some() {
        line.push('…');
    }
    line
}

fn longest_backtick_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// Inline code that holds the text on one line, whatever backticks are in it; at most `limit` characters.
#[must_use]
pub fn inline_code(text: &str, limit: usize) -> String {
    let line = one_line(text.trim(), limit);
    if line.trim().is_empty() {
        return "(empty)".to_owned();
    }
    let ticks = "`".repeat(longest_backtick_run(&line) + 1);
    let edge = |c: Option<char>| c.is_some_and(|c| c == '`' || c == ' ');
    let pad = if edge(line.chars().next()) || edge(line.chars().last()) { " " } else { "" };
    format!("{ticks}{pad}{line}{pad}{ticks}")
}

/// A fenced block that holds the text, longer than any run of backticks in it. `label` stands behind the opening
/// fence and must be plain letters.
#[must_use]
pub fn fence(label: &str, text: &str) -> String {
    let harmless = neutralise(text);
    let ticks = "`".repeat((longest_backtick_run(&harmless) + 1).max(3));
    format!("{ticks}{label}\n{}\n{ticks}\n", harmless.trim_end_matches('\n'))
}
