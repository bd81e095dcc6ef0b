//! Files that are written whole or not at all, and read when they may be anybody's.

use std::io::{ErrorKind, Result};
use std::path::Path;

use super::Directory;

/// Writes beside the target, makes it durable, and puts it in place in one step.
pub fn write_whole(path: &Path, content: &[u8]) -> Result<()> {
    let name = path.file_name().and_then(|name| name.to_str()).ok_or(ErrorKind::InvalidInput)?;
    let directory = path.parent().ok_or(ErrorKind::InvalidInput)?;
    Directory::open(directory)?.put_durably(name, content)
}

/// What is in a file that may be anybody's.
#[derive(Debug)]
pub enum Content {
    /// All of it.
    Whole(Vec<u8>),
    /// It has so many bytes, more than were asked for.
    Larger(u64),
}

/// Reads a regular file of at most `most` bytes, not through a link; `None` when there is none such.
pub fn read_file(path: &Path, most: u64) -> Result<Option<Content>> {
    let name = path.file_name().and_then(|name| name.to_str()).ok_or(ErrorKind::InvalidInput)?;
    let directory = Directory::open(path.parent().ok_or(ErrorKind::InvalidInput)?)?;
    if let Some(bytes) = directory.size(name)?.filter(|bytes| *bytes > most) {
        return Ok(Some(Content::Larger(bytes)));
    }
    Ok(directory.read(name, most)?.map(Content::Whole))
}

/// Removes from a directory what a kill in the middle of a write has left there.
pub fn sweep(directory: &Path) {
    if let Ok(directory) = Directory::open(directory) {
        directory.sweep();
    }
}
