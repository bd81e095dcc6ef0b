//! What a page said, in few bytes: whether a text was there can be told, nearly always rightly; which texts there were
//! cannot.

/// Bits of each text, and how many of them are set.
const BITS: usize = 10;
const SET: u32 = 4;
/// Bytes, at most.
const MOST: usize = 256;

/// A set of texts, by their short hashes. Of one text in a hundred that was not there it says that it was.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::anchor) struct Said(Vec<u8>);

impl Said {
    /// `texts`: those that matter most first; of more than two hundred the others are left out.
    pub(in crate::anchor) fn of(texts: &[u32]) -> Self {
        let texts = texts.get(..MOST * 8 / BITS).unwrap_or(texts);
        let mut bytes = vec![0; (texts.len() * BITS).div_ceil(8)];
        for &text in texts {
            for bit in bits(text, bytes.len()) {
                if let Some(byte) = bytes.get_mut(bit / 8) {
                    *byte |= 1 << (bit % 8);
                }
            }
        }
        Self(bytes)
    }

    /// Whether the text was there.
    pub(in crate::anchor) fn has(&self, text: u32) -> bool {
        !self.0.is_empty()
            && bits(text, self.0.len())
                .all(|bit| self.0.get(bit / 8).is_some_and(|byte| byte >> (bit % 8) & 1 == 1))
    }

    /// Nothing is known of the page.
    pub(in crate::anchor) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// It may have said more.
    pub(in crate::anchor) fn is_full(&self) -> bool {
        self.0.len() >= MOST
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// No longer than any version writes it.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        (bytes.len() <= MOST).then(|| Self(bytes.to_vec()))
    }
}

fn bits(text: u32, bytes: usize) -> impl Iterator<Item = usize> {
    let all = (bytes * 8).max(1);
    (0..SET).map(move |at| {
        let number = text.wrapping_mul(0x9e37_79b1).rotate_left(at * 8) ^ text.rotate_right(at * 5);
        number as usize % all
    })
}
