//! What a question about a dialog is answered with.

use opentoolbar_core::model::Timestamp;
use opentoolbar_core::prompt::neutralise;
use opentoolbar_dialogs::preview;

use crate::mcp::outcome::Outcome;

/// What the person asked in one dialog.
pub(in crate::mcp) struct Asked {
    /// The dialog's id.
    pub(in crate::mcp) session_id: String,
    /// How many requests there are.
    pub(in crate::mcp) total: u64,
    /// The wanted ones; fewer where there are not as many.
    pub(in crate::mcp) requests: Vec<Said>,
    /// How many could not be read; they are not counted.
    pub(in crate::mcp) unreadable: u32,
    /// What is to be said of it.
    pub(in crate::mcp) note: Option<String>,
}

/// One request, without what is secret in it.
pub(in crate::mcp) struct Said {
    pub(in crate::mcp) words: String,
    /// Whether it goes on behind these words, which nothing tells.
    pub(in crate::mcp) is_cut: bool,
    /// When, if the history says so.
    pub(in crate::mcp) at: Option<Timestamp>,
}

impl Said {
    /// Its first line, in at most 80 characters; none where nothing is in it.
    pub(in crate::mcp) fn preview(&self) -> Option<String> {
        Some(preview(&neutralise(&self.words))).filter(|line| !line.is_empty())
    }
}

/// No dialog is the current one.
pub(super) fn none_is_active() -> Outcome {
    Outcome::refused(
        "No active dialog found",
        "Nothing was asked in this project yet, in VS Code's chat or beside the page. Give the sessionId of another dialog.",
    )
}
