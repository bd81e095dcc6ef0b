//! Files that are written whole or not at all.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

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

/// Removes the files whose name is `wanted` and that were written before a moment, in milliseconds since 1970. What cannot
/// be removed stays.
pub(super) fn remove_older(directory: &Path, before: u64, wanted: impl Fn(&str) -> bool) {
    for (path, written) in files(directory, wanted) {
        let at = written.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
        if at < u128::from(before) {
            let _ = std::fs::remove_file(path);
        }
    }
}

/// Removes the oldest of the files whose name is `wanted`, so that at most so many are left.
pub(super) fn keep_newest(directory: &Path, most: usize, wanted: impl Fn(&str) -> bool) {
    let mut files = files(directory, wanted);
    if files.len() <= most {
        return;
    }
    files.sort_by_key(|(_, written)| std::cmp::Reverse(*written));
    for (path, _) in files.into_iter().skip(most) {
        let _ = std::fs::remove_file(path);
    }
}

fn files(directory: &Path, wanted: impl Fn(&str) -> bool) -> Vec<(PathBuf, SystemTime)> {
    let Ok(entries) = std::fs::read_dir(directory) else { return Vec::new() };
    let wanted = entries.flatten().filter(|entry| entry.file_name().to_str().is_some_and(&wanted));
    wanted.filter_map(|entry| Some((entry.path(), entry.metadata().ok()?.modified().ok()?))).collect()
}
