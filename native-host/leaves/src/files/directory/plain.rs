//! Where directories have no handles that files can be opened by: paths, looked at before each use. Links can be made
//! there by administrators and developers alone.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Result};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use super::Standing;
use crate::files::{Identity, Stamp};

pub(super) type Handle = PathBuf;

pub(super) fn open(path: &Path) -> Result<Handle> {
    match std::fs::metadata(path)?.is_dir() {
        true => Ok(path.to_owned()),
        false => Err(ErrorKind::NotADirectory.into()),
    }
}

pub(super) fn open_directory(parent: &Handle, name: &str) -> Result<Handle> {
    let path = parent.join(name);
    match std::fs::symlink_metadata(&path)?.is_dir() {
        true => Ok(path),
        false => Err(ErrorKind::NotADirectory.into()),
    }
}

pub(super) fn make_directory(parent: &Handle, name: &str) -> Result<()> {
    std::fs::create_dir(parent.join(name))
}

/// A file that nobody else has, for writing.
pub(super) fn create(directory: &Handle, name: &str) -> Result<File> {
    OpenOptions::new().write(true).create_new(true).open(directory.join(name))
}

pub(super) fn rename(directory: &Handle, from: &str, to: &str) -> Result<()> {
    std::fs::rename(directory.join(from), directory.join(to))
}

pub(super) fn remove(directory: &Handle, name: &str) -> Result<()> {
    std::fs::remove_file(directory.join(name))
}

/// Removes a directory with everything in it. A link is removed, and not followed.
pub(super) fn remove_tree(parent: &Handle, name: &str, _steps: &mut usize) -> Result<()> {
    std::fs::remove_dir_all(parent.join(name))
}

/// A directory cannot be made durable here, and need not.
pub(super) fn sync(_: &Handle) -> Result<()> {
    Ok(())
}

/// For reading; `None` when nothing that can be opened stands there.
pub(super) fn open_file(directory: &Handle, name: &str) -> Result<Option<File>> {
    match File::open(directory.join(name)) {
        Ok(file) => Ok(Some(file)),
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(None),
        Err(e) => Err(e),
    }
}

pub(super) fn standing(directory: &Handle, name: &str) -> Result<Option<Standing>> {
    let about = match std::fs::symlink_metadata(directory.join(name)) {
        Ok(about) => about,
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(e),
    };
    Ok(Some(if about.is_symlink() {
        Standing::Link
    } else if about.is_dir() {
        Standing::Directory
    } else if about.is_file() {
        let written = about.modified().unwrap_or(UNIX_EPOCH);
        Standing::File { stamp: stamp(&about), bytes: about.len(), written, names: 1 }
    } else {
        Standing::Other
    }))
}

/// What was copied keeps the time of its content, and has been made since.
fn stamp(about: &std::fs::Metadata) -> Stamp {
    let written = about.modified().unwrap_or(UNIX_EPOCH);
    let since =
        written.max(about.created().unwrap_or(UNIX_EPOCH)).duration_since(UNIX_EPOCH).unwrap_or_default();
    let changed = (i64::try_from(since.as_secs()).unwrap_or(0), i64::from(since.subsec_nanos()));
    Stamp { device: 0, number: 0, bytes: about.len(), changed }
}

/// Of an open file; `None` when it is no regular file. There is no user id to compare; who may write there may do so
/// anyway.
pub(super) fn about(file: &File) -> Result<Option<(Stamp, bool)>> {
    let about = file.metadata()?;
    Ok(about.is_file().then(|| (stamp(&about), true)))
}

pub(super) fn own_stamp(directory: &Handle) -> Result<Stamp> {
    Ok(stamp(&std::fs::metadata(directory)?))
}

pub(super) fn identity(_: &Handle) -> Option<Identity> {
    None
}

pub(super) fn is_stale(_: &Handle) -> bool {
    false
}

/// How many entries there are, counted up to `most`.
pub(super) fn count(directory: &Handle, most: usize) -> Result<usize> {
    Ok(std::fs::read_dir(directory)?.take(most).count())
}

pub(super) fn is_mine(_: &Handle) -> bool {
    true
}

/// The first so many names that are text; ours are.
pub(super) fn names(directory: &Handle, most: usize) -> Result<Vec<String>> {
    let entries = std::fs::read_dir(directory)?;
    Ok(entries.take(most).filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect())
}
