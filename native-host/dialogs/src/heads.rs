//! What the beginnings and ends of histories say, kept as long as they are what they were: there may be thousands, and
//! they are listed at every question.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicIsize, AtomicU64, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use opentoolbar_leaves::files::Stamp;

use crate::error::NoData;
use crate::place::FileAt;
use crate::recent::Recent;

/// Bytes of heads and of paths that are kept: those of more than 20,000 transcripts as they mostly are.
const MOST_HEADS: usize = 6 * 1024 * 1024;
const MOST_PATHS: usize = 1024 * 1024;
/// How long it may take to see what a path leads to: its disk may be one that does not answer.
const WITHIN: Duration = Duration::from_secs(1);
/// Questions that were not answered in time and still wait, at most: with so many, no other is asked.
const MOST_LATE: isize = 4;
/// How long it is believed what a path leads to.
const BELIEVED: Duration = Duration::from_secs(30);

static LATE: AtomicIsize = AtomicIsize::new(0);

/// Of a history, as far as it is looked at when it is listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) id: Option<String>,
    pub(crate) title: Option<String>,
    /// Where the program worked, each once.
    pub(crate) folders: Vec<PathBuf>,
    /// Whether nothing was asked in it.
    pub(crate) is_empty: Option<bool>,
}

impl Head {
    fn bytes(&self) -> usize {
        let texts = [&self.id, &self.title].into_iter().flatten().map(|text| text.len());
        let folders = self.folders.iter().map(|folder| folder.as_os_str().len() + size_of::<PathBuf>());
        texts.chain(folders).sum()
    }
}

/// A path as it was asked for, and what it led to at a moment.
type Resolved = (PathBuf, Instant, PathBuf);

#[derive(Debug)]
pub(crate) struct Heads {
    heads: Mutex<Recent<(Stamp, Head)>>,
    paths: Mutex<Recent<Resolved>>,
    round: AtomicU64,
}

impl Default for Heads {
    fn default() -> Self {
        Self {
            heads: Mutex::new(Recent::new(MOST_HEADS)),
            paths: Mutex::new(Recent::new(MOST_PATHS)),
            round: AtomicU64::new(0),
        }
    }
}

impl Heads {
    /// Another look at all begins.
    pub(crate) fn next_round(&self) {
        self.round.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn round(&self) -> u64 {
        self.round.load(Ordering::Relaxed)
    }

    pub(crate) fn get(
        &self,
        file: &FileAt,
        stamp: Option<Stamp>,
        read: impl FnOnce() -> Result<Head, NoData>,
    ) -> Result<Head, NoData> {
        let Some(stamp) = stamp.filter(|stamp| !stamp.is_fresh()) else { return read() };
        if let Some((known, head)) = locked(&self.heads).get(file, self.round())
            && *known == stamp
        {
            return Ok(head.clone());
        }
        let head = read()?;
        locked(&self.heads).put(file, self.round(), head.bytes(), (stamp, head.clone()));
        Ok(head)
    }

    /// The path with its links resolved, as far as it is there; as it is when that cannot be said in time.
    pub(crate) fn real(&self, path: &Path) -> PathBuf {
        if let Some((of, at, real)) = locked(&self.paths).get(&path, self.round())
            && of == path
            && at.elapsed() < BELIEVED
        {
            return real.clone();
        }
        let asked = path.to_owned();
        let real = in_time(move || resolved(&asked)).unwrap_or_else(|| path.to_owned());
        let bytes = path.as_os_str().len() + real.as_os_str().len();
        let value = (path.to_owned(), Instant::now(), real.clone());
        locked(&self.paths).put(&path, self.round(), bytes, value);
        real
    }
}

fn locked<T>(kept: &Mutex<T>) -> MutexGuard<'_, T> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Asks a disk that may not answer; `None` when it does not in time.
pub(crate) fn in_time<T: Send + 'static>(ask: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    if LATE.load(Ordering::SeqCst) >= MOST_LATE {
        return None;
    }
    let (tell, told) = mpsc::channel();
    // Set by whichever comes first, the answer or the end of waiting; the other one counts.
    let is_over = Arc::new(AtomicBool::new(false));
    let is_over_there = is_over.clone();
    let asked = std::thread::Builder::new().name("disk".into()).spawn(move || {
        let answer = ask();
        if is_over_there.swap(true, Ordering::SeqCst) {
            LATE.fetch_sub(1, Ordering::SeqCst);
        }
        // Nobody listens any more when it took too long.
        drop(tell.send(answer));
    });
    asked.ok()?;
    let answer = told.recv_timeout(WITHIN).ok();
    if answer.is_none() && !is_over.swap(true, Ordering::SeqCst) {
        LATE.fetch_add(1, Ordering::SeqCst);
    }
    answer
}

/// Of a path that is gone, what is left of it is resolved.
fn resolved(path: &Path) -> PathBuf {
    for ancestor in path.ancestors() {
        if let Ok(real) = ancestor.canonicalize() {
            let rest = path.strip_prefix(ancestor).unwrap_or(Path::new(""));
            return if rest.as_os_str().is_empty() { real } else { real.join(rest) };
        }
    }
    path.to_owned()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn transcript(number: usize) -> FileAt {
        FileAt { base: "/projects".into(), below: vec!["shop".into()], name: format!("{number}.jsonl") }
    }

    #[test]
    fn heads_of_twenty_thousand_transcripts_are_read_once() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("x"), "x").unwrap();
        let directory = opentoolbar_leaves::files::Directory::open(folder.path()).unwrap();
        let stamp = directory.stamp("x").map(|stamp| stamp.changed_at(9));
        let heads = Heads::default();
        let head =
            Head { title: Some("Buttons".into()), folders: vec!["/home/me/shop".into()], ..Head::default() };
        let mut read = 0;
        for _ in 0..3 {
            heads.next_round();
            for number in 0..20_000 {
                let got = heads.get(&transcript(number), stamp, || {
                    read += 1;
                    Ok(head.clone())
                });
                assert_eq!(got, Ok(head.clone()));
            }
        }
        assert_eq!(read, 20_000);
    }

    #[test]
    fn disks_that_do_not_answer_are_waited_for_a_few_times_and_asked_again_when_they_do() {
        let gate = Arc::new(Mutex::new(()));
        let shut = gate.lock().unwrap_or_else(PoisonError::into_inner);
        let silent = |gate: &Arc<Mutex<()>>| {
            let gate = gate.clone();
            in_time(move || drop(gate.lock()))
        };
        let began = Instant::now();
        for _ in 0..50 {
            assert_eq!(silent(&gate), None);
        }
        assert!(began.elapsed() < WITHIN * 10, "{:?}", began.elapsed());
        assert_eq!(in_time(|| 5), None);
        drop(shut);
        let answer = (0..100).find_map(|_| {
            std::thread::sleep(Duration::from_millis(20));
            in_time(|| 5)
        });
        assert_eq!(answer, Some(5));
    }
}
