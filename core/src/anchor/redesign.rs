//! Pages that were built anew: there an element is found again by what it is for. A score for each candidate, and one
//! for its being gone; their shares are the confidences.

use std::cell::OnceCell;

use super::candidates::Found;
use super::evidence::Clue;
use super::feature::no_name;
use super::model::Model;
use super::outcome::Outcome;
use super::purpose::{Purpose, SIGHTS, Said, Sights, TOLD, compare, group, shared};
use super::scored::{ByPurpose, Scored};
use super::sought::Sought;
use super::survey::Survey;
use crate::page::Page;
use crate::sort;

/// Elements of a page that are looked at.
const LOOKED_AT: usize = 3_000;
/// Candidates that are compared closely.
const KEPT: usize = 40;
/// Numbers that say whether an element is gone.
pub(super) const LEFT: usize = 16;

/// The purposes of a page's elements.
pub(super) struct Purposes {
    of: Vec<Option<Purpose>>,
    /// Words of names and of what elements are called.
    names: Words,
    called: Words,
}

/// `(word, how many elements have it)`, sorted.
struct Words(Vec<(u16, u16)>);

impl Words {
    fn new(mut words: Vec<u16>) -> Self {
        sort::plain(&mut words);
        let mut counted: Vec<(u16, u16)> = Vec::new();
        for word in words {
            match counted.last_mut() {
                Some((last, count)) if *last == word => *count = count.saturating_add(1),
                _ => counted.push((word, 1)),
            }
        }
        Self(counted)
    }

    fn count(&self, word: u16) -> u16 {
        self.0.binary_search_by_key(&word, |&(word, _)| word).map_or(0, |at| self.0[at].1)
    }

    /// How much a word tells: 1 for one that nothing has.
    fn rare(&self, word: u16) -> f32 {
        1.0 / (1.0 + f32::from(self.count(word)) / 3.0)
    }

    /// How much of the words is anywhere on the page.
    fn left(&self, words: &[u16]) -> f32 {
        let left = words.iter().filter(|&&word| self.count(word) > 0).count();
        if words.is_empty() { 0.5 } else { left as f32 / words.len() as f32 }
    }
}

impl Purposes {
    fn new(survey: &Survey<'_>) -> Self {
        let mut of: Vec<Option<Purpose>> = vec![None; survey.page.len() as usize];
        let (mut names, mut called) = (Vec::new(), Vec::new());
        for node in survey.page.elements().take(LOOKED_AT) {
            let purpose = Purpose::of(survey, node);
            names.extend(purpose.names.iter().copied());
            called.extend(purpose.called.iter().copied());
            of[node as usize] = Some(purpose);
        }
        Self { of, names: Words::new(names), called: Words::new(called) }
    }

    fn get(&self, node: u32) -> Option<&Purpose> {
        self.of.get(node as usize)?.as_ref()
    }
}

/// What the elements of a page are for, made when it is asked for the first time.
pub(super) fn purposes<'m>(survey: &Survey<'_>, made: &'m OnceCell<Purposes>) -> &'m Purposes {
    made.get_or_init(|| Purposes::new(survey))
}

/// Of a page that was redone less of the texts around is left than this, and of the tags and names above.
const REDONE: std::ops::Range<f32> = 0.0..0.7;
const REBUILT: f32 = 0.2;
/// With as much of a page's class names known it is of the same site, built as it was.
const SAME_SITE: f32 = 0.4;
/// Where less of what a page says was said before, it is another page.
const SAID_BEFORE: f32 = 0.05;
/// The same of a page that may be a login.
const ASKED_BEFORE: f32 = 0.3;
/// Where so many texts that were said before stand under the names under which they stood, and so great a share of
/// them, a frame stayed and the page shows something else in it.
const FRAME: (usize, f32) = (3, 0.5);
/// A page of fewer elements has not come yet.
const FEWEST: u32 = 20;
/// Where less of the texts around is left it may be another page altogether.
const ANOTHER: f32 = 0.1;

/// Whether the page was built anew, by what is left around the element.
pub(super) fn is_rebuilt(survey: &Survey<'_>, sought: &Sought<'_>, list: &[Scored]) -> bool {
    let Some(said) = sought.anchor.purpose.as_ref().map(|purpose| &purpose.said) else { return false };
    !said.is_empty()
        && survey.elements() >= FEWEST
        && REDONE.contains(&sought.survived)
        && !is_of_the_same_site(survey, said)
        && !shows_something_else(survey, said)
        && names_left(survey, sought, list) < REBUILT
}

/// Whether most class names of the page are of the anchor's page as well: another page of the same site.
fn is_of_the_same_site(survey: &Survey<'_>, said: &Said) -> bool {
    let names = survey.class_names();
    let known = names.iter().filter(|&&name| said.has(name)).count();
    known as f32 >= SAME_SITE * names.len().max(1) as f32
}

/// Whether next to nothing of what the page says was said before, or what was stands where it stood.
pub(super) fn shows_something_else(survey: &Survey<'_>, said: &Said) -> bool {
    let page = survey.page;
    let (mut all, mut before, mut frame) = (0, 0, 0);
    while let Some(text) = survey.text_at(all) {
        let node = survey.text_node(all);
        all += 1;
        if !said.has(text) {
            continue;
        }
        before += 1;
        let mut named = page.element_ancestors(node).take(NAMED).map(|above| survey.classes(above));
        let is_known = |class: &u64| said.has((*class >> 32) as u32);
        let names = named.find(|names| !names.is_empty());
        frame += usize::from(names.is_some_and(|names| names.iter().all(is_known)));
    }
    let (least, share) = FRAME;
    let said_before = if asks_who_it_is(page) { ASKED_BEFORE } else { SAID_BEFORE };
    (before as f32) < said_before * all as f32 || (frame >= least && frame as f32 >= share * before as f32)
}

/// Whether the page has one field for a password: a login, in place of what was there.
fn asks_who_it_is(page: &Page) -> bool {
    let is_password = |&node: &u32| page.tag(node) == "input" && page.attr(node, "type") == Some("password");
    page.elements().filter(is_password).count() == 1
}

/// Elements above a text of which the first that has names tells under which the text stands.
const NAMED: usize = 3;

/// How much of the names of the element and of what is around it is anywhere on the page; where they have none, how
/// much of its ancestors one of the candidates has.
fn names_left(survey: &Survey<'_>, sought: &Sought<'_>, list: &[Scored]) -> f32 {
    let no_name = no_name();
    let steps = sought.anchor.base.ancestors.iter().filter(|step| step.name != no_name);
    let steps = steps.map(|step| survey.has_name(step.name));
    let own = sought.classes.iter().map(|class| !survey.with((*class >> 32) as u32).is_empty());
    let (left, all) = steps.chain(own).fold((0, 0), |(left, all), is| (left + u32::from(is), all + 1));
    if all == 0 {
        let most = list.iter().map(|one| one.clue(Clue::AncestorNames)).filter(|value| !value.is_nan());
        return most.fold(0.0, f32::max);
    }
    left as f32 / all as f32
}

/// More candidates: those whose purpose is most like the element's.
pub(super) fn more(
    survey: &Survey<'_>,
    sought: &Sought<'_>,
    purposes: &Purposes,
    known: &[Scored],
) -> Vec<Found> {
    let Some(then) = &sought.anchor.purpose else { return Vec::new() };
    let mut found: Vec<(u32, f32)> = Vec::new();
    for node in survey.page.elements().take(LOOKED_AT) {
        let Some(now) = purposes.get(node) else { continue };
        let kind = then.kind.like(now.kind);
        let shared = |a: &[u16], b: &[u16]| shared(a, b).count() as f32;
        let points = 2.0 * kind
            + shared(&then.called, &now.called)
            + 0.7 * shared(&then.names, &now.names)
            + 0.5 * shared(&then.under, &now.under)
            + shared(&then.heading, &now.heading)
            + 0.5 * then.region.like(now.region);
        found.push((node, points));
    }
    sort::by(&mut found, |a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    found.truncate(KEPT);
    found.retain(|&(node, _)| known.iter().all(|one| one.node != node));
    found.into_iter().map(|(node, _)| (node, 0.0)).collect()
}

/// Compares a candidate anew; `fit` is what it was learnt to be, and then its score.
pub(super) fn weigh(
    model: &Model,
    survey: &Survey<'_>,
    sought: &Sought<'_>,
    purposes: &Purposes,
    one: &mut Scored,
) {
    let sights = look(survey, sought, purposes, one);
    let is_told = TOLD.iter().any(|&sight| sights.get(sight).is_some_and(|&value| value > 0.0));
    one.by_purpose = Some(ByPurpose {
        #[cfg(feature = "training")]
        learnt: one.fit,
        is_told,
    });
    [one.fit] = model.redesign.run(&of_candidate(&sights));
}

/// What the network saw of a candidate that it gave a score.
#[cfg(feature = "training")]
pub(super) fn seen(
    survey: &Survey<'_>,
    sought: &Sought<'_>,
    purposes: &Purposes,
    one: &Scored,
) -> Option<[f32; INPUTS]> {
    let before = Scored { fit: one.by_purpose?.learnt, ..*one };
    Some(of_candidate(&look(survey, sought, purposes, &before)))
}

/// `fit` is still what was learnt of edits.
fn look(survey: &Survey<'_>, sought: &Sought<'_>, purposes: &Purposes, one: &Scored) -> Sights {
    match (&sought.anchor.purpose, purposes.get(one.node)) {
        (Some(then), Some(now)) => {
            compare(survey, sought, then, now, one, &|word| purposes.names.rare(word), &|word| {
                purposes.called.rare(word)
            })
        }
        _ => [0.0; SIGHTS],
    }
}

/// What tells how much of an element is left on the page at all.
pub(super) fn left(sought: &Sought<'_>, purposes: &Purposes) -> [f32; LEFT] {
    let known = |value: f32| if value.is_nan() { 0.0 } else { value };
    let Some(then) = &sought.anchor.purpose else { return [0.0; LEFT] };
    let silent = f32::from(u8::from(sought.anchor.base.text_hash == 0));
    [
        1.0,
        sought.survived,
        known(sought.common[Clue::RareWordsLeft as usize]),
        known(sought.item_left()),
        f32::from(u8::from(!sought.item_left().is_nan())),
        silent,
        purposes.names.left(&then.names),
        known(sought.common[Clue::NearbyLeft as usize]),
        purposes.called.left(&then.called),
        purposes.called.left(&then.under),
        (f32::from(then.of_kind) / 20.0).min(1.0),
        then.called.len() as f32 / 8.0,
        group(then.kind, 0),
        group(then.kind, 1),
        group(then.kind, 2),
        group(then.kind, 3),
    ]
}

/// What the network sees: of a candidate its sights, of its being gone what is left.
pub(super) const INPUTS: usize = SIGHTS + LEFT;

fn inputs(sights: &Sights, left: &[f32; LEFT]) -> [f32; INPUTS] {
    let mut inputs = [f32::NAN; INPUTS];
    inputs.iter_mut().zip(sights.iter().chain(left)).for_each(|(slot, value)| *slot = *value);
    inputs
}

/// Of a candidate.
fn of_candidate(sights: &Sights) -> [f32; INPUTS] {
    let mut left = [f32::NAN; LEFT];
    left[0] = 0.0;
    inputs(sights, &left)
}

/// Of its being gone.
pub(super) fn of_gone(left: &[f32; LEFT]) -> [f32; INPUTS] {
    inputs(&[f32::NAN; SIGHTS], left)
}

/// Whether nothing that a candidate says, is called or stands beside is the element's, on what may be another page
/// altogether.
pub(super) fn is_of_another_page(sought: &Sought<'_>, found: &ByPurpose) -> bool {
    sought.survived < ANOTHER && !found.is_told
}

/// The shares of the best candidate, of all others, and of its being gone.
pub(super) fn outcome(
    model: &Model,
    scores: impl Iterator<Item = f32> + Clone,
    left: &[f32; LEFT],
) -> Outcome {
    let [gone] = model.redesign.run(&of_gone(left));
    let best = scores.clone().fold(f32::MIN, f32::max);
    let top = best.max(gone);
    let all: f32 = scores.map(|score| (score - top).exp()).sum::<f32>() + (gone - top).exp();
    let (it, gone) = ((best - top).exp() / all, (gone - top).exp() / all);
    Outcome { it, elsewhere: (1.0 - it - gone).max(0.0), gone }
}
