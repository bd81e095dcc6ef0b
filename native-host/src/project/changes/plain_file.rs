//! The content of a file that is a file, and no link, pipe or device: a stranger may have put it there.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

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
    pub(super) fn at(path: &Path, most: u64) -> Self {
        Self::read(path, most).unwrap_or(Self::None)
    }

    fn read(path: &Path, most: u64) -> Option<Self> {
        let before = std::fs::symlink_metadata(path).ok()?;
        if !before.is_file() {
            return None;
        }
        if before.len() > most {
            return Some(Self::TooLong);
        }
        let mut options = File::options();
        options.read(true);
        #[cfg(unix)]
        {
            use rustix::fs::OFlags;
            let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits();
            std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, i32::try_from(flags).ok()?);
        }
        let file = options.open(path).ok()?;
        if !file.metadata().is_ok_and(|about| about.is_file()) {
            return None;
        }
        let mut bytes = Vec::new();
        file.take(most.saturating_add(1)).read_to_end(&mut bytes).ok()?;
        let is_whole = u64::try_from(bytes.len()).is_ok_and(|length| length <= most);
        Some(if is_whole { Self::Read(bytes) } else { Self::TooLong })
    }
}
