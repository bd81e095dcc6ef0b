//! What the beginnings of histories say, kept as long as they are what they were: there may be thousands, and they are
//! listed at every question.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use opentoolbar_leaves::files::Stamp;

use crate::error::NoData;
use crate::place::FileAt;

/// Of each kind; beyond, they are read again.
const MOST_KEPT: usize = 4_096;
/// How long it may take to see what a path leads to: its disk may be one that does not answer.
const WITHIN: Duration = Duration::from_secs(1);

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
    paths: Mutex<HashMap<PathBuf, PathBuf>>,
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
        let kept = self.paths.lock().unwrap_or_else(PoisonError::into_inner).get(path).cloned();
        kept.unwrap_or_else(|| {
            let asked = path.to_owned();
            let real = in_time(move || resolved(&asked)).unwrap_or_else(|| path.to_owned());
            let mut paths = self.paths.lock().unwrap_or_else(PoisonError::into_inner);
            make_room(&mut paths);
            paths.insert(path.to_owned(), real.clone());
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
    let (tell, told) = mpsc::channel();
    // Left behind when the disk does not answer; nobody listens to it any more then.
    let asked = std::thread::Builder::new().name("disk".into()).spawn(move || drop(tell.send(ask())));
    asked.ok().and_then(|_| told.recv_timeout(WITHIN).ok())
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
