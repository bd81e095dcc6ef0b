//! What the sources have in common: they list what they have, and say how a history is read.

use std::path::PathBuf;

use opentoolbar_core::model::Timestamp;
use opentoolbar_leaves::files::{Directory, Entry, Stamp};

use crate::dialog::{Dialog, Scope, Source, Workspace};
use crate::error::NoData;
use crate::heads::{Head, Heads};
use crate::lists::Lists;
use crate::pass::Pass;
use crate::place::{FileAt, Place, descend};

/// Names of a directory from which on it is looked whether there are more than are looked at.
const MANY: usize = 1_000;

/// A program's histories.
pub(crate) trait Reader: Send + Sync {
    fn source(&self) -> Source;

    /// Finds all that the listing wants.
    fn list(&self, listing: &mut Listing<'_>);

    /// How the history in a file of this name is read.
    fn pass(&self, name: &str) -> Box<dyn Pass + Sync>;
}

/// Dialogs while they are looked for.
pub(crate) struct Listing<'l> {
    pub(crate) scope: &'l Scope,
    pub(crate) heads: &'l Heads,
    pub(crate) lists: &'l Lists,
    pub(crate) keep_going: &'l dyn Fn() -> bool,
    pub(crate) dialogs: Vec<Dialog>,
    /// What could not be looked into, or not to its end.
    pub(crate) unread: usize,
}

impl Listing<'_> {
    pub(crate) fn add(&mut self, dialog: Dialog) {
        if self.scope.has(&dialog.workspace) {
            self.dialogs.push(dialog);
        }
    }

    pub(crate) fn is_stopped(&self) -> bool {
        !(self.keep_going)()
    }

    /// A directory below another one. One that cannot be opened is counted; nothing there is not.
    pub(crate) fn open(&mut self, base: &std::path::Path, below: &[String]) -> Option<Directory> {
        match descend(base, below) {
            Ok(directory) => directory,
            Err(error) => {
                tracing::debug!(path = %base.display(), ?below, %error, "histories cannot be listed");
                self.unread += 1;
                None
            }
        }
    }

    /// The names in a directory. It is counted when there are more than are looked at.
    pub(crate) fn names(&mut self, directory: &Directory) -> Vec<String> {
        let names = directory.all_names();
        // To count them is to go through all again.
        let may_be_crowded = names.as_ref().is_ok_and(|names| names.len() >= MANY);
        if names.is_err() || (may_be_crowded && directory.is_crowded()) {
            tracing::debug!("a directory is not looked through to its end");
            self.unread += 1;
        }
        names.unwrap_or_default()
    }

    /// What the head of a history says, read now or before.
    pub(crate) fn head(
        &self,
        file: &FileAt,
        stamp: Option<Stamp>,
        read: impl FnOnce(&FileAt) -> Result<Head, NoData>,
    ) -> Result<Head, NoData> {
        self.heads.get(file, stamp, || read(file))
    }
}

/// Files of a directory whose name ends so, with what stands there under such a name and is no file.
pub(super) fn histories(
    listing: &mut Listing<'_>,
    directory: &Directory,
    endings: &[&str],
) -> (Vec<Entry>, Vec<String>) {
    let wanted = |name: &str| endings.iter().any(|ending| stem(name, ending).is_some());
    let files = directory.files(wanted);
    let known: std::collections::HashSet<&str> = files.iter().map(|entry| entry.name.as_str()).collect();
    let mut others = listing.names(directory);
    others.retain(|name| wanted(name) && !known.contains(name.as_str()));
    (files, others)
}

/// A name without its ending.
pub(super) fn stem<'n>(name: &'n str, ending: &str) -> Option<&'n str> {
    name.strip_suffix(ending).filter(|stem| !stem.is_empty() && stem.len() <= 200)
}

pub(super) fn moment_of(entry: &Entry) -> Timestamp {
    let since = entry.written.duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    Timestamp(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}

/// A transcript of a program that writes where it works into its lines.
pub(super) fn transcript(
    listing: &Listing<'_>,
    source: Source,
    id: String,
    head: Result<Head, NoData>,
    at: FileAt,
    entry: &Entry,
) -> Dialog {
    // What else is in the way is told when it is read.
    let file = if matches!(head, Err(NoData::Empty)) { Err(NoData::Empty) } else { Ok(at) };
    let head = head.unwrap_or_default();
    // What is no whole path would lead to somewhere in our own directory.
    let real = |folder: &PathBuf| {
        if folder.is_absolute() { listing.heads.real(folder) } else { folder.clone() }
    };
    let real: Vec<PathBuf> = head.folders.iter().map(real).collect();
    Dialog {
        source,
        id: head.id.unwrap_or(id),
        title: head.title,
        workspace: if real.is_empty() { Workspace::Unknown } else { Workspace::AllOf(real) },
        last_active: moment_of(entry),
        is_empty: None,
        place: Place { file },
    }
}

/// What stands in the place of a history and is no file.
pub(super) fn unreadable(directory: &Directory, source: Source, id: String, name: &str) -> Dialog {
    Dialog {
        source,
        id,
        title: None,
        workspace: Workspace::Unknown,
        last_active: Timestamp(0),
        is_empty: None,
        place: Place { file: Err(no_file(directory, name)) },
    }
}

pub(super) fn no_file(directory: &Directory, name: &str) -> NoData {
    if directory.has_link(name) { NoData::SymbolicLink } else { NoData::NotAFile }
}
