//! A database that stands in a project: what a version that kept it there has left, or what came with a repository. It
//! is never opened where it is: SQLite would roll back a journal that lies beside it, and delete the file that the
//! journal names. Its bytes are copied into the home, and the copy is looked at (`examine`).

use std::hash::Hasher;
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use super::fault::Fault;
use opentoolbar_leaves::files::Opened;
use opentoolbar_leaves::names::{DATABASE, DATABASE_LOG, DIRECTORY};
use opentoolbar_project::{EarlierFiles, Tracked};

/// Largest database that is taken over, in bytes.
const MOST: u64 = 4 * 1024 * 1024 * 1024;
/// Largest one that is read of a stranger's, in bytes: a file of holes costs its sender nothing.
const MOST_OF_STRANGER: u64 = 64 * 1024 * 1024;
const PIECE: usize = 64 * 1024;

/// A database in a project.
#[derive(Debug)]
pub(super) struct Found {
    pub files: EarlierFiles,
    /// Why it may be a stranger's; `None` when nothing says so.
    pub(super) doubt: Option<&'static str>,
}

/// Where it stands, for people.
pub(super) fn path(root: &Path) -> PathBuf {
    root.join(DIRECTORY).join(DATABASE)
}

/// What stands there; `None` when there is no database, or none that is a plain file in a plain directory. `tracked`
/// tells whether the repository tracks it, or nothing when git is not asked.
///
/// # Errors
/// When that cannot be found out.
pub(super) fn look(
    root: &Path,
    tracked: impl FnOnce() -> io::Result<Option<Tracked>>,
) -> io::Result<Option<Found>> {
    let Some(files) = EarlierFiles::open(root)? else { return Ok(None) };
    let EarlierFiles { ours, database, log, .. } = &files;
    let doubt = if !database.is_mine || !ours.is_mine() {
        Some("it belongs to another user of this machine")
    } else if ours.has(&format!("{DATABASE}-journal")) {
        Some("an unfinished journal lies beside it")
    } else if ours.has(DATABASE_LOG) && log.as_ref().is_none_or(|log| !log.is_mine) {
        Some("what lies beside it is no log of yours")
    } else if database.bytes > MOST || log.as_ref().is_some_and(|log| log.bytes > MOST) {
        Some("it is larger than any that opentoolbar takes over")
    } else {
        // After the files were opened: what a checkout that is under way has brought by then is doubted.
        match tracked()? {
            Some(Tracked::No) => None,
            Some(Tracked::Yes) => Some("it came with the repository"),
            Some(Tracked::NotKnown) => Some("whether it came with the repository cannot be told"),
            None => {
                Some("git, or what examines it, does not say in time whether it came with the repository")
            }
        }
    };
    Ok(Some(Found { files, doubt }))
}

impl Found {
    /// Of the database itself.
    pub(super) fn bytes(&self) -> u64 {
        self.files.database.bytes
    }

    /// Whether it is more than is read of a stranger's.
    pub(super) fn is_too_large_to_read(&self) -> bool {
        self.bytes() > MOST_OF_STRANGER
    }

    /// What tells its content from every other one; of one that is too large to read, its size. No secret, and no
    /// proof.
    pub(super) fn fingerprint(&self) -> Result<String, Fault> {
        if self.is_too_large_to_read() {
            return Ok(format!("large-{}", self.bytes()));
        }
        copy(&self.files.database, MOST_OF_STRANGER, None)
    }

    /// Copies the database and its write-ahead log into a directory of the home. Returns the fingerprint of the
    /// database, or that somebody changes it meanwhile.
    ///
    /// # Errors
    /// When a disk fails or is full, which says nothing of the file.
    pub(super) fn copy_with_log(&self, directory: &Path) -> Result<Result<String, &'static str>, Fault> {
        if let Some(log) = &self.files.log {
            copy_file(log, MOST, &directory.join(DATABASE_LOG))?;
        }
        let fingerprint = copy_file(&self.files.database, MOST, &directory.join(DATABASE))?;
        let log_is_unchanged = self.files.log.as_ref().map_or(Ok(true), Opened::is_unchanged)?;
        let is_unchanged = log_is_unchanged && self.files.database.is_unchanged()?;
        Ok(if is_unchanged { Ok(fingerprint) } else { Err(CHANGED) })
    }

    /// The same of a stranger's, without what lies beside it, of which [`MOST_OF_STRANGER`] bytes are read.
    pub(super) fn copy_as_strangers(&self, directory: &Path) -> Result<String, Fault> {
        let fingerprint = copy_file(&self.files.database, MOST_OF_STRANGER, &directory.join(DATABASE))?;
        match self.files.database.is_unchanged()? {
            true => Ok(fingerprint),
            false => Err(io::Error::other(CHANGED).into()),
        }
    }
}

const CHANGED: &str = "the database in the project was changed while it was copied";

fn copy_file(from: &Opened, most: u64, to: &Path) -> Result<String, Fault> {
    let mut new = std::fs::OpenOptions::new();
    new.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut new, 0o600);
    let mut file = new.open(to).map_err(Fault::Home)?;
    let fingerprint = copy(from, most, Some(&mut file))?;
    file.sync_all().map_err(Fault::Home)?;
    Ok(fingerprint)
}

/// What cannot be read is the project's, what cannot be written the home's.
fn copy(from: &Opened, most: u64, mut to: Option<&mut std::fs::File>) -> Result<String, Fault> {
    let mut from = &from.file;
    from.rewind()?;
    let mut from = from.take(most.saturating_add(1));
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
        bytes += count;
        if let Some(to) = &mut to {
            // What is nothing but zeros may be a hole, which must not take room here.
            if read.iter().all(|byte| *byte == 0) {
                to.set_len(bytes).map_err(Fault::Home)?;
                to.seek(io::SeekFrom::Start(bytes)).map_err(Fault::Home)?;
            } else {
                to.write_all(read).map_err(Fault::Home)?;
            }
        }
    }
    if bytes > most {
        return Err(io::Error::from(io::ErrorKind::FileTooLarge).into());
    }
    Ok(format!("{:016x}-{bytes}", hasher.finish()))
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn told(root: &Path) -> io::Result<Option<Found>> {
        look(root, || Ok(Some(Tracked::No)))
    }
    use std::os::unix::fs::symlink;

    fn project() -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap().join("shop");
        std::fs::create_dir_all(root.join(DIRECTORY)).unwrap();
        (dir, root)
    }

    fn found(root: &Path) -> Found {
        told(root).unwrap().unwrap()
    }

    #[test]
    fn a_plain_file_of_mine_is_found_without_a_doubt() {
        let (_dir, root) = project();
        assert!(told(&root).unwrap().is_none());
        std::fs::write(path(&root), "content").unwrap();
        let found = found(&root);
        assert_eq!((found.bytes(), found.files.log.is_some(), found.doubt), (7, false, None));
    }

    #[test]
    fn what_lies_beside_it_raises_a_doubt() {
        for (name, doubt) in [("-journal", "journal"), ("-wal", "no log")] {
            let (dir, root) = project();
            std::fs::write(path(&root), "content").unwrap();
            let beside = root.join(DIRECTORY).join(format!("{DATABASE}{name}"));
            symlink(dir.path().join("nowhere"), &beside).unwrap();
            let found = found(&root);
            assert!(found.doubt.unwrap().contains(doubt), "{name}: {:?}", found.doubt);
        }
        let (_dir, root) = project();
        std::fs::write(path(&root), "content").unwrap();
        std::fs::write(root.join(DIRECTORY).join(DATABASE_LOG), "log").unwrap();
        let found = found(&root);
        assert_eq!((found.files.log.is_some(), found.doubt), (true, None), "as a killed hub leaves it");
    }

    #[test]
    fn links_pipes_and_directories_are_no_database() {
        let is_none = |root: &Path| told(root).unwrap().is_none();
        let (dir, root) = project();
        let elsewhere = dir.path().join("elsewhere");
        std::fs::write(&elsewhere, "mine").unwrap();
        symlink(&elsewhere, path(&root)).unwrap();
        assert!(is_none(&root), "a link");
        std::fs::remove_file(path(&root)).unwrap();
        std::fs::create_dir(path(&root)).unwrap();
        assert!(is_none(&root), "a directory");
        std::fs::remove_dir(path(&root)).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(path(&root)).status().unwrap().success());
        assert!(is_none(&root), "a pipe");
        let (dir, root) = project();
        std::fs::remove_dir(root.join(DIRECTORY)).unwrap();
        assert!(is_none(&root), "nothing");
        let other = dir.path().join("other");
        std::fs::create_dir(&other).unwrap();
        std::fs::write(other.join(DATABASE), "mine").unwrap();
        symlink(&other, root.join(DIRECTORY)).unwrap();
        assert!(is_none(&root), "in a directory that is a link");
        std::fs::remove_dir_all(&root).unwrap();
        assert!(told(&root).is_err(), "a project that is not there");
    }

    #[test]
    fn a_copy_is_of_what_was_looked_at_and_its_fingerprint_tells_contents_apart() {
        let (dir, root) = project();
        std::fs::write(path(&root), "content").unwrap();
        std::fs::write(root.join(DIRECTORY).join(DATABASE_LOG), "log").unwrap();
        let [one, two, three] = ["one", "two", "three"].map(|name| {
            std::fs::create_dir(dir.path().join(name)).unwrap();
            dir.path().join(name)
        });
        let first = found(&root);
        // Git puts a new file in the place of the one that it replaces.
        std::fs::rename(path(&root), dir.path().join("aside")).unwrap();
        std::fs::write(path(&root), "CONTENT").unwrap();
        let second = found(&root);
        let _ = first.copy_with_log(&one);
        assert_eq!(std::fs::read(one.join(DATABASE)).unwrap(), b"content");
        assert_eq!(std::fs::read(one.join(DATABASE_LOG)).unwrap(), b"log");
        assert_eq!(second.copy_as_strangers(&two).unwrap(), second.fingerprint().unwrap());
        assert_ne!(first.fingerprint().unwrap(), second.fingerprint().unwrap());
        assert!(!two.join(DATABASE_LOG).exists());
        // What is written into while it is copied is nobody's.
        std::fs::write(path(&root), "content").unwrap();
        assert!(second.copy_as_strangers(&three).is_err());
    }

    #[test]
    fn of_a_strangers_file_of_holes_little_is_read_and_a_copy_of_ours_has_the_holes() {
        use std::os::unix::fs::MetadataExt;
        let (dir, root) = project();
        let sparse = std::fs::File::create(path(&root)).unwrap();
        sparse.set_len(3_900 * 1024 * 1024).unwrap();
        let large = found(&root);
        assert!(large.is_too_large_to_read());
        assert_eq!(large.fingerprint().unwrap(), format!("large-{}", 3_900_u64 * 1024 * 1024));
        let refused = large.copy_as_strangers(dir.path()).unwrap_err();
        assert!(matches!(refused, Fault::Io(e) if e.kind() == io::ErrorKind::FileTooLarge));
        std::fs::remove_file(dir.path().join(DATABASE)).unwrap();
        sparse.set_len(32 * 1024 * 1024).unwrap();
        let small = found(&root);
        assert_eq!(small.copy_with_log(dir.path()).unwrap().unwrap(), small.fingerprint().unwrap());
        let copy = std::fs::metadata(dir.path().join(DATABASE)).unwrap();
        assert!(copy.len() == 32 * 1024 * 1024 && copy.blocks() * 512 < 1024 * 1024, "{copy:?}");
    }
}
