//! Standard output of verbs that print for people or scripts. `mcp` and the relay never come here.

use std::io::Write;

use super::Failure;

/// Writes the text and a line's end.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    let ended = if text.ends_with('\n') { "" } else { "\n" };
    write!(out, "{text}{ended}").and_then(|()| out.flush()).map_err(|error| Failure::output(&error))
}

/// Something that belongs beside the output, on standard error.
pub(super) fn note(text: &str) {
    // Nobody may be listening there.
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// In one line, with nothing in it that a terminal would obey.
pub(super) fn plain(text: &str) -> String {
    let turns = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.chars().map(|c| if c.is_control() || turns(c) { ' ' } else { c }).collect()
}
