//! The project's directory that copies are written into: the one that was there when it was first written to, and no other that
//! is put in its place later, be it through a link.

use std::io::{Error, Result};
use std::path::{Path, PathBuf};

use super::directory::Directory;
use crate::project::Identity;

/// A project's directory, known by more than its path.
#[derive(Clone, Debug)]
pub(super) struct Root {
    path: PathBuf,
    identity: Option<Identity>,
}

impl Root {
    /// The directory that is at this path now.
    ///
    /// # Errors
    /// When there is none, or the path leads through a link: projects are known by the path without.
    pub(super) fn at(path: &Path) -> Result<Self> {
        let identity = Directory::open(path)?.identity();
        if path.canonicalize()? != path || Identity::of_directory(path) != identity {
            return Err(Error::other("a link leads from there to another directory"));
        }
        Ok(Self { path: path.to_owned(), identity })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// # Errors
    /// When it is not there, or another directory is in its place.
    pub(super) fn open(&self) -> Result<Directory> {
        let directory = Directory::open(&self.path)?;
        if directory.identity() == self.identity {
            return Ok(directory);
        }
        Err(Error::other(
            "another directory was put in its place, and nothing is written there before an agent or a verb is started in it",
        ))
    }
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn what_is_put_in_the_place_of_a_projects_directory_is_not_opened() {
        let dir = tempfile::tempdir().unwrap();
        let work = dir.path().canonicalize().unwrap().join("work");
        let (shop, aside) = (work.join("shop"), dir.path().join("aside"));
        std::fs::create_dir_all(&shop).unwrap();
        let root = Root::at(&shop).unwrap();
        root.open().unwrap();
        std::fs::rename(&shop, &aside).unwrap();
        assert!(root.open().is_err() && Root::at(&shop).is_err(), "gone");
        std::fs::create_dir(&shop).unwrap();
        assert!(root.open().is_err(), "another directory");
        assert!(Root::at(&shop).is_ok());
        std::fs::remove_dir(&shop).unwrap();
        let elsewhere = dir.path().canonicalize().unwrap().join("elsewhere");
        std::fs::create_dir_all(elsewhere.join("shop")).unwrap();
        symlink(elsewhere.join("shop"), &shop).unwrap();
        assert!(root.open().is_err() && Root::at(&shop).is_err(), "a link");
        // The same directory, to which a link leads now.
        std::fs::remove_file(&shop).unwrap();
        symlink(&aside, &shop).unwrap();
        assert!(root.open().is_ok(), "it is the one that is known");
        std::fs::remove_file(&shop).unwrap();
        std::fs::remove_dir(&work).unwrap();
        symlink(&elsewhere, &work).unwrap();
        assert!(root.open().is_err() && Root::at(&shop).is_err(), "a link above it");
    }
}
