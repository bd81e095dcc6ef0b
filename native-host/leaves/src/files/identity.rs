//! Which directory it is, whatever it is called.

use std::path::Path;

use serde::{Deserialize, Serialize};

/// Tells a directory from every other one on this machine, also after it was renamed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    device: u64,
    inode: u64,
}

impl Identity {
    /// Of the directory at this path itself; `None` when there is none, but maybe a link to one, or the system does not
    /// tell.
    pub fn of_directory(path: &Path) -> Option<Self> {
        let is_directory = std::fs::symlink_metadata(path).is_ok_and(|about| about.is_dir());
        Self::of(path).filter(|_| is_directory)
    }

    /// By the numbers that the system gives its disk and it.
    #[must_use]
    pub fn new(device: u64, inode: u64) -> Self {
        Self { device, inode }
    }

    /// Whether both are on one disk.
    pub fn is_on_the_disk_of(self, other: Self) -> bool {
        self.device == other.device
    }

    /// Of what is at this path, or where a link there leads; `None` when nothing is, or the system does not tell.
    pub fn of(path: &Path) -> Option<Self> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let metadata = std::fs::metadata(path).ok()?;
            Some(Self::new(metadata.dev(), metadata.ino()))
        }
        #[cfg(not(unix))]
        {
            let _ = path;
            None
        }
    }
}
