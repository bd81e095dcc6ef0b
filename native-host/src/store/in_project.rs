//! A database that stands in a project: what a version that kept it there has left, or what came with a repository. It is never
//! opened where it is: SQLite would roll back a journal that lies beside it, and delete the file that the journal names.
//! Its bytes are copied into the home, and the copy is looked at (`examine`).

use std::fs::File;
use std::hash::Hasher;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use super::DIRECTORY;
use super::database::FILE;
use crate::project::{Tracked, tracks};

/// Largest database that is taken over or offered, in bytes.
const MOST: u64 = 4 * 1024 * 1024 * 1024;
const PIECE: usize = 64 * 1024;

/// A database in a project.
#[derive(Debug)]
pub(super) struct Found {
    /// Of the database itself.
    pub(super) bytes: u64,
    /// Whether a write-ahead log lies beside it: of a hub that was killed, or a stranger's.
    pub(super) has_log: bool,
    /// Why it may be a stranger's; `None` when nothing says so.
    pub(super) doubt: Option<&'static str>,
}

/// Where it stands, for people.
pub(super) fn path(root: &Path) -> PathBuf {
    root.join(DIRECTORY).join(FILE)
}

/// What stands there; `None` when there is no database, or none that is a plain file in a plain directory.
pub(super) fn look(root: &Path) -> Option<Found> {
    let database = open(root, FILE).ok()?;
    let bytes = database.metadata().ok()?.len();
    if bytes > MOST {
        return None;
    }
    let log = format!("{FILE}-wal");
    let has_log = is_there(root, &log);
    let doubt = if !is_mine(&database) || !is_mine_at(&root.join(DIRECTORY)) {
        Some("it belongs to another user of this machine")
    } else if is_there(root, &format!("{FILE}-journal")) {
        Some("an unfinished journal lies beside it")
    } else if has_log && !open(root, &log).is_ok_and(|log| is_mine(&log)) {
        Some("what lies beside it is no log of yours")
    } else {
        match tracks(root, DIRECTORY) {
            Tracked::No => None,
            Tracked::Yes => Some("it came with the repository"),
            Tracked::NotKnown => Some("whether it came with the repository cannot be told"),
        }
    };
    Some(Found { bytes, has_log, doubt })
}

/// What tells its content from every other one. No secret, and no proof.
pub(super) fn fingerprint(root: &Path) -> io::Result<String> {
    copy(root, FILE, &mut io::sink())
}

/// Copies the database, and its write-ahead log when `with_log`, into a directory of the home. Returns the fingerprint of the
/// database. Fails when there is more than [`MOST`] of it.
pub(super) fn copy_into(root: &Path, directory: &Path, with_log: bool) -> io::Result<String> {
    if with_log {
        copy_file(root, &format!("{FILE}-wal"), directory)?;
    }
    copy_file(root, FILE, directory)
}

fn copy_file(root: &Path, name: &str, directory: &Path) -> io::Result<String> {
    let mut new = std::fs::OpenOptions::new();
    new.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut new, 0o600);
    let mut file = new.open(directory.join(name))?;
    let fingerprint = copy(root, name, &mut file)?;
    file.sync_all()?;
    Ok(fingerprint)
}

fn copy(root: &Path, name: &str, to: &mut impl Write) -> io::Result<String> {
    let mut from = open(root, name)?.take(MOST + 1);
    let mut hasher = fnv::FnvHasher::default();
    let mut piece = vec![0; PIECE];
    let mut bytes = 0_u64;
    loop {
        let read = from.read(&mut piece)?;
        if read == 0 {
            break;
        }
        let (Some(read), Ok(count)) = (piece.get(..read), u64::try_from(read)) else { break };
        hasher.write(read);
        to.write_all(read)?;
        bytes += count;
    }
    if bytes > MOST {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    Ok(format!("{:016x}-{bytes}", hasher.finish()))
}

fn is_there(root: &Path, name: &str) -> bool {
    std::fs::symlink_metadata(root.join(DIRECTORY).join(name)).is_ok()
}

/// A plain file in the project's `.opentoolbar`, without following a link on the way and without waiting for whoever is behind
/// a pipe.
#[cfg(unix)]
fn open(root: &Path, name: &str) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags};
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let directory = rustix::fs::open(root.join(DIRECTORY), flags | OFlags::DIRECTORY, Mode::empty())?;
    let file = File::from(rustix::fs::openat(directory, name, flags | OFlags::NONBLOCK, Mode::empty())?);
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::ErrorKind::InvalidInput.into()) }
}

#[cfg(windows)]
fn open(root: &Path, name: &str) -> io::Result<File> {
    let directory = root.join(DIRECTORY);
    let path = directory.join(name);
    if std::fs::symlink_metadata(&directory)?.is_dir() && std::fs::symlink_metadata(&path)?.is_file() {
        return File::open(path);
    }
    Err(io::ErrorKind::InvalidInput.into())
}

#[cfg(unix)]
fn is_mine(file: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    file.metadata().is_ok_and(|metadata| metadata.uid() == rustix::process::geteuid().as_raw())
}

#[cfg(unix)]
fn is_mine_at(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::symlink_metadata(path)
        .is_ok_and(|metadata| metadata.uid() == rustix::process::geteuid().as_raw())
}

/// Windows has no user id to compare; who may write there may do so anyway.
#[cfg(windows)]
fn is_mine(_: &File) -> bool {
    true
}

#[cfg(windows)]
fn is_mine_at(_: &Path) -> bool {
    true
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::os::unix::fs::symlink;

    fn project() -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap().join("shop");
        std::fs::create_dir_all(root.join(DIRECTORY)).unwrap();
        (dir, root)
    }

    #[test]
    fn a_plain_file_of_mine_is_found_without_a_doubt() {
        let (_dir, root) = project();
        assert!(look(&root).is_none());
        std::fs::write(path(&root), "content").unwrap();
        let found = look(&root).unwrap();
        assert_eq!((found.bytes, found.has_log, found.doubt), (7, false, None));
    }

    #[test]
    fn what_lies_beside_it_raises_a_doubt() {
        for (name, doubt) in [("-journal", "journal"), ("-wal", "no log")] {
            let (dir, root) = project();
            std::fs::write(path(&root), "content").unwrap();
            let beside = root.join(DIRECTORY).join(format!("{FILE}{name}"));
            symlink(dir.path().join("nowhere"), &beside).unwrap();
            let found = look(&root).unwrap();
            assert!(found.doubt.unwrap().contains(doubt), "{name}: {:?}", found.doubt);
        }
        let (_dir, root) = project();
        std::fs::write(path(&root), "content").unwrap();
        std::fs::write(root.join(DIRECTORY).join(format!("{FILE}-wal")), "log").unwrap();
        let found = look(&root).unwrap();
        assert_eq!((found.has_log, found.doubt), (true, None), "as a killed hub leaves it");
    }

    #[test]
    fn links_pipes_and_directories_are_no_database() {
        let (dir, root) = project();
        let elsewhere = dir.path().join("elsewhere");
        std::fs::write(&elsewhere, "mine").unwrap();
        symlink(&elsewhere, path(&root)).unwrap();
        assert!(look(&root).is_none(), "a link");
        std::fs::remove_file(path(&root)).unwrap();
        std::fs::create_dir(path(&root)).unwrap();
        assert!(look(&root).is_none(), "a directory");
        std::fs::remove_dir(path(&root)).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(path(&root)).status().unwrap().success());
        assert!(look(&root).is_none(), "a pipe");
        let (dir, root) = project();
        std::fs::remove_dir(root.join(DIRECTORY)).unwrap();
        let other = dir.path().join("other");
        std::fs::create_dir(&other).unwrap();
        std::fs::write(other.join(FILE), "mine").unwrap();
        symlink(&other, root.join(DIRECTORY)).unwrap();
        assert!(look(&root).is_none(), "in a directory that is a link");
    }

    #[test]
    fn a_copy_has_the_same_bytes_and_its_fingerprint_tells_contents_apart() {
        let (dir, root) = project();
        std::fs::write(path(&root), "content").unwrap();
        std::fs::write(root.join(DIRECTORY).join(format!("{FILE}-wal")), "log").unwrap();
        let [one, two] = ["one", "two"].map(|name| {
            std::fs::create_dir(dir.path().join(name)).unwrap();
            dir.path().join(name)
        });
        let before = copy_into(&root, &one, true).unwrap();
        assert_eq!(before, fingerprint(&root).unwrap());
        assert_eq!(std::fs::read(one.join(FILE)).unwrap(), b"content");
        assert_eq!(std::fs::read(one.join(format!("{FILE}-wal"))).unwrap(), b"log");
        std::fs::write(path(&root), "CONTENT").unwrap();
        assert_ne!(copy_into(&root, &two, false).unwrap(), before);
        assert!(!two.join(format!("{FILE}-wal")).exists());
    }
}
