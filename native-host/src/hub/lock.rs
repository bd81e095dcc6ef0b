//! `hub.lock`: whoever holds it is the hub. The system releases it when the process dies, however it dies, so a lock,
//! socket or pid file that a killed hub left behind is never in the way. The home's directory is locked as well, where
//! the system can do that: a file in it is easily deleted, and the next hub would lock another one of that name.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use opentoolbar_core::protocol::{ErrorBody, ErrorCode};

use super::socket;
use crate::error::error;
use crate::home::Home;
use crate::why::why;

/// The system releases the locks of a process that ends one after another.
const RELEASED_WITHIN: Duration = Duration::from_millis(100);

/// Held for the hub's whole life.
#[derive(Debug)]
pub(super) struct HubLock {
    /// Another file once somebody has deleted the first.
    file: Mutex<Arc<File>>,
    /// The home, locked unless the file system refuses that.
    #[cfg(unix)]
    directory: File,
}

/// Who holds the lock that is at its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holder {
    Us,
    Another,
    /// The whole home is elsewhere, or gone.
    HomeIsGone,
    /// The disk does not say, or takes no new file.
    Unknown,
}

impl HubLock {
    /// `None` when another hub lives.
    pub(super) fn take(home: &Home) -> Result<Option<Self>, ErrorBody> {
        let path = home.lock();
        let failed = |e: io::Error| {
            error(
                ErrorCode::Storage,
                format!("cannot lock {}: {}", path.display(), why(&e)),
                "Make the directory writable for you, or set OPENTOOLBAR_HOME to another one.",
            )
        };
        // Always before the file, so that of two that begin at once one gets both.
        #[cfg(unix)]
        let Some(directory) = locked_directory(home.dir()).map_err(failed)? else { return Ok(None) };
        let began = Instant::now();
        let file = loop {
            match locked_file(&path).map_err(failed)? {
                Some(file) => break file,
                None if began.elapsed() < RELEASED_WITHIN => std::thread::sleep(RELEASED_WITHIN / 10),
                None => return Ok(None),
            }
        };
        // A hub that listens is one, should its lock have been deleted.
        if socket::is_listening(home) {
            return Ok(None);
        }
        Ok(Some(Self {
            file: Mutex::new(Arc::new(file)),
            #[cfg(unix)]
            directory,
        }))
    }

    /// Sees to it that the lock at its path is this one; when it was deleted and nobody else holds what is there, it is
    /// put back. Blocks.
    pub(super) fn keep(&self, home: &Home) -> Holder {
        #[cfg(unix)]
        match is_at(&self.directory, home.dir()) {
            Some(true) => {}
            Some(false) => return Holder::HomeIsGone,
            None => return Holder::Unknown,
        }
        let path = home.lock();
        match is_at(&self.file(), &path) {
            Some(true) => return Holder::Us,
            Some(false) => {}
            None => return Holder::Unknown,
        }
        match locked_file(&path) {
            Ok(Some(file)) if is_at(&file, &path) == Some(true) => {
                tracing::warn!("hub.lock was deleted or replaced; it is put back");
                *self.file.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(file);
                Holder::Us
            }
            Ok(None) => Holder::Another,
            Ok(Some(_)) | Err(_) => Holder::Unknown,
        }
    }

    /// Never held while a disk is asked.
    fn file(&self) -> Arc<File> {
        Arc::clone(&self.file.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Another hub may begin.
    pub(super) fn release(&self) {
        // The system releases them with the process in any case.
        let _ = self.file().unlock();
        #[cfg(unix)]
        let _ = self.directory.unlock();
    }

    /// Tells people and scripts who the hub is.
    pub(super) fn write_pid(&self, home: &Home) -> io::Result<()> {
        // Called so that it is swept when a kill leaves it.
        let mut file = tempfile::Builder::new().prefix(".writing-").tempfile_in(home.dir())?;
        writeln!(file, "{}", std::process::id())?;
        file.persist(home.pid())?;
        Ok(())
    }

    /// Removes socket and pid file, unless another hub lives where they are.
    pub(super) fn tidy(&self, home: &Home) {
        if is_at(&self.file(), &home.lock()) == Some(true) && is_pid_ours(home) {
            // Left-overs are harmless: the next hub replaces both.
            let _ = std::fs::remove_file(home.socket());
            let _ = std::fs::remove_file(home.pid());
        }
    }
}

/// Whether people and scripts are told that this process is the hub.
pub(super) fn is_pid_ours(home: &Home) -> bool {
    std::fs::read_to_string(home.pid()).is_ok_and(|pid| pid.trim() == std::process::id().to_string())
}

/// `None` when somebody else holds it.
fn locked_file(path: &Path) -> io::Result<Option<File>> {
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(path)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(e)) => Err(e),
    }
}

/// `None` when somebody else holds it. Not every file system locks directories.
#[cfg(unix)]
fn locked_directory(path: &Path) -> io::Result<Option<File>> {
    let directory = File::open(path)?;
    match directory.try_lock() {
        Err(TryLockError::WouldBlock) => Ok(None),
        Ok(()) | Err(TryLockError::Error(_)) => Ok(Some(directory)),
    }
}

/// Whether what is at the path is what was opened; `None` when the disk does not say.
fn is_at(file: &File, path: &Path) -> Option<bool> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let there = match std::fs::metadata(path) {
            Err(e) if crate::project::is_absence(&e) => return Some(false),
            there => there.ok()?,
        };
        let ours = file.metadata().ok()?;
        Some((there.dev(), there.ino()) == (ours.dev(), ours.ino()))
    }
    // A file that is open keeps its name there.
    #[cfg(not(unix))]
    {
        let _ = (file, path);
        Some(true)
    }
}
