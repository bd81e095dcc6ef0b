//! Standard output of verbs that print for people or scripts. `mcp` and the relay never come here.
//!
//! What pages, clients and directories call themselves comes from strangers: whatever goes out by here is neutralised
//! once more as a whole, so that no verb can forget it.

use std::io::Write;

use opentoolbar_core::prompt::{escape_json, neutralise, one_line};

use super::Failure;

/// Longest name that is shown, in characters; a longer one is cut.
const MAX_NAME: usize = 1_000;

/// Writes text for people, and a line's end.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    write_out(&neutralise(text))
}

/// Writes JSON for programs, and a line's end. Its strings mean what they did: deceiving characters are escapes.
pub(super) fn print_json(json: &str) -> Result<(), Failure> {
    write_out(&escape_json(json))
}

fn write_out(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    let ended = if text.ends_with('\n') { "" } else { "\n" };
    write!(out, "{text}{ended}").and_then(|()| out.flush()).map_err(|error| Failure::output(&error))
}

/// Something that belongs beside the output, on standard error.
pub(super) fn note(text: &str) {
    // Nobody may be listening there.
    let _ = writeln!(std::io::stderr(), "{}", neutralise(text));
}

/// What the verb cannot show, if anything.
pub(super) fn note_unreadable(count: u32) {
    if count > 0 {
        note(&format!("Entries that could not be read and are left out: {count}. Update opentoolbar."));
    }
}

/// In one line, cut when it is very long, with nothing in it that a terminal would obey.
pub(super) fn plain(text: &str) -> String {
    one_line(text, MAX_NAME)
}
