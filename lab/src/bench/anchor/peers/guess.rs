//! What a peer says.

use crate::bench::anchor::outcome::{Answer, Said};

/// What a peer takes for the element.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::bench::anchor) struct Guess {
    pub(in crate::bench::anchor) node: Option<u32>,
    /// Greater is surer; the scale is the peer's own.
    pub(in crate::bench::anchor) score: f32,
}

impl Guess {
    pub(in crate::bench::anchor) fn answer(self) -> Answer {
        Answer {
            guess: self.node,
            among: Vec::new(),
            said: if self.node.is_some() { Said::AsItWas } else { Said::Missing },
            presence: if self.node.is_some() { self.score } else { f32::MIN },
            confidence: None,
            change: None,
        }
    }
}
