//! The project's directory that copies are written into: the one that was there when it was first written to, and no
//! other that is put in its place later, be it through a link.

use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::complaints::Complaints;
use super::file_names::ALL;
use opentoolbar_leaves::files::{Directory, Identity, Lease};
use opentoolbar_project::{Catalogue, is_bare_mount_point, is_mount_point};

/// A project's directory, known by more than its path.
#[derive(Clone, Debug)]
pub(super) struct Root {
    path: PathBuf,
    /// Open: its inode number is nobody else's meanwhile, and remains the same where a file system gives another one to
    /// what it has forgotten. So two handles of now are compared, never a number of earlier.
    held: Arc<Mutex<Arc<Directory>>>,
    /// As it was when it was found, when its disk is mounted right there.
    mounted: Option<Identity>,
    lease: Lease,
}

impl Root {
    /// The directory that is at this path now. `was`: the project's when it was last seen.
    ///
    /// # Errors
    /// When there is none, the path leads through a link (projects are known by the path without), or its disk is not
    /// mounted.
    pub(crate) fn at(path: &Path, was: Option<Identity>) -> Result<Self> {
        let held = open_without_links(path, was)?;
        let mounted = held.identity().filter(|is| is_mount_point(path, *is));
        Ok(Self {
            path: path.to_owned(),
            held: Arc::new(Mutex::new(Arc::new(held))),
            mounted,
            lease: Lease::default(),
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// # Errors
    /// When it is not there, or another directory is in its place.
    pub(super) fn open(&self) -> Result<Directory> {
        let directory = Directory::open(&self.path)?;
        let held = self.held();
        if directory.identity() == held.identity() {
            return Ok(directory.under(&self.lease));
        }
        if !held.is_stale() {
            return Err(Error::other(
                "another directory was put in its place, and nothing is written there before an agent or a verb is started in it",
            ));
        }
        // Its disk was mounted anew. What counts is what counted when it was first found.
        let again = Arc::new(open_without_links(&self.path, self.mounted)?);
        *self.held.lock().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&again);
        let directory = Directory::open(&self.path)?;
        match directory.identity() == again.identity() {
            true => Ok(directory.under(&self.lease)),
            false => Err(ErrorKind::Interrupted.into()),
        }
    }

    /// The lock is never held while a disk is asked.
    fn held(&self) -> Arc<Directory> {
        Arc::clone(&self.held.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn open_without_links(path: &Path, was: Option<Identity>) -> Result<Directory> {
    let directory = Directory::open(path)?;
    if was.is_some_and(|was| is_bare_mount_point(path, was)) {
        return Err(Error::other(
            "it is empty, and the disk that the project was on is not mounted there; nothing is written until it is",
        ));
    }
    if path.canonicalize()? != path || Identity::of_directory(path) != directory.identity() {
        return Err(Error::other("a link leads from there to another directory"));
    }
    Ok(directory)
}

/// The project's directory once somebody needed it: the store's thread for a picture, or the one that writes the
/// copies. The one that is found first stays the only one until the store is closed, or an agent or a verb comes that
/// was started in another one at the same path.
#[derive(Clone, Debug)]
pub(super) struct SharedRoot {
    path: PathBuf,
    /// Knows which directory was the project's before.
    catalogue: Arc<Catalogue>,
    complaints: Complaints,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    root: Option<Root>,
    /// Counts how often it was forgotten: what was looked for before that is not kept.
    generation: u64,
    lease: Lease,
}

impl SharedRoot {
    pub(super) fn new(path: PathBuf, catalogue: Arc<Catalogue>, complaints: Complaints) -> Self {
        Self { path, catalogue, complaints, state: Arc::default() }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// What is begun now may write for so long.
    pub(super) fn lease(&self) -> Lease {
        self.state().lease.clone()
    }

    /// For what is done under this lease. Waits for the project's disk.
    pub(super) fn find(&self, lease: &Lease) -> Option<Root> {
        let (known, generation) = {
            let state = self.state();
            (state.root.clone(), state.generation)
        };
        let root = match known {
            Some(root) => root,
            None => {
                let record = self.catalogue.record(&self.path).ok().flatten();
                let found = match Root::at(&self.path, record.and_then(|(_, record)| record.identity)) {
                    // Whoever asked for something was told.
                    Err(e) if e.kind() == ErrorKind::NotFound => None,
                    found => self.complaints.note(&self.path, ALL, found),
                }?;
                let mut state = self.state();
                match state.generation == generation {
                    true => state.root.get_or_insert(found).clone(),
                    false => found,
                }
            }
        };
        Some(Root { lease: lease.clone(), ..root })
    }

    /// Somebody was started in the project's directory: the one that is there now is the project's.
    pub(super) fn forget(&self) {
        let mut state = self.state();
        state.root = None;
        state.generation += 1;
    }

    /// Nothing that was begun before writes any more: what is kept of the project was deleted, is another store's, or
    /// the store ends.
    pub(super) fn revoke(&self) {
        std::mem::take(&mut self.state().lease).revoke();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Every change leaves it whole.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    #[cfg(target_os = "linux")]
    use opentoolbar_fake_disk::{FakeDisk, wait_until};
    #[cfg(target_os = "linux")]
    use std::os::unix::fs::MetadataExt as _;
    use std::os::unix::fs::symlink;
    #[cfg(target_os = "linux")]
    use std::process::Command;

    #[test]
    fn what_is_put_in_the_place_of_a_projects_directory_is_not_opened() {
        let dir = tempfile::tempdir().unwrap();
        let work = dir.path().canonicalize().unwrap().join("work");
        let (shop, aside) = (work.join("shop"), dir.path().join("aside"));
        std::fs::create_dir_all(&shop).unwrap();
        let root = Root::at(&shop, None).unwrap();
        root.open().unwrap();
        std::fs::rename(&shop, &aside).unwrap();
        assert!(root.open().is_err() && Root::at(&shop, None).is_err(), "gone");
        std::fs::create_dir(&shop).unwrap();
        assert!(root.open().is_err(), "another directory");
        assert!(Root::at(&shop, None).is_ok());
        std::fs::remove_dir(&shop).unwrap();
        let elsewhere = dir.path().canonicalize().unwrap().join("elsewhere");
        std::fs::create_dir_all(elsewhere.join("shop")).unwrap();
        symlink(elsewhere.join("shop"), &shop).unwrap();
        assert!(root.open().is_err() && Root::at(&shop, None).is_err(), "a link");
        // The same directory, to which a link leads now.
        std::fs::remove_file(&shop).unwrap();
        symlink(&aside, &shop).unwrap();
        assert!(root.open().is_ok(), "it is the one that is known");
        std::fs::remove_file(&shop).unwrap();
        std::fs::remove_dir(&work).unwrap();
        symlink(&elsewhere, &work).unwrap();
        assert!(root.open().is_err() && Root::at(&shop, None).is_err(), "a link above it");
    }

    /// As sshfs, rclone and whatever else stands on libfuse, once the kernel has forgotten a directory.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_directory_whose_inode_number_changes_is_the_one_that_is_known_and_another_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let at = dir.path().canonicalize().unwrap();
        let Some(disk) = FakeDisk::mount(&at, &["shop", "other"]) else { return };
        let number = || std::fs::metadata(at.join("other")).unwrap().ino();
        let shop = at.join("shop");
        let root = Root::at(&shop, None).unwrap();
        for _ in 0..3 {
            let before = number();
            wait_until("what nobody has open gets another number", || {
                disk.drop_caches();
                number() != before
            });
            root.open().unwrap();
        }
        // What is put over it has another identity, whatever the numbers of its file system.
        let tmpfs = |option| Command::new("mount").args(["-t", "tmpfs", option, "tmpfs"]).arg(&shop).status();
        assert!(tmpfs("-v").unwrap().success());
        assert!(root.open().is_err(), "another directory");
        assert!(Command::new("umount").arg(&shop).status().unwrap().success());
        root.open().unwrap();
    }

    /// A share that was lost and is mounted anew; a disk that was pulled out and put back.
    #[cfg(target_os = "linux")]
    #[test]
    fn after_a_remount_the_directory_is_found_anew_and_no_link_is_taken_for_it() {
        let dir = tempfile::tempdir().unwrap();
        let at = dir.path().canonicalize().unwrap();
        let Some(mut disk) = FakeDisk::mount(&at, &["shop"]) else { return };
        let shop = at.join("shop");
        let root = Root::at(&shop, None).unwrap();
        disk.fail();
        assert!(root.open().is_err(), "its server ended");
        drop(disk);
        let disk = FakeDisk::mount(&at, &["shop"]).unwrap();
        root.open().unwrap();
        drop(disk);
        symlink(dir.path(), &shop).unwrap();
        assert!(root.open().is_err(), "a link");
        std::fs::remove_file(&shop).unwrap();

        let tmpfs = || {
            let mounted = Command::new("mount").args(["-t", "tmpfs", "tmpfs"]).arg(&at).status().unwrap();
            assert!(mounted.success());
            std::fs::create_dir(&shop).unwrap();
        };
        let unmount = || assert!(Command::new("umount").arg("-l").arg(&at).status().unwrap().success());
        tmpfs();
        let root = Root::at(&shop, None).unwrap();
        unmount();
        assert!(root.open().is_err(), "nothing is mounted");
        tmpfs();
        root.open().unwrap();
        std::fs::rename(&shop, at.join("aside")).unwrap();
        std::fs::create_dir(&shop).unwrap();
        assert!(root.open().is_err(), "another directory of the disk that is mounted now");
        unmount();
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_empty_directory_that_a_projects_disk_was_mounted_on_is_not_the_project() {
        let dir = tempfile::tempdir().unwrap();
        let (disk, shop) = (dir.path().join("disk"), dir.path().canonicalize().unwrap().join("shop"));
        for directory in [&disk, &shop] {
            std::fs::create_dir(directory).unwrap();
        }
        let done = |command: &mut Command| command.status().is_ok_and(|status| status.success());
        if !done(Command::new("mount").args(["-t", "tmpfs", "tmpfs"]).arg(&disk)) {
            eprintln!("skipped: this needs root");
            return;
        }
        let mount = || assert!(done(Command::new("mount").arg("--bind").args([&disk, &shop])));
        let unmount = |at: &Path| assert!(done(Command::new("umount").arg("-l").arg(at)));
        mount();
        let root = Root::at(&shop, None).unwrap();
        let was = Identity::of(&shop);
        unmount(&shop);
        assert!(root.open().is_err(), "its disk is not mounted");
        assert!(Root::at(&shop, was).is_err(), "nor for who comes later");
        assert!(Root::at(&shop, None).is_ok(), "who knows nothing else takes it for the project");
        mount();
        root.open().unwrap();
        Root::at(&shop, was).unwrap();
        unmount(&shop);
        std::fs::write(shop.join("package.json"), "{}").unwrap();
        root.open().unwrap();
        unmount(&disk);
    }
}
