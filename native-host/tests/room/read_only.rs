//! Directories that cannot be written, for root too.
#![cfg(unix)]

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Makes a directory with what is in it read-only, for this process's children too; undone when dropped.
pub struct ReadOnly(PathBuf);

impl ReadOnly {
    /// Modes do not bind root, a read-only mount does. Others have no mounts, and modes bind them.
    pub fn new(directory: &Path) -> Self {
        if rustix::process::geteuid().is_root() {
            mount(&["--bind".as_ref(), directory.as_os_str(), directory.as_os_str()]);
            mount(&["-o".as_ref(), "remount,ro,bind".as_ref(), directory.as_os_str()]);
        } else {
            Self::modes(directory, 0o500, 0o400);
        }
        Self(directory.to_owned())
    }

    fn modes(directory: &Path, directories: u32, files: u32) {
        let set = |path: &Path, mode| {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
        };
        for entry in std::fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            set(&path, if path.is_dir() { directories } else { files });
        }
        set(directory, directories);
    }
}

impl Drop for ReadOnly {
    fn drop(&mut self) {
        if rustix::process::geteuid().is_root() {
            umount(&self.0);
        } else {
            Self::modes(&self.0, 0o700, 0o600);
        }
    }
}

pub fn mount(args: &[&std::ffi::OsStr]) {
    let done = Command::new("mount").args(args).output().unwrap();
    assert!(done.status.success(), "these tests run as root need to mount: {done:?}");
}

pub fn umount(path: &Path) {
    // Lazily: the hub may have a file open.
    let _ = Command::new("umount").arg("-l").arg(path).status();
}
