//! What can be read at any place: a file, and bytes in memory.

use std::fs::File;
use std::io::Result;

/// Read by offset, never mapped: a mapped file that shrinks ends the process.
pub(crate) trait Bytes {
    /// Reads what is there from `offset` on; 0 bytes at the end.
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> Result<usize>;
}

impl Bytes for File {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> Result<usize> {
        #[cfg(unix)]
        let read = std::os::unix::fs::FileExt::read_at(self, buffer, offset);
        #[cfg(windows)]
        let read = std::os::windows::fs::FileExt::seek_read(self, buffer, offset);
        read
    }
}

impl Bytes for &[u8] {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> Result<usize> {
        let rest = usize::try_from(offset).ok().and_then(|from| self.get(from..)).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }
}
