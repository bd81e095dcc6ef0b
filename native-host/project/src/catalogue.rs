//! Where the data of each project is: one directory a project in the home, `projects/<id>/`, with a `project.json` that
//! names the project's real path. Nothing in a project itself says where its data is.
//!
//! Only the one hub that lives writes here.

mod id;
mod left;
mod patience;
mod places;
mod record;
#[cfg(test)]
mod tests;
mod update;

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use opentoolbar_core::model::Timestamp;

use super::is_bare_mount_point;
pub use id::may_be_project_of;
use id::{id_of, numbered};
pub use left::{EarlierFiles, Left};
use opentoolbar_leaves::files::Identity;
use opentoolbar_leaves::names::DATABASE;
use patience::Patience;
use places::{Place, Places};
pub use record::{Decision, Record, UnreadableRecord};
use update::Update;

/// What stands in the home for a moment begins so.
const SCRATCH: &str = ".scratch-";
const LEFTOVER: &[u8] = SCRATCH.as_bytes();
/// Directories of other projects that may stand where this one's would be.
const MOST_COLLISIONS: u32 = 100;

/// The projects that have data, and those of which something was decided.
#[derive(Debug)]
pub struct Catalogue {
    directory: PathBuf,
    /// `None` until the home was looked at.
    known: Mutex<Option<Places>>,
    /// Projects that were known when their database was kept in the project itself.
    from_before: BTreeSet<PathBuf>,
    /// What stood in those of them when databases moved here.
    update: Mutex<Update>,
    /// Held while a change of that is written, which a disk may hold up; `update` is held for a moment only.
    noting: Mutex<()>,
    patience: Patience,
}

impl Catalogue {
    /// Of the home's `projects` directory. Nothing is read or made yet.
    pub fn at(directory: PathBuf) -> Self {
        Self {
            directory,
            known: Mutex::default(),
            from_before: BTreeSet::new(),
            update: Mutex::default(),
            noting: Mutex::default(),
            patience: Patience::default(),
        }
    }

    /// Removes what a kill in the middle of something has left. Only while nobody else uses the home.
    pub fn sweep(&self) {
        let left = std::fs::read_dir(&self.directory).into_iter().flatten().flatten();
        for entry in left.filter(|entry| entry.file_name().as_encoded_bytes().starts_with(LEFTOVER)) {
            if let Err(error) = std::fs::remove_dir_all(entry.path()) {
                tracing::warn!(%error, "what an earlier hub left in the home cannot be removed");
            }
        }
        for (directory, record) in places::records(&self.directory).unwrap_or_default() {
            let Ok(record) = record else { continue };
            // A kill came before that was noted.
            self.was_looked_at(&record.root);
            if record.is_cleared
                && let Err(error) = clear(&directory)
            {
                tracing::warn!(%error, "what is left of deleted data cannot be removed");
            }
        }
    }

    /// A directory for copies that are looked at, its owner's alone; it goes with the value.
    ///
    /// # Errors
    /// When the home cannot be written.
    pub fn scratch(&self) -> io::Result<tempfile::TempDir> {
        private_directory(&self.directory)?;
        tempfile::Builder::new().prefix(SCRATCH).tempdir_in(&self.directory)
    }

    /// With what is to say whether projects' databases are an earlier version's.
    pub fn patience(&self) -> &Patience {
        &self.patience
    }

    /// The directory that all of them are in.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Where the data of the project at `root` is; `None` when nothing is kept of it. `root`: with links resolved.
    ///
    /// # Errors
    /// When the home cannot be read; [`UnreadableRecord`] when the project's record cannot.
    pub fn find(&self, root: &Path) -> io::Result<Option<PathBuf>> {
        Ok(self.place(root)?.filter(|place| !place.is_cleared).map(|place| place.directory))
    }

    /// The same, also when nothing but what was decided is left.
    fn place(&self, root: &Path) -> io::Result<Option<Place>> {
        let known = self.known().as_ref().map(|known| known.of(root));
        match known {
            Some(Ok(place)) => Ok(place),
            Some(Err(_)) | None => self.read_again(root),
        }
    }

    /// Reads all records anew: somebody may have mended one that could not be read.
    fn read_again(&self, root: &Path) -> io::Result<Option<Place>> {
        // Read without the lock: a slow disk must not keep others from what is known.
        let read = Places::read(&self.directory)?;
        let mut known = self.known();
        let known = known.get_or_insert_default();
        known.learn(read);
        Ok(known.of(root)?)
    }

    /// The same as [`Self::find`], made when there is none, its owner's alone; notes that the project is used.
    ///
    /// # Errors
    /// As for [`Self::find`]; when the home cannot be written.
    pub fn make(&self, root: &Path, at: Timestamp) -> io::Result<PathBuf> {
        let place = self.place(root)?;
        private_directory(&self.directory)?;
        let directory = match &place {
            Some(place) => place.directory.clone(),
            None => self.free(root)?,
        };
        private_directory(&directory)?;
        let before = record::read(&directory)?;
        // What a kill left of deleted data. Only a record says that it was deleted.
        if before.as_ref().is_some_and(|before| before.is_cleared) {
            clear(&directory)?;
        }
        let fresh = Record::new(root, at);
        let record = match &before {
            Some(before) => {
                let is_mounted = !before.identity.is_some_and(|was| is_bare_mount_point(root, was));
                let identity = if is_mounted { fresh.identity } else { before.identity };
                let mut record = Record { first_used: before.first_used, identity, ..fresh };
                record.also_decided(before);
                record
            }
            None => fresh,
        };
        match (before.filter(|before| !before.is_cleared), record::write(&directory, &record)) {
            // Whoever writes the database is told by itself that the home cannot be written.
            (Some(_), Err(error)) => tracing::warn!(%error, "when the project was last used is not noted"),
            (None, written) => written?,
            (Some(_), Ok(())) => {}
        }
        self.remember(root, &directory, false);
        Ok(directory)
    }

    /// Makes a directory with a database in it a project's, of which nothing was known, in one step.
    ///
    /// # Errors
    /// When the home cannot be written. Nothing is changed then.
    pub fn install(&self, root: &Path, prepared: &Path, offer: &str, at: Timestamp) -> io::Result<PathBuf> {
        let mut record = Record::new(root, at);
        record.decide(offer, Decision::TakenOver);
        record::write(prepared, &record)?;
        let directory = self.free(root)?;
        // Without record and data it is what a kill left of the moment in which it was made.
        if directory.exists() {
            self.remove(&directory)?;
        }
        std::fs::rename(prepared, &directory)?;
        #[cfg(unix)]
        std::fs::File::open(&self.directory)?.sync_all()?;
        self.remember(root, &directory, false);
        Ok(directory)
    }

    /// Every project of which something is kept, with its record and where its data is. Those that cannot be read are
    /// left out.
    ///
    /// # Errors
    /// When the home cannot be read.
    pub fn with_data(&self) -> io::Result<Vec<(PathBuf, Record)>> {
        let read = places::records(&self.directory)?.into_iter().filter_map(|(directory, record)| {
            record.ok().filter(|record| !record.is_cleared).map(|record| (directory, record))
        });
        Ok(read.filter(|(directory, _)| directory.join(DATABASE).exists()).collect())
    }

    /// The records that cannot be read.
    ///
    /// # Errors
    /// When the home cannot be read.
    pub fn unreadable(&self) -> io::Result<Vec<UnreadableRecord>> {
        Ok(places::records(&self.directory)?.into_iter().filter_map(|(_, record)| record.err()).collect())
    }

    /// The record of one project, also when nothing but what was decided is left of it.
    ///
    /// # Errors
    /// As for [`Self::find`].
    pub fn record(&self, root: &Path) -> io::Result<Option<(PathBuf, Record)>> {
        let Some(Place { directory, .. }) = self.place(root)? else { return Ok(None) };
        Ok(record::read(&directory)?.map(|record| (directory, record)))
    }

    /// Remembers what became of an offer to a project. One change of a project at a time.
    ///
    /// # Errors
    /// When the home cannot be written; it is then not remembered.
    pub fn decide(&self, root: &Path, offer: &str, decision: Decision) -> io::Result<()> {
        let Some((directory, mut record)) = self.record(root)? else {
            return Err(io::Error::other("the project has no record"));
        };
        record.decide(offer, decision);
        record::write(&directory, &record)
    }

    /// Gives what is kept of one project to another, of which nothing is kept but decisions. Neither is in use
    /// meanwhile.
    ///
    /// # Errors
    /// `AlreadyExists` when something is kept of the other; `NotFound` when nothing is of the first; when the home
    /// cannot be written. Nothing is lost then.
    pub fn hand_over(&self, from: &Path, to: &Path) -> io::Result<()> {
        let found = self.record(from)?.filter(|(_, record)| !record.is_cleared);
        let (directory, record) = found.ok_or(io::ErrorKind::NotFound)?;
        let own = self.record(to)?;
        if own.as_ref().is_some_and(|(own, record)| {
            !record.is_cleared && !own.join(DATABASE).try_exists().is_ok_and(|there| !there)
        }) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        // First, so that no kill makes anybody forget what was decided where the project was.
        let left = if self.is_worth_remembering(&record) {
            let left = self.free(from)?;
            private_directory(&left)?;
            record::write(&left, &record.cleared())?;
            Some(left)
        } else {
            None
        };
        let mut moved = Record { root: to.to_owned(), identity: Identity::of_directory(to), ..record };
        if let Some((own, record)) = &own {
            // Of two records of one project that which is not cleared holds.
            record::write(own, &record.cleared())?;
            moved.also_decided(record);
        }
        record::write(&directory, &moved)?;
        if let Some((own, _)) = &own {
            self.remove(own)?;
        }
        // By its name a project is known whose record cannot be read.
        let renamed = self.free(to)?;
        let place = match std::fs::rename(&directory, &renamed) {
            Ok(()) => renamed,
            Err(error) => {
                tracing::warn!(%error, "what was moved keeps the name of its directory");
                directory
            }
        };
        match left {
            Some(left) => self.remember(from, &left, true),
            None => self.forget(from),
        }
        self.remember(to, &place, false);
        Ok(())
    }

    /// Deletes what is kept of a project, for good; what was decided outlives it. It is not in use meanwhile.
    ///
    /// # Errors
    /// As for [`Self::find`]; when the home cannot be written.
    pub fn delete(&self, root: &Path) -> io::Result<()> {
        let Some((directory, record)) = self.record(root)? else { return Ok(()) };
        if self.is_worth_remembering(&record) {
            // What is not removed now is nobody's from here on.
            record::write(&directory, &record.cleared())?;
            self.remember(root, &directory, true);
            return clear(&directory);
        }
        self.remove(&directory)?;
        self.forget(root);
        Ok(())
    }

    /// Whether something would come back that was decided about.
    fn is_worth_remembering(&self, record: &Record) -> bool {
        !record.decided.is_empty() || self.from_before.contains(&record.root)
    }

    /// Out of sight in one step; what a kill leaves of it is swept.
    fn remove(&self, directory: &Path) -> io::Result<()> {
        let aside = self.scratch()?;
        let gone = aside.path().join("deleted");
        match std::fs::rename(directory, &gone) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(e) => Err(e),
            Ok(()) => aside.close(),
        }
    }

    fn remember(&self, root: &Path, directory: &Path, is_cleared: bool) {
        let place = Place { directory: directory.to_owned(), is_cleared };
        self.known().get_or_insert_default().insert(root.to_owned(), place);
    }

    fn forget(&self, root: &Path) {
        self.known().get_or_insert_default().remove(root);
    }

    fn known(&self) -> std::sync::MutexGuard<'_, Option<Places>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A directory that has neither record nor data: by the project's id, or the id with a number when that is taken.
    fn free(&self, root: &Path) -> io::Result<PathBuf> {
        let id = id_of(root);
        for number in 1..=MOST_COLLISIONS {
            let directory = self.directory.join(numbered(&id, number));
            if !record::is_taken(&directory)? {
                return Ok(directory);
            }
        }
        Err(io::Error::other(format!("{MOST_COLLISIONS} directories named {id} are other projects'")))
    }
}

/// Removes everything from a project's directory but its record.
fn clear(directory: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(directory)? {
        let entry = entry?;
        if entry.file_name() == record::FILE {
            continue;
        }
        if entry.file_type()?.is_dir() {
            std::fs::remove_dir_all(entry.path())?;
        } else {
            std::fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Makes a directory that its owner alone may enter; one that is there and lets others in is closed to them.
pub fn private_directory(path: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    match builder.create(path) {
        Err(e) if e.kind() != io::ErrorKind::AlreadyExists => return Err(e),
        _ => {}
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        if std::fs::metadata(path)?.permissions().mode() & 0o077 != 0 {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o700))?;
        }
    }
    Ok(())
}
