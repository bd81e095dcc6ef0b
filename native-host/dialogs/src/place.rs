//! Where a history is, and opening it: below the directory that the program keeps its histories in, through no link.

use std::io;
use std::path::{Path, PathBuf};

use opentoolbar_leaves::files::{Directory, Opened};

use crate::error::NoData;

/// Where a dialog's history is, or why it has none.
#[derive(Clone, Debug)]
pub struct Place {
    pub(crate) file: Result<FileAt, NoData>,
}

impl Place {
    /// The path of the file, for people.
    pub fn path(&self) -> Option<PathBuf> {
        self.file.as_ref().ok().map(FileAt::path)
    }

    /// Why there is no history.
    pub fn no_data(&self) -> Option<NoData> {
        self.file.as_ref().err().copied()
    }
}

/// A file below a directory.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FileAt {
    /// May be reached through links: that is the person's own arrangement.
    pub(crate) base: PathBuf,
    /// Directories below it.
    pub(crate) below: Vec<String>,
    pub(crate) name: String,
}

impl FileAt {
    pub(crate) fn path(&self) -> PathBuf {
        self.below.iter().fold(self.base.clone(), |path, step| path.join(step)).join(&self.name)
    }

    /// Opens it for reading.
    pub(crate) fn open(&self) -> Result<Opened, NoData> {
        let directory = descend(&self.base, &self.below).map_err(|error| why(&error))?;
        open_in(&directory.ok_or(NoData::Missing)?, &self.name)
    }
}

/// Opens a regular file of a directory for reading.
pub(crate) fn open_in(directory: &Directory, name: &str) -> Result<Opened, NoData> {
    match directory.open_file(name) {
        Ok(Some(opened)) => Ok(opened),
        Ok(None) if directory.has_link(name) => Err(NoData::SymbolicLink),
        Ok(None) if directory.has(name) => Err(NoData::NotAFile),
        Ok(None) => Err(NoData::Missing),
        Err(error) => Err(why(&error)),
    }
}

/// A directory below another one; `None` when it is not there.
pub(crate) fn descend(base: &Path, below: &[String]) -> io::Result<Option<Directory>> {
    let mut directory = match Directory::open(base) {
        Ok(directory) => directory,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    for step in below {
        let Some(next) = directory.existing(step)? else { return Ok(None) };
        directory = next;
    }
    Ok(Some(directory))
}

fn why(error: &io::Error) -> NoData {
    match error.kind() {
        io::ErrorKind::NotFound => NoData::Missing,
        // Only a link in the way has no kind.
        io::ErrorKind::Other => NoData::SymbolicLink,
        io::ErrorKind::NotADirectory => NoData::NotAFile,
        _ => NoData::Unreadable,
    }
}
