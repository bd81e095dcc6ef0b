//! What was learnt of files at the last looks: bounded, and of more files than there is room for some stay kept.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, Hash, RandomState};

/// What an entry takes beside what its owner says.
const ENTRY: usize = 96;

/// By what it was learnt of, with the round of looks in which it was wanted last. Each round wants nearly the same, and
/// in the same order: to drop the least recent one for each new one would be to drop each just before it is wanted. So
/// only what the last two rounds did not want is dropped; without room, what is new is not kept.
#[derive(Debug)]
pub(crate) struct Recent<T> {
    /// By a hash that nobody outside can choose. Values say what they are of, where a wrong one would matter.
    entries: HashMap<u64, Entry<T>>,
    hasher: RandomState,
    /// Bytes of all, and how many there may be.
    bytes: usize,
    most: usize,
    /// The round in which room was made last.
    swept: u64,
}

#[derive(Debug)]
struct Entry<T> {
    round: u64,
    bytes: usize,
    value: T,
}

impl<T> Recent<T> {
    /// With room for so many bytes.
    pub(crate) fn new(most: usize) -> Self {
        Self { entries: HashMap::new(), hasher: RandomState::new(), bytes: 0, most, swept: 0 }
    }

    pub(crate) fn get(&mut self, of: &impl Hash, round: u64) -> Option<&mut T> {
        let entry = self.entries.get_mut(&self.hasher.hash_one(of))?;
        entry.round = round;
        Some(&mut entry.value)
    }

    /// Keeps a value that takes about so many bytes.
    pub(crate) fn put(&mut self, of: &impl Hash, round: u64, bytes: usize, value: T) {
        let (key, bytes) = (self.hasher.hash_one(of), bytes + ENTRY + size_of::<T>());
        if let Some(old) = self.entries.remove(&key) {
            self.bytes -= old.bytes;
        }
        if self.bytes + bytes > self.most && self.swept != round {
            self.swept = round;
            self.entries.retain(|_, entry| round.saturating_sub(entry.round) <= 1);
            self.bytes = self.entries.values().map(|entry| entry.bytes).sum();
        }
        if self.bytes + bytes <= self.most {
            self.bytes += bytes;
            self.entries.insert(key, Entry { round, bytes, value });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EACH: usize = ENTRY + size_of::<u32>() + 4;

    /// How many of these were not kept.
    fn look(recent: &mut Recent<u32>, round: u64, files: std::ops::Range<u32>) -> usize {
        let mut read = 0;
        for file in files {
            if recent.get(&file, round).is_none() {
                read += 1;
                recent.put(&file, round, 4, file);
            }
            assert!(recent.bytes <= recent.most);
        }
        read
    }

    #[test]
    fn of_more_than_there_is_room_for_only_the_rest_is_read_at_each_round() {
        let mut recent = Recent::new(100 * EACH);
        assert_eq!(look(&mut recent, 1, 0..150), 150);
        for round in 2..5 {
            assert_eq!(look(&mut recent, round, 0..150), 50);
        }
    }

    #[test]
    fn what_is_not_wanted_any_longer_makes_room() {
        let mut recent = Recent::new(100 * EACH);
        look(&mut recent, 1, 0..100);
        look(&mut recent, 2, 200..250);
        look(&mut recent, 3, 200..300);
        assert_eq!(look(&mut recent, 4, 200..300), 0);
        // The newer value of one stands for the older one, and takes its room.
        recent.put(&250_u32, 5, 4, 7);
        assert_eq!((recent.get(&250_u32, 5).copied(), recent.bytes), (Some(7), 100 * EACH));
    }
}
