//! What learning the model's numbers needs to see: the evidence for each candidate, and the signs of the outcome.
//! Used by `cargo xtask train anchor` alone.

use super::candidates::Board;
use super::fingerprint::Context;
use super::model::{self, Model};
use super::sought::Sought;
use super::survey::Survey;
use super::{Anchor, AnchorError, evidence, judge, outcome, relations, relocate, weights};
use crate::page::Page;

/// Numbers about one candidate.
pub const CLUES: usize = evidence::CLUES;
/// Numbers about the whole of the candidates.
pub const SIGNS: usize = outcome::SIGNS;
/// Kinds of outcome: the best candidate is the element, the element is elsewhere, it is gone.
pub const OUTCOMES: usize = model::OUTCOMES;

/// The numbers of one network, as they are learnt.
#[derive(Clone, Debug, Default)]
pub struct Network {
    /// Mean and reciprocal of the deviation for each input.
    pub inputs: Vec<(f32, f32)>,
    /// A row for each hidden unit, the bias last.
    pub hidden: Vec<i8>,
    /// A row for each output, the bias last.
    pub output: Vec<i8>,
    /// What one step of the weights means, for each row of `hidden`, then of `output`.
    pub steps: Vec<f32>,
}

impl Network {
    fn borrowed(&self) -> model::Network<'_> {
        let Self { inputs, hidden, output, steps } = self;
        model::Network { inputs, hidden, output, steps }
    }
}

/// Both networks; by default none, when every candidate fits as well as every other.
#[derive(Clone, Debug, Default)]
pub struct Numbers {
    /// How well a candidate fits.
    pub fit: Network,
    /// What the best one is.
    pub outcome: Network,
}

impl Numbers {
    /// Those that are in use.
    #[must_use]
    pub fn learnt() -> Self {
        let own = |network: model::Network<'_>| Network {
            inputs: network.inputs.to_vec(),
            hidden: network.hidden.to_vec(),
            output: network.output.to_vec(),
            steps: network.steps.to_vec(),
        };
        Self { fit: own(weights::FIT), outcome: own(weights::OUTCOME) }
    }
}

/// What is seen of one element that is looked for.
#[derive(Clone, Debug)]
pub struct Look {
    /// Best first: the node, and what speaks for and against it.
    pub candidates: Vec<(u32, [f32; CLUES])>,
    /// About the whole of them.
    pub signs: [f32; SIGNS],
    /// Found untouched, so that the model is not asked.
    pub untouched: bool,
}

/// Looks for elements of one page on another, with anchors as `version` kept them.
///
/// # Errors
/// When a node is no element.
pub fn look(
    numbers: &Numbers,
    old: &Page,
    elements: &[(u32, Vec<String>)],
    new: &Page,
    version: u8,
) -> Result<Vec<Look>, AnchorError> {
    let model = Model::new(&numbers.fit.borrowed(), &numbers.outcome.borrowed());
    let (before, after) = (Survey::new(old), Survey::new(new));
    let mut board = Board::new(&after);
    let mut anchors = Vec::new();
    for (node, selectors) in elements {
        let selectors: Vec<&str> = selectors.iter().map(String::as_str).collect();
        let mut anchor = Anchor::with_model(&model, &before, *node, &selectors)?;
        if version < 2 {
            anchor.context = Context::of_version_1(&anchor.base);
        }
        if version < 3 {
            anchor.order = None;
        }
        anchors.push(anchor);
    }
    let mut looked = Vec::new();
    let mut known = Vec::new();
    for anchor in &anchors {
        let untouched = judge::untouched(&after, anchor);
        let sought = Sought::new(&after, anchor, false);
        let list = relocate::scored(&model, &after, &sought, &mut board, true);
        let sure = judge::outcome(&model, &after, &sought, &list).it >= relations::SURE;
        let best = list.first().filter(|_| sure).map(|best| best.node);
        let found = untouched.map(|(node, _)| node).or(best);
        known.extend(found.and_then(|node| relations::Known::new(new, anchor, node)));
        looked.push((untouched.is_some(), sought, list));
    }
    let known = relations::sorted(known);
    let look = |(untouched, sought, mut list): (bool, Sought<'_>, Vec<outcome::Scored>)| {
        relocate::relate(&model, &after, &sought, &known, &mut list);
        Look {
            signs: outcome::signs(&after, &sought, &list),
            candidates: list.into_iter().map(|one| (one.node, one.evidence)).collect(),
            untouched,
        }
    };
    Ok(looked.into_iter().map(look).collect())
}
