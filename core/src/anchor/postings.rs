//! Numbers by key, sorted, so that those of a key stand together.

use crate::sort;

/// Entries that one step of the directory leads to, about.
const STEP: usize = 16;

/// `(key, number)`, sorted by key; keys are hashes, so their highest bits spread evenly.
#[derive(Default)]
pub(super) struct Postings {
    entries: Vec<(u32, u32)>,
    /// For each value of the keys' highest bits where its entries begin, and where the last ones end.
    starts: Vec<u32>,
    /// How far a key is shifted to leave those bits.
    shift: u32,
}

impl Postings {
    /// Of equal entries that follow one another one is kept; those of one key stay in their order.
    pub(super) fn new(mut entries: Vec<(u32, u32)>) -> Self {
        sort::by_digits(&mut entries);
        entries.dedup();
        let bits = (entries.len() / STEP).max(2).ilog2().min(16);
        let shift = u32::BITS - bits;
        let mut starts = vec![0; (1 << bits) + 1];
        for &(key, _) in &entries {
            starts[(key >> shift) as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        Self { entries, starts, shift }
    }

    /// The entries of one key.
    pub(super) fn of(&self, key: u32) -> &[(u32, u32)] {
        let step = (key >> self.shift) as usize;
        let (Some(&from), Some(&to)) = (self.starts.get(step), self.starts.get(step + 1)) else { return &[] };
        let near = self.entries.get(from as usize..to as usize).unwrap_or(&[]);
        let from = near.partition_point(|&(one, _)| one < key);
        let length = near[from..].partition_point(|&(one, _)| one == key);
        &near[from..from + length]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Postings;

    proptest! {
        #[test]
        fn each_key_leads_to_its_own(
            entries in prop::collection::vec((prop_oneof![any::<u32>(), 0u32..9, 0xffff_fff0..=u32::MAX], 0u32..50), 0..500),
            other: u32,
        ) {
            let postings = Postings::new(entries.clone());
            for key in entries.iter().map(|entry| entry.0).chain([0, other, u32::MAX]) {
                let mut expected: Vec<(u32, u32)> = entries.iter().copied().filter(|entry| entry.0 == key).collect();
                expected.dedup();
                prop_assert_eq!(postings.of(key), expected.as_slice());
            }
        }
    }
}
