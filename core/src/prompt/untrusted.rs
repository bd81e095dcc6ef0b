//! Text from strangers, made harmless for a markdown reader: it can neither end its fence nor hide what it says.

use std::fmt::Write;

use crate::unseen::is_unseen;

/// Whether a character could hide or reorder what a reader sees, or command a terminal: controls other than tab and
/// line feed, bidirectional marks, joiners and other characters without width, line separators, and the tag characters
/// and variation selectors with which whole hidden sentences can be written.
fn deceives(character: char) -> bool {
    match character {
        '\t' | '\n' => false,
        '\u{2028}' | '\u{2029}' => true,
        _ => is_unseen(character) || character.is_control(),
    }
}

/// Whether a character belongs where it stands although it has no width: one selector or joiner within an emoji, one
/// joiner between letters of the scripts that are written with them (Arabic, Persian, those of India). Neither can hide
/// a sentence: what stands on both sides is seen.
fn belongs(before: Option<char>, character: char, after: Option<char>) -> bool {
    let is_emoji = |c: char| matches!(c, '\u{203c}'..='\u{3299}' | '\u{1f000}'..='\u{1faff}') && !deceives(c);
    let joins = |c: char| matches!(c, '\u{620}'..='\u{dff}');
    match character {
        '\u{fe0f}' => before.is_some_and(is_emoji),
        '\u{200d}' if after.is_some_and(is_emoji) => before.is_some_and(|c| is_emoji(c) || c == '\u{fe0f}'),
        '\u{200c}' | '\u{200d}' => before.is_some_and(joins) && after.is_some_and(joins),
        _ => false,
    }
}

/// The text with every deceiving character written out as `⟨U+202E⟩`. Line ends become `\n`; lines stay.
#[must_use]
pub fn neutralise(text: &str) -> String {
    let mut harmless = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    let mut before = None;
    while let Some(character) = characters.next() {
        let after = characters.peek().copied();
        match character {
            '\r' if after == Some('\n') => {}
            '\r' => harmless.push('\n'),
            _ if deceives(character) && !belongs(before, character, after) => {
                // Writing to a String cannot fail.
                let _ = write!(harmless, "⟨U+{:04X}⟩", u32::from(character));
            }
            _ => harmless.push(character),
        }
        before = Some(character);
    }
    harmless
}

/// JSON whose strings hold deceiving characters as escapes alone: it means the same, and can be shown.
#[must_use]
pub fn escape_json(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for character in json.chars() {
        if deceives(character) {
            for unit in character.encode_utf16(&mut [0; 2]) {
                // Writing to a String cannot fail.
                let _ = write!(escaped, "\\u{unit:04x}");
            }
        } else {
            escaped.push(character);
        }
    }
    escaped
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

#[cfg(test)]
mod tests {
    use super::{deceives, escape_json, neutralise};
    use proptest::prelude::*;

    #[test]
    fn emoji_and_joined_letters_stay_and_nothing_else_without_width() {
        for text in [
            "☀\u{fe0f} sun",
            "👩\u{200d}💻 at work",
            "❤\u{fe0f}\u{200d}🔥",
            "می\u{200c}خواهم",
            "क\u{94d}\u{200d}ष",
        ] {
            assert_eq!(neutralise(text), text);
        }
        for text in [
            "a\u{fe0f}b",
            "☀\u{fe0f}\u{fe0f}",
            "\u{fe00}",
            "a\u{200d}b",
            "a\u{200c}b",
            "👩\u{200d}b",
            "\u{200d}👩",
            "x\u{e0041}\u{e0101}",
            "\u{1b}[31m",
            "\u{9b}31m",
            "\u{7f}",
            "\u{34f}",
            "a\u{ad}b",
            "\u{2028}",
            "\u{202e}",
        ] {
            let shown = neutralise(text);
            assert!(shown.contains("⟨U+"), "{text:?} became {shown:?}");
        }
    }

    proptest! {
        #[test]
        fn escaped_json_means_the_same_and_shows_nothing_that_deceives(text in "(\\PC|[\u{0}-\u{1f}\u{7f}-\u{9f}\u{200b}-\u{202e}\u{fe0f}\u{e0001}-\u{e0101}]){0,40}") {
            let json = escape_json(&serde_json::to_string(&text).unwrap_or_default());
            prop_assert!(!json.chars().any(deceives));
            prop_assert_eq!(serde_json::from_str::<String>(&json).ok(), Some(text));
        }
    }
}
