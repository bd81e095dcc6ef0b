//! What a further selector of an element may not rest on: what those before it rest on already.

use super::syntax::{Combinator, Path, Simple, Step};

/// What a selector may not rest on.
#[derive(Clone, Debug, Default)]
pub(super) struct Avoided {
    pub(super) names: Vec<Simple>,
    /// No text at all.
    pub(super) texts: bool,
    /// How many selectors rest on each kind of evidence already: on siblings before, on what is held, on places.
    pub(super) siblings: u32,
    pub(super) holders: u32,
    pub(super) places: u32,
}

impl Avoided {
    /// Counts what a selector rests on.
    pub(super) fn note(&mut self, path: &Path) {
        let any = |which: &dyn Fn(&Step) -> bool| {
            u32::from(path.0.iter().flat_map(|segment| &segment.0).any(which))
        };
        self.siblings +=
            any(&|step| matches!(step.combinator, Combinator::NextSibling | Combinator::LaterSibling));
        self.holders += any(&|step| step.compound.0.iter().any(|one| matches!(one, Simple::Has(_))));
        self.places += any(&|step| step.compound.0.iter().any(|one| matches!(one, Simple::Nth { .. })));
    }
}
