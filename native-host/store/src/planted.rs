//! What stands in a project under the names of our copies and is not ours. A repository brings it, before a hub uses
//! the project or while it does; agents must not read it as ours, and a program that opens `history.db` must find
//! nothing beside it.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Result;
use std::sync::{Arc, Mutex, PoisonError};

use super::directory;
use super::file_names::{HISTORY, REPORT, SESSIONS, is_sessions, path_of};
use super::root::Root;
use opentoolbar_leaves::files::{Directory, Stamp};
use opentoolbar_leaves::names::DIRECTORY;

/// What SQLite would roll back or read when it opens `history.db`. We never write them.
const BESIDE_HISTORY: [&str; 3] = ["history.db-journal", "history.db-wal", "history.db-shm"];
/// Where copies are, beside the project's directory of ours itself.
const FOLDERS: [&str; 2] = [SESSIONS, "screenshots"];
/// Copies that are known as ours; beyond that they are written anew.
const MOST_WRITTEN: usize = 1_000;

/// What was found that is not ours.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    pub(super) report: bool,
    pub(super) history: bool,
    /// Names of files.
    pub(super) sessions: BTreeSet<String>,
    /// A link or a directory where ours would be, a file beside the history, an own idea of what is ignored.
    is_in_the_way: bool,
}

impl Found {
    pub(super) fn add(&mut self, Self { report, history, sessions, is_in_the_way }: Self) {
        self.report |= report;
        self.history |= history;
        self.sessions.extend(sessions);
        self.is_in_the_way |= is_in_the_way;
    }

    fn is_any(&self) -> bool {
        self.report || self.history || self.is_in_the_way || !self.sessions.is_empty()
    }
}

/// What tells our copies from others: their stamps when they were put in place.
#[derive(Clone, Debug, Default)]
pub(super) struct Written(Arc<Mutex<BTreeMap<String, Stamp>>>);

impl Written {
    /// `path`: in the project's directory of ours.
    pub(super) fn note(&self, path: &str, stamp: Option<Stamp>) {
        let mut written = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if written.len() >= MOST_WRITTEN {
            written.clear();
        }
        match stamp {
            Some(stamp) => written.insert(path.to_owned(), stamp),
            None => written.remove(path),
        };
    }

    /// Whether what stands there is as it was put there.
    pub(super) fn is_ours(&self, directory: &Directory, name: &str, path: &str) -> bool {
        let ours = self.of(path);
        ours.is_some() && directory.stamp(name) == ours
    }

    fn is_others(&self, directory: &Directory, name: &str, path: &str) -> bool {
        directory.has_other_file(name, self.of(path))
    }

    fn of(&self, path: &str) -> Option<Stamp> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(path).copied()
    }
}

/// Stamps of the directories that copies are in. While they are the same, no name has come or gone.
pub(super) type Seen = (Stamp, Option<Stamp>);

/// `None` when that cannot tell: nothing is there, or it changed just now.
pub(super) fn seen(root: &Root) -> Option<Seen> {
    let ours = root.open().ok()?.existing(DIRECTORY).ok()??;
    let sessions = ours.existing(SESSIONS).ok().flatten().and_then(|sessions| sessions.own_stamp());
    let own = ours.own_stamp()?;
    let is_settled = !own.is_fresh() && sessions.is_none_or(|sessions| !sessions.is_fresh());
    is_settled.then_some((own, sessions))
}

/// Looks for it; `None` when there is nothing. Pictures are not among it: which of them count the database knows.
/// Blocks.
///
/// # Errors
/// When that cannot be looked at.
pub(super) fn look(root: &Root, written: &Written) -> Result<Option<Found>> {
    let project = root.open()?;
    let in_the_way = Found { is_in_the_way: true, ..Found::default() };
    if project.has_link(DIRECTORY) {
        return Ok(Some(Found { report: true, history: true, ..in_the_way }));
    }
    let Some(ours) = project.existing(DIRECTORY)? else { return Ok(None) };
    let mut found = Found {
        report: written.is_others(&ours, REPORT, REPORT),
        history: written.is_others(&ours, HISTORY, HISTORY),
        sessions: BTreeSet::new(),
        is_in_the_way: BESIDE_HISTORY.iter().any(|name| ours.has(name))
            || FOLDERS.iter().any(|name| ours.has_link(name))
            || ours.has(directory::IGNORE) && !directory::ignores_everything(&ours)?,
    };
    // Of a link in its place nothing is read.
    if let Ok(Some(sessions)) = ours.existing(SESSIONS) {
        found.is_in_the_way |= sessions.is_crowded();
        let is_others = |name: &String| written.is_others(&sessions, name, &path_of(name));
        found.sessions = sessions.names(is_sessions).into_iter().filter(is_others).collect();
    }
    Ok(Some(found).filter(Found::is_any))
}

/// Makes room for our copies: of a link the link goes, and a directory takes another name.
pub(super) fn clear_the_way(root: &Root) -> Result<()> {
    let project = root.open()?;
    project.remove_link(DIRECTORY)?;
    let Some(ours) = project.existing(DIRECTORY)? else { return Ok(()) };
    let links: Vec<Result<()>> = FOLDERS.iter().map(|name| ours.remove_link(name)).collect();
    // With more names than are looked at, some of them would be read by others and not by us.
    let sessions = match ours.existing(SESSIONS) {
        Ok(Some(sessions)) if sessions.is_crowded() => directory::set_aside(&ours, SESSIONS),
        _ => Ok(()),
    };
    links.into_iter().chain([sessions]).collect()
}

/// Removes what lies beside the history.
pub(super) fn clear_beside_history(root: &Root) -> Result<()> {
    let Some(ours) = root.open()?.existing(DIRECTORY)? else { return Ok(()) };
    let clear = |name: &&str| directory::set_aside(&ours, name).and_then(|()| ours.remove(name));
    let cleared: Vec<Result<()>> = BESIDE_HISTORY.iter().map(clear).collect();
    cleared.into_iter().collect()
}

/// Removes what was found and is still not ours.
pub(super) fn remove(root: &Root, found: &Found, written: &Written) -> Result<()> {
    let Some(ours) = root.open()?.existing(DIRECTORY)? else { return Ok(()) };
    let mut removed = Vec::new();
    for (is_found, name) in [(found.report, REPORT), (found.history, HISTORY)] {
        if is_found && written.is_others(&ours, name, name) {
            removed.push(ours.remove(name));
        }
    }
    if let Some(sessions) = ours.existing(SESSIONS)? {
        for name in &found.sessions {
            if written.is_others(&sessions, name, &path_of(name)) {
                removed.push(sessions.remove(name));
            }
        }
    }
    removed.into_iter().collect()
}
