//! Whether words stand literally in source files of a project. Only that is told; nothing of a file leaves.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Instant;

use opentoolbar_core::anchor::FoundIn;
use opentoolbar_core::protocol::SourceQuery;
use opentoolbar_core::source::words_in;

use super::asked::find;
use super::known::served_below;
use super::plain_file::PlainFile;
use super::scan::Scan;
use super::source_file::{Holds, holds};
use super::{Known, WITHIN, locked, now, scan_in_time};
use crate::disk::Questions;

/// Longest file that is read, in bytes.
const MAX_FILE: usize = 1024 * 1024;
/// Most changed files that are read for one question, and most bytes of all files.
const MAX_CHANGED: usize = 100;
const MAX_ALL: usize = 8 * 1024 * 1024;

/// What a file says; nothing where that cannot be told.
type Text = Option<Arc<str>>;

/// The file that is being read of each project: while its disk does not answer, a project has one thread here.
static READS: LazyLock<Questions<(String, Text)>> = LazyLock::new(Questions::default);
/// Texts are searched one at a time, of all projects: each takes a moment, and no disk is waited for meanwhile.
static SEARCHES: Mutex<()> = Mutex::new(());

/// Words that are looked for in a project.
#[derive(Clone, Debug)]
pub struct WordsAsked {
    /// Of the project, with links resolved.
    pub root: PathBuf,
    /// Where the page's server runs, when that is known.
    pub served_from: Option<PathBuf>,
    /// What is looked for.
    pub queries: Vec<SourceQuery>,
}

/// What was read for one question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Effort {
    files: usize,
    bytes: usize,
}

/// Where the words of each query stand; `None` when the project's disk does not answer, or when it is not wanted any
/// more. Blocks, for about four seconds at most: nobody else should ask about this project meanwhile.
pub fn words(
    asked: &WordsAsked,
    known: &Mutex<Known>,
    is_wanted: &dyn Fn() -> bool,
) -> Option<Vec<Vec<FoundIn>>> {
    let (found, Effort { files, bytes }) = search(asked, known, is_wanted)?;
    tracing::debug!(files, bytes, "words were looked for in a project");
    Some(found)
}

fn search(
    asked: &WordsAsked,
    known: &Mutex<Known>,
    is_wanted: &dyn Fn() -> bool,
) -> Option<(Vec<Vec<FoundIn>>, Effort)> {
    let WordsAsked { root, served_from, queries } = asked;
    let began = Instant::now();
    let scan = is_wanted().then(|| scan_in_time(root)).flatten()?;
    let now = now();
    let known = {
        let mut known = locked(known);
        known.meets(&scan, now);
        known.clone()
    };
    let served_from = served_below(served_from.as_deref(), root);
    // An earlier look may have passed by the very edit that is asked about.
    let by_change = (scan.is_whole && scan.began >= began).then(|| by_change(&scan, &known, now));
    // Queries are mostly of one moment and a few files: each file is read, and looked through for all words, once.
    let wanted: BTreeSet<&String> = queries.iter().flat_map(|query| &query.words).collect();
    let wanted = wanted.into_iter().cloned().collect();
    let until = Instant::now() + WITHIN;
    let effort = Effort::default();
    let mut files = Files { root, until, is_wanted, effort, wanted, found: Vec::new() };
    let of = |query: &SourceQuery| {
        let own = query.file.as_deref().and_then(|file| find(&scan, root, served_from.as_deref(), file));
        let changed = by_change.as_ref().and_then(|files| changed(files, query.since.0));
        is_wanted().then(|| found(&mut files, own, changed, &query.words))
    };
    let found = queries.iter().map(of).collect::<Option<_>>()?;
    Some((found, files.effort))
}

/// All files with when they changed, the latest first.
fn by_change<'s>(scan: &'s Scan, known: &Known, now: u64) -> Vec<(u64, &'s str)> {
    let at = |(path, at): &'s (Box<str>, u64)| (known.of(path, *at, now), path.as_ref());
    let mut files: Vec<_> = scan.files.iter().map(at).collect();
    files.sort_unstable_by_key(|&(at, path)| (Reverse(at), path));
    files
}

/// Those that changed since then, when they are not too many.
fn changed<'a, 's>(by_change: &'a [(u64, &'s str)], since: u64) -> Option<&'a [(u64, &'s str)]> {
    by_change
        .get(..by_change.partition_point(|(at, _)| *at > since))
        .filter(|found| found.len() <= MAX_CHANGED)
}

fn found(
    files: &mut Files<'_>,
    own: Option<&str>,
    changed: Option<&[(u64, &str)]>,
    words: &[String],
) -> Vec<FoundIn> {
    let changed = changed.unwrap_or_default();
    let mut in_changed = vec![false; words.len()];
    // A change of which no file tells came from elsewhere.
    let mut is_certain = !changed.is_empty() && own.is_some();
    for (_, file) in changed {
        match files.words(file) {
            Some(found) => {
                in_changed.iter_mut().zip(words).for_each(|(so_far, word)| *so_far |= found.contains(word))
            }
            None => is_certain = false,
        }
    }
    let of_own = own.and_then(|own| files.words(own));
    is_certain &= of_own.is_some();
    let in_own: Vec<bool> =
        words.iter().map(|word| of_own.as_ref().is_some_and(|found| found.contains(word))).collect();
    let each = in_changed.into_iter().zip(in_own);
    each.map(|found| match found {
        (true, _) => FoundIn::ChangedFile,
        (false, true) => FoundIn::OwnFile,
        (false, false) if is_certain => FoundIn::Nowhere,
        (false, false) => FoundIn::Unknown,
    })
    .collect()
}

/// The words that a file has; `None` where that cannot be told.
type Words = Option<Rc<BTreeSet<String>>>;

/// Files of one project, each read once.
struct Files<'r> {
    root: &'r Path,
    /// Nothing is read after that.
    until: Instant,
    is_wanted: &'r dyn Fn() -> bool,
    /// What was read so far.
    effort: Effort,
    /// The words that are asked about, each once.
    wanted: Vec<String>,
    /// Which of them each file has.
    found: Vec<(String, Words)>,
}

impl Files<'_> {
    fn words(&mut self, file: &str) -> Words {
        if let Some((_, found)) = self.found.iter().find(|(name, _)| name == file) {
            return found.clone();
        }
        let text = match holds(file) {
            Holds::Text => self.text(file),
            Holds::NoText => Some(Arc::from("")),
            Holds::Unknown => None,
        };
        let found = text.map(|text| {
            let _alone = locked(&SEARCHES);
            let is_there = words_in(&text, &self.wanted);
            let there = self.wanted.iter().zip(is_there).filter(|(_, is_there)| *is_there);
            Rc::new(there.map(|(word, _)| word.clone()).collect())
        });
        self.found.push((file.to_owned(), found.clone()));
        found
    }

    fn text(&mut self, file: &str) -> Text {
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() || !(self.is_wanted)() {
            return None;
        }
        self.effort.files += 1;
        let most = MAX_FILE.min(MAX_ALL.saturating_sub(self.effort.bytes));
        let name = file.to_owned();
        let read = move |root: &Path| {
            let text = text_of(root, &name, most);
            (name, text)
        };
        let (name, text) = READS.ask_anew(self.root, left, read)?;
        // Else it is somebody else's question, which was asked at the same moment.
        let text = text.filter(|_| name == file);
        self.effort.bytes += text.as_ref().map_or(0, |text| text.len());
        text
    }
}

/// Of a file that no link leads to. Of one that is not UTF-8 nothing can be told: another encoding may write the same
/// words.
fn text_of(root: &Path, file: &str, most: usize) -> Text {
    match PlainFile::beneath(root, file, u64::try_from(most).ok()?) {
        PlainFile::Read(bytes) if bytes.contains(&0) => None,
        PlainFile::Read(bytes) => String::from_utf8(bytes).ok().map(Arc::from),
        PlainFile::TooLong | PlainFile::None => None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::cell::Cell;

    use opentoolbar_core::model::Timestamp;

    use super::*;

    /// A project with so many files of so many bytes, and a question about some of them.
    fn project(files: usize, bytes: usize, of: usize) -> (tempfile::TempDir, WordsAsked) {
        let dir = tempfile::tempdir().unwrap();
        for file in 0..files {
            std::fs::write(dir.path().join(format!("{file}.ts")), "m".repeat(bytes)).unwrap();
        }
        let query = |file| SourceQuery {
            file: Some(format!("{file}.ts")),
            since: Timestamp(1),
            words: vec!["mill".to_owned()],
        };
        let root = dir.path().canonicalize().unwrap();
        let queries = (0..of).map(query).collect();
        (dir, WordsAsked { root, served_from: None, queries })
    }

    #[test]
    fn what_is_read_for_one_question_is_bounded_in_files_and_bytes() {
        for (files, bytes, of, most) in [
            (30, MAX_FILE, 30, Effort { files: 30, bytes: MAX_ALL }),
            // More changed than is looked through: those that are asked about are read, and no other.
            (400, 10, 60, Effort { files: 60, bytes: 600 }),
            (90, 10, 1, Effort { files: 90, bytes: 900 }),
            (3, MAX_FILE + 1, 3, Effort { files: 3, bytes: 0 }),
        ] {
            let (_dir, asked) = project(files, bytes, of);
            let (found, effort) = search(&asked, &Mutex::default(), &|| true).unwrap();
            assert!(effort.files <= most.files && effort.bytes <= most.bytes, "{effort:?} of {most:?}");
            // What went unread may have the word.
            let is_all = effort.bytes == files * bytes;
            assert!(is_all || found.iter().flatten().all(|&found| found == FoundIn::Unknown), "{found:?}");
        }
    }

    #[test]
    fn a_search_that_nobody_waits_for_ends() {
        let (_dir, asked) = project(90, 10, 90);
        for wanted in 0..5 {
            let calls = Cell::new(0);
            let is_wanted = || {
                calls.set(calls.get() + 1);
                calls.get() <= wanted
            };
            assert_eq!(words(&asked, &Mutex::default(), &is_wanted), None);
            assert!(calls.get() < 100, "it went on for {} files", calls.get());
        }
        assert!(words(&asked, &Mutex::default(), &|| true).is_some());
    }
}
