//! Where a kind of fault has its files.

use std::path::{Path, PathBuf};

/// Where a kind of fault has its files; they go when this goes.
pub(super) struct Folder(PathBuf);

impl Folder {
    /// Of this process. Short, because a socket's path is.
    pub(super) fn of(kind: &str) -> Self {
        Self(std::env::temp_dir().join(format!("otb-f-{}-{}", std::process::id(), &kind[..1])))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl std::ops::Deref for Folder {
    type Target = Path;
    fn deref(&self) -> &Path {
        &self.0
    }
}
