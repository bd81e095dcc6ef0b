//! Indexes of histories that were read lately: the next question about the same one needs no pass, and one that has
//! only grown is read from where it ended. A history that is read slowly, from a disk that hardly answers say, keeps
//! nobody from those that are known, and one other may be read beside it.

use std::hash::{DefaultHasher, Hasher as _};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use opentoolbar_leaves::files::{Opened, Stamp};

use crate::error::Error;
use crate::index::Index;
use crate::json::Bytes as _;
use crate::pass::{Pass, run};
use crate::place::FileAt;

/// Histories, and the requests and answers of all, that are kept.
const MOST_HISTORIES: usize = 128;
const MOST_ENTRIES: usize = 300_000;
/// Bytes at the beginning, and before the place where a pass ended, by which it is seen that a file only grew.
const PRINT: usize = 4 * 1024;
/// Histories that are read at the same time: what each takes is bounded, and so is what all take.
const MOST_PASSES: usize = 2;
/// How often whoever waits for another's pass looks whether that is still wanted.
const LOOK_EVERY: Duration = Duration::from_millis(20);

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

#[derive(Debug, Default)]
struct State {
    /// The latest last.
    kept: Vec<(FileAt, Arc<Kept>)>,
    /// Those that are read now.
    running: Vec<FileAt>,
}

/// What somebody who asks is to do.
enum Turn {
    Known(Arc<Kept>),
    /// Read it, from where it was read to before.
    Read(Option<Arc<Kept>>),
}

/// Those of one process.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    state: Mutex<State>,
    /// A pass ended.
    ended: Condvar,
}

impl Memory {
    /// The index of a file that is open: from memory, or by a pass. The same file is read by one at a time.
    pub(crate) fn index(
        &self,
        file: &FileAt,
        opened: &Opened,
        pass: impl Fn() -> Box<dyn Pass + Sync>,
        keep_going: &dyn Fn() -> bool,
    ) -> Result<Arc<Kept>, Error> {
        let before = match self.turn(file, opened, keep_going)? {
            Turn::Known(kept) => return Ok(kept),
            Turn::Read(before) => before,
        };
        let _running = Running { memory: self, file };
        let grown = before.and_then(|before| go_on(before, opened, keep_going).transpose()).transpose()?;
        let now = match grown {
            Some(grown) => grown,
            None => begin(pass(), 0, opened, keep_going)?,
        };
        let now = Arc::new(now);
        self.locked().keep(file, now.clone());
        Ok(now)
    }

    /// Waits until the history is known or may be read. Whoever waits may be stopped too.
    fn turn(&self, file: &FileAt, opened: &Opened, keep_going: &dyn Fn() -> bool) -> Result<Turn, Error> {
        loop {
            let mut state = self.locked();
            if let Some(turn) = state.turn(file, opened) {
                return Ok(turn);
            }
            drop(self.ended.wait_timeout(state, LOOK_EVERY));
            if !keep_going() {
                return Err(Error::Stopped);
            }
        }
    }

    fn locked(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// As long as it lives, the file is read by whoever holds it.
struct Running<'m> {
    memory: &'m Memory,
    file: &'m FileAt,
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.memory.locked().running.retain(|file| file != self.file);
        self.memory.ended.notify_all();
    }
}

impl State {
    /// `None`: it has to be waited for.
    fn turn(&mut self, file: &FileAt, opened: &Opened) -> Option<Turn> {
        let position = self.kept.iter().position(|(at, _)| at == file);
        if let Some(position) = position
            && self.kept[position].1.is_settled
            && self.kept[position].1.stamp == opened.stamp
        {
            let used = self.kept.remove(position);
            let kept = used.1.clone();
            self.kept.push(used);
            return Some(Turn::Known(kept));
        }
        if self.running.len() >= MOST_PASSES || self.running.contains(file) {
            return None;
        }
        self.running.push(file.clone());
        Some(Turn::Read(position.map(|position| self.kept.remove(position).1)))
    }

    /// The oldest go first; the latest stays, whatever it is.
    fn keep(&mut self, file: &FileAt, now: Arc<Kept>) {
        self.kept.push((file.clone(), now));
        let mut entries: usize = self.kept.iter().map(|(_, kept)| kept.entries()).sum();
        while self.kept.len() > 1 && (self.kept.len() > MOST_HISTORIES || entries > MOST_ENTRIES) {
            entries -= self.kept.remove(0).1.entries();
        }
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
