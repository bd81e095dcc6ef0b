//! Whether words stand literally in source files of a project. Only that is told; nothing of a file leaves.

use std::path::Path;
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
const SECRET_BEGINNINGS: [&str; 8] =
    [".env", ".npmrc", ".netrc", ".pypirc", ".git-credentials", ".htpasswd", "id_rsa", "id_ed25519"];
const SECRET_ENDINGS: [&str; 8] = [".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".env"];
const SECRET_PARTS: [&str; 3] = ["secret", "credential", "password"];

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
    // Queries are mostly of one moment and a few files: each file is read once.
    let mut read = Files { root, until: Instant::now() + WITHIN, room: MAX_ALL, texts: Vec::new() };
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
        match files.text(file) {
            Some(text) => {
                in_changed.iter_mut().zip(words_in(&text, words)).for_each(|(so_far, is)| *so_far |= is)
            }
            None => is_certain = false,
        }
    }
    let of_own = own.and_then(|own| files.text(own));
    is_certain &= of_own.is_some();
    let in_own = of_own.map_or_else(|| vec![false; words.len()], |text| words_in(&text, words));
    let each = in_changed.into_iter().zip(in_own);
    each.map(|found| match found {
        (true, _) => FoundIn::ChangedFile,
        (false, true) => FoundIn::OwnFile,
        (false, false) if is_certain => FoundIn::Nowhere,
        (false, false) => FoundIn::Unknown,
    })
    .collect()
}

/// Files of one project, each read once.
struct Files<'r> {
    root: &'r Path,
    /// Nothing is read after that.
    until: Instant,
    /// Bytes that are still read.
    room: usize,
    texts: Vec<(String, Text)>,
}

impl Files<'_> {
    fn text(&mut self, file: &str) -> Text {
        if let Some((_, text)) = self.texts.iter().find(|(name, _)| name == file) {
            return text.clone();
        }
        let root = self.root.to_owned();
        let path = self.root.join(file);
        let left = self.until.saturating_duration_since(Instant::now());
        let text = if is_secret(file) || left.is_zero() || self.room == 0 {
            None
        } else {
            TEXTS.ask(&path, left, move |path| text_of(&root, path)).flatten()
        };
        self.room = self.room.saturating_sub(text.as_ref().map_or(0, |text| text.len()));
        self.texts.push((file.to_owned(), text.clone()));
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
    SECRET_BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
        || SECRET_ENDINGS.iter().any(|ending| name.ends_with(ending))
        || SECRET_PARTS.iter().any(|part| file.contains(part))
}
