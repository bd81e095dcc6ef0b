//! What stood in a project at the moment in which opentoolbar was updated from a version that kept the database there.
//! Nothing but this very thing is taken over later: not what was moved onto it, however old that is, and whatever the
//! clock says.

mod same;

use std::collections::BTreeMap;
use std::io::Result;
use std::path::Path;
use std::time::Duration;

use opentoolbar_core::model::CommentId;
use serde::{Deserialize, Serialize};

use opentoolbar_leaves::files::{Directory, Identity, Opened, Stamp};
use opentoolbar_leaves::names::{DATABASE, DATABASE_LOG, DIRECTORY, PICTURES};

/// Pictures of comments that are noted of one project.
const MOST_PICTURES: usize = 2_000;
/// Longer than what counts as just changed.
const SETTLES_WITHIN: Duration = Duration::from_millis(150);

/// What stands in a project as a version that kept its database there would have left it, open: what was looked at is
/// what is copied.
#[derive(Debug)]
pub struct EarlierFiles {
    /// Of the project's directory.
    pub root: Option<Identity>,
    /// Ours in it.
    pub ours: Directory,
    /// The database as it stood there.
    pub database: Opened,
    /// The write-ahead log beside it: of a hub that was killed, or a stranger's.
    pub log: Option<Opened>,
}

impl EarlierFiles {
    /// `None` when there is no database, or none that is a plain file in a plain directory.
    ///
    /// # Errors
    /// When that cannot be found out.
    pub fn open(root: &Path) -> Result<Option<Self>> {
        let root = Directory::open(root)?;
        let ours = match root.existing(DIRECTORY) {
            Ok(Some(ours)) => ours,
            // A link, a file: nothing of an earlier version.
            Ok(None) => return Ok(None),
            Err(_) if root.has_no_directory(DIRECTORY) => return Ok(None),
            Err(e) => return Err(e),
        };
        let Some(database) = ours.open_file(DATABASE)? else { return Ok(None) };
        let log = ours.open_file(DATABASE_LOG)?;
        Ok(Some(Self { root: root.identity(), ours, database, log }))
    }
}

/// The comment whose picture has this name, as an earlier version gave it.
fn comment_of(name: &str) -> Option<CommentId> {
    name.strip_suffix(".png")?.parse().ok()
}

/// The files of an earlier version, told from all others and from themselves after a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Left {
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
    /// What stands there now; `None` when there is no database, when somebody is changing it, or when that cannot be
    /// told. Blocks.
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
        let files = EarlierFiles::open(root).ok()??;
        let pictures = files.ours.existing(PICTURES).ok().flatten();
        let is_of_comment = |name: &str| comment_of(name).is_some();
        let names = pictures.iter().flat_map(|pictures| pictures.names(is_of_comment));
        let stamp = |name: String| Some((comment_of(&name)?, pictures.as_ref()?.stamp(&name)?));
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

    /// Whether the project was on the disk that this directory is on, as far as disks keep their numbers.
    pub(super) fn was_on_the_disk_of(&self, directory: Identity) -> bool {
        self.root.is_some_and(|root| root.is_on_the_disk_of(directory))
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
