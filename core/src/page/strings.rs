use super::CaptureError;
use crate::sort;

/// A page's interned strings with a directory to find them by their text.
///
/// The directory is sorted by hash and then by text, not hashed into buckets: a hostile page that makes its
/// strings collide costs a comparison more, never a quadratic search.
#[derive(Clone, Debug, Default)]
pub(super) struct Strings {
    texts: Vec<String>,
    directory: Vec<(u64, u32)>,
}

impl Strings {
    /// Takes over `texts`; fails when two are equal.
    pub(super) fn new(texts: Vec<String>) -> Result<Self, CaptureError> {
        let hashes: Vec<u64> = texts.iter().map(|text| hash(text)).collect();
        let mut order: Vec<(u32, u32)> = hashes.iter().map(|&hash| top(hash)).zip(0..).collect();
        sort::by_digits(&mut order);
        let mut directory: Vec<(u64, u32)> = order.iter().map(|&(_, id)| (hashes[id as usize], id)).collect();
        for equal in directory.chunk_by_mut(|a, b| top(a.0) == top(b.0)).filter(|equal| equal.len() > 1) {
            sort::by(equal, |a, b| a.0.cmp(&b.0).then_with(|| texts[a.1 as usize].cmp(&texts[b.1 as usize])));
        }
        for pair in directory.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            if a.0 == b.0 && texts[a.1 as usize] == texts[b.1 as usize] {
                return Err(CaptureError::DuplicateString { first: a.1.min(b.1), second: a.1.max(b.1) });
            }
        }
        Ok(Self { texts, directory })
    }

    pub(super) fn len(&self) -> usize {
        self.texts.len()
    }

    pub(super) fn texts(&self) -> &[String] {
        &self.texts
    }

    /// The text of `id`; empty when there is none.
    pub(super) fn get(&self, id: u32) -> &str {
        self.texts.get(id as usize).map_or("", String::as_str)
    }

    /// The id of a text, if the page has it.
    pub(super) fn id_of(&self, text: &str) -> Option<u32> {
        let wanted = hash(text);
        self.directory
            .binary_search_by(|&(h, id)| h.cmp(&wanted).then_with(|| self.get(id).cmp(text)))
            .ok()
            .map(|at| self.directory[at].1)
    }
}

/// The part of a hash that is sorted by digits: it tells all but a few strings apart.
fn top(hash: u64) -> u32 {
    (hash >> 32) as u32
}

/// A quick 64-bit hash, eight bytes at a time. Not for anything that must resist forging.
pub(super) fn hash(text: &str) -> u64 {
    const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut state = MIX ^ text.len() as u64;
    let mut chunks = text.as_bytes().chunks_exact(8);
    for chunk in &mut chunks {
        let mut word = [0u8; 8];
        word.copy_from_slice(chunk);
        state = (state ^ u64::from_le_bytes(word)).wrapping_mul(MIX);
        state ^= state >> 29;
    }
    let mut word = [0u8; 8];
    word[..chunks.remainder().len()].copy_from_slice(chunks.remainder());
    state = (state ^ u64::from_le_bytes(word)).wrapping_mul(MIX);
    state ^ (state >> 32)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at what cannot be")]
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn each_text_has_its_id_and_no_other_text_has_one(texts in prop::collection::btree_set("[a-cé]{0,6}", 0..80)) {
            let texts: Vec<String> = texts.into_iter().collect();
            let strings = Strings::new(texts.clone()).unwrap();
            for (id, text) in (0u32..).zip(&texts) {
                prop_assert_eq!(strings.id_of(text), Some(id));
            }
            prop_assert_eq!(strings.id_of("abcabcabc"), None);
            let hashes = strings.directory.iter().map(|entry| entry.0);
            prop_assert!(hashes.is_sorted());
        }

        #[test]
        fn a_text_that_is_there_twice_is_refused(
            texts in prop::collection::btree_set("[a-c]{0,4}", 1..40),
            at: prop::sample::Index,
        ) {
            let mut texts: Vec<String> = texts.into_iter().collect();
            let (first, second) = (at.index(texts.len()) as u32, texts.len() as u32);
            texts.push(texts[first as usize].clone());
            prop_assert_eq!(Strings::new(texts).unwrap_err(), CaptureError::DuplicateString { first, second });
        }
    }
}
