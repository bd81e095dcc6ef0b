//! What the sources have in common: they list what they have, and say how a history is read.

use std::path::PathBuf;

use opentoolbar_core::model::Timestamp;
use opentoolbar_leaves::files::{Directory, Entry, Stamp};

use crate::dialog::{Dialog, Scope, Source, Workspace};
use crate::error::NoData;
use crate::heads::{Head, Heads};
use crate::pass::Pass;
use crate::place::{FileAt, Place, descend};

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
    pub(crate) keep_going: &'l dyn Fn() -> bool,
    pub(crate) dialogs: Vec<Dialog>,
    /// Directories that could not be looked into.
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
pub(super) fn histories(directory: &Directory, endings: &[&str]) -> (Vec<Entry>, Vec<String>) {
    let wanted = |name: &str| endings.iter().any(|ending| stem(name, ending).is_some());
    let files = directory.files(wanted);
    let known: std::collections::HashSet<&str> = files.iter().map(|entry| entry.name.as_str()).collect();
    let mut others = directory.all_names().unwrap_or_default();
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
    let held = |folder: &PathBuf| Workspace::Folders(vec![listing.heads.real(folder)]);
    Dialog {
        source,
        id: head.id.unwrap_or(id),
        title: head.title,
        workspace: head.folder.as_ref().map_or(Workspace::Unknown, held),
        last_active: moment_of(entry),
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
        place: Place { file: Err(no_file(directory, name)) },
    }
}

pub(super) fn no_file(directory: &Directory, name: &str) -> NoData {
    if directory.has_link(name) { NoData::SymbolicLink } else { NoData::NotAFile }
}
