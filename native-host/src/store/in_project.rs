//! A database that stands in a project: what a version that kept it there has left, or what came with a repository. It is never
//! opened where it is: SQLite would roll back a journal that lies beside it, and delete the file that the journal names.
//! Its bytes are copied into the home, and the copy is looked at (`examine`).

use std::hash::Hasher;
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use opentoolbar_core::model::Timestamp;

use super::DIRECTORY;
use super::database::FILE;
use super::directory::{Directory, Opened};
use crate::project::{Tracked, tracks};

/// Largest database that is taken over or offered, in bytes.
const MOST: u64 = 4 * 1024 * 1024 * 1024;
const PIECE: usize = 64 * 1024;

/// A database in a project, open: what was looked at is what is copied.
#[derive(Debug)]
pub(super) struct Found {
    database: Opened,
    /// The write-ahead log beside it: of a hub that was killed, or a stranger's.
    log: Option<Opened>,
    /// Why it may be a stranger's; `None` when nothing says so.
    pub(super) doubt: Option<&'static str>,
}

/// Where it stands, for people.
pub(super) fn path(root: &Path) -> PathBuf {
    root.join(DIRECTORY).join(FILE)
}

/// What stands there; `None` when there is no database, or none that is a plain file in a plain directory.
///
/// # Errors
/// When that cannot be found out.
pub(super) fn look(root: &Path) -> io::Result<Option<Found>> {
    let root_directory = Directory::open(root)?;
    let ours = match root_directory.existing(DIRECTORY) {
        Ok(Some(ours)) => ours,
        // A link, a file: nothing of an earlier version.
        Ok(None) => return Ok(None),
        Err(_) if root_directory.has_no_directory(DIRECTORY) => return Ok(None),
        Err(e) => return Err(e),
    };
    let Some(database) = ours.open_file(FILE)?.filter(|database| database.bytes <= MOST) else {
        return Ok(None);
    };
    let log_name = format!("{FILE}-wal");
    let log = ours.open_file(&log_name)?;
    let doubt = if !database.is_mine || !ours.is_mine() {
        Some("it belongs to another user of this machine")
    } else if ours.has(&format!("{FILE}-journal")) {
        Some("an unfinished journal lies beside it")
    } else if ours.has(&log_name) && log.as_ref().is_none_or(|log| !log.is_mine) {
        Some("what lies beside it is no log of yours")
    } else {
        // After the files were opened: what a checkout that is under way has brought by then is doubted.
        match tracks(root, DIRECTORY) {
            Tracked::No => None,
            Tracked::Yes => Some("it came with the repository"),
            Tracked::NotKnown => Some("whether it came with the repository cannot be told"),
        }
    };
    Ok(Some(Found { database, log, doubt }))
}

impl Found {
    /// Of the database itself.
    pub(super) fn bytes(&self) -> u64 {
        self.database.bytes
    }

    /// Whether database and log have been here as they are since before that moment. Nobody can set the time that tells.
    pub(super) fn is_older_than(&self, moment: Timestamp) -> bool {
        let log_is = self.log.as_ref().is_none_or(|log| log.stamp.is_older_than(moment));
        log_is && self.database.stamp.is_older_than(moment)
    }

    /// What tells its content from every other one. No secret, and no proof.
    pub(super) fn fingerprint(&self) -> io::Result<String> {
        copy(&self.database, &mut io::sink())
    }

    /// Copies the database, and its write-ahead log when `with_log`, into a directory of the home. Returns the fingerprint of
    /// the database. Fails when there is more than [`MOST`] of it, or when somebody changes it meanwhile.
    pub(super) fn copy_into(&self, directory: &Path, with_log: bool) -> io::Result<String> {
        if let Some(log) = self.log.as_ref().filter(|_| with_log) {
            copy_file(log, &directory.join(format!("{FILE}-wal")))?;
        }
        let fingerprint = copy_file(&self.database, &directory.join(FILE))?;
        let log_is_unchanged = self.log.as_ref().is_none_or(Opened::is_unchanged);
        if log_is_unchanged && self.database.is_unchanged() {
            return Ok(fingerprint);
        }
        Err(io::Error::other("the database in the project was changed while it was copied"))
    }
}

fn copy_file(from: &Opened, to: &Path) -> io::Result<String> {
    let mut new = std::fs::OpenOptions::new();
    new.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut new, 0o600);
    let mut file = new.open(to)?;
    let fingerprint = copy(from, &mut file)?;
    file.sync_all()?;
    Ok(fingerprint)
}

fn copy(from: &Opened, to: &mut impl Write) -> io::Result<String> {
    let mut from = &from.file;
    from.rewind()?;
    let mut from = from.take(MOST + 1);
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

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::os::unix::fs::symlink;
    use std::time::{Duration, SystemTime, UNIX_EPOCH};

    fn project() -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap().join("shop");
        std::fs::create_dir_all(root.join(DIRECTORY)).unwrap();
        (dir, root)
    }

    fn found(root: &Path) -> Found {
        look(root).unwrap().unwrap()
    }

    #[test]
    fn a_plain_file_of_mine_is_found_without_a_doubt() {
        let (_dir, root) = project();
        assert!(look(&root).unwrap().is_none());
        std::fs::write(path(&root), "content").unwrap();
        let found = found(&root);
        assert_eq!((found.bytes(), found.log.is_some(), found.doubt), (7, false, None));
    }

    #[test]
    fn what_lies_beside_it_raises_a_doubt() {
        for (name, doubt) in [("-journal", "journal"), ("-wal", "no log")] {
            let (dir, root) = project();
            std::fs::write(path(&root), "content").unwrap();
            let beside = root.join(DIRECTORY).join(format!("{FILE}{name}"));
            symlink(dir.path().join("nowhere"), &beside).unwrap();
            let found = found(&root);
            assert!(found.doubt.unwrap().contains(doubt), "{name}: {:?}", found.doubt);
        }
        let (_dir, root) = project();
        std::fs::write(path(&root), "content").unwrap();
        std::fs::write(root.join(DIRECTORY).join(format!("{FILE}-wal")), "log").unwrap();
        let found = found(&root);
        assert_eq!((found.log.is_some(), found.doubt), (true, None), "as a killed hub leaves it");
    }

    #[test]
    fn links_pipes_and_directories_are_no_database() {
        let is_none = |root: &Path| look(root).unwrap().is_none();
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
        std::fs::write(other.join(FILE), "mine").unwrap();
        symlink(&other, root.join(DIRECTORY)).unwrap();
        assert!(is_none(&root), "in a directory that is a link");
        std::fs::remove_dir_all(&root).unwrap();
        assert!(look(&root).is_err(), "a project that is not there");
    }

    #[test]
    fn a_copy_is_of_what_was_looked_at_and_its_fingerprint_tells_contents_apart() {
        let (dir, root) = project();
        std::fs::write(path(&root), "content").unwrap();
        std::fs::write(root.join(DIRECTORY).join(format!("{FILE}-wal")), "log").unwrap();
        let [one, two, three] = ["one", "two", "three"].map(|name| {
            std::fs::create_dir(dir.path().join(name)).unwrap();
            dir.path().join(name)
        });
        let first = found(&root);
        // Git puts a new file in the place of the one that it replaces.
        std::fs::rename(path(&root), dir.path().join("aside")).unwrap();
        std::fs::write(path(&root), "CONTENT").unwrap();
        let second = found(&root);
        let _ = first.copy_into(&one, true);
        assert_eq!(std::fs::read(one.join(FILE)).unwrap(), b"content");
        assert_eq!(std::fs::read(one.join(format!("{FILE}-wal"))).unwrap(), b"log");
        assert_eq!(second.copy_into(&two, false).unwrap(), second.fingerprint().unwrap());
        assert_ne!(first.fingerprint().unwrap(), second.fingerprint().unwrap());
        assert!(!two.join(format!("{FILE}-wal")).exists());
        // What is written into while it is copied is nobody's.
        std::fs::write(path(&root), "content").unwrap();
        assert!(second.copy_into(&three, false).is_err());
    }

    #[test]
    fn what_came_later_is_not_older_whatever_time_it_says_it_has() {
        let (_dir, root) = project();
        let now = || {
            let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
            Timestamp(u64::try_from(since.as_millis()).unwrap())
        };
        // Longer than the ticks of the clock that file systems use.
        let pause = || std::thread::sleep(Duration::from_millis(50));
        std::fs::write(path(&root), "content").unwrap();
        pause();
        let moment = now();
        assert!(found(&root).is_older_than(moment));
        pause();
        let log = root.join(DIRECTORY).join(format!("{FILE}-wal"));
        std::fs::write(&log, "log").unwrap();
        let file = std::fs::File::options().write(true).open(&log).unwrap();
        file.set_modified(UNIX_EPOCH).unwrap();
        assert!(!found(&root).is_older_than(moment), "the log came later");
        std::fs::remove_file(&log).unwrap();
        assert!(found(&root).is_older_than(moment));
        std::fs::write(path(&root), "content").unwrap();
        let file = std::fs::File::options().write(true).open(path(&root)).unwrap();
        file.set_modified(UNIX_EPOCH).unwrap();
        assert!(!found(&root).is_older_than(moment), "the database was written later");
    }
}
