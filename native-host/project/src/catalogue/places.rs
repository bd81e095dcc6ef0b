//! What the records in the home say: which project's data is in which directory, and which records cannot be read.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use super::LEFTOVER;
use super::id::may_be_project_of;
use super::record::{self, Record, UnreadableRecord};

/// Of one project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) directory: PathBuf,
    /// Its data is gone, and only what was decided is left.
    pub(super) is_cleared: bool,
}

#[derive(Debug, Default)]
pub(super) struct Places {
    by_root: BTreeMap<PathBuf, Place>,
    unreadable: Vec<UnreadableRecord>,
}

impl Places {
    pub(super) fn read(directory: &Path) -> io::Result<Self> {
        let mut read = Self::default();
        for (directory, record) in records(directory)? {
            match record {
                Ok(record) => {
                    let place = Place { directory, is_cleared: record.is_cleared };
                    read.add(record.root, place);
                }
                Err(unreadable) => {
                    tracing::error!(error = %unreadable, "a project's record cannot be read");
                    read.unreadable.push(unreadable);
                }
            }
        }
        Ok(read)
    }

    /// Of two places of one project that with data holds: a kill came before the other was gone.
    fn add(&mut self, root: PathBuf, place: Place) {
        let before = self.by_root.get(&root);
        if before.is_none_or(|before| before.is_cleared) {
            self.by_root.insert(root, place);
        }
    }

    /// What was learnt before stays: it may be newer than what was read.
    pub(super) fn learn(&mut self, read: Self) {
        for (root, place) in read.by_root {
            self.by_root.entry(root).or_insert(place);
        }
        self.unreadable = read.unreadable;
    }

    /// Where a project's data is. What cannot be read may hold it, unless that of this project is known.
    pub(super) fn of(&self, root: &Path) -> Result<Option<Place>, UnreadableRecord> {
        let known = self.by_root.get(root);
        if known.is_some_and(|place| !place.is_cleared) {
            return Ok(known.cloned());
        }
        let may_be_its = |unreadable: &&UnreadableRecord| {
            may_be_project_of(&unreadable.id, unreadable.root.as_deref(), root)
        };
        match self.unreadable.iter().find(may_be_its) {
            Some(unreadable) => Err(unreadable.clone()),
            None => Ok(known.cloned()),
        }
    }

    pub(super) fn insert(&mut self, root: PathBuf, place: Place) {
        self.by_root.insert(root, place);
    }

    pub(super) fn remove(&mut self, root: &Path) {
        self.by_root.remove(root);
    }
}

/// What is in a directory that has a record.
type Entry = (PathBuf, Result<Record, UnreadableRecord>);

/// Every directory with a record, or with data that has none, sorted by name.
pub(super) fn records(directory: &Path) -> io::Result<Vec<Entry>> {
    let entries = match std::fs::read_dir(directory) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut read = Vec::new();
    for entry in entries {
        let entry = entry?;
        if entry.file_name().as_encoded_bytes().starts_with(LEFTOVER) {
            continue;
        }
        let directory = entry.path();
        if let Some(record) = record::read(&directory).transpose() {
            read.push((directory, record));
        }
    }
    read.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(read)
}
