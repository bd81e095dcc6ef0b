//! What a project's database says, in files for agents that read files but speak no MCP: `feedback.md`, the current
//! prompt, `sessions/<id>.json`, the latest selection of a tab with what is not answered, and `history.db`. They come a
//! moment later than the database, and are written by a thread of their own: nobody waits for them.

pub(super) mod gather;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use opentoolbar_core::model::{Comment, SessionId};
use opentoolbar_core::prompt::{self, Level, PromptOptions};
use opentoolbar_core::protocol::next_step::HAVE_THEM_ALL;

use super::complaints::Complaints;
use super::file_names::{ALL, REPORT, SESSIONS, is_sessions, name_of, path_of};
use super::planted::{self, Found, Written};
use super::root::Root;
use super::{directory, history};
use opentoolbar_leaves::files::{Directory, Stamp};
use opentoolbar_leaves::names::PICTURES;

/// A file that an agent reads whole should leave it room to think.
const TOKENS: u32 = 20_000;
/// Sessions that have a file.
const MOST_SESSIONS: usize = 200;
/// In complaints: what has the place of one of ours, what is not ours.
pub(super) const IN_THE_WAY: &str = "what is in the way";
pub(super) const BROUGHT: &str = "what others brought";

/// What has changed since the files were written.
#[derive(Clone, Debug, Default)]
pub(super) struct Due {
    pub(super) comments: bool,
    pub(super) sessions: BTreeSet<SessionId>,
    pub(super) history: bool,
    /// What is not ours: it is written anew, or removed.
    found: Option<Found>,
}

impl Due {
    pub(super) fn merge(&mut self, Self { comments, sessions, history, found }: Self) {
        self.comments |= comments;
        self.sessions.extend(sessions);
        self.history |= history;
        found.into_iter().for_each(|found| self.add(found));
    }

    pub(super) fn add(&mut self, found: Found) {
        self.comments |= found.report;
        self.history |= found.history;
        self.found.get_or_insert_default().add(found);
    }
}

/// What the files will say.
#[derive(Debug)]
pub(super) struct Content {
    feedback: Option<Waiting>,
    sessions: Vec<(SessionId, Vec<u8>)>,
    history: Option<history::Content>,
    found: Option<Found>,
}

/// The first 200 comments that wait for work, and how many there are.
#[derive(Debug)]
struct Waiting {
    comments: Vec<Comment>,
    count: u32,
    unreadable: u32,
}

/// Hash of a history that was put in place, and what tells that it is still there.
pub(super) type WrittenHistory = ([u8; 32], Stamp);

/// What was written before. Shared with the thread that writes.
#[derive(Clone, Debug, Default)]
pub(super) struct Mirror {
    pub(super) complaints: Complaints,
    /// The report as it was put there, and what tells that it still is.
    report: Arc<Mutex<Option<(String, Stamp)>>>,
    /// The same of `history.db`, by its hash.
    pub(super) history: Arc<Mutex<Option<WrittenHistory>>>,
    pub(super) taken_back: history::TakenBack,
    pub(super) written: Written,
    is_swept: Arc<AtomicBool>,
}

impl Mirror {
    pub(super) fn complaining_to(complaints: Complaints) -> Self {
        Self { complaints, ..Self::default() }
    }
}

/// Writes the files, each whole or not at all, whatever becomes of the others.
pub(super) fn write(root: &Root, content: &Content, mirror: &Mirror) {
    let complaints = &mirror.complaints;
    if let Err(error) = root.open() {
        // Said once, and not of each file.
        complaints.note::<()>(root.path(), ALL, Err(error));
        return;
    }
    if content.found.is_some() {
        complaints.note(root.path(), IN_THE_WAY, planted::clear_the_way(root));
    }
    let clear_history = || complaints.note(root.path(), "history.db-*", planted::clear_beside_history(root));
    clear_history();
    if let Some(ours) = complaints.note(root.path(), ALL, directory::project_directory(root)) {
        put_all(root.path(), &ours, content, mirror);
    }
    clear_history();
    // Also when nothing could be put in its place.
    if let Some(found) = &content.found {
        complaints.note(root.path(), BROUGHT, planted::remove(root, found, &mirror.written));
    }
}

fn put_all(root: &Path, ours: &Directory, content: &Content, mirror: &Mirror) {
    let Content { feedback, sessions, history, found } = content;
    let complaints = &mirror.complaints;
    if !mirror.is_swept.swap(true, Ordering::Relaxed) {
        directory::sweep_project(ours);
    }
    if found.is_some() {
        complaints.note(root, "what was in the way before", directory::sweep_aside(ours));
    }
    // They are made when something is put into them, which may be never.
    for folder in [SESSIONS, PICTURES] {
        if complaints.is_about(folder) && complaints.note(root, folder, ours.make(folder)).is_some() {
            complaints.forget(|file| file.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')));
        }
    }
    if let Some(waiting) = feedback {
        complaints.note(root, REPORT, write_report(ours, waiting, mirror));
    }
    if let Some(history) = history {
        history::write(root, ours, history, mirror);
    }
    if sessions.is_empty() {
        return;
    }
    let Some(directory) = complaints.note(root, SESSIONS, ours.make(SESSIONS)) else { return };
    let mut names = BTreeSet::new();
    for (session, json) in sessions {
        let name = name_of(session);
        let path = path_of(&name);
        if complaints.note(root, &path, directory.put(&name, json)).is_some() {
            mirror.written.note(&path, directory.stamp(&name));
        }
        names.insert(name);
    }
    // Whatever the clock says, these are the newest. What others put there is removed by itself, and takes no room.
    let most = MOST_SESSIONS.saturating_sub(names.len());
    let is_other = |name: &str| {
        is_sessions(name) && !names.contains(name) && mirror.written.is_ours(&directory, name, &path_of(name))
    };
    directory::keep_newest(&directory, directory.files(is_other), most, u64::MAX);
}

fn write_report(ours: &Directory, waiting: &Waiting, mirror: &Mirror) -> std::io::Result<()> {
    let markdown = report(waiting);
    let mut before = mirror.report.lock().unwrap_or_else(PoisonError::into_inner);
    // Unchanged text keeps its time, so that watchers stay quiet. What stands there is not read: it may be anybody's.
    if before.as_ref().is_some_and(|(text, stamp)| *text == markdown && ours.stamp(REPORT) == Some(*stamp)) {
        return Ok(());
    }
    *before = None;
    ours.put(REPORT, markdown.as_bytes())?;
    let stamp = ours.stamp(REPORT);
    mirror.written.note(REPORT, stamp);
    *before = stamp.map(|stamp| (markdown, stamp));
    Ok(())
}

fn report(Waiting { comments, count, unreadable }: &Waiting) -> String {
    let options =
        PromptOptions { level: Level::Standard, token_budget: Some(TOKENS), include_resolved: false };
    let mut markdown = prompt::markdown(comments, &options);
    if *unreadable > 0 {
        markdown = format!(
            "> {unreadable} stored comments could not be read and are left out; update opentoolbar.\n\n{markdown}"
        );
    }
    if *count as usize <= comments.len() + *unreadable as usize {
        return markdown;
    }
    let first = comments.len();
    format!(
        "> {count} comments wait for work. This file is made of the first {first}; {HAVE_THEM_ALL}.\n\n{markdown}"
    )
}
