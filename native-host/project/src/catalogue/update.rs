//! What stood in known projects when this home was first used by a version that keeps databases in it: `updated-at`.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use opentoolbar_core::model::Timestamp;
use serde::{Deserialize, Serialize};

use super::left::Left;
use super::{Catalogue, private_directory};
use crate::Questions;
use opentoolbar_leaves::clock::now;
use opentoolbar_leaves::files::{Identity, write_whole};

/// Its name in the home's `projects`.
pub(super) const FILE: &str = "updated-at";
/// How long a project's disk may take to say what stands there.
const WITHIN: Duration = Duration::from_secs(1);
/// How long after the update a project that is not there may be on a disk that is mounted later, in milliseconds:
/// numbers of disks change, so that a directory that was deleted may look like one.
const AWAITED: u64 = 30 * 24 * 60 * 60 * 1_000;

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Update {
    /// What is taken over is decided by no clock; how long an absent project is waited for is.
    at: Timestamp,
    /// Of those with a database.
    pub(super) projects: BTreeMap<PathBuf, Left>,
    /// Those of which it is decided whether that is taken over.
    #[serde(default)]
    pub(super) looked_at: BTreeSet<PathBuf>,
}

impl Default for Update {
    fn default() -> Self {
        Self { at: Timestamp(0), projects: BTreeMap::new(), looked_at: BTreeSet::new() }
    }
}

impl Update {
    /// Noted now, when this is the update and it was not noted before. Blocks.
    fn noted(directory: &Path, from_before: &BTreeSet<PathBuf>, is_update: bool) -> Self {
        let noted = match std::fs::read_to_string(directory.join(FILE)) {
            Ok(text) => Self::read(&text),
            Err(e) if e.kind() == io::ErrorKind::NotFound && is_update => {
                let update = Self::of(from_before);
                private_directory(directory).and_then(|()| update.write(directory)).map(|()| update)
            }
            Err(e) => Err(e),
        };
        noted.unwrap_or_else(|error| {
            tracing::error!(%error, "what stood in projects at the update of opentoolbar is not known; nothing is taken over from them");
            Self::default()
        })
    }

    fn read(text: &str) -> io::Result<Self> {
        // A version before this one noted the moment alone, which does not tell what stood there.
        match text.trim().parse() {
            Ok(at) => Ok(Self { at: Timestamp(at), ..Self::default() }),
            Err(_) => Ok(serde_json::from_str(text)?),
        }
    }

    fn of(from_before: &BTreeSet<PathBuf>) -> Self {
        let roots: Vec<PathBuf> = from_before.iter().cloned().collect();
        let looked = Questions::default().ask_all(&roots, WITHIN, Left::now);
        let left = roots.into_iter().zip(looked).filter_map(|(root, left)| Some((root, left??)));
        Self { at: now(), projects: left.collect(), ..Self::default() }
    }

    pub(super) fn write(&self, directory: &Path) -> io::Result<()> {
        write_whole(&directory.join(FILE), &serde_json::to_vec(self)?)
    }
}

impl Catalogue {
    /// With the projects that were known when their database was kept in the project itself. When this hub is the first
    /// since, it notes what stands in them: anything else was left by no earlier version. What cannot be noted then
    /// does not count as left by one, and neither does anything when the note is gone later. Blocks, for about a second
    /// at most.
    #[must_use]
    pub fn with_projects_from_before(self, from_before: BTreeSet<PathBuf>, is_update: bool) -> Self {
        let update = if from_before.is_empty() {
            Update::default()
        } else {
            Update::noted(&self.directory, &from_before, is_update)
        };
        Self { from_before, update: Mutex::new(update), ..self }
    }

    /// Whether a database in the project may be what an earlier version left. It is looked at once.
    ///
    /// # Errors
    /// When the home, or the project's record, cannot be read.
    pub fn awaits_takeover(&self, root: &Path) -> io::Result<bool> {
        let is_open = {
            let update = self.update();
            update.projects.contains_key(root) && !update.looked_at.contains(root)
        };
        Ok(is_open && self.place(root)?.is_none())
    }

    /// The projects of which that can be said.
    pub fn awaiting_takeover(&self) -> Vec<PathBuf> {
        let noted: Vec<PathBuf> = self.update().projects.keys().cloned().collect();
        noted.into_iter().filter(|root| self.awaits_takeover(root).unwrap_or(false)).collect()
    }

    /// Whether such a project whose directory is gone may come back with a disk that is mounted later. `around`: the
    /// nearest directory that is there. When that is on the disk that the project was on, the project was deleted or
    /// moved away.
    pub fn may_be_mounted_later(&self, root: &Path, around: Option<Identity>) -> bool {
        let update = self.update();
        let is_its_disk =
            |around| update.projects.get(root).is_some_and(|left| left.was_on_the_disk_of(around));
        now().0.saturating_sub(update.at.0) < AWAITED && !around.is_some_and(is_its_disk)
    }

    /// Whether the project was known when databases were kept in projects.
    pub fn is_from_before(&self, root: &Path) -> bool {
        self.from_before.contains(root)
    }

    /// What an earlier version has left in the project, whether or not it was looked at since.
    pub fn left_in(&self, root: &Path) -> Option<Left> {
        self.update().projects.get(root).cloned()
    }

    /// What was left there is taken over or not, for good: also when somebody removes the project's record.
    pub fn was_looked_at(&self, root: &Path) {
        let _one_at_a_time = self.noting.lock().unwrap_or_else(PoisonError::into_inner);
        let update = {
            let mut update = self.update();
            if !update.projects.contains_key(root) || !update.looked_at.insert(root.to_owned()) {
                return;
            }
            update.clone()
        };
        if let Err(error) = update.write(&self.directory) {
            // The record says the same.
            tracing::warn!(%error, "that a project was looked at is not noted");
        }
    }

    fn update(&self) -> MutexGuard<'_, Update> {
        self.update.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
