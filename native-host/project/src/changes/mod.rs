//! When files of a project change: names and times of its source files, and nothing else of them.
//!
//! A project may be a stranger's. No link is followed, nothing but `.gitignore` is opened unless a browser asks whether
//! words stand in the source, and whatever is looked through is bounded in files, depth, time and memory.

mod asked;
mod beneath;
mod known;
mod plain_file;
mod quiet;
mod scan;
mod source_file;
mod watch;
mod words;

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

pub use known::{Changed, FileAt, Known};
pub use watch::{OnChange, Watch};
pub use words::{WordsAsked, words};

use scan::{Limits, Scan};

use super::disk::Questions;

/// How long one question may take, a disk that does not answer included.
const WITHIN: Duration = Duration::from_secs(2);

/// What is asked of a project's files.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Of the project, with links resolved.
    pub root: PathBuf,
    /// Where the page's server runs, when that is known: its files are named from there.
    pub served_from: Option<PathBuf>,
    /// Milliseconds since 1970: what changed until then is not told.
    pub since: u64,
    /// As a page names them.
    pub files: Vec<String>,
}

static SCANS: LazyLock<Questions<Option<Arc<Scan>>>> = LazyLock::new(Questions::default);

/// The answer, in milliseconds since 1970; `None` when the project's disk does not answer. Blocks, for two seconds at
/// most. `known`: what a watch has seen of this project.
pub fn changes(asked: &Asked, known: &Mutex<Known>) -> Option<Changed> {
    let scan = scan_in_time(&asked.root)?;
    if !scan.is_whole {
        tracing::debug!(files = scan.files.len(), "a project is larger than is looked through");
    }
    // After the look: what changed during it is not in the future.
    let now = now();
    let mut known = locked(known);
    known.meets(&scan, now);
    Some(known.answer(asked, &scan, now))
}

/// Milliseconds since 1970.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn scan_in_time(root: &Path) -> Option<Arc<Scan>> {
    let asked = Instant::now();
    let look = |root: &Path| Scan::of(root, Limits::default(), &mut |_| true).ok().map(Arc::new);
    let scan = SCANS.ask(root, WITHIN, look)??;
    if scan.began >= asked {
        return Some(scan);
    }
    // Somebody else's look, which may have passed by what changed since it began.
    let left = WITHIN.saturating_sub(asked.elapsed());
    Some(SCANS.ask(root, left, look).flatten().unwrap_or(scan))
}
