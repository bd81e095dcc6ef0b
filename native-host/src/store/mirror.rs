//! `feedback.md`: the current prompt, for agents that read files but speak no MCP.

use std::path::Path;

use opentoolbar_core::model::Comment;
use opentoolbar_core::prompt::{self, Level, PromptOptions};
use opentoolbar_core::protocol::{FeedbackQuery, MAX_FEEDBACK};

use super::fault::Fault;
use super::worker::Worker;
use super::{DIRECTORY, Feedback, feedback, files};

/// A file that an agent reads whole should leave it room to think.
const TOKENS: u32 = 20_000;

/// What it will say: the first 200 comments that wait for work, and how many there are.
#[derive(Debug)]
pub(super) struct Content {
    comments: Vec<Comment>,
    waiting: u32,
}

pub(super) fn read(worker: &mut Worker) -> Result<Content, Fault> {
    let query = FeedbackQuery { limit: Some(MAX_FEEDBACK), ..FeedbackQuery::default() };
    let Feedback { comments, summary, .. } = feedback::feedback(worker, &query)?;
    Ok(Content { comments, waiting: summary.active + summary.outdated })
}

/// Writes it, whole or not at all.
pub(super) fn write(root: &Path, Content { comments, waiting }: &Content) -> Result<(), Fault> {
    let options =
        PromptOptions { level: Level::Standard, token_budget: Some(TOKENS), include_resolved: false };
    let path = root.join(DIRECTORY).join("feedback.md");
    let mut markdown = prompt::markdown(comments, &options);
    if *waiting as usize > comments.len() {
        let first = comments.len();
        markdown = format!(
            "> {waiting} comments wait for work. This file is made of the first {first}; `get_ui_feedback` and \
             `opentoolbar export` have them all.\n\n{markdown}"
        );
    }
    // Unchanged text keeps its time, so that watchers stay quiet.
    if std::fs::read(&path).is_ok_and(|there| there == markdown.as_bytes()) {
        return Ok(());
    }
    Ok(files::write_whole(&path, markdown.as_bytes())?)
}
