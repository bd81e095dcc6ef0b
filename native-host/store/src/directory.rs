//! The directory in a project that copies are written into, and which of the files there stay.

mod aside;

use std::io::Result;
use std::time::UNIX_EPOCH;

use super::root::Root;
use opentoolbar_leaves::files::{Directory, Entry};
use opentoolbar_leaves::names::DIRECTORY;

pub(super) use aside::{set_aside, sweep_aside};

/// Keeps copies out of the repository that they stand in.
pub(super) const IGNORE: &str = ".gitignore";
/// Largest one that is read, in bytes.
const MOST_IGNORE: u64 = 4096;

/// The directory in a project that copies are written into, with a `.gitignore` that keeps them out of its repository.
/// Made when it is not there; not when the project itself is gone.
pub(super) fn project_directory(root: &Root) -> Result<Directory> {
    let directory = root.open()?.make(DIRECTORY)?;
    // A repository may bring another one, which would have it publish what the person said.
    if !ignores_everything(&directory)? {
        set_aside(&directory, IGNORE)?;
        directory.put(IGNORE, b"*\n")?;
    }
    Ok(directory)
}

/// Whether the `.gitignore` there says so and nothing else.
pub(super) fn ignores_everything(directory: &Directory) -> Result<bool> {
    let Some(content) = directory.read(IGNORE, MOST_IGNORE)? else { return Ok(false) };
    let text = String::from_utf8_lossy(&content);
    let mut patterns = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).peekable();
    Ok(patterns.peek().is_some() && patterns.all(|pattern| pattern == "*"))
}

/// Removes from the project what [`opentoolbar_leaves::files::sweep`] removes, where copies are written.
pub(super) fn sweep_project(ours: &Directory) {
    ours.sweep();
    for name in ["sessions", "screenshots"] {
        if let Ok(Some(directory)) = ours.existing(name) {
            directory.sweep();
        }
    }
    if let Err(error) = sweep_aside(ours) {
        tracing::debug!(%error, "what was in the way is left");
    }
}

/// A directory in the one that [`project_directory`] makes, when both are there.
pub(super) fn existing_in_project(root: &Root, name: &str) -> Result<Option<Directory>> {
    match root.open()?.existing(DIRECTORY)? {
        Some(ours) => ours.existing(name),
        None => Ok(None),
    }
}

/// Removes those of the files that were written before a moment, in milliseconds since 1970, but for the newest `keep`:
/// a clock that jumps ahead makes none of those old. What cannot be removed stays.
pub(super) fn remove_older(directory: &Directory, mut files: Vec<Entry>, before: u64, keep: usize) {
    files.sort_by_key(|file| std::cmp::Reverse(file.written));
    for Entry { name, written, .. } in files.into_iter().skip(keep) {
        let at = written.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
        if at < u128::from(before) {
            let _ = directory.remove(&name);
        }
    }
}

/// Removes the oldest of the files, so that at most so many are left, of at most so many bytes.
pub(super) fn keep_newest(directory: &Directory, mut files: Vec<Entry>, most: usize, most_bytes: u64) {
    files.sort_by_key(|file| std::cmp::Reverse(file.written));
    let mut bytes = 0_u64;
    for (number, file) in files.into_iter().enumerate() {
        bytes = bytes.saturating_add(file.bytes);
        if number >= most || bytes > most_bytes {
            let _ = directory.remove(&file.name);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::time::SystemTime;

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
        let open = Directory::open(directory.path()).unwrap();
        keep_newest(&open, open.files(is_x), 3, 1_000);
        assert_eq!(left(), "c_old x_b x_c x_d");
        keep_newest(&open, open.files(is_x), 3, 25);
        assert_eq!(left(), "c_old x_c x_d");
        let since = begin.duration_since(UNIX_EPOCH).unwrap().as_millis() as u64 + 3_500;
        remove_older(&open, open.files(is_x), u64::MAX, 2);
        assert_eq!(left(), "c_old x_c x_d", "a clock of the far future");
        remove_older(&open, open.files(is_x), since, 0);
        assert_eq!(left(), "c_old x_d");
    }
}
