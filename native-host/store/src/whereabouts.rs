//! In which project a comment is, of all that have data in the home: for changes that waited long, whose session
//! belongs to another project by now. Databases are read, and nothing else: an id that is nobody's opens, migrates and
//! makes nothing.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use opentoolbar_core::model::CommentId;
use opentoolbar_core::protocol::{ErrorBody, ErrorCode};

use super::database;
use super::stores::Stores;
use opentoolbar_leaves::error::error;
use opentoolbar_leaves::files::Identity;
use opentoolbar_project::{Presence, UnreadableRecord, is_absence, presences};

/// How long a disk may take to say which directory is around one that is gone.
const AROUND_WITHIN: Duration = Duration::from_secs(1);

impl Stores {
    /// Root of the first of these projects whose database in the home has the comment. Blocks, until then at most and a
    /// moment.
    ///
    /// # Errors
    /// `storage` when none that could be asked has it, and one could not be.
    pub fn first_with(
        &self,
        id: &CommentId,
        roots: &[PathBuf],
        until: Instant,
    ) -> Result<Option<PathBuf>, ErrorBody> {
        let open: BTreeSet<PathBuf> = self.open_ones().into_iter().collect();
        let mut fault = None;
        for root in roots {
            let has = |directory: &Path| {
                database::has_comment(directory, id.as_str(), open.contains(root)).map_err(|_| ())
            };
            let looked = match self.catalogue().find(root) {
                Ok(None) => Ok(false),
                Ok(Some(directory)) if Instant::now() < until => has(&directory),
                Ok(Some(_)) | Err(_) => Err(()),
            };
            match looked {
                Ok(true) => return Ok(Some(root.clone())),
                Ok(false) => {}
                Err(()) => drop(fault.get_or_insert_with(|| cannot_tell(id, &root.display().to_string()))),
            }
        }
        fault.map_or(Ok(None), Err)
    }

    /// Root of the project that has the comment, among those that were not asked before. Blocks, until then at most and
    /// a moment.
    ///
    /// # Errors
    /// `storage` when none that could be asked has it, and one could not be.
    pub fn project_with(
        &self,
        id: &CommentId,
        asked: &BTreeSet<PathBuf>,
        until: Instant,
    ) -> Result<Option<PathBuf>, ErrorBody> {
        let catalogue = self.catalogue();
        let cannot = |what: String| cannot_tell(id, &what);
        let home = || format!("a project of {}", catalogue.directory().display());
        let mut fault = None;
        let has = |directory: &Path| match Instant::now() < until {
            true => database::has_comment(directory, id.as_str(), false).map_err(|_| ()),
            false => Err(()),
        };
        for (directory, record) in catalogue.with_data().map_err(|_| cannot(home()))? {
            if asked.contains(&record.root) {
                continue;
            }
            match has(&directory) {
                Ok(true) => return Ok(Some(record.root)),
                Ok(false) => {}
                Err(()) => drop(fault.get_or_insert_with(|| cannot(record.root.display().to_string()))),
            }
        }
        for record in catalogue.unreadable().map_err(|_| cannot(home()))? {
            // Whose it is cannot be told, so that nothing can be changed in it yet.
            if has(&catalogue.directory().join(&record.id)) != Ok(false) {
                let of_it = || error(ErrorCode::Storage, record.to_string(), UnreadableRecord::NEXT_STEP);
                fault.get_or_insert_with(of_it);
            }
        }
        fault.map_or(Ok(None), Err)
    }

    /// Root of a project whose database may still be where an earlier version kept it and whose directory may be on a
    /// disk that is not mounted: what is in it cannot be told. Blocks.
    pub fn absent_before_takeover(&self) -> Option<PathBuf> {
        let roots = self.catalogue().awaiting_takeover();
        let found = presences(&roots);
        let gone = roots.into_iter().zip(found).filter(|(_, found)| *found == Presence::Gone);
        let gone: Vec<PathBuf> = gone.map(|(root, _)| root).collect();
        let around = self.around.ask_all(&gone, AROUND_WITHIN, directory_around);
        let mut gone = gone.into_iter().zip(around);
        gone.find(|(root, around)| self.catalogue().may_be_mounted_later(root, around.flatten()))
            .map(|(root, _)| root)
    }
}

/// The nearest directory around this path that is there; `None` when the system does not tell.
fn directory_around(path: &Path) -> Option<Identity> {
    // What cannot be looked at is there, and ends the search.
    let is_there = |around: &&Path| match std::fs::metadata(around) {
        Ok(about) => about.is_dir(),
        Err(error) => !is_absence(&error),
    };
    path.ancestors().skip(1).find(is_there).and_then(Identity::of)
}

fn cannot_tell(id: &CommentId, what: &str) -> ErrorBody {
    error(
        ErrorCode::Storage,
        format!("whether the comment {id} is in {what} cannot be told"),
        "See whether opentoolbar's home can be read; it is asked again.",
    )
}
