//! What learning the model's numbers needs to see: the evidence for each candidate, and the signs of the outcome.
//! Used by `cargo xtask train anchor` alone.

use super::fingerprint::Context;
use super::model::{self, Model};
use super::redone::Redone;
use super::scored::Scored;
use super::survey::Survey;
use super::{Anchor, AnchorError, evidence, judge, outcome, redesign, relocate, weights};
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
    /// What is left as the best when the others have theirs.
    pub first: Option<u32>,
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
        if version < 4 {
            anchor.nearby = Vec::new();
        }
        anchors.push(anchor);
    }
    let untouched = anchors.iter().map(|anchor| judge::untouched(&after, anchor)).collect();
    let mut pass =
        relocate::Pass::new(&model, &after, &anchors, untouched, true, |_| relocate::Source::MayDiffer);
    if version < 3 {
        pass.redone = Redone::UNKNOWN;
    }
    pass.relate();
    let candidates = |list: &Vec<Scored>| list.iter().map(|one| (one.node, one.evidence)).collect();
    let candidates: Vec<Vec<_>> = pass.lists.iter().map(candidates).collect();
    pass.share_out();
    let look = |(at, candidates): (usize, Vec<(u32, [f32; CLUES])>)| {
        let sought = pass.sought.get(at)?.as_ref()?;
        let list = pass.lists.get(at)?;
        Some(Look {
            candidates,
            signs: outcome::signs(&after, sought, list, &pass.redone),
            first: list.first().map(|first| first.node),
            untouched: pass.untouched.get(at)?.is_some(),
        })
    };
    Ok(candidates.into_iter().enumerate().filter_map(look).collect())
}

/// What is seen of one element of a page that was built anew.
#[derive(Clone, Debug)]
pub struct Redesigned {
    /// Best first: the node, and what the network sees of it.
    pub candidates: Vec<(u32, [f32; REDESIGN_INPUTS])>,
    /// What the network sees of its being gone.
    pub gone: [f32; REDESIGN_INPUTS],
}

/// Numbers about one candidate, or about its being gone, on a page that was built anew.
pub const REDESIGN_INPUTS: usize = redesign::INPUTS;

/// Looks for the elements of anchors with a network, by default one to which all are alike; `None` of those that are
/// not looked for as on a page that was built anew.
#[must_use]
pub fn redesigned(network: &Network, anchors: &[Anchor], new: &Page) -> Vec<Option<Redesigned>> {
    let mut model = Model::learnt();
    model.redesign = network.borrowed().unpack();
    let after = Survey::new(new);
    let untouched = anchors.iter().map(|anchor| judge::untouched(&after, anchor)).collect();
    let mut pass =
        relocate::Pass::new(&model, &after, anchors, untouched, false, |_| relocate::Source::MayDiffer);
    pass.relate();
    let look = |at: usize| {
        let sought = pass.sought.get(at)?.as_ref()?;
        let list = pass.lists.get(at)?;
        let seen = |one: &Scored| {
            Some((one.node, redesign::seen(&after, sought, redesign::purposes(&after, &pass.purposes), one)?))
        };
        let candidates: Option<Vec<_>> = list.iter().map(seen).collect();
        let candidates = candidates.filter(|all| !all.is_empty())?;
        Some(Redesigned {
            candidates,
            gone: redesign::of_gone(&redesign::left(sought, redesign::purposes(&after, &pass.purposes))),
        })
    };
    (0..anchors.len()).map(look).collect()
}

/// The value of each row of inputs, a candidate's or that of its being gone.
#[must_use]
pub fn redesign_values(network: &Network, rows: &[[f32; REDESIGN_INPUTS]]) -> Vec<f32> {
    let network = network.borrowed().unpack();
    let value = |row: &[f32; REDESIGN_INPUTS]| {
        let [value] = network.run(row);
        value
    };
    rows.iter().map(value).collect()
}
