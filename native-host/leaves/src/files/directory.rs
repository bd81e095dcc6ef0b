//! A directory that is held open, and the files in it. In a project anything may stand under a name of ours: a link to
//! a home file, a pipe that keeps whoever opens it, a device that never ends. So everything is done by the directory's
//! handle, nothing is opened through a link, and nothing but a regular file is opened at all.

#[cfg(unix)]
mod unix;
#[cfg(unix)]
use unix as system;
#[cfg(not(unix))]
mod plain;
#[cfg(not(unix))]
use plain as system;

use std::fs::File;
use std::io::{Error, ErrorKind, Read as _, Result, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::{Identity, Lease, Stamp};

/// How files are called while they are written.
const WRITING: &str = ".writing-";
/// How old such a file is when nobody can still be writing it.
const ABANDONED_AFTER: Duration = Duration::from_secs(60);
/// Names that are looked at in one directory; a stranger may have put any number there.
const MOST_ENTRIES: usize = 20_000;

/// A directory, open. Nobody can put another one in its place any more.
#[derive(Debug)]
pub struct Directory {
    handle: system::Handle,
    /// For sentences only; nothing is opened by it.
    path: PathBuf,
    /// Until when it is changed, with the directories in it.
    lease: Lease,
}

/// A regular file as it stands in a directory.
#[derive(Debug)]
pub struct Entry {
    /// In its directory.
    pub name: String,
    /// When it was written last.
    pub written: SystemTime,
    /// How large it is.
    pub bytes: u64,
}

/// A regular file that is open for reading. Whatever is put at its name later, this is what was looked at.
#[derive(Debug)]
pub struct Opened {
    /// To read from.
    pub file: File,
    /// What it was when it was opened.
    pub stamp: Stamp,
    /// How large it was then.
    pub bytes: u64,
    /// Whether it belongs to the user that runs this.
    pub is_mine: bool,
}

impl Opened {
    fn of(file: File) -> Result<Option<Self>> {
        let Some((stamp, is_mine)) = system::about(&file)? else { return Ok(None) };
        Ok(Some(Self { file, stamp, bytes: stamp.bytes, is_mine }))
    }

    /// Whether it is as it was when it was opened.
    ///
    /// # Errors
    /// The system refuses.
    pub fn is_unchanged(&self) -> Result<bool> {
        Ok(system::about(&self.file)?.is_some_and(|(stamp, _)| stamp == self.stamp))
    }
}

/// What stands at a name. A link is a link.
#[derive(Debug, PartialEq, Eq)]
enum Standing {
    File {
        stamp: Stamp,
        bytes: u64,
        written: SystemTime,
        names: u64,
    },
    Directory,
    Link,
    /// A pipe, a socket, a device.
    Other,
}

impl Directory {
    /// By its path, which may lead through links: the project's own, or the home.
    pub fn open(path: &Path) -> Result<Self> {
        Ok(Self { handle: system::open(path)?, path: path.to_owned(), lease: Lease::default() })
    }

    /// It is changed under this lease alone.
    #[must_use]
    pub fn under(self, lease: &Lease) -> Self {
        Self { lease: lease.clone(), ..self }
    }

    /// A directory in this one, made when nothing is there.
    ///
    /// # Errors
    /// Something else stands there, a link above all; or the system refuses.
    pub fn make(&self, name: &str) -> Result<Self> {
        match self.lease.check().and_then(|()| system::make_directory(&self.handle, name)) {
            Err(e) if e.kind() != ErrorKind::AlreadyExists => Err(e),
            _ => self.existing(name)?.ok_or_else(|| ErrorKind::NotFound.into()),
        }
    }

    /// A directory in this one; `None` when nothing is there.
    ///
    /// # Errors
    /// As for [`Directory::make`].
    pub fn existing(&self, name: &str) -> Result<Option<Self>> {
        let path = self.path.join(name);
        match system::open_directory(&self.handle, name) {
            Ok(handle) => Ok(Some(Self { handle, path, lease: self.lease.clone() })),
            Err(e) if e.kind() == ErrorKind::NotFound => Ok(None),
            Err(e) => match system::standing(&self.handle, name) {
                Ok(Some(Standing::Link)) => {
                    Err(Error::other(format!("{} is a link, which is not followed", path.display())))
                }
                Ok(Some(Standing::File { .. } | Standing::Other)) => Err(Error::new(
                    ErrorKind::NotADirectory,
                    format!("{} is not a directory", path.display()),
                )),
                _ => Err(e),
            },
        }
    }

    /// Puts a new file in the place of whatever stands at the name, in one step: whole or not at all. It is its owner's
    /// alone. What stood there is not opened; a directory stays. After a power cut the file may be missing or empty.
    ///
    /// # Errors
    /// A directory stands there; or the system refuses.
    pub fn put(&self, name: &str, content: &[u8]) -> Result<()> {
        self.write(name, content, |_| Ok(()))
    }

    /// The same, and returns once it is on disk.
    ///
    /// # Errors
    /// As for [`Directory::put`].
    pub fn put_durably(&self, name: &str, content: &[u8]) -> Result<()> {
        self.write(name, content, File::sync_all)?;
        // The name itself is durable only with its directory.
        system::sync(&self.handle)
    }

    fn write(&self, name: &str, content: &[u8], finish: impl FnOnce(&File) -> Result<()>) -> Result<()> {
        let temporary = temporary_name()?;
        self.lease.check()?;
        let mut file = system::create(&self.handle, &temporary)?;
        let written = self.lease.check().and_then(|()| file.write_all(content)).and_then(|()| finish(&file));
        drop(file);
        let placed = written.and_then(|()| self.rename(&temporary, name));
        placed.map_err(|e| {
            // Left behind, it is swept later.
            let _ = system::remove(&self.handle, &temporary);
            match self.standing(name) {
                Ok(Some(Standing::Directory)) if e.kind() != ErrorKind::StorageFull && !Lease::ended(&e) => {
                    Error::new(
                        ErrorKind::IsADirectory,
                        format!("{} is a directory, which is not replaced", self.path.join(name).display()),
                    )
                }
                _ => e,
            }
        })
    }

    /// Gives what stands at a name another one.
    ///
    /// # Errors
    /// The system refuses.
    pub fn rename(&self, from: &str, to: &str) -> Result<()> {
        self.lease.check()?;
        system::rename(&self.handle, from, to)
    }

    /// The content of a regular file of at most `most` bytes; `None` when there is none such at the name.
    ///
    /// # Errors
    /// The system refuses.
    pub fn read(&self, name: &str, most: u64) -> Result<Option<Vec<u8>>> {
        let Some(opened) = self.open_file(name)?.filter(|opened| opened.bytes <= most) else {
            return Ok(None);
        };
        let mut content = Vec::new();
        opened.file.take(most.saturating_add(1)).read_to_end(&mut content)?;
        Ok(Some(content).filter(|content| content.len() as u64 <= most))
    }

    /// The regular file at a name, open; `None` when there is none such.
    ///
    /// # Errors
    /// The system refuses.
    pub fn open_file(&self, name: &str) -> Result<Option<Opened>> {
        // Looked at before: opening a device can do something by itself. And after: it may be another one by then.
        if self.size(name)?.is_none() {
            return Ok(None);
        }
        system::open_file(&self.handle, name)?.map_or(Ok(None), Opened::of)
    }

    /// Whether it belongs to the user that runs this.
    pub fn is_mine(&self) -> bool {
        system::is_mine(&self.handle)
    }

    /// Whether what stands at a name is no directory.
    pub fn has_no_directory(&self, name: &str) -> bool {
        matches!(self.standing(name), Ok(standing) if standing != Some(Standing::Directory))
    }

    /// Whether a directory stands at a name.
    ///
    /// # Errors
    /// The system refuses.
    pub fn has_directory(&self, name: &str) -> Result<bool> {
        Ok(self.standing(name)? == Some(Standing::Directory))
    }

    /// Whether anything stands at a name; what cannot be looked at does.
    pub fn has(&self, name: &str) -> bool {
        !matches!(self.standing(name), Ok(None))
    }

    /// Bytes of the regular file at the name; `None` when there is none such.
    pub fn size(&self, name: &str) -> Result<Option<u64>> {
        Ok(match self.standing(name)? {
            Some(Standing::File { bytes, .. }) => Some(bytes),
            _ => None,
        })
    }

    /// Of the regular file at the name.
    pub fn stamp(&self, name: &str) -> Option<Stamp> {
        match self.standing(name) {
            Ok(Some(Standing::File { stamp, .. })) => Some(stamp),
            _ => None,
        }
    }

    /// Of the directory itself: it changes when a name in it comes or goes.
    pub fn own_stamp(&self) -> Option<Stamp> {
        system::own_stamp(&self.handle).ok()
    }

    /// Tells it from every other directory, under whatever name; `None` where the system does not tell.
    pub fn identity(&self) -> Option<Identity> {
        system::identity(&self.handle)
    }

    /// Whether what is open is no more: its server ended or forgot it, or its disk was unmounted.
    pub fn is_stale(&self) -> bool {
        system::is_stale(&self.handle)
    }

    /// Whether it has more names than are looked at.
    pub fn is_crowded(&self) -> bool {
        system::count(&self.handle, MOST_ENTRIES).is_ok_and(|count| count >= MOST_ENTRIES)
    }

    /// Whether something stands at a name that can be read, be it through a link, and is not this file.
    pub fn has_other_file(&self, name: &str, file: Option<Stamp>) -> bool {
        match self.standing(name) {
            Ok(Some(Standing::File { stamp, .. })) => file != Some(stamp),
            Ok(Some(Standing::Link | Standing::Other)) => true,
            Ok(None | Some(Standing::Directory)) | Err(_) => false,
        }
    }

    /// Whether a link stands at a name.
    pub fn has_link(&self, name: &str) -> bool {
        matches!(self.standing(name), Ok(Some(Standing::Link)))
    }

    /// Removes a link, and nothing else.
    pub fn remove_link(&self, name: &str) -> Result<()> {
        match self.standing(name)? {
            Some(Standing::Link) => self.remove(name),
            _ => Ok(()),
        }
    }

    fn standing(&self, name: &str) -> Result<Option<Standing>> {
        system::standing(&self.handle, name)
    }

    /// Removes what stands at a name; of a link the link. Nothing there is no error; a directory stays and is one.
    pub fn remove(&self, name: &str) -> Result<()> {
        match self.lease.check().and_then(|()| system::remove(&self.handle, name)) {
            Err(e) if e.kind() == ErrorKind::NotFound => Ok(()),
            removed => removed,
        }
    }

    /// The names of everything, as many as are looked at.
    ///
    /// # Errors
    /// The system refuses.
    pub fn all_names(&self) -> Result<Vec<String>> {
        system::names(&self.handle, MOST_ENTRIES)
    }

    /// Removes a directory with everything in it that is on the same disk, at most so many names. No link is followed.
    ///
    /// # Errors
    /// The system refuses; `steps` are used up.
    pub fn remove_tree(&self, name: &str, steps: &mut usize) -> Result<()> {
        self.lease.check()?;
        system::remove_tree(&self.handle, name, steps)
    }

    /// The names that are `wanted` of everything but directories.
    pub fn names(&self, wanted: impl Fn(&str) -> bool) -> Vec<String> {
        let mut names = system::names(&self.handle, MOST_ENTRIES).unwrap_or_default();
        names.retain(|name| wanted(name) && !matches!(self.standing(name), Ok(Some(Standing::Directory))));
        names
    }

    /// The regular files whose name is `wanted`. What cannot be looked at is left out.
    pub fn files(&self, wanted: impl Fn(&str) -> bool) -> Vec<Entry> {
        let names = system::names(&self.handle, MOST_ENTRIES).unwrap_or_default();
        let entry = |name: String| match self.standing(&name) {
            Ok(Some(Standing::File { bytes, written, .. })) => Some(Entry { name, written, bytes }),
            _ => None,
        };
        names.into_iter().filter(|name| wanted(name)).filter_map(entry).collect()
    }

    /// Removes what a kill in the middle of a write has left: files that are called like ours and that nobody writes
    /// any more.
    pub fn sweep(&self) {
        let now = SystemTime::now();
        for Entry { name, written, .. } in self.files(is_temporary) {
            // A clock that jumped back leaves files of the future.
            let age = now.duration_since(written).unwrap_or_else(|ahead| ahead.duration());
            // With a second name it is not one that we made.
            let is_ours = matches!(self.standing(&name), Ok(Some(Standing::File { names: 1, .. })));
            if is_ours && age >= ABANDONED_AFTER {
                let _ = self.remove(&name);
            }
        }
    }
}

fn temporary_name() -> Result<String> {
    Ok(format!("{WRITING}{}", random_digits()?))
}

/// Sixteen, that nobody else has.
///
/// # Errors
/// The system gives none.
pub fn random_digits() -> Result<String> {
    let mut random = [0_u8; 8];
    getrandom::fill(&mut random).map_err(|e| Error::other(format!("the system gives no randomness: {e}")))?;
    Ok(format!("{:016x}", u64::from_le_bytes(random)))
}

/// Ours, and those of earlier versions.
fn is_temporary(name: &str) -> bool {
    name.strip_prefix(WRITING)
        .is_some_and(|rest| (6..=16).contains(&rest.len()) && rest.bytes().all(|b| b.is_ascii_alphanumeric()))
}
