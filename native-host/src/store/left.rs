//! What stood in a project at the moment in which opentoolbar was updated from a version that kept the database there. Nothing but
//! this very thing is taken over later: not what was moved onto it, however old that is, and whatever the clock says.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use opentoolbar_core::model::CommentId;
use serde::{Deserialize, Serialize};

use super::directory::{Directory, Stamp};
use super::in_project::Files;
use super::screenshot;
use crate::project::Identity;

/// Pictures of comments that are noted of one project.
const MOST_PICTURES: usize = 2_000;
/// Longer than what counts as just changed.
const SETTLES_WITHIN: Duration = Duration::from_millis(150);

/// The files of an earlier version, told from all others and from themselves after a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Left {
    /// The project's directory, and ours in it.
    root: Option<Identity>,
    ours: Option<Identity>,
    database: Stamp,
    log: Option<Stamp>,
    /// The directory of the pictures, and those of comments in it.
    pictures_in: Option<Identity>,
    pictures: BTreeMap<CommentId, Stamp>,
}

impl Left {
    /// What stands there now; `None` when there is no database, when somebody is changing it, or when that cannot be told. Blocks.
    pub(crate) fn now(root: &Path) -> Option<Self> {
        let mut left = Self::look(root)?;
        if !left.is_settled() || left.pictures.values().any(|picture| picture.is_fresh()) {
            std::thread::sleep(SETTLES_WITHIN);
            left = Self::look(root)?;
            left.pictures.retain(|_, picture| !picture.is_fresh());
        }
        Some(left).filter(Self::is_settled)
    }

    fn look(root: &Path) -> Option<Self> {
        let files = Files::open(root).ok()??;
        let pictures = files.ours.existing(screenshot::FOLDER).ok().flatten();
        let is_of_comment = |name: &str| screenshot::comment_of(name).is_some();
        let names = pictures.iter().flat_map(|pictures| pictures.names(is_of_comment));
        let stamp = |name: String| Some((screenshot::comment_of(&name)?, pictures.as_ref()?.stamp(&name)?));
        Some(Self {
            root: files.root,
            ours: files.ours.identity(),
            database: files.database.stamp,
            log: files.log.as_ref().map(|log| log.stamp),
            pictures_in: pictures.as_ref().and_then(Directory::identity),
            pictures: names.filter_map(stamp).take(MOST_PICTURES).collect(),
        })
    }

    /// Whether a later change would show.
    fn is_settled(&self) -> bool {
        !self.database.is_fresh() && self.log.is_none_or(|log| !log.is_fresh())
    }

    /// Whether these are the same files in the same directories, unchanged.
    pub(super) fn is(&self, files: &Files) -> bool {
        self.root == files.root
            && self.ours == files.ours.identity()
            && self.database == files.database.stamp
            && self.log == files.log.as_ref().map(|log| log.stamp)
    }

    /// Of the project's directory.
    pub(super) fn root(&self) -> Option<Identity> {
        self.root
    }

    /// Whether the project was on the disk that this directory is on, as far as disks keep their numbers.
    pub(crate) fn was_on_the_disk_of(&self, directory: Identity) -> bool {
        self.root.is_some_and(|root| root.is_on_the_disk_of(directory))
    }

    /// Whether this is the directory of the pictures.
    pub(super) fn has_pictures_in(&self, directory: &Directory) -> bool {
        self.pictures_in == directory.identity()
    }

    /// Of a comment's picture, as it was.
    pub(super) fn picture(&self, id: &CommentId) -> Option<Stamp> {
        self.pictures.get(id).copied()
    }
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::path::PathBuf;

    fn project(at: &Path, name: &str) -> PathBuf {
        let root = at.join(name);
        std::fs::create_dir_all(root.join(".opentoolbar/screenshots")).unwrap();
        std::fs::write(root.join(".opentoolbar/opentoolbar.db"), "content").unwrap();
        std::fs::write(root.join(".opentoolbar/screenshots/c_1.png"), "picture").unwrap();
        root
    }

    fn is(left: &Left, root: &Path) -> bool {
        left.is(&Files::open(root).unwrap().unwrap())
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

    #[test]
    fn what_says_it_was_changed_in_the_future_is_not_noted() {
        let dir = tempfile::tempdir().unwrap();
        let shop = project(dir.path(), "shop");
        let mut left = Left::now(&shop).unwrap();
        assert!(left.is_settled());
        left.database = Stamp::changed_at(left.database, i64::MAX / 2_000);
        assert!(!left.is_settled());
        assert_eq!(Left::now(&dir.path().join("gone")), None);
        std::fs::remove_file(shop.join(".opentoolbar/opentoolbar.db")).unwrap();
        assert_eq!(Left::now(&shop), None);
    }
}
