//! From anchors and a page to verdicts.

use std::cell::OnceCell;

use super::assign::{Claim, share_out};
use super::candidates::{self, Board, Found};
use super::evidence::{Clue, evidence};
use super::fingerprint::Anchor;
use super::identity::Identity;
use super::model::Model;
use super::outcome::Outcome;
use super::rank::{prefer_in_place, rank};
use super::redesign::{self, Purposes};
use super::redone::Redone;
use super::relations::{self, Known, Near};
use super::scored::Scored;
use super::sought::Sought;
use super::survey::Survey;
use super::{Held, Verdict, VerdictKind, held, judge};
use crate::page::Page;

/// Finds the elements of all anchors on a page: one verdict for each anchor, in order.
///
/// The page is surveyed once; each anchor then costs a bounded amount of work, whatever the size of the page. No two
/// anchors of different elements are given the same element; those that may be of one, made at different times, are.
#[must_use]
pub fn relocate(page: &Page, anchors: &[Anchor]) -> Vec<Verdict> {
    let found = under(page, anchors, &[], &|_| Source::MayDiffer);
    found.into_iter().map(|Relocated { verdict, .. }| verdict).collect()
}

/// Whether the source of a page may be another one than that under which an anchor was made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    Same,
    MayDiffer,
}

pub(super) struct Relocated {
    pub(super) verdict: Verdict,
    /// Whether the page looks as if it had been built anew, though its source be the same: then it shows something
    /// else.
    pub(super) is_rebuilt: bool,
}

/// As `relocate`; `source` of each anchor, by its place. `held`: of each, what the page holds as its element, where
/// that counts.
pub(super) fn under(
    page: &Page,
    anchors: &[Anchor],
    held: &[Held],
    source: &dyn Fn(usize) -> Source,
) -> Vec<Relocated> {
    if anchors.is_empty() {
        return Vec::new();
    }
    let (model, survey) = (Model::learnt(), Survey::new(page));
    let mut untouched: Vec<Option<(u32, f32)>> =
        anchors.iter().map(|anchor| judge::untouched(&survey, anchor)).collect();
    held::add(&survey, anchors, held, &mut untouched);
    let mut pass = Pass::new(&model, &survey, anchors, untouched, false, source);
    for (at, held) in held.iter().enumerate() {
        if *held != Held::Unknown && pass.untouched[at].is_none() {
            pass.lists[at].retain(|one| !held::is_anothers(&survey, &anchors[at], one.node));
            pass.judge(at);
            pass.alone[at] = pass.alone(at);
        }
    }
    pass.relate();
    pass.share_out();
    (0..anchors.len())
        .map(|at| Relocated { verdict: pass.verdict(at), is_rebuilt: pass.rebuilt[at] })
        .collect()
}

/// All anchors of a page on their way to verdicts.
pub(super) struct Pass<'p> {
    model: &'p Model,
    survey: &'p Survey<'p>,
    anchors: &'p [Anchor],
    pub(super) untouched: Vec<Option<(u32, f32)>>,
    /// None for what was found untouched, unless that is looked for all the same.
    pub(super) sought: Vec<Option<Sought<'p>>>,
    /// Of each anchor, best first.
    pub(super) lists: Vec<Vec<Scored>>,
    /// Whether the page looks, from each anchor, as if it had been built anew.
    rebuilt: Vec<bool>,
    /// What the first of each list is.
    outcomes: Vec<Outcome>,
    /// What would be said of each without a word from the other comments; none of what was found untouched.
    alone: Vec<Option<Alone>>,
    /// What there was of a list of which nothing is left, as other comments have it.
    taken: Vec<Vec<u32>>,
    pub(super) redone: Redone,
    /// What the page's elements are for, once somebody asks.
    pub(super) purposes: OnceCell<Purposes>,
}

impl<'p> Pass<'p> {
    /// Looks for the candidates. `all`: of all anchors, also of what was found untouched, and all of them.
    pub(super) fn new(
        model: &'p Model,
        survey: &'p Survey<'p>,
        anchors: &'p [Anchor],
        untouched: Vec<Option<(u32, f32)>>,
        all: bool,
        source: impl Fn(usize) -> Source,
    ) -> Self {
        let mut board = Board::new(survey);
        let look = |(anchor, untouched): (&'p Anchor, &Option<(u32, f32)>)| {
            (all || untouched.is_none()).then(|| Sought::new(survey, anchor, false))
        };
        let sought: Vec<Option<Sought<'_>>> = anchors.iter().zip(&untouched).map(look).collect();
        let candidates = |sought: &Option<Sought<'_>>| {
            sought.as_ref().map_or_else(Vec::new, |it| scored(model, survey, it, &mut board, all))
        };
        let mut lists: Vec<Vec<Scored>> = sought.iter().map(candidates).collect();
        let is_rebuilt = |(sought, list): (&Option<Sought<'_>>, &Vec<Scored>)| {
            sought.as_ref().is_some_and(|sought| redesign::is_rebuilt(survey, sought, list))
        };
        let purposes = OnceCell::new();
        let rebuilt: Vec<bool> = sought.iter().zip(&lists).map(is_rebuilt).collect();
        for (at, (sought, list)) in sought.iter().zip(&mut lists).enumerate() {
            if let (Some(sought), true, Source::MayDiffer) = (sought, rebuilt[at], source(at)) {
                find_by_purpose(model, survey, sought, &purposes, list);
            }
        }
        let changed = sought.iter().zip(&lists).zip(&untouched).filter(|(_, untouched)| untouched.is_none());
        let found = changed.filter_map(|((sought, list), _)| Some((sought.as_ref()?, list.first())));
        let redone = Redone::of(found, untouched.iter().flatten().count());
        let outcomes = vec![Outcome::default(); anchors.len()];
        let taken = vec![Vec::new(); anchors.len()];
        let alone = Vec::new();
        let mut pass = Self {
            model,
            survey,
            anchors,
            untouched,
            sought,
            lists,
            rebuilt,
            outcomes,
            alone,
            taken,
            redone,
            purposes,
        };
        (0..anchors.len()).for_each(|at| pass.judge(at));
        pass.alone = (0..anchors.len()).map(|at| pass.alone(at)).collect();
        pass
    }

    fn alone(&self, at: usize) -> Option<Alone> {
        let sought = self.sought[at].as_ref().filter(|_| self.untouched[at].is_none())?;
        let mut list = self.lists[at].clone();
        let first = list.first().map(|best| best.node);
        prefer_in_place(sought, &mut list);
        let outcome =
            judge::outcome(self.model, self.survey, sought, &list, &Redone::UNKNOWN, &self.purposes);
        let verdict = judge::verdict(self.survey, sought, &list, outcome);
        Some(Alone { outcome: self.outcomes[at], verdict: judge::on_its_own(verdict, &list, first) })
    }

    fn judge(&mut self, at: usize) {
        if let Some(sought) = &self.sought[at] {
            self.outcomes[at] = judge::outcome(
                self.model,
                self.survey,
                sought,
                &self.lists[at],
                &self.redone,
                &self.purposes,
            );
        }
    }

    /// What was found for sure is a landmark for the others.
    pub(super) fn relate(&mut self) {
        let found = |at: usize| match (self.untouched[at], self.lists[at].first()) {
            (Some((node, _)), _) => Some(node),
            (None, Some(best)) if self.outcomes[at].it >= relations::SURE => Some(best.node),
            _ => None,
        };
        let page = self.survey.page;
        let known = (0..self.anchors.len()).filter_map(|at| Known::new(page, &self.anchors[at], found(at)?));
        let known = relations::sorted(known.collect());
        for at in 0..self.anchors.len() {
            if let (Some(sought), Some(list)) = (&self.sought[at], self.lists.get_mut(at)) {
                relate(self.model, self.survey, sought, &known, &self.purposes, list);
                prefer_in_place(sought, list);
                self.judge(at);
            }
        }
    }

    /// What one has a better claim to, no other gets.
    pub(super) fn share_out(&mut self) {
        let sure: Vec<f32> = self.outcomes.iter().map(|outcome| outcome.it).collect();
        let identities: Vec<Identity<'_>> = self.anchors.iter().map(Identity::new).collect();
        let nodes = |list: &Vec<Scored>| list.iter().map(|one| one.node).collect();
        let before: Vec<Vec<u32>> = self.lists.iter().map(nodes).collect();
        let claims: Vec<Claim> = (0..self.anchors.len()).map(|at| self.claim(at)).collect();
        share_out(&mut self.lists, &sure, &claims, &identities, self.survey.page.len());
        for (at, nodes) in before.into_iter().enumerate() {
            if self.lists[at].is_empty() {
                self.taken[at] = nodes;
            } else if self.lists[at].len() < nodes.len() {
                self.judge(at);
            }
        }
    }

    /// What an anchor's claim to an element is worth, by what would be said of it alone.
    fn claim(&self, at: usize) -> Claim {
        let alone = self.alone.get(at).and_then(Option::as_ref).map(|alone| &alone.verdict);
        match (self.untouched[at], alone) {
            (Some((node, _)), _) => Claim::Untouched(node),
            (None, Some(Verdict { kind: VerdictKind::Unchanged, node: Some(node), .. })) => {
                Claim::AtItsPlace(*node)
            }
            (None, Some(Verdict { kind: VerdictKind::Ambiguous, .. })) => Claim::Ambiguous,
            _ => Claim::Other,
        }
    }

    fn verdict(&self, at: usize) -> Verdict {
        let (sought, alone) = match (self.untouched[at], &self.sought[at], &self.alone[at]) {
            (Some((node, sure)), ..) => return judge::found(self.survey, &self.anchors[at], node, sure),
            (None, Some(sought), Some(alone)) => (sought, alone),
            _ => return judge::nothing(),
        };
        if !self.taken[at].is_empty() {
            return judge::taken(&self.taken[at], alone.outcome);
        }
        let verdict = judge::verdict(self.survey, sought, &self.lists[at], self.outcomes[at]);
        judge::no_more_than_alone(verdict, &alone.verdict)
    }
}

/// What would be said of an anchor without a word from the others.
struct Alone {
    /// What the first of its candidates is, on a page as far redone as all comments tell.
    outcome: Outcome,
    verdict: Verdict,
}

/// The candidates of one anchor, best first. Unless `all` are asked for, the search ends where the first ones leave no
/// doubt.
pub(super) fn scored(
    model: &Model,
    survey: &Survey<'_>,
    sought: &Sought<'_>,
    board: &mut Board,
    all: bool,
) -> Vec<Scored> {
    let score = |found: Found| score(model, survey, sought, found);
    let voted = |node: u32| sought.vote.iter().flat_map(|vote| &vote.candidates).any(|vote| vote.0 == node);
    let mut first = candidates::search(survey, sought, board);
    let mut rest = first.split_off(first.len().min(FIRST));
    first.extend(rest.extract_if(.., |&mut (node, _)| voted(node)));
    let mut list: Vec<Scored> = first.into_iter().map(score).collect();
    if all || !is_sure(survey, sought, &list, &rest) {
        list.extend(rest.into_iter().map(score));
    }
    rank(survey, sought, &mut list);
    list
}

fn score(model: &Model, survey: &Survey<'_>, sought: &Sought<'_>, (node, points): Found) -> Scored {
    let evidence = evidence(survey, sought, node, points);
    let [fit] = model.fit.run(&evidence);
    Scored { is_only_equal: false, is_in_row: false, node, fit, evidence, by_purpose: None }
}

/// On a page that was built anew: more candidates, each with a score of how alike its purpose is.
fn find_by_purpose(
    model: &Model,
    survey: &Survey<'_>,
    sought: &Sought<'_>,
    purposes: &OnceCell<Purposes>,
    list: &mut Vec<Scored>,
) {
    let purposes = redesign::purposes(survey, purposes);
    let more = redesign::more(survey, sought, purposes, list);
    list.extend(more.into_iter().map(|found| score(model, survey, sought, found)));
    list.iter_mut().for_each(|one| redesign::weigh(model, survey, sought, purposes, one));
    rank(survey, sought, list);
}

/// Compares the candidates again, with what the other comments tell.
fn relate(
    model: &Model,
    survey: &Survey<'_>,
    sought: &Sought<'_>,
    known: &[Known],
    purposes: &OnceCell<Purposes>,
    list: &mut [Scored],
) {
    let near = Near::of(sought.anchor, known);
    if near.is_empty() {
        return;
    }
    for one in list.iter_mut() {
        near.add_to(survey.page, one);
        [one.fit] = model.fit.run(&one.evidence);
        if one.by_purpose.is_some() {
            redesign::weigh(model, survey, sought, redesign::purposes(survey, purposes), one);
        }
    }
    rank(survey, sought, list);
}

/// Candidates that are compared before the others, those with the most points.
const FIRST: usize = 8;
/// Farther ahead of all others one is not told from one that is even farther.
const AHEAD: f32 = 5.0;

/// Whether one of the candidates that were compared says all that the element said, far ahead of the others, and none
/// of the `rest` is the same or stands where it stood.
fn is_sure(survey: &Survey<'_>, sought: &Sought<'_>, list: &[Scored], rest: &[Found]) -> bool {
    let base = &sought.anchor.base;
    let Some(best) = list.iter().max_by(|a, b| a.fit.total_cmp(&b.fit)) else { return false };
    let is_behind = |other: &Scored| other.node == best.node || best.fit - other.fit >= AHEAD;
    let is_another = |&(node, _): &Found| {
        survey.path(node) != base.path && survey.content(node) != survey.content(best.node)
    };
    // What is in no item has no share of one.
    let has_item = best.clue(Clue::Item).is_nan() || best.clue(Clue::Item) >= 1.0;
    let is_alone = sought.anchor.context.twins == 0;
    is_alone
        && best.clue(Clue::Text) >= 1.0
        && has_item
        && list.iter().all(is_behind)
        && rest.iter().all(is_another)
}
