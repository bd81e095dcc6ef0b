//! Files that are written whole or not at all.

use std::io::Write;
use std::path::Path;

/// Writes beside the target, makes it durable, and puts it in place in one step.
pub(crate) fn write_whole(path: &Path, content: &[u8]) -> std::io::Result<()> {
    let directory = path.parent().ok_or(std::io::ErrorKind::InvalidInput)?;
    let mut file = tempfile::Builder::new().prefix(".writing-").tempfile_in(directory)?;
    file.write_all(content)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    // The name itself is durable only with its directory. Windows cannot open one, and needs not.
    #[cfg(unix)]
    std::fs::File::open(directory)?.sync_all()?;
    Ok(())
}
