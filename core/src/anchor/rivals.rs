//! Look-alikes on an element's own page: the yardstick for what is found later. What is no more like the element than
//! they are is probably one of them.

use super::candidates::{self, Board};
use super::evidence::evidence;
use super::fingerprint::{Anchor, LookAlike};
use super::model::Model;
use super::sought::Sought;
use super::surroundings::beside;
use super::survey::Survey;
use crate::sort;

const LOOK_ALIKES: usize = 8;
/// Most elements of the same text that are looked at to count its twins.
pub(super) const MOST_TWINS: usize = 20_000;
/// Of the candidates, those that are compared.
const COMPARED: usize = 24;

pub(super) struct Rivals {
    pub(super) ahead: Option<i16>,
    pub(super) twins: u32,
    pub(super) look_alikes: Vec<LookAlike>,
    pub(super) beside: Vec<u8>,
}

/// The elements of the same page that fit the anchor best. What it is in, and what is in it, is left out: wrappers
/// share its text, come and go with it, and are no other instances of it.
pub(super) fn rivals(model: &Model, survey: &Survey<'_>, anchor: &Anchor, node: u32) -> Rivals {
    let sought = Sought::new(survey, anchor, true);
    let fit = |node: u32, points: f32| {
        let [fit] = model.fit.run(&evidence(survey, &sought, node, points));
        fit
    };
    let found = candidates::search(survey, &sought, &mut Board::new(survey));
    let page = survey.page;
    let apart = |other: u32| !page.contains(other, node) && !page.contains(node, other);
    let mut scored: Vec<(u32, f32)> = found
        .into_iter()
        .filter(|&(other, _)| apart(other))
        .take(COMPARED)
        .map(|(other, points)| (other, fit(other, points)))
        .collect();
    sort::by(&mut scored, |a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let own = fit(node, 1.0);
    let ahead = scored.first().map(|&(_, rival)| ((own - rival) * 64.0) as i16);
    let content = (anchor.base.text_hash >> 32) as u32;
    let same = |other: &u32| *other != node && survey.content(*other) == anchor.base.content;
    let of_text = survey.with(content).iter().map(|&(_, other)| other);
    let twins = match anchor.base.text_hash {
        0 => scored.iter().map(|&(other, _)| other).filter(same).count(),
        _ => of_text.take(MOST_TWINS).filter(same).count(),
    };
    let look_alike = |(other, rival): (u32, f32)| LookAlike {
        similarity: (1_000.0 / (1.0 + (own - rival).max(0.0))) as u16,
        content: survey.content(other),
    };
    scored.truncate(LOOK_ALIKES);
    let beside = scored
        .iter()
        .flat_map(|&(other, _)| beside(survey, other, |beside| survey.content(beside)))
        .flat_map(u16::to_le_bytes)
        .collect();
    Rivals {
        ahead,
        beside,
        twins: u32::try_from(twins).unwrap_or(u32::MAX),
        look_alikes: scored.into_iter().map(look_alike).collect(),
    }
}
