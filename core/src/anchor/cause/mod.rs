//! What a difference comes from: the state of the app, or its source. The one place of this rule; `docs/anchors.md`
//! tells it.
//!
//! Works on one page at a time: what a tab saw before comes in as a [`Look`], why it thinks that the source has changed
//! as [`Evidence`], and what follows goes out as [`Judged`]. Knows nothing of how either is found out or kept.

mod look;
mod undo;
mod values;
mod view;
mod written;

use serde::{Deserialize, Serialize};

pub use look::Look;
pub(super) use values::shape;
pub use written::{FoundIn, FoundWord, MAX_WORDS};

use super::diff::{counts, diff};
use super::identity::Identity;
use super::relocate::{self, Relocated, Source};
use super::survey::Survey;
use super::{
    Anchor, FieldChange, Held, Verdict, VerdictKind, held, judge as verdicts, outdates, parts, told_apart,
};
use crate::model::{Cause, Varied, read_by_word};
use crate::page::Page;

/// Why a tab thinks that the source of its page has changed since it last looked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case", try_from = "String")]
pub enum Evidence {
    /// It has no reason to: whatever differs is state.
    None,
    /// A hot update came into the open page, which keeps its state.
    Hot,
    /// The page was loaded after a change of its source, and began anew.
    Loaded,
    /// Nothing can tell: a page from a file, or one without a project.
    Unknown,
}

read_by_word!(Evidence: None = "none", Hot = "hot", Loaded = "loaded", Unknown = "unknown");

/// One element that is looked for, with what is known of it.
#[derive(Clone, Debug)]
pub struct Query {
    /// The element as it was commented on.
    pub anchor: Anchor,
    /// As this tab last saw it under the source before; without one the anchor stands for it.
    pub look: Option<Look>,
    /// The values that it was seen to take by itself.
    pub varied: Vec<Varied>,
    /// Why the source may have changed.
    pub evidence: Evidence,
    /// Where the words stand that were asked for with [`Judged::words`]; empty as long as nobody was asked.
    pub found: Vec<FoundWord>,
    /// The node that the page holds as the element. After a change of source it counts for next to nothing.
    pub held: Held,
}

/// What looking for one element says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct Judged {
    /// Against the element as it was commented on.
    pub verdict: Verdict,
    /// What a difference comes from. `source` with a verdict of `unchanged` or `moved` says that all is well after a
    /// change of the source.
    pub cause: Cause,
    /// Whether the part of the page that the element belongs to is shown. When it is not, the element is not missing.
    pub in_view: bool,
    /// To be kept instead of the look that was given, and given the next time; absent when that one still holds. It
    /// knows of itself what was seen while nobody could tell. Opaque.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub look: Option<String>,
    /// All values that it was seen to take by itself, when there are more than were given: to be reported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub varied: Option<Vec<Varied>>,
    /// Words of a difference of which it would tell more to know where they stand in the project's files; with that,
    /// the same question may have another answer. At most 24.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Vec<String>>"))]
    pub words: Vec<String>,
}

/// Looks for all elements on a page and says of each what differs and what that comes from: one answer for each query,
/// in order. No two queries for different elements are given the same element.
///
/// Whoever asks without evidence says that the source is the one under which the looks were taken. A tab that does not
/// know that yet, because its page is still coming, asks with `Unknown`, which leaves values as they are, and adds to a
/// look what is unsure.
#[must_use]
pub fn judge(page: &Page, queries: Vec<Query>) -> Vec<Judged> {
    let (mut anchors, mut asked) = (Vec::with_capacity(queries.len()), Vec::with_capacity(queries.len()));
    for Query { anchor, look, varied, evidence, found, held } in queries {
        anchors.push(anchor);
        asked.push(Asked { look, varied, evidence, found, held });
    }
    let held: Vec<Held> = asked.iter().map(Asked::held).collect();
    let mut found = relocate::under(page, &anchors, &held, &|at| asked[at].source());
    let survey = Survey::new(page);
    find_by_looks(&survey, &anchors, &asked, &mut found);
    for ((anchor, asked), Relocated { verdict, .. }) in anchors.iter().zip(&asked).zip(&mut found) {
        let before = asked.before(anchor);
        let may_be_another = verdict.node.is_some() && outdates(verdict.kind);
        let is_another =
            may_be_another && view::shows_another(&survey, before, asked.source() == Source::Same);
        if is_another || is_outside(&survey, before, asked, verdict) {
            *verdict = verdicts::elsewhere(verdict);
        }
    }
    find_by_nodes(&survey, &anchors, &asked, &mut found);
    let all = anchors.iter().zip(&asked).zip(found);
    all.map(|((anchor, asked), Relocated { verdict, .. })| one(&survey, anchor, asked, verdict)).collect()
}

/// Whether what was found elsewhere is one of several equal ones, as the page took the element itself away together
/// with what closes by itself. After a load nothing is held, and an edit may have taken the element out of there, so
/// that tells nothing.
fn is_outside(survey: &Survey<'_>, before: &Anchor, asked: &Asked, verdict: &Verdict) -> bool {
    asked.held() == Held::Gone
        && verdict.kind == VerdictKind::Moved
        && before.context.twins > 0
        && view::is_closed(survey, before)
}

/// A query without its anchor.
struct Asked {
    look: Option<Look>,
    varied: Vec<Varied>,
    evidence: Evidence,
    found: Vec<FoundWord>,
    held: Held,
}

impl Asked {
    /// How the element looked when this tab saw it last, while nobody can tell under the source that is known; without
    /// a look as it was commented on.
    fn before<'a>(&'a self, anchor: &'a Anchor) -> &'a Anchor {
        let of = if self.evidence == Evidence::Unknown { Look::anchor } else { Look::latest };
        self.look.as_ref().and_then(of).unwrap_or(anchor)
    }

    /// Whether nobody could tell what it looked like last comes from.
    fn was_unsure(&self) -> bool {
        self.look.as_ref().is_some_and(Look::is_unsure)
    }

    /// Whether a difference of before is still there, of which nobody could tell what it comes from: it is not known by
    /// being seen again.
    fn is_still_unsure(&self, cause: Cause, verdict: &Verdict) -> bool {
        let is_still_gone =
            self.evidence == Evidence::Loaded && self.look.as_ref().is_some_and(|look| !look.is_present());
        let is_still = if verdict.node.is_some() { cause == Cause::State } else { is_still_gone };
        is_still && self.was_unsure() && outdates(verdict.kind)
    }

    /// What the page holds as the element, as long as the source is the same: an edit may make another thing of a node
    /// that stays.
    fn held(&self) -> Held {
        if self.evidence == Evidence::None { self.held } else { Held::Unknown }
    }

    /// Whether the page may have been built anew since the element was seen last.
    fn source(&self) -> Source {
        if self.evidence == Evidence::None { Source::Same } else { Source::MayDiffer }
    }
}

/// What is not found as it was commented on may be found as it was seen last; so is what was found on a page that was
/// built anew since the comment was made.
fn find_by_looks(survey: &Survey<'_>, anchors: &[Anchor], asked: &[Asked], found: &mut [Relocated]) {
    let (mut places, mut looks) = (Vec::new(), Vec::new());
    let (mut sources, mut held) = (Vec::new(), Vec::new());
    for (at, (asked, Relocated { verdict, is_rebuilt })) in asked.iter().zip(found.iter()).enumerate() {
        let source = asked.source();
        let is_open = verdict.node.is_none() || (*is_rebuilt && source == Source::Same);
        let look = asked.look.as_ref().filter(|_| is_open);
        if let Some(look) = look.and_then(Look::latest) {
            places.push(at);
            looks.push(look.clone());
            sources.push(source);
            held.push(asked.held());
        }
    }
    let verdicts = relocate::under(survey.page, &looks, &held, &|at| sources[at]);
    for ((at, look), Relocated { verdict, .. }) in places.into_iter().zip(looks).zip(verdicts) {
        // What another comment has is free for one that may be on the same element.
        let [own, of_look] = [Identity::new(&anchors[at]), Identity::new(&look)];
        let may_share =
            |one: &Identity<'_>| !own.is_surely_another(one) && (own.may_be(one) || of_look.may_be(one));
        let is_free = |node: &u32| {
            let others = anchors.iter().zip(found.iter());
            others
                .filter(|(_, other)| other.verdict.node == Some(*node))
                .all(|(anchor, _)| may_share(&Identity::new(anchor)))
        };
        if let Some(node) = verdict.node.filter(is_free) {
            found[at].verdict = verdicts::found(survey, &anchors[at], node, verdict.confidence);
        }
    }
}

/// What was found elsewhere, or not at all, may be the node that the page holds, unless that is another comment's.
fn find_by_nodes(survey: &Survey<'_>, anchors: &[Anchor], asked: &[Asked], found: &mut [Relocated]) {
    for (at, (anchor, asked)) in anchors.iter().zip(asked).enumerate() {
        let say = match asked.evidence {
            Evidence::None => held::under_same_source,
            Evidence::Hot => held::after_update,
            Evidence::Loaded | Evidence::Unknown => continue,
        };
        let is_free = |node: u32| {
            found.iter().enumerate().all(|(other, it)| other == at || it.verdict.node != Some(node))
        };
        let said = say(survey, anchor, asked.held, &found[at].verdict);
        if let Some(said) = said.filter(|said| said.node.is_none_or(is_free)) {
            found[at].verdict = said;
        }
    }
}

fn one(survey: &Survey<'_>, anchor: &Anchor, query: &Asked, verdict: Verdict) -> Judged {
    let before = query.before(anchor);
    let diff = verdict.node.map(|node| difference(survey, anchor, before, query, node));
    let shows_place = diff.is_some() || view::shows_place(survey, before);
    let is_taken_out = diff.is_none() && is_taken_out(survey, query, before);
    let (cause, in_view) = match &diff {
        // Nobody edited it away, so it is not shown, unless it is one of several that are.
        _ if query.evidence == Evidence::None => {
            (Cause::State, diff.is_some() || is_among(survey, query, before, &verdict))
        }
        _ if !outdates(verdict.kind) => (Cause::Source, true),
        Some(diff) => (of_difference(query, before, diff), true),
        None if is_taken_out && query.evidence == Evidence::Unknown => (Cause::Unknown, true),
        None if is_taken_out && !written::are_written(&query.found) => (Cause::Source, true),
        None => of_absence(survey, query, before, &verdict, shows_place),
    };
    let cause = if query.is_still_unsure(cause, &verdict) { Cause::Unknown } else { cause };
    // Asked once: whoever answers gives what was found.
    let may_be_edited = matches!(query.evidence, Evidence::Hot | Evidence::Loaded) && outdates(verdict.kind);
    let words = match &diff {
        Some(diff) if may_be_edited && query.found.is_empty() => {
            written::asked(diff.iter().filter(|change| !values::is_known(&query.varied, change)))
        }
        None if is_taken_out && query.evidence == Evidence::Loaded && query.found.is_empty() => {
            written::words_in(&before.base.text.start)
        }
        _ => Vec::new(),
    };
    let mut judged = Judged {
        cause,
        in_view,
        varied: varied(query, &verdict, diff.as_deref(), shows_place),
        words,
        look: if may_be_other(query, before, cause, diff.as_deref()) {
            unsure_look(survey, anchor, query, verdict.node, shows_place)
        } else {
            look(survey, anchor, query, verdict.node, diff.as_deref())
        },
        verdict,
    };
    undo::settle(survey, anchor, query, diff.as_deref(), &mut judged);
    judged
}

/// What differs from how it looked `before`, its text part by part.
fn difference(
    survey: &Survey<'_>,
    anchor: &Anchor,
    before: &Anchor,
    query: &Asked,
    node: u32,
) -> Vec<FieldChange> {
    let whole = diff(survey, before, node);
    // What was seen to vary of an element whose anchor knows no parts is told of its whole text.
    let is_known =
        |change: &FieldChange| change.field == parts::TEXT && values::is_known(&query.varied, change);
    if !told_apart::are_known(anchor) && whole.iter().any(is_known) {
        return whole;
    }
    told_apart::told_apart(survey, before, node, whole)
}

/// Of an element that was found and is not as it was.
fn of_difference(query: &Asked, before: &Anchor, diff: &[FieldChange]) -> Cause {
    let is_container = told_apart::is_container(before);
    // Where nothing tells of an edit nothing tells of a state either, but what was seen of it.
    let is_unwritten = |change: &FieldChange| {
        query.evidence != Evidence::Unknown && written::is_unwritten(change, is_container, &query.found)
    };
    let is_state = |change: &FieldChange| values::is_known(&query.varied, change) || is_unwritten(change);
    match query.evidence {
        _ if diff.iter().filter(|change| counts(change)).all(is_state) => Cause::State,
        Evidence::Unknown => Cause::Unknown,
        _ => Cause::Source,
    }
}

/// Whether an element that could not be told from others is one of them.
fn is_among(survey: &Survey<'_>, query: &Asked, before: &Anchor, verdict: &Verdict) -> bool {
    let held = query.held();
    let is_held = held.node().is_some_and(|node| verdict.candidates.contains(&node));
    verdict.kind == VerdictKind::Ambiguous
        && (is_held || !view::is_hidden(survey, before, held == Held::Gone))
}

/// Of an element that was not found, or could not be told from others, and whether it is one that could be seen.
fn of_absence(
    survey: &Survey<'_>,
    query: &Asked,
    before: &Anchor,
    verdict: &Verdict,
    shows_place: bool,
) -> (Cause, bool) {
    let look = query.look.as_ref();
    let is_hot = query.evidence == Evidence::Hot;
    // A hot update keeps what is shown: what was there just before it was not merely out of view.
    let is_off = look.is_some_and(|look| !look.is_present());
    let is_out_of_view = if is_hot { is_off } else { values::comes_and_goes(&query.varied) };
    if is_out_of_view {
        return (Cause::State, false);
    }
    // A hot update closes nothing, so what it takes away together with its surroundings is gone: unless those are of
    // the kind that closes by itself, or a component began anew and shows another of its views.
    let is_taken_away =
        is_hot && look.is_some() && !view::can_close(before) && !view::shows_others(survey, before);
    match query.evidence {
        Evidence::Unknown => (Cause::Unknown, shows_place || is_among(survey, query, before, verdict)),
        _ if shows_place || is_taken_away => (Cause::Source, true),
        _ => (Cause::State, is_among(survey, query, before, verdict)),
    }
}

/// Whether a row that was there until the page was loaded after a change, or may have been, is the only one that its
/// list lacks.
fn is_taken_out(survey: &Survey<'_>, query: &Asked, before: &Anchor) -> bool {
    matches!(query.evidence, Evidence::Loaded | Evidence::Unknown)
        && query.look.as_ref().is_none_or(Look::is_present)
        && !values::comes_and_goes(&query.varied)
        && view::lacks_only(survey, before)
}

/// What it was seen to vary in: only between two looks under the same source. From what nobody could tell back to what
/// is known may be an edit that was taken back.
fn varied(
    query: &Asked,
    verdict: &Verdict,
    diff: Option<&[FieldChange]>,
    shows_place: bool,
) -> Option<Vec<Varied>> {
    let is_back = query.was_unsure() && !outdates(verdict.kind);
    let look = query.look.as_ref().filter(|_| query.evidence == Evidence::None && !is_back)?;
    let mut varied = query.varied.clone();
    let grew = match diff {
        Some(diff) => values::learn(&mut varied, diff),
        None if look.is_present() && shows_place => values::learn_absence(&mut varied),
        None => false,
    };
    grew.then_some(varied)
}

/// Whether what is seen may be of another source than what is known: also where it looks as it was commented on, when
/// nobody saw an edit being taken back.
fn may_be_other(query: &Asked, before: &Anchor, cause: Cause, diff: Option<&[FieldChange]>) -> bool {
    let is_other = |diff| of_difference(query, before, diff) == Cause::Unknown;
    cause == Cause::Unknown || (query.evidence == Evidence::Unknown && diff.is_some_and(is_other))
}

/// The look to be kept then: what is known, and beside it what is seen. None where that is nothing.
fn unsure_look(
    survey: &Survey<'_>,
    anchor: &Anchor,
    query: &Asked,
    node: Option<u32>,
    shows_place: bool,
) -> Option<String> {
    let given = query.look.as_ref();
    // One that may be undone is judged by what is known.
    if given.is_some_and(Look::may_be_undone) {
        return None;
    }
    let now = node.and_then(|node| look::anchor_now(survey, node));
    let is_seen = now.is_some() || (node.is_none() && shows_place);
    is_seen.then(|| look::unsure_text(anchor, given.and_then(Look::anchor), now.as_ref()))
}

/// The look to be kept now, unless it is the one that was given.
fn look(
    survey: &Survey<'_>,
    anchor: &Anchor,
    query: &Asked,
    node: Option<u32>,
    diff: Option<&[FieldChange]>,
) -> Option<String> {
    let given = query.look.as_ref();
    let was_unsure = query.was_unsure();
    let is_unknown = query.evidence == Evidence::Unknown;
    // What is unsure stays so while it is not seen.
    let stays = if was_unsure { node.is_none() } else { is_unknown };
    if stays {
        return None;
    }
    let known = given.and_then(if is_unknown { Look::anchor } else { Look::latest });
    let differs = !is_unknown && diff.is_some_and(|diff| !diff.is_empty());
    let now = node.filter(|_| differs).and_then(|node| look::anchor_now(survey, node));
    let is_present = node.is_some();
    let is_new = was_unsure || now.is_some() || given.is_none_or(|given| given.is_present() != is_present);
    is_new.then(|| look::to_text(anchor, is_present, now.as_ref().or(known)))
}

#[cfg(test)]
mod tests;
