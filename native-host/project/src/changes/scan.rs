//! One look through a project: its source files with the times of their last change.

use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::quiet::{Budget, Rules};

/// How much is looked through.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Entries of directories, whether they are source or not.
    pub(super) entries: usize,
    /// Directories within one another.
    pub(super) depth: usize,
    pub(super) within: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { entries: 50_000, depth: 40, within: Duration::from_millis(1_500) }
    }
}

/// What was found.
#[derive(Debug)]
pub(super) struct Scan {
    pub(super) began: Instant,
    /// Paths within the project, with `/` between their parts, sorted; and when each changed last, in milliseconds
    /// since 1970.
    pub files: Vec<(Box<str>, u64)>,
    /// When something was added to a directory or taken from it, in milliseconds since 1970. Only of directories in
    /// which everything is source: elsewhere it may be what says nothing.
    pub(super) directories: Vec<u64>,
    /// False when a limit was reached: there is more.
    pub(super) is_whole: bool,
}

/// A directory that is to be looked through.
struct Below {
    path: PathBuf,
    name: String,
    depth: usize,
    rules: Arc<Rules>,
}

impl Scan {
    /// Looks through a project, what is near the root first. `enters` is called before each directory is read; when it
    /// says false, nothing more is looked at.
    ///
    /// # Errors
    /// When the root cannot be read.
    pub(super) fn of(root: &Path, limits: Limits, enters: &mut dyn FnMut(&Path) -> bool) -> io::Result<Self> {
        let began = Instant::now();
        let mut budget = Budget::default();
        let rules = Rules::at_root(root, &mut budget);
        let root = Below { path: root.to_owned(), name: String::new(), depth: 0, rules };
        Self::below(root, limits, began, &mut budget, enters)
    }

    /// The same of one directory of a project, in which these rules hold. Paths begin with `name`.
    pub(super) fn of_directory(
        path: &Path,
        name: &str,
        rules: Arc<Rules>,
        limits: Limits,
        enters: &mut dyn FnMut(&Path) -> bool,
    ) -> io::Result<Self> {
        let top = Below { path: path.to_owned(), name: format!("{name}/"), depth: 0, rules };
        Self::below(top, limits, Instant::now(), &mut Budget::default(), enters)
    }

    fn below(
        top: Below,
        limits: Limits,
        began: Instant,
        budget: &mut Budget,
        enters: &mut dyn FnMut(&Path) -> bool,
    ) -> io::Result<Self> {
        let mut scan = Self { began, files: Vec::new(), directories: Vec::new(), is_whole: true };
        let mut left = limits.entries;
        // What is waiting is bounded by the entries that were seen.
        let mut waiting = VecDeque::from([top]);
        let mut is_first = true;
        while let Some(directory) = waiting.pop_front() {
            if !enters(&directory.path) {
                scan.is_whole = false;
                break;
            }
            let entries = match std::fs::read_dir(&directory.path) {
                Ok(entries) => entries,
                Err(error) if is_first => return Err(error),
                // Another user's, or gone by now.
                Err(_) => continue,
            };
            is_first = false;
            let mut is_all_source = true;
            for entry in entries.flatten() {
                if left == 0 || began.elapsed() > limits.within {
                    scan.is_whole = false;
                    break;
                }
                left -= 1;
                is_all_source &= scan.add(&entry, &directory, limits.depth, budget, &mut waiting);
            }
            if is_all_source && let Some(at) = changed_at(&directory.path) {
                scan.directories.push(at);
            }
            if !scan.is_whole && (left == 0 || began.elapsed() > limits.within) {
                break;
            }
        }
        scan.files.sort_unstable();
        Ok(scan)
    }

    /// False when the entry is no source.
    fn add(
        &mut self,
        entry: &std::fs::DirEntry,
        within: &Below,
        depth: usize,
        budget: &mut Budget,
        waiting: &mut VecDeque<Below>,
    ) -> bool {
        // Of the entry itself: a link is neither a file nor a directory here.
        let Ok(kind) = entry.file_type() else { return false };
        if !kind.is_file() && !kind.is_dir() {
            return false;
        }
        let path = entry.path();
        if within.rules.is_quiet(&path, kind.is_dir()) {
            return false;
        }
        let name = format!("{}{}", within.name, entry.file_name().to_string_lossy());
        if kind.is_file() {
            if let Ok(about) = entry.metadata() {
                self.files.push((name.into(), millis(about.modified())));
            }
        } else if within.depth < depth {
            let rules = within.rules.below(&path, budget);
            waiting.push_back(Below { path, name: name + "/", depth: within.depth + 1, rules });
        } else {
            self.is_whole = false;
        }
        true
    }

    /// When this file of the project changed last.
    pub(crate) fn at(&self, path: &str) -> Option<u64> {
        let found = self.files.binary_search_by(|(other, _)| other.as_ref().cmp(path)).ok()?;
        self.files.get(found).map(|(_, at)| *at)
    }
}

fn changed_at(path: &Path) -> Option<u64> {
    std::fs::symlink_metadata(path).ok().map(|about| millis(about.modified()))
}

/// A time of a file in milliseconds since 1970; 0 for one before, and where there is none.
fn millis(at: io::Result<SystemTime>) -> u64 {
    let since = at.ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn tree(files: &[&str]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for file in files {
            let path = dir.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        dir
    }

    fn scan(root: &Path, limits: Limits) -> Scan {
        Scan::of(root, limits, &mut |_| true).unwrap()
    }

    fn names(scan: &Scan) -> Vec<&str> {
        scan.files.iter().map(|(name, _)| name.as_ref()).collect()
    }

    #[test]
    fn source_files_are_found_and_nothing_else() {
        let dir = tree(&[
            "index.html",
            "src/pages/Shop.tsx",
            "src/Shop.tsx",
            "node_modules/react/index.js",
            ".git/HEAD",
            ".opentoolbar/opentoolbar.db",
            "target/debug/x",
            "src/gen/a.ts",
            "debug.log",
        ]);
        std::fs::write(dir.path().join("src/.gitignore"), "gen/\n").unwrap();
        let found = scan(dir.path(), Limits::default());
        assert_eq!(names(&found), ["index.html", "src/Shop.tsx", "src/pages/Shop.tsx"]);
        assert!(found.is_whole && found.at("src/Shop.tsx").unwrap() > 1_700_000_000_000);
        // The root and `src` hold what says nothing, `src/pages` does not.
        assert_eq!(found.directories.len(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn no_link_is_followed() {
        let outside = tree(&["secret.ts", "below/more.ts"]);
        let dir = tree(&["src/a.ts"]);
        for (to, name) in [("secret.ts", "src/file.ts"), ("below", "src/directory"), ("", "all")] {
            std::os::unix::fs::symlink(outside.path().join(to), dir.path().join(name)).unwrap();
        }
        std::os::unix::fs::symlink(dir.path(), dir.path().join("src/round")).unwrap();
        assert_eq!(names(&scan(dir.path(), Limits::default())), ["src/a.ts"]);
    }

    #[test]
    fn a_look_is_bounded_in_entries_depth_and_time() {
        let deep = "d/".repeat(60) + "a.ts";
        let dir = tree(&["a.ts", "b.ts", "c.ts", &deep]);
        let few = scan(dir.path(), Limits { entries: 2, ..Limits::default() });
        assert!(few.files.len() <= 2 && !few.is_whole);
        let flat = scan(dir.path(), Limits::default());
        assert!(flat.files.len() == 3 && !flat.is_whole);
        let late = scan(dir.path(), Limits { within: Duration::ZERO, ..Limits::default() });
        assert!(late.files.is_empty() && !late.is_whole);
        let far = Limits { depth: 100, ..Limits::default() };
        assert!(scan(dir.path(), far).is_whole);
    }
}
