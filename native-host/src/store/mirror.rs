//! `feedback.md`: the current prompt, for agents that read files but speak no MCP.

use std::path::Path;

use opentoolbar_core::model::Comment;
use opentoolbar_core::prompt::{self, Level, PromptOptions};
use opentoolbar_core::protocol::{FeedbackQuery, MAX_FEEDBACK};

use super::fault::Fault;
use super::worker::Worker;
use super::{DIRECTORY, feedback, files};

/// A file that an agent reads whole should leave it room to think.
const TOKENS: u32 = 20_000;

/// What it will say: the first 200 comments that wait for work.
pub(super) fn read(worker: &mut Worker) -> Result<Vec<Comment>, Fault> {
    let query = FeedbackQuery { limit: Some(MAX_FEEDBACK), ..FeedbackQuery::default() };
    Ok(feedback::feedback(worker, &query)?.comments)
}

/// Writes it, whole or not at all.
pub(super) fn write(root: &Path, comments: &[Comment]) -> Result<(), Fault> {
    let options =
        PromptOptions { level: Level::Standard, token_budget: Some(TOKENS), include_resolved: false };
    let path = root.join(DIRECTORY).join("feedback.md");
    let markdown = prompt::markdown(comments, &options);
    // Unchanged text keeps its time, so that watchers stay quiet.
    if std::fs::read(&path).is_ok_and(|there| there == markdown.as_bytes()) {
        return Ok(());
    }
    Ok(files::write_whole(&path, markdown.as_bytes())?)
}
