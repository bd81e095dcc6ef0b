//! `feedback.md`: the current prompt, for agents that read files but speak no MCP.

use opentoolbar_core::prompt::{self, Level, PromptOptions};
use opentoolbar_core::protocol::{FeedbackQuery, MAX_FEEDBACK};

use super::fault::Fault;
use super::worker::Worker;
use super::{DIRECTORY, feedback, files};

/// A file that an agent reads whole should leave it room to think.
const TOKENS: u32 = 20_000;

/// Writes it, whole or not at all. Comments beyond the first 200 that wait for work are left out.
pub(super) fn write(worker: &mut Worker) -> Result<(), Fault> {
    let query = FeedbackQuery { limit: Some(MAX_FEEDBACK), ..FeedbackQuery::default() };
    let comments = feedback::feedback(worker, &query)?.comments;
    let options =
        PromptOptions { level: Level::Standard, token_budget: Some(TOKENS), include_resolved: false };
    let path = worker.root().join(DIRECTORY).join("feedback.md");
    let markdown = prompt::markdown(&comments, &options);
    // Unchanged text keeps its time, so that watchers stay quiet.
    if std::fs::read(&path).is_ok_and(|there| there == markdown.as_bytes()) {
        return Ok(());
    }
    Ok(files::write_whole(&path, markdown.as_bytes())?)
}
