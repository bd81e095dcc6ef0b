//! By handles: what a name leads to is decided in the moment in which it is used, and never through a link.

use std::ffi::CStr;
use std::fs::File;
use std::io::{Error, ErrorKind, Result};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use rustix::fs::{AtFlags, FileType, Mode, OFlags};
use rustix::io::Errno;

use super::Standing;
use crate::files::{Identity, Stamp};

pub(super) type Handle = OwnedFd;

pub(super) fn open(path: &Path) -> Result<Handle> {
    Ok(rustix::fs::open(path, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?)
}

pub(super) fn open_directory(parent: &Handle, name: &str) -> Result<Handle> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(rustix::fs::openat(parent, name, flags, Mode::empty())?)
}

pub(super) fn make_directory(parent: &Handle, name: &str) -> Result<()> {
    Ok(rustix::fs::mkdirat(parent, name, Mode::from_raw_mode(0o777))?)
}

/// A file that nobody else has, for writing.
pub(super) fn create(directory: &Handle, name: &str) -> Result<File> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(rustix::fs::openat(directory, name, flags, Mode::RUSR | Mode::WUSR)?.into())
}

pub(super) fn rename(directory: &Handle, from: &str, to: &str) -> Result<()> {
    Ok(rustix::fs::renameat(directory, from, directory, to)?)
}

pub(super) fn remove(directory: &Handle, name: &str) -> Result<()> {
    Ok(rustix::fs::unlinkat(directory, name, AtFlags::empty())?)
}

/// How deep a directory is that is removed with everything in it, at most.
const MOST_DEPTH: usize = 64;

/// Removes a directory with everything in it that is on the same disk, one name a step. A link is removed, and not
/// followed.
pub(super) fn remove_tree(parent: &Handle, name: &str, steps: &mut usize) -> Result<()> {
    let name = std::ffi::CString::new(name)?;
    remove_below(parent, &name, steps, MOST_DEPTH)
}

fn remove_below(parent: &Handle, name: &CStr, steps: &mut usize, depth: usize) -> Result<()> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let directory = rustix::fs::openat(parent, name, flags, Mode::empty())?;
    if rustix::fs::fstat(&directory)?.st_dev != rustix::fs::fstat(parent)?.st_dev {
        return Err(ErrorKind::CrossesDevices.into());
    }
    for entry in rustix::fs::Dir::read_from(&directory)? {
        let entry = entry?;
        let name = entry.file_name();
        if name == c"." || name == c".." {
            continue;
        }
        *steps = steps.checked_sub(1).ok_or_else(|| Error::other("there is more than is removed at once"))?;
        match rustix::fs::unlinkat(&directory, name, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => {}
            // The second: what POSIX says of a directory.
            Err(Errno::ISDIR | Errno::PERM) => {
                let depth =
                    depth.checked_sub(1).ok_or_else(|| Error::other("it is too deep to be removed"))?;
                remove_below(&directory, name, steps, depth)?;
            }
            Err(e) => return Err(e.into()),
        }
    }
    Ok(rustix::fs::unlinkat(parent, name, AtFlags::REMOVEDIR)?)
}

pub(super) fn sync(directory: &Handle) -> Result<()> {
    Ok(rustix::fs::fsync(directory)?)
}

/// For reading, without waiting for whoever is to write into a pipe; `None` when nothing that can be opened stands
/// there.
pub(super) fn open_file(directory: &Handle, name: &str) -> Result<Option<File>> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    match rustix::fs::openat(directory, name, flags, Mode::empty()) {
        Ok(file) => Ok(Some(file.into())),
        // A link, nothing, a socket.
        Err(Errno::LOOP | Errno::MLINK | Errno::NOENT | Errno::NXIO) => Ok(None),
        Err(e) => Err(e.into()),
    }
}

pub(super) fn standing(directory: &Handle, name: &str) -> Result<Option<Standing>> {
    let about = match rustix::fs::statat(directory, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(about) => about,
        Err(e) if std::io::Error::from(e).kind() == ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(e.into()),
    };
    Ok(Some(match FileType::from_raw_mode(about.st_mode) {
        FileType::Directory => Standing::Directory,
        FileType::Symlink => Standing::Link,
        FileType::RegularFile => regular(&about),
        _ => Standing::Other,
    }))
}

/// Of an open file, and whether it belongs to the user that runs this; `None` when it is no regular file.
pub(super) fn about(file: &File) -> Result<Option<(Stamp, bool)>> {
    let about = rustix::fs::fstat(file)?;
    if FileType::from_raw_mode(about.st_mode) != FileType::RegularFile {
        return Ok(None);
    }
    Ok(Some((stamp(&about), about.st_uid == rustix::process::geteuid().as_raw())))
}

pub(super) fn own_stamp(directory: &Handle) -> Result<Stamp> {
    Ok(stamp(&rustix::fs::fstat(directory)?))
}

#[allow(clippy::unnecessary_cast, reason = "the types of these numbers differ between systems")]
pub(super) fn identity(directory: &Handle) -> Option<Identity> {
    let about = rustix::fs::fstat(directory).ok()?;
    Some(Identity::new(about.st_dev as u64, about.st_ino as u64))
}

/// Whether the system says nothing of it any more, or nobody finds what it is on.
pub(super) fn is_stale(directory: &Handle) -> bool {
    rustix::fs::fstat(directory).is_err() || is_unmounted(directory)
}

/// A disk that was unmounted while this was open goes on for those who have it open, and for nobody else.
#[cfg(target_os = "linux")]
fn is_unmounted(directory: &Handle) -> bool {
    use rustix::fs::{StatxFlags, statx};
    let Ok(about) = statx(directory, c"", AtFlags::EMPTY_PATH, StatxFlags::MNT_ID) else { return false };
    let number = about.stx_mnt_id.to_string();
    // Each line begins with the number of a mount.
    let is_there = |mounts: &str| mounts.lines().any(|line| line.split(' ').next() == Some(number.as_str()));
    let is_told = about.stx_mask & StatxFlags::MNT_ID.bits() != 0;
    is_told && std::fs::read_to_string("/proc/self/mountinfo").is_ok_and(|mounts| !is_there(&mounts))
}

#[cfg(not(target_os = "linux"))]
fn is_unmounted(_: &Handle) -> bool {
    false
}

/// How many entries there are, counted up to `most`.
pub(super) fn count(directory: &Handle, most: usize) -> Result<usize> {
    Ok(rustix::fs::Dir::read_from(directory)?.take(most).count())
}

pub(super) fn is_mine(directory: &Handle) -> bool {
    rustix::fs::fstat(directory).is_ok_and(|about| about.st_uid == rustix::process::geteuid().as_raw())
}

#[allow(clippy::unnecessary_cast, reason = "the types of these numbers differ between systems")]
fn stamp(about: &rustix::fs::Stat) -> Stamp {
    Stamp {
        device: about.st_dev as u64,
        number: about.st_ino as u64,
        bytes: u64::try_from(about.st_size).unwrap_or(0),
        changed: (about.st_ctime as i64, about.st_ctime_nsec as i64),
    }
}

#[allow(clippy::unnecessary_cast, reason = "the types of these numbers differ between systems")]
fn regular(about: &rustix::fs::Stat) -> Standing {
    let since = Duration::new(
        u64::try_from(about.st_mtime).unwrap_or(0),
        u32::try_from(about.st_mtime_nsec).unwrap_or(0),
    );
    let stamp = stamp(about);
    Standing::File {
        stamp,
        bytes: stamp.bytes,
        written: UNIX_EPOCH.checked_add(since).unwrap_or(UNIX_EPOCH),
        names: about.st_nlink as u64,
    }
}

/// The first so many names that are text; ours are.
pub(super) fn names(directory: &Handle, most: usize) -> Result<Vec<String>> {
    let entries = rustix::fs::Dir::read_from(directory)?;
    let names =
        entries.take(most).filter_map(|entry| entry.ok()?.file_name().to_str().ok().map(str::to_owned));
    Ok(names.filter(|name| name != "." && name != "..").collect())
}
