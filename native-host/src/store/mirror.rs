//! What a project's database says, in files for agents that read files but speak no MCP: `feedback.md`, the current prompt,
//! and `sessions/<id>.json`, the latest selection of a tab with what is not answered. They come a moment later than the
//! database, and are written by a thread of their own: nobody waits for them.

use std::collections::BTreeSet;
use std::path::Path;

use opentoolbar_core::model::{Comment, SessionId};
use opentoolbar_core::prompt::{self, Level, PromptOptions};
use opentoolbar_core::protocol::{FeedbackQuery, MAX_FEEDBACK};

use super::fault::Fault;
use super::worker::Worker;
use super::{Feedback, conversation, feedback, files};

/// A file that an agent reads whole should leave it room to think.
const TOKENS: u32 = 20_000;
/// Sessions that have a file.
const MOST_SESSIONS: usize = 200;

/// What has changed since the files were written.
#[derive(Debug, Default)]
pub(super) struct Due {
    pub(super) comments: bool,
    pub(super) sessions: BTreeSet<SessionId>,
}

/// What the files will say.
#[derive(Debug)]
pub(super) struct Content {
    feedback: Option<Waiting>,
    sessions: Vec<(SessionId, Vec<u8>)>,
}

/// The first 200 comments that wait for work, and how many there are.
#[derive(Debug)]
struct Waiting {
    comments: Vec<Comment>,
    count: u32,
}

pub(super) fn read(worker: &mut Worker, due: &Due) -> Result<Content, Fault> {
    let feedback = if due.comments { Some(waiting(worker)?) } else { None };
    let mut sessions = Vec::with_capacity(due.sessions.len());
    for session in &due.sessions {
        if let Some(json) = conversation::mirrored(worker, session)? {
            sessions.push((session.clone(), json));
        }
    }
    Ok(Content { feedback, sessions })
}

fn waiting(worker: &mut Worker) -> Result<Waiting, Fault> {
    let query = FeedbackQuery { limit: Some(MAX_FEEDBACK), ..FeedbackQuery::default() };
    let Feedback { comments, summary, .. } = feedback::feedback(worker, &query)?;
    Ok(Waiting { comments, count: summary.active + summary.outdated })
}

/// Writes the files, each whole or not at all.
pub(super) fn write(root: &Path, Content { feedback, sessions }: &Content) -> Result<(), Fault> {
    if let Some(waiting) = feedback {
        write_feedback(root, waiting)?;
    }
    if sessions.is_empty() {
        return Ok(());
    }
    let directory = files::project_directory(root)?.join("sessions");
    files::own_directory(&directory)?;
    let mut names = BTreeSet::new();
    for (session, json) in sessions {
        let name = format!("{session}.json");
        files::write_copy(&directory.join(&name), json)?;
        names.insert(name);
    }
    // Whatever the clock says, these are the newest.
    let most = MOST_SESSIONS.saturating_sub(names.len());
    files::keep_newest(&directory, most, u64::MAX, |other| !names.contains(other));
    Ok(())
}

fn write_feedback(root: &Path, Waiting { comments, count }: &Waiting) -> Result<(), Fault> {
    let options =
        PromptOptions { level: Level::Standard, token_budget: Some(TOKENS), include_resolved: false };
    let path = files::project_directory(root)?.join("feedback.md");
    let mut markdown = prompt::markdown(comments, &options);
    if *count as usize > comments.len() {
        let first = comments.len();
        markdown = format!(
            "> {count} comments wait for work. This file is made of the first {first}; `get_ui_feedback` and \
             `opentoolbar export` have them all.\n\n{markdown}"
        );
    }
    // Unchanged text keeps its time, so that watchers stay quiet.
    if std::fs::read(&path).is_ok_and(|there| there == markdown.as_bytes()) {
        return Ok(());
    }
    Ok(files::write_whole(&path, markdown.as_bytes())?)
}
