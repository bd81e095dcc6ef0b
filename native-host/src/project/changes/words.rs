//! Whether words stand literally in source files of a project. Only that is told; nothing of a file leaves.

use std::collections::BTreeSet;
use std::path::Path;
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
use super::{Known, WITHIN, locked, now, scan_in_time};
use crate::project::disk::Questions;

/// Longest file that is read, in bytes.
const MAX_FILE: u64 = 1024 * 1024;
/// Most changed files that are read for one question, and most bytes of all files.
const MAX_CHANGED: usize = 100;
const MAX_ALL: usize = 8 * 1024 * 1024;

/// Beginnings, ends and parts of names of files that hold secrets: they are not read, also when nothing ignores them.
const SECRET_BEGINNINGS: [&str; 4] = ["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519"];
const SECRET_ENDINGS: [&str; 10] =
    [".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".env", ".tfstate", ".tfvars"];
const SECRET_PARTS: [&str; 5] = ["secret", "credential", "password", ".env.", "service-account"];

/// What a file says; nothing where that cannot be told.
type Text = Option<Arc<str>>;

static TEXTS: LazyLock<Questions<Text>> = LazyLock::new(Questions::default);

/// Where the words of each query stand; `None` when the project's disk does not answer. Blocks, for about four seconds at most.
pub(crate) fn words(
    root: &Path,
    served_from: Option<&Path>,
    queries: &[SourceQuery],
    known: &Mutex<Known>,
) -> Option<Vec<Vec<FoundIn>>> {
    let scan = scan_in_time(root)?;
    let now = now();
    let known = {
        let mut known = locked(known);
        known.meets(&scan, now);
        known.clone()
    };
    let served_from = served_below(served_from, root);
    // Queries are mostly of one moment and a few files: each file is read, and looked through for all words, once.
    let wanted: BTreeSet<&String> = queries.iter().flat_map(|query| &query.words).collect();
    let wanted = wanted.into_iter().cloned().collect();
    let mut read = Files { root, until: Instant::now() + WITHIN, room: MAX_ALL, wanted, found: Vec::new() };
    let of = |query: &SourceQuery| {
        let own = query.file.as_deref().and_then(|file| find(&scan, root, served_from.as_deref(), file));
        let changed = changed(&scan, &known, query.since.0, now);
        found(&mut read, own, changed.as_deref(), &query.words)
    };
    Some(queries.iter().map(of).collect())
}

/// The files that changed since then, when all of them are known and they are not too many.
fn changed<'s>(scan: &'s Scan, known: &Known, since: u64, now: u64) -> Option<Vec<&'s str>> {
    let is_changed = |(path, at): &&'s (Box<str>, u64)| known.of(path, *at, now) > since;
    let changed: Vec<&str> =
        scan.files.iter().filter(is_changed).map(|(path, _)| path.as_ref()).take(MAX_CHANGED + 1).collect();
    (scan.is_whole && changed.len() <= MAX_CHANGED).then_some(changed)
}

fn found(
    files: &mut Files<'_>,
    own: Option<&str>,
    changed: Option<&[&str]>,
    words: &[String],
) -> Vec<FoundIn> {
    let changed = changed.unwrap_or_default();
    let mut in_changed = vec![false; words.len()];
    // A change of which no file tells came from elsewhere.
    let mut is_certain = !changed.is_empty() && own.is_some();
    for file in changed {
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
    /// Bytes that are still read.
    room: usize,
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
        let text = self.text(file);
        let found = text.map(|text| {
            let is_there = words_in(&text, &self.wanted);
            let there = self.wanted.iter().zip(is_there).filter(|(_, is_there)| *is_there);
            Rc::new(there.map(|(word, _)| word.clone()).collect())
        });
        self.found.push((file.to_owned(), found.clone()));
        found
    }

    fn text(&mut self, file: &str) -> Text {
        let root = self.root.to_owned();
        let path = self.root.join(file);
        let left = self.until.saturating_duration_since(Instant::now());
        let text = if is_secret(file) || left.is_zero() || self.room == 0 {
            None
        } else {
            TEXTS.ask(&path, left, move |path| text_of(&root, path)).flatten()
        };
        self.room = self.room.saturating_sub(text.as_ref().map_or(0, |text| text.len()));
        text
    }
}

/// Of a file that no link leads to. One that is no text says nothing that a page could show.
fn text_of(root: &Path, path: &Path) -> Text {
    let below = path.strip_prefix(root).ok()?;
    if path.canonicalize().ok()? != root.canonicalize().ok()?.join(below) {
        return None;
    }
    match PlainFile::at(path, MAX_FILE) {
        PlainFile::Read(bytes) if bytes.contains(&0) => Some(Arc::from("")),
        PlainFile::Read(bytes) => Some(Arc::from(String::from_utf8_lossy(&bytes))),
        PlainFile::TooLong | PlainFile::None => None,
    }
}

fn is_secret(file: &str) -> bool {
    let file = file.to_ascii_lowercase();
    let name = file.rsplit('/').next().unwrap_or_default();
    // Source does not stand in files and directories whose names begin with a dot; keys and settings of tools do.
    file.split('/').any(|part| part.starts_with('.'))
        || SECRET_BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
        || SECRET_ENDINGS.iter().any(|ending| name.ends_with(ending))
        || SECRET_PARTS.iter().any(|part| file.contains(part))
}
