//! What a job may do with the database and with what the home keeps of the project.

use std::path::{Path, PathBuf};
use std::time::Instant;

use opentoolbar_core::protocol::ErrorCode;

use super::{MOST_UNTOLD, MOST_UNTOLD_BYTES, SYNC_AFTER, Worker};
use crate::database::Database;
use crate::fault::Fault;
use crate::takeover::{self, Outcome};
use opentoolbar_leaves::clock::now;
use opentoolbar_leaves::error::error;
use opentoolbar_leaves::files;
use opentoolbar_leaves::why::why;
use opentoolbar_project::{Decision, is_absence};

impl Worker {
    /// The database for reading; `None` when the project has none yet, and none is made.
    pub(crate) fn reading(&mut self) -> Result<Option<&mut Database>, Fault> {
        self.keep_if_current()?;
        if self.database.is_none()
            && let Some(directory) = self.directory()?
        {
            self.places.data = directory;
            self.database = Database::open_existing(&self.places.data)?;
        }
        Ok(self.database.as_mut())
    }

    /// The database for writing; made when there is none.
    pub(crate) fn writing(&mut self) -> Result<&mut Database, Fault> {
        let bytes = self.untold.iter().map(|untold| untold.bytes).fold(0, usize::saturating_add);
        if self.untold.len() >= MOST_UNTOLD || bytes >= MOST_UNTOLD_BYTES {
            return Err(Fault::Refused(error(
                ErrorCode::Storage,
                "the disk refuses what was written before, and no more can wait for it",
                "Free some space, or see why the disk fails; then it is sent again.",
            )));
        }
        self.keep_if_current()?;
        if self.database.as_ref().is_some_and(Database::is_frozen) {
            self.database = None;
        }
        let database = match self.database.take() {
            Some(database) => database,
            None => {
                self.places.data = self.made()?;
                files::sweep(&self.places.data);
                Database::open(&self.places.data)?
            }
        };
        self.sync_at.get_or_insert_with(|| Instant::now() + SYNC_AFTER);
        self.is_written = true;
        Ok(self.database.insert(database))
    }

    /// A directory that was deleted, or deleted and made again, must not be written into through an old handle.
    fn keep_if_current(&mut self) -> Result<(), Fault> {
        if !self.allows_gone {
            if let Err(fault) = self.is_project_there() {
                self.database = None;
                return Err(fault);
            }
            self.is_project_used = true;
        }
        let is_mine =
            || self.catalogue.find(&self.places.root).is_ok_and(|at| at.as_ref() == Some(&self.places.data));
        if self.database.as_ref().is_some_and(|database| !database.is_in_place() || !is_mine()) {
            self.database = None;
        }
        Ok(())
    }

    fn is_project_there(&self) -> Result<(), Fault> {
        let root = &self.places.root;
        match std::fs::metadata(root) {
            Ok(about) if about.is_dir() => Ok(()),
            Err(e) if !is_absence(&e) => Err(Fault::Refused(error(
                ErrorCode::Storage,
                format!("the project directory {} cannot be looked at: {}", root.display(), why(&e)),
                "Look after its disk (is it mounted, and may you read it?), then try again; nothing sent meanwhile was stored.",
            ))),
            Ok(_) | Err(_) => Err(Fault::ProjectGone),
        }
    }

    /// Where the home keeps the project's data, when it does. What an earlier version kept in the project is taken over
    /// first.
    fn directory(&self) -> Result<Option<PathBuf>, Fault> {
        let root = &self.places.root;
        if self.catalogue.awaits_takeover(root).map_err(Fault::Home)? {
            return Ok(match takeover::take_over(root, &self.catalogue)? {
                Outcome::Decided(directory) => Some(directory),
                Outcome::Gone | Outcome::Undecided => None,
            });
        }
        self.catalogue.find(root).map_err(Fault::Home)
    }

    /// The same, made when there is none.
    fn made(&self) -> Result<PathBuf, Fault> {
        self.looked_at()?;
        let made = self.catalogue.make(&self.places.root, now()).map_err(Fault::Home)?;
        self.catalogue.was_looked_at(&self.places.root);
        Ok(made)
    }

    /// Before anything is made of the project in the home: from then on what an earlier version left in it is a
    /// stranger's.
    fn looked_at(&self) -> Result<(), Fault> {
        let root = &self.places.root;
        if self.catalogue.awaits_takeover(root).map_err(Fault::Home)?
            && let Outcome::Gone = takeover::take_over(root, &self.catalogue)?
        {
            return Err(Fault::ProjectGone);
        }
        Ok(())
    }

    /// Does a job also when the project's directory is gone: what is kept of it is not.
    pub(crate) fn even_if_gone<T>(&mut self, job: impl FnOnce(&mut Self) -> T) -> T {
        self.allows_gone = true;
        let done = job(self);
        self.allows_gone = false;
        done
    }

    pub(crate) fn decide(&mut self, offer: &str, decision: Decision) -> Result<(), Fault> {
        self.made()?;
        let root = &self.places.root;
        self.catalogue.decide(root, offer, decision).map_err(Fault::Home)
    }

    pub(crate) fn close_database(&mut self) -> Result<(), Fault> {
        self.make_durable()?;
        self.database = None;
        // What it has may be another project's in a moment.
        self.root.revoke();
        Ok(())
    }

    /// What is kept of the project at `from` is this one's from now on.
    pub(crate) fn receive(&mut self, from: &Path) -> Result<(), Fault> {
        self.looked_at()?;
        self.database = None;
        self.catalogue.hand_over(from, &self.places.root).map_err(|e| match e.kind() {
            std::io::ErrorKind::AlreadyExists => Fault::Refused(error(
                ErrorCode::Conflict,
                format!("something is kept of {} already", self.places.root.display()),
                "Export one of both with `opentoolbar projects export`, delete it, and import it into the other in the panel.",
            )),
            _ => Fault::Home(e),
        })?;
        self.changed(None);
        Ok(())
    }

    pub(crate) fn delete(&mut self) -> Result<(), Fault> {
        self.root.revoke();
        self.database = None;
        self.sync_at = None;
        self.catalogue.delete(&self.places.root).map_err(Fault::Home)
    }
}
