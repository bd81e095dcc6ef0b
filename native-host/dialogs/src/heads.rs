//! What the beginnings of histories say, kept as long as they are what they were: there may be thousands, and they are
//! listed at every question.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicIsize, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use opentoolbar_leaves::files::Stamp;

use crate::error::NoData;
use crate::place::FileAt;

/// Of each kind; beyond, they are read again.
const MOST_KEPT: usize = 4_096;
/// How long it may take to see what a path leads to: its disk may be one that does not answer.
const WITHIN: Duration = Duration::from_secs(1);
/// Questions that were not answered in time and still wait, at most: with so many, no other is asked.
const MOST_LATE: isize = 4;
/// How long it is believed what a path leads to.
const BELIEVED: Duration = Duration::from_secs(30);

static LATE: AtomicIsize = AtomicIsize::new(0);

/// Of a transcript.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) id: Option<String>,
    pub(crate) title: Option<String>,
    /// Where the program worked.
    pub(crate) folder: Option<PathBuf>,
}

/// A dialog in a program's own list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ListEntry {
    pub(crate) id: String,
    pub(crate) title: String,
    /// Milliseconds since the epoch.
    pub(crate) last_message: u64,
}

/// By file, with what the file was then.
type Stamped<T> = HashMap<FileAt, (Stamp, T)>;

#[derive(Default)]
pub(crate) struct Heads {
    heads: Mutex<Stamped<Head>>,
    lists: Mutex<Stamped<Arc<Vec<ListEntry>>>>,
    paths: Mutex<HashMap<PathBuf, (Instant, PathBuf)>>,
}

impl Heads {
    pub(crate) fn get(
        &self,
        file: &FileAt,
        stamp: Option<Stamp>,
        read: impl FnOnce() -> Result<Head, NoData>,
    ) -> Result<Head, NoData> {
        get(&self.heads, file, stamp, read)
    }

    pub(crate) fn list(
        &self,
        file: &FileAt,
        stamp: Option<Stamp>,
        read: impl FnOnce() -> Vec<ListEntry>,
    ) -> Arc<Vec<ListEntry>> {
        get(&self.lists, file, stamp, || Ok(Arc::new(read()))).unwrap_or_default()
    }

    /// The path with its links resolved, as far as it is there; as it is when that cannot be said in time.
    pub(crate) fn real(&self, path: &Path) -> PathBuf {
        let lock = || self.paths.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = lock().get(path).filter(|(at, _)| at.elapsed() < BELIEVED).map(|(_, real)| real.clone());
        kept.unwrap_or_else(|| {
            let asked = path.to_owned();
            let real = in_time(move || resolved(&asked)).unwrap_or_else(|| path.to_owned());
            let mut paths = lock();
            make_room(&mut paths);
            paths.insert(path.to_owned(), (Instant::now(), real.clone()));
            real
        })
    }
}

fn get<T: Clone>(
    kept: &Mutex<Stamped<T>>,
    file: &FileAt,
    stamp: Option<Stamp>,
    read: impl FnOnce() -> Result<T, NoData>,
) -> Result<T, NoData> {
    let lock = || kept.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(stamp) = stamp.filter(|stamp| !stamp.is_fresh()) else { return read() };
    if let Some((known, value)) = lock().get(file)
        && *known == stamp
    {
        return Ok(value.clone());
    }
    let value = read()?;
    let mut kept = lock();
    make_room(&mut kept);
    kept.insert(file.clone(), (stamp, value.clone()));
    Ok(value)
}

fn make_room<K, V>(kept: &mut HashMap<K, V>) {
    if kept.len() >= MOST_KEPT {
        kept.clear();
    }
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
    use super::*;

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
