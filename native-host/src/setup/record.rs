//! What setup wrote, so that uninstall can undo exactly that: profiles named by hand, directories that were not there.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Kept as `setup.json` in the home of the hub; gone when nothing is registered any more.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Manifests.
    #[serde(default)]
    pub(super) files: BTreeSet<PathBuf>,
    /// Directories that setup made.
    #[serde(default)]
    pub(super) directories: BTreeSet<PathBuf>,
}

impl Record {
    fn path(home: &Path) -> PathBuf {
        home.join("setup.json")
    }

    /// An unreadable record is an empty one: the known places are looked at anyway.
    pub fn load(home: &Path) -> Self {
        std::fs::read(Self::path(home))
            .ok()
            .and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .unwrap_or_default()
    }

    /// Writes it whole, or removes it when it is empty.
    ///
    /// # Errors
    /// When the home cannot be written.
    pub fn save(&self, home: &Path) -> io::Result<()> {
        if self.files.is_empty() && self.directories.is_empty() {
            return match std::fs::remove_file(Self::path(home)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                _ => Ok(()),
            };
        }
        std::fs::create_dir_all(home)?;
        super::register::write_whole(&Self::path(home), &serde_json::to_vec_pretty(self)?)
    }
}
