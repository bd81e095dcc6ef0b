//! Indexes of histories that were read lately: the next question about the same one needs no pass, and one that has
//! only grown is read from where it ended.

use std::hash::{DefaultHasher, Hasher as _};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

use opentoolbar_leaves::files::{Opened, Stamp};

use crate::error::Error;
use crate::index::Index;
use crate::json::Bytes as _;
use crate::pass::{Pass, run};
use crate::place::FileAt;

/// Histories, and the requests and answers of all, that are kept.
const MOST_HISTORIES: usize = 32;
const MOST_ENTRIES: usize = 300_000;
/// Bytes at the beginning, and before the place where a pass ended, by which it is seen that a file only grew.
const PRINT: usize = 4 * 1024;
const LOOK_EVERY: Duration = Duration::from_millis(2);

/// One history, read.
pub(crate) struct Kept {
    stamp: Stamp,
    /// Whether the stamp was old enough that the next change has another one.
    is_settled: bool,
    /// From where it can be read on, and what was before that.
    resume: Option<(u64, u64)>,
    pass: Box<dyn Pass + Sync>,
}

impl Kept {
    pub(crate) fn index(&self) -> &Index {
        self.pass.index()
    }

    fn entries(&self) -> usize {
        self.index().cost()
    }
}

impl std::fmt::Debug for Kept {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Kept")
            .field("stamp", &self.stamp)
            .field("resume", &self.resume)
            .finish_non_exhaustive()
    }
}

type Histories = Vec<(FileAt, Arc<Kept>)>;

/// Those of one process, the latest last.
#[derive(Default)]
pub(crate) struct Memory(Mutex<Histories>);

impl Memory {
    /// The index of a file that is open: from memory, or by a pass. One pass at a time: what it takes is bounded.
    pub(crate) fn index(
        &self,
        file: &FileAt,
        opened: &Opened,
        pass: impl Fn() -> Box<dyn Pass + Sync>,
        keep_going: &dyn Fn() -> bool,
    ) -> Result<Arc<Kept>, Error> {
        let mut kept = self.lock(keep_going)?;
        let position = kept.iter().position(|(at, _)| at == file);
        let before = position.map(|position| kept.remove(position).1);
        if let Some(before) = &before
            && before.is_settled
            && before.stamp == opened.stamp
        {
            let before = before.clone();
            kept.push((file.clone(), before.clone()));
            return Ok(before);
        }
        let grown = before.and_then(|before| go_on(before, opened, keep_going).transpose()).transpose()?;
        let now = match grown {
            Some(grown) => grown,
            None => begin(pass(), 0, opened, keep_going)?,
        };
        let now = Arc::new(now);
        kept.push((file.clone(), now.clone()));
        forget(&mut kept);
        Ok(now)
    }

    /// Whoever waits for another's pass may be stopped too.
    fn lock(&self, keep_going: &dyn Fn() -> bool) -> Result<MutexGuard<'_, Histories>, Error> {
        loop {
            match self.0.try_lock() {
                Ok(kept) => return Ok(kept),
                Err(TryLockError::Poisoned(poisoned)) => return Ok(PoisonError::into_inner(poisoned)),
                Err(TryLockError::WouldBlock) if keep_going() => std::thread::sleep(LOOK_EVERY),
                Err(TryLockError::WouldBlock) => return Err(Error::Stopped),
            }
        }
    }
}

/// The oldest go first; the latest stays, whatever it is.
fn forget(kept: &mut Histories) {
    let mut entries: usize = kept.iter().map(|(_, kept)| kept.entries()).sum();
    while kept.len() > 1 && (kept.len() > MOST_HISTORIES || entries > MOST_ENTRIES) {
        entries -= kept.remove(0).1.entries();
    }
}

/// `None` when it has to be read anew.
fn go_on(before: Arc<Kept>, opened: &Opened, keep_going: &dyn Fn() -> bool) -> Result<Option<Kept>, Error> {
    let Some((from, print)) = before.resume.filter(|(from, _)| *from <= opened.bytes) else {
        return Ok(None);
    };
    if fingerprint(opened, from)? != print {
        return Ok(None);
    }
    // Somebody still uses it: what it says must not change under them.
    let Some(before) = Arc::into_inner(before) else { return Ok(None) };
    match begin(before.pass, from, opened, keep_going) {
        Ok(kept) => Ok(Some(kept)),
        Err(Error::Stopped) => Err(Error::Stopped),
        // What was read before stands in it as well, and says what it is.
        Err(_) => Ok(None),
    }
}

fn begin(
    mut pass: Box<dyn Pass + Sync>,
    from: u64,
    opened: &Opened,
    keep_going: &dyn Fn() -> bool,
) -> Result<Kept, Error> {
    let end = run(pass.as_mut(), &opened.file, from, opened.bytes, keep_going)?;
    let resume = match end {
        Some(end) => Some((end, fingerprint(opened, end)?)),
        None => None,
    };
    let is_settled = !opened.stamp.is_fresh() && opened.is_unchanged()?;
    Ok(Kept { stamp: opened.stamp, is_settled, resume, pass })
}

/// Of the beginning, and of what stands before a place.
fn fingerprint(opened: &Opened, upto: u64) -> Result<u64, Error> {
    let mut hasher = DefaultHasher::new();
    let mut piece = [0; PRINT];
    let length = PRINT.min(usize::try_from(upto).unwrap_or(PRINT));
    for start in [0, upto - length as u64] {
        let mut read = 0;
        while read < length {
            match opened.file.read_at(&mut piece[read..length], start + read as u64)? {
                0 => break,
                count => read += count,
            }
        }
        hasher.write(&piece[..read]);
    }
    Ok(hasher.finish())
}
