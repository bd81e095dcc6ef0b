//! `hub.lock`: whoever holds it is the hub. The system releases it when the process dies, however it dies, so a
//! lock, socket or pid file that a killed hub left behind is never in the way. A hub that listens is one too, should its lock have
//! been deleted.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::Write;

use opentoolbar_core::protocol::{ErrorBody, ErrorCode};

use super::error::error;
use super::{Home, socket};
use crate::why::why;

/// Held for the hub's whole life.
#[derive(Debug)]
pub(super) struct HubLock {
    file: File,
}

impl HubLock {
    /// `None` when another hub lives.
    pub(super) fn take(home: &Home) -> Result<Option<Self>, ErrorBody> {
        let path = home.lock();
        let failed = |e: &std::io::Error| {
            error(
                ErrorCode::Storage,
                format!("cannot lock {}: {}", path.display(), why(e)),
                "Make the directory writable for you, or set OPENTOOLBAR_HOME to another one.",
            )
        };
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .map_err(|e| failed(&e))?;
        match file.try_lock() {
            // Somebody deleted the file that the living hub has locked: this is another one of that name.
            Ok(()) if socket::is_listening(home) => Ok(None),
            Ok(()) => Ok(Some(Self { file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(e)) => Err(failed(&e)),
        }
    }

    /// Another hub may begin.
    pub(super) fn release(&self) {
        // The system releases it with the process in any case.
        let _ = self.file.unlock();
    }

    /// Tells people and scripts who the hub is.
    pub(super) fn write_pid(&self, home: &Home) -> std::io::Result<()> {
        // Called so that it is swept when a kill leaves it.
        let mut file = tempfile::Builder::new().prefix(".writing-").tempfile_in(home.dir())?;
        writeln!(file, "{}", std::process::id())?;
        file.persist(home.pid())?;
        Ok(())
    }

    /// Removes socket and pid file, unless the home was deleted meanwhile and another hub lives in its successor.
    pub(super) fn tidy(&self, home: &Home) {
        let ours =
            std::fs::read_to_string(home.pid()).is_ok_and(|pid| pid.trim() == std::process::id().to_string());
        if ours {
            // Left-overs are harmless: the next hub replaces both.
            let _ = std::fs::remove_file(home.socket());
            let _ = std::fs::remove_file(home.pid());
        }
    }
}
