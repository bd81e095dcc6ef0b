//! A candidate with what was found of it.

use super::evidence::{Clue, Evidence};

/// A candidate that was compared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scored {
    /// It alone says exactly what the anchor's element said, which was the only one on its page.
    pub(super) is_only_equal: bool,
    /// It stands in the element's own row and says another number in the same words.
    pub(super) is_in_row: bool,
    pub(super) node: u32,
    pub(super) fit: f32,
    pub(super) evidence: Evidence,
    /// Of a page that was built anew: `fit` is a score of how alike its purpose is then.
    pub(super) by_purpose: Option<ByPurpose>,
}

/// What is known beside the score of a candidate that was found by what it is for.
#[derive(Clone, Copy, Debug)]
pub(super) struct ByPurpose {
    /// How well it fits by what was learnt of edits.
    #[cfg(feature = "training")]
    pub(super) learnt: f32,
    /// Whether anything that it says, is called or stands beside is the element's.
    pub(super) is_told: bool,
}

impl Scored {
    /// One of the clues.
    pub(super) fn clue(&self, clue: Clue) -> f32 {
        self.evidence[clue as usize]
    }
}
