//! The content of a file that is a file, and no link, pipe or device: a stranger may have put it there.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use super::beneath;

/// What reading one says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PlainFile {
    /// Its whole content.
    Read(Vec<u8>),
    /// It has more bytes than are read.
    TooLong,
    /// Nothing is there that is read.
    None,
}

impl PlainFile {
    /// Reads a file of at most so many bytes. What leads to it is not looked at.
    pub(crate) fn at(path: &Path, most: u64) -> Self {
        Self::read(path, most).unwrap_or(Self::None)
    }

    /// The same of a file of a project, by its path within it, to which no link leads.
    pub(super) fn beneath(root: &Path, file: &str, most: u64) -> Self {
        beneath::open(root, file).and_then(|file| Self::content(file, most)).unwrap_or(Self::None)
    }

    fn read(path: &Path, most: u64) -> Option<Self> {
        let before = std::fs::symlink_metadata(path).ok()?;
        if !before.is_file() {
            return None;
        }
        let mut options = File::options();
        options.read(true);
        #[cfg(unix)]
        {
            use rustix::fs::OFlags;
            let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits();
            std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, i32::try_from(flags).ok()?);
        }
        Self::content(options.open(path).ok()?, most)
    }

    fn content(file: File, most: u64) -> Option<Self> {
        let about = file.metadata().ok().filter(std::fs::Metadata::is_file)?;
        if about.len() > most {
            return Some(Self::TooLong);
        }
        let mut bytes = Vec::new();
        file.take(most.saturating_add(1)).read_to_end(&mut bytes).ok()?;
        let is_whole = u64::try_from(bytes.len()).is_ok_and(|length| length <= most);
        Some(if is_whole { Self::Read(bytes) } else { Self::TooLong })
    }
}
