//! VS Code's own lists of its dialogs, as they were read last. Each is in a database that VS Code writes every few
//! seconds, mostly for something else, and that is copied whole to be read.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use opentoolbar_leaves::files::{Directory, Opened, Stamp};

use crate::error::NoData;
use crate::json::Bytes as _;
use crate::place::{FileAt, open_in};
use crate::recent::Recent;

/// Bytes of lists that are kept.
const MOST: usize = 4 * 1024 * 1024;
/// A list is read no more often than so.
const EVERY: Duration = Duration::from_secs(5);
/// Bytes at the beginning of a database, with the number of its changes.
const HEADER: usize = 100;

/// A dialog in a program's own list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ListEntry {
    pub(crate) id: String,
    pub(crate) title: String,
    /// Milliseconds since the epoch.
    pub(crate) last_message: u64,
    pub(crate) is_empty: Option<bool>,
}

/// What became of reading one.
type Outcome = Result<Arc<Vec<ListEntry>>, NoData>;

#[derive(Debug)]
struct Kept {
    file: FileAt,
    stamp: Stamp,
    header: [u8; HEADER],
    /// Whether the stamp was old enough that the next change has another one.
    is_settled: bool,
    at: Instant,
    list: Outcome,
}

#[derive(Debug)]
pub(crate) struct Lists {
    kept: Mutex<Recent<Kept>>,
    every: Duration,
}

impl Default for Lists {
    fn default() -> Self {
        Self::new(EVERY)
    }
}

impl Lists {
    fn new(every: Duration) -> Self {
        Self { kept: Mutex::new(Recent::new(MOST)), every }
    }

    /// The list in a database of an open directory, copied by `read` when it may be another one than the last time;
    /// none is an empty one.
    pub(crate) fn get(
        &self,
        file: &FileAt,
        directory: &Directory,
        round: u64,
        read: impl FnOnce(Opened) -> Result<Vec<ListEntry>, NoData>,
    ) -> Outcome {
        let Some(stamp) = directory.stamp(&file.name) else { return Ok(Arc::default()) };
        let mut unsettled = None;
        if let Some(kept) = self.locked().get(file, round).filter(|kept| kept.file == *file) {
            if (kept.is_settled && kept.stamp == stamp) || kept.at.elapsed() < self.every {
                return kept.list.clone();
            }
            unsettled = (kept.stamp == stamp).then_some(kept.header);
        }
        let opened = open_in(directory, &file.name)?;
        let (stamp, is_settled) = (opened.stamp, !opened.stamp.is_fresh());
        let header = header(&opened).map_err(|_| NoData::Unreadable)?;
        // It was written a moment before it was read: what tells whether it was again is what SQLite counts.
        if unsettled == Some(header)
            && let Some(kept) = self.locked().get(file, round)
        {
            (kept.is_settled, kept.at) = (is_settled, Instant::now());
            return kept.list.clone();
        }
        let list = read(opened).map(Arc::new);
        let entries = list.as_ref().map_or(&[][..], |list| list.as_slice());
        let bytes = |entry: &ListEntry| entry.id.len() + entry.title.len() + size_of::<ListEntry>();
        let bytes = entries.iter().map(bytes).sum::<usize>() + file.path().as_os_str().len();
        let at = Instant::now();
        let kept = Kept { file: file.clone(), stamp, header, is_settled, at, list: list.clone() };
        self.locked().put(file, round, bytes, kept);
        list
    }

    fn locked(&self) -> MutexGuard<'_, Recent<Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The first bytes; what is shorter ends in zeros.
fn header(opened: &Opened) -> io::Result<[u8; HEADER]> {
    let mut header = [0; HEADER];
    let mut read = 0;
    while read < HEADER {
        match opened.file.read_at(&mut header[read..], read as u64)? {
            0 => break,
            count => read += count,
        }
    }
    Ok(header)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    struct World {
        folder: tempfile::TempDir,
        lists: Lists,
        copies: usize,
    }

    impl World {
        fn new(every: Duration) -> Self {
            Self { folder: tempfile::tempdir().unwrap(), lists: Lists::new(every), copies: 0 }
        }

        fn write(&self, content: &str) {
            std::fs::write(self.folder.path().join("state"), content).unwrap();
        }

        fn copies_after_a_look(&mut self) -> usize {
            let directory = Directory::open(self.folder.path()).unwrap();
            let file = FileAt { base: self.folder.path().into(), below: Vec::new(), name: "state".into() };
            let copies = &mut self.copies;
            let read = |_| {
                *copies += 1;
                Ok(Vec::new())
            };
            assert!(self.lists.get(&file, &directory, 1, read).is_ok());
            self.copies
        }
    }

    #[test]
    fn an_unchanged_list_is_copied_once_also_when_it_was_just_written() {
        let mut world = World::new(Duration::ZERO);
        assert_eq!(world.copies_after_a_look(), 0, "none is there");
        world.write("one");
        for _ in 0..20 {
            assert_eq!(world.copies_after_a_look(), 1);
            std::thread::sleep(Duration::from_millis(15));
        }
        world.write("two");
        assert_eq!(world.copies_after_a_look(), 2);
        assert_eq!(world.copies_after_a_look(), 2);
    }

    #[test]
    fn a_list_that_changes_all_the_time_is_copied_once_in_a_while() {
        let mut world = World::new(Duration::from_secs(3_600));
        for number in 0..20 {
            world.write(&format!("{number}"));
            assert_eq!(world.copies_after_a_look(), 1);
        }
        // And is, when the while is over.
        world.lists.every = Duration::ZERO;
        assert_eq!(world.copies_after_a_look(), 2);
    }
}
