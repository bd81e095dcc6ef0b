//! Whether what stands in a project now is what an earlier version has left there: the same files in the same
//! directories, unchanged.

use opentoolbar_core::model::CommentId;

use super::{EarlierFiles, Left};
use opentoolbar_leaves::files::{Directory, Identity, Stamp};

impl Left {
    /// Whether these are the same files in the same directories, unchanged.
    pub fn is(&self, files: &EarlierFiles) -> bool {
        self.root == files.root
            && self.ours == files.ours.identity()
            && self.database == files.database.stamp
            && self.log == files.log.as_ref().map(|log| log.stamp)
    }

    /// Of the project's directory.
    pub fn root(&self) -> Option<Identity> {
        self.root
    }

    /// Whether this is the directory of the pictures.
    pub fn has_pictures_in(&self, directory: &Directory) -> bool {
        self.pictures_in == directory.identity()
    }

    /// Of a comment's picture, as it was.
    pub fn picture(&self, id: &CommentId) -> Option<Stamp> {
        self.pictures.get(id).copied()
    }
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::path::{Path, PathBuf};

    fn project(at: &Path, name: &str) -> PathBuf {
        let root = at.join(name);
        std::fs::create_dir_all(root.join(".opentoolbar/screenshots")).unwrap();
        std::fs::write(root.join(".opentoolbar/opentoolbar.db"), "content").unwrap();
        std::fs::write(root.join(".opentoolbar/screenshots/c_1.png"), "picture").unwrap();
        root
    }

    fn is(left: &Left, root: &Path) -> bool {
        left.is(&EarlierFiles::open(root).unwrap().unwrap())
    }

    #[test]
    fn only_the_same_files_in_the_same_directories_are_what_was_left() {
        let dir = tempfile::tempdir().unwrap();
        let foreign = project(dir.path(), "foreign");
        let shop = project(dir.path(), "shop");
        let aside = dir.path().join("aside");
        let left = Left::now(&shop).unwrap();
        assert!(is(&left, &shop));
        assert!(left.picture(&"c_1".parse().unwrap()).is_some());
        let log = shop.join(".opentoolbar/opentoolbar.db-wal");
        std::fs::write(&log, "log").unwrap();
        assert!(!is(&left, &shop), "a log came");
        std::fs::remove_file(log).unwrap();
        assert!(is(&left, &shop));
        // A whole tree, our directory, and the file alone: all as old as what was there, and none of them changed.
        for what in ["", ".opentoolbar", ".opentoolbar/opentoolbar.db"] {
            std::fs::rename(shop.join(what), &aside).unwrap();
            std::fs::rename(foreign.join(what), shop.join(what)).unwrap();
            assert!(!is(&left, &shop), "{what}");
            std::fs::rename(shop.join(what), foreign.join(what)).unwrap();
            std::fs::rename(&aside, shop.join(what)).unwrap();
        }
    }
}
