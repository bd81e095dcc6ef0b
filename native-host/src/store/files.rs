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

/// The same for a copy of what the database has: after a power cut it may be missing or empty, and comes again with the next
/// change.
pub(super) fn write_copy(path: &Path, content: &[u8]) -> std::io::Result<()> {
    let directory = path.parent().ok_or(std::io::ErrorKind::InvalidInput)?;
    let mut file = tempfile::Builder::new().prefix(".writing-").tempfile_in(directory)?;
    file.write_all(content)?;
    file.persist(path)?;
    Ok(())
}

/// Makes a directory of ours when it is not there. Not one that is missing above it: a project that is gone must not come
/// back as an empty directory. A link is not followed: a project may come from a stranger, with a link that leads out of it.
pub(super) fn own_directory(path: &Path) -> std::io::Result<&Path> {
    match std::fs::create_dir(path) {
        Err(e) if e.kind() != std::io::ErrorKind::AlreadyExists => return Err(e),
        _ => {}
    }
    if path.is_symlink() {
        return Err(std::io::Error::other(format!("{} is a link, which is not followed", path.display())));
    }
    Ok(path)
}

/// The directory in a project that copies are written into, with a `.gitignore` that keeps them out of its repository. Made
/// when it is not there.
pub(super) fn project_directory(root: &Path) -> std::io::Result<PathBuf> {
    let directory = root.join(super::DIRECTORY);
    own_directory(&directory)?;
    let ignore = directory.join(".gitignore");
    if !ignore.exists() {
        write_whole(&ignore, b"*\n")?;
    }
    Ok(directory)
}

/// Removes the files whose name is `wanted` and that were written before a moment, in milliseconds since 1970. What cannot
/// be removed stays.
pub(super) fn remove_older(directory: &Path, before: u64, wanted: impl Fn(&str) -> bool) {
    for File { path, written, .. } in files(directory, wanted) {
        let at = written.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
        if at < u128::from(before) {
            let _ = std::fs::remove_file(path);
        }
    }
}

/// Removes the oldest of the files whose name is `wanted`, so that at most so many are left, of at most so many bytes.
pub(super) fn keep_newest(directory: &Path, most: usize, most_bytes: u64, wanted: impl Fn(&str) -> bool) {
    let mut files = files(directory, wanted);
    files.sort_by_key(|file| std::cmp::Reverse(file.written));
    let mut bytes = 0_u64;
    for (number, file) in files.into_iter().enumerate() {
        bytes = bytes.saturating_add(file.bytes);
        if number >= most || bytes > most_bytes {
            let _ = std::fs::remove_file(file.path);
        }
    }
}

struct File {
    path: PathBuf,
    written: SystemTime,
    bytes: u64,
}

fn files(directory: &Path, wanted: impl Fn(&str) -> bool) -> Vec<File> {
    let Ok(entries) = std::fs::read_dir(directory) else { return Vec::new() };
    let wanted = entries.flatten().filter(|entry| entry.file_name().to_str().is_some_and(&wanted));
    let file = |entry: std::fs::DirEntry| {
        let metadata = entry.metadata().ok()?;
        Some(File { path: entry.path(), written: metadata.modified().ok()?, bytes: metadata.len() })
    };
    wanted.filter_map(file).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_newest_stay_by_count_and_by_bytes_and_what_is_not_meant_stays_too() {
        let directory = tempfile::tempdir().unwrap();
        let left = || {
            let names = std::fs::read_dir(directory.path()).unwrap();
            let mut names: Vec<_> =
                names.map(|one| one.unwrap().file_name().into_string().unwrap()).collect();
            names.sort();
            names.join(" ")
        };
        let begin = SystemTime::now() - std::time::Duration::from_secs(1_000);
        for (age, name) in ["x_old", "c_old", "x_b", "x_c", "x_d"].into_iter().enumerate() {
            let path = directory.path().join(name);
            std::fs::write(&path, [0; 10]).unwrap();
            let file = std::fs::File::options().write(true).open(&path).unwrap();
            file.set_modified(begin + std::time::Duration::from_secs(age as u64)).unwrap();
        }
        let is_x = |name: &str| name.starts_with("x_");
        keep_newest(directory.path(), 3, 1_000, is_x);
        assert_eq!(left(), "c_old x_b x_c x_d");
        keep_newest(directory.path(), 3, 25, is_x);
        assert_eq!(left(), "c_old x_c x_d");
        let since = begin.duration_since(UNIX_EPOCH).unwrap().as_millis() as u64 + 3_500;
        remove_older(directory.path(), since, is_x);
        assert_eq!(left(), "c_old x_d");
    }
}
