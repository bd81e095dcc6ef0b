//! What the hub has seen of a project's files while it watched, and what it answers with that.

use std::collections::BTreeMap;
use std::path::Path;

use super::Asked;
use super::asked::find;
use super::scan::Scan;

/// Files of which it is remembered when they were seen to change.
const MOST: usize = 2_000;

/// Milliseconds since 1970.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changed {
    /// The latest of all.
    pub at: Option<u64>,
    /// One for each file that was asked for.
    pub files: Vec<FileAt>,
}

/// Of one file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileAt {
    /// Whether a look at the project found it.
    pub is_known: bool,
    /// When it changed last, if that is after the moment that was asked from; milliseconds since the epoch.
    pub at: Option<u64>,
}

/// What was seen of one project; goes with its watch.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Since when every change is seen; absent while nothing is watched.
    pub(super) watched_since: Option<u64>,
    seen: BTreeMap<String, u64>,
    latest: Option<u64>,
    /// Files whose time is in the future, with the moment in which that was first seen: it is when they changed, as far
    /// as we know.
    ahead: BTreeMap<String, (u64, u64)>,
}

impl Known {
    /// A file was made, changed, moved or deleted.
    pub(super) fn sees(&mut self, path: String, at: u64) {
        self.latest = self.latest.max(Some(at));
        if self.seen.len() < MOST || self.seen.contains_key(&path) {
            self.seen.insert(path, at);
        }
    }

    /// Something changed, and it is not known what.
    pub(super) fn sees_something(&mut self, at: u64) {
        self.latest = self.latest.max(Some(at));
    }

    /// Nobody watches from here on: times of files must do.
    pub(super) fn is_not_watched(&mut self) {
        self.watched_since = None;
    }

    /// Remembers since when files of this look have a time that is yet to come.
    pub(super) fn meets(&mut self, scan: &Scan, now: u64) {
        let ahead = scan.files.iter().filter(|(_, at)| *at > now).take(MOST);
        let before = std::mem::take(&mut self.ahead);
        self.ahead = ahead
            .map(|(path, at)| {
                let known = before.get(path.as_ref()).filter(|(was, _)| was == at).map(|(_, first)| *first);
                (path.to_string(), (*at, known.unwrap_or(now)))
            })
            .collect();
    }

    /// When this file changed: as its time says or as was seen, and never in the future.
    pub(super) fn of(&self, path: &str, at: u64, now: u64) -> u64 {
        let first = self.ahead.get(path).filter(|(was, _)| *was == at).map(|(_, first)| *first);
        let by_time = if at > now { first.unwrap_or(now) } else { at };
        by_time.max(self.seen.get(path).copied().unwrap_or_default()).min(now)
    }

    /// The answer by a look at the project and what was seen.
    pub(super) fn answer(&self, asked: &Asked, scan: &Scan, now: u64) -> Changed {
        let since = asked.since;
        let after = |at: u64| Some(at.min(now)).filter(|at| *at > since);
        let of_files = scan.files.iter().map(|(path, at)| self.of(path, *at, now)).max();
        // While every change is seen, what is taken from a directory is seen as well, and its time tells less: an
        // editor's own files.
        let before_watch = |at: &u64| *at <= now && self.watched_since.is_none_or(|watched| *at < watched);
        let of_directories = scan.directories.iter().copied().filter(before_watch).max();
        let at = [of_files, of_directories, self.latest].into_iter().flatten().max().and_then(after);
        let served_from = served_below(asked.served_from.as_deref(), &asked.root);
        let file = |name: &String| {
            let path = find(scan, &asked.root, served_from.as_deref(), name);
            let at = path.and_then(|path| Some((path, scan.at(path)?)));
            FileAt { is_known: path.is_some(), at: at.and_then(|(path, at)| after(self.of(path, at, now))) }
        };
        Changed { at, files: asked.files.iter().map(file).collect() }
    }
}

/// The directory of the page's server within the project.
pub(super) fn served_below(served_from: Option<&Path>, root: &Path) -> Option<String> {
    let below = served_from?.strip_prefix(root).ok()?;
    below.to_str().map(|below| below.replace('\\', "/"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    fn scan(files: &[(&str, u64)], directories: &[u64]) -> Scan {
        let files = files.iter().map(|(path, at)| ((*path).into(), *at)).collect();
        Scan { began: Instant::now(), files, directories: directories.to_vec(), is_whole: true }
    }

    fn asked(since: u64) -> Asked {
        let files = vec!["a.ts".to_owned(), "b.ts".to_owned(), "c.ts".to_owned()];
        Asked { root: "/shop".into(), served_from: None, since, files }
    }

    fn file(is_known: bool, at: Option<u64>) -> FileAt {
        FileAt { is_known, at }
    }

    #[test]
    fn what_changed_after_a_moment_is_told_of_each_file_and_of_all() {
        let scan = scan(&[("a.ts", 10), ("b.ts", 20)], &[]);
        let answer = Known::default().answer(&asked(15), &scan, 100);
        assert_eq!(answer.at, Some(20));
        assert_eq!(answer.files, [file(true, None), file(true, Some(20)), file(false, None)]);
        assert_eq!(Known::default().answer(&asked(20), &scan, 100).at, None, "not after it");
        assert_eq!(Known::default().answer(&asked(u64::MAX), &scan, 100).at, None);
    }

    #[test]
    fn a_time_that_is_yet_to_come_is_when_it_was_first_seen_and_changes_no_more() {
        let scan = scan(&[("a.ts", 900), ("b.ts", 20)], &[]);
        let mut known = Known::default();
        assert_eq!(known.answer(&asked(50), &scan, 100).at, Some(100), "cut to now");
        known.meets(&scan, 100);
        known.meets(&scan, 200);
        assert_eq!(known.answer(&asked(50), &scan, 200).at, Some(100));
        assert_eq!(known.answer(&asked(100), &scan, 200).at, None);
        // The clock was set back.
        assert_eq!(known.answer(&asked(0), &scan, 30).at, Some(30));
    }

    #[test]
    fn a_directory_tells_what_was_deleted_while_nobody_watched() {
        let scan = scan(&[("a.ts", 10)], &[40]);
        let mut known = Known::default();
        assert_eq!(known.answer(&asked(15), &scan, 100).at, Some(40));
        known.watched_since = Some(30);
        assert_eq!(
            known.answer(&asked(15), &scan, 100).at,
            None,
            "what was deleted since would have been seen"
        );
        known.sees("c.ts".into(), 50);
        assert_eq!(known.answer(&asked(15), &scan, 100).at, Some(50));
        // A file that was moved here keeps its own time.
        known.sees("a.ts".into(), 60);
        assert_eq!(known.answer(&asked(55), &scan, 100).files.first(), Some(&file(true, Some(60))));
    }

    #[test]
    fn what_is_remembered_is_bounded() {
        let mut known = Known::default();
        for number in 0..MOST as u64 + 10 {
            known.sees(format!("{number}.ts"), number);
        }
        assert_eq!((known.seen.len(), known.latest), (MOST, Some(MOST as u64 + 9)));
    }
}
