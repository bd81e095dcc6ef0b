//! An anchor made ready to be looked for on one page: its strings as hashes, the places of its landmarks, what its
//! selectors mean there.

use super::appearance::Appearance;
use super::brief::short;
use super::distinct;
use super::evidence::{CLUES, Clue, Evidence, rarity};
use super::feature::attribute;
use super::fingerprint::{Anchor, Base, Landmark};
use super::hash::{self, Kind};
use super::names::written;
use super::role;
use super::surroundings::{KnownBeside, Surroundings};
use super::survey::Survey;
use crate::selector::{self, Vote};

/// A text that stood near the element and stands exactly once on the page.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    /// Its place among the page's texts.
    pub(super) place: usize,
    /// How many texts stood between it and the element.
    pub(super) distance: usize,
}

/// An anchor's attribute as hashes.
pub(super) struct Wanted {
    pub(super) name: u32,
    pub(super) value: u32,
    /// How much it says of which element it is.
    pub(super) weight: f32,
    /// How rare it is on the page.
    pub(super) rarity: f32,
}

pub(super) struct Sought<'a> {
    pub(super) anchor: &'a Anchor,
    pub(super) tag: u32,
    /// Chosen class names.
    pub(super) classes: Vec<u64>,
    pub(super) attributes: Vec<Wanted>,
    pub(super) around: Option<Surroundings>,
    /// What was beside it.
    pub(super) beside: KnownBeside,
    /// What was beside its look-alikes.
    pub(super) beside_look_alikes: KnownBeside,
    /// The words of its label, of a field that has one.
    pub(super) label: Option<Vec<u32>>,
    /// The words of what it said or was called, where the page may have been redone; none while the anchor is being
    /// made.
    pub(super) called: Vec<u32>,
    /// How rare its text is on the page.
    pub(super) text_rarity: f32,
    /// Both the anchor and the page say where things are. Pages parsed without a browser do not.
    pub(super) has_layout: bool,
    /// The evidence that is the same for all candidates.
    pub(super) common: Evidence,
    /// The nearest landmarks that are left.
    pub(super) before: Option<Mark>,
    pub(super) after: Option<Mark>,
    /// The places of what its item said, as far as the page says it once.
    pub(super) item: Vec<usize>,
    /// The words that tell it from the rest of its page.
    pub(super) wanted: distinct::Wanted,
    /// How many of the texts around are still anywhere on the page, 0 to 1.
    pub(super) survived: f32,
    /// What the selectors mean on the page; none while the anchor is being made, when they say nothing.
    pub(super) vote: Option<Vote>,
}

/// Where no more of the texts around is left, a page may have been redone.
pub(super) const MAY_BE_REDONE: f32 = 0.6;

impl<'a> Sought<'a> {
    /// `own`: the anchor is being made of this page, so its selectors say nothing.
    pub(super) fn new(survey: &Survey<'_>, anchor: &'a Anchor, own: bool) -> Self {
        let base = &anchor.base;
        let chosen = base.classes.iter().filter_map(|class| written(class));
        let attributes = base.attributes.iter().map(|(name, value)| Wanted {
            name: hash::of(Kind::Attribute, &[name]),
            value: value.hash,
            weight: weight(name),
            rarity: rarity(survey, survey.with(attribute(name, value.hash)).len()),
        });
        let context = &anchor.context;
        let before = mark(survey, &context.before, &base.before);
        let after = mark(survey, &context.after, &base.after);
        let all = base.before.len() + base.after.len();
        let left =
            base.before.iter().chain(&base.after).filter(|&&text| !survey.places(text).is_empty()).count();
        let vote =
            (!own && !base.selectors.is_empty()).then(|| selector::vote(survey.page, &base.selectors, None));
        let survived = if all == 0 { f32::NAN } else { left as f32 / all as f32 };
        let item: Vec<usize> =
            context.item_texts.iter().filter_map(|&text| survey.only_place(text)).collect();
        let of_item = context.item_texts.len();
        let item_left = if of_item == 0 { f32::NAN } else { item.len() as f32 / of_item as f32 };
        let wanted = distinct::Wanted::new(survey, &base.words, &anchor.nearby);
        let [_, _, width, height] = base.bounds;
        let body = survey.page.rect(survey.page.elements().next().unwrap_or(0));
        Self {
            anchor,
            tag: hash::of(Kind::Tag, &[&base.tag]),
            classes: chosen.map(|class| hash::wide(Kind::Class, &[class])).collect(),
            attributes: attributes.collect(),
            around: Surroundings::from_bytes(&anchor.context.around),
            beside: beside(base),
            beside_look_alikes: KnownBeside::from_bytes(&context.beside),
            label: anchor.appearance.as_ref().and_then(Appearance::label_words),
            called: if !own && survived < MAY_BE_REDONE { role::words_of(base) } else { Vec::new() },
            text_rarity: rarity(survey, survey.with((base.text_hash >> 32) as u32).len()),
            item,
            before,
            after,
            survived,
            common: common(anchor, &wanted, survived, item_left),
            wanted,
            has_layout: width + height > 0 && body.width > 0,
            vote,
        }
    }

    /// How much of what its item said is still on the page, 0 to 1; NaN when it belongs to none.
    pub(super) fn item_left(&self) -> f32 {
        self.common[Clue::ItemLeft as usize]
    }

    /// How many texts there are between the landmarks now, less those that were there.
    pub(super) fn gap(&self) -> Option<f32> {
        let (before, after) = (self.before?, self.after?);
        let now = after.place.checked_sub(before.place + 1)?;
        Some(now as f32 - (before.distance + after.distance) as f32)
    }
}

/// The clues that are the same for all candidates; the others are not known.
fn common(anchor: &Anchor, wanted: &distinct::Wanted, survived: f32, item_left: f32) -> Evidence {
    let mut clues = [f32::NAN; CLUES];
    let mut set = |clue: Clue, value: f32| clues[clue as usize] = value;
    set(Clue::HasText, (anchor.base.words.len() as f32 / 8.0).min(1.0));
    set(Clue::HasNames, (anchor.base.attributes.len() as f32 / 3.0).min(1.0));
    set(Clue::Twins, (anchor.context.twins as f32).ln_1p() / 5.0);
    set(Clue::Survived, survived);
    set(Clue::ItemLeft, item_left);
    set(Clue::RareWordsLeft, wanted.own_left);
    set(Clue::NearbyLeft, wanted.nearby_left);
    clues
}

fn beside(base: &Base) -> KnownBeside {
    let first = |texts: &[u32], at: usize| texts.get(at).copied();
    let some = |content: u32| Some(content).filter(|&content| content != 0);
    let all = [
        first(&base.before, 0),
        first(&base.before, 1),
        first(&base.after, 0),
        first(&base.after, 1),
        some(base.previous),
        some(base.next),
    ];
    KnownBeside::one(all.map(short))
}

/// The nearest landmark that stands exactly once on the page. `texts`: for anchors that know no landmarks.
fn mark(survey: &Survey<'_>, landmarks: &[Landmark], texts: &[u32]) -> Option<Mark> {
    let at = |text: u32, distance: usize| survey.only_place(text).map(|place| Mark { place, distance });
    if landmarks.is_empty() {
        return texts.iter().enumerate().find_map(|(distance, &text)| at(text, distance));
    }
    landmarks.iter().find_map(|one| at(one.text, usize::from(one.distance)))
}

/// Attributes that name an element, or what it leads to, say more than those that style or switch it.
fn weight(name: &str) -> f32 {
    match name {
        "id" | "name" | "href" | "for" | "src" | "alt" | "aria-label" | "title" | "placeholder" | "value"
        | "action" => 1.0,
        "type" | "role" => 0.6,
        _ if name.starts_with("data-test") || name == "data-cy" || name == "data-qa" => 1.5,
        _ => 0.4,
    }
}
