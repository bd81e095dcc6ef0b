//! What the scores mean: is the best candidate the element, another that looks like it, or nothing of the kind.

use std::cell::OnceCell;

use super::called;
use super::diff::{counts, diff, size};
use super::evidence::Clue;
use super::feature::attribute;
use super::fingerprint::{Anchor, Landmark};
use super::model::Model;
use super::outcome::{self, Outcome};
use super::redesign::{self, Purposes};
use super::redone::Redone;
use super::replaced::{can_be_replaced, is_item_named, is_replaced};
use super::role::{self, are_used_otherwise};
use super::scored::Scored;
use super::sought::{MAY_BE_REDONE, Sought};
use super::survey::Survey;
use super::undecided::{are_as_many, copies_elsewhere, equal_ones_came_or_went, marks_without_names};
use super::{FieldChange, Verdict, VerdictKind};

/// Candidates that a verdict names.
const NAMED: usize = 5;
/// Candidates this near to the best fit about as well.
const CLOSE: f32 = 1.0;
/// So sure a verdict on one of several equal ones has to be.
const SURE: f32 = 0.6;
/// As likely as not.
const EVEN: f32 = 0.5;
/// With less of the texts around left than this the page was redone: what is left of an element is little anyway, and
/// says less about whether it is gone.
const REDONE: f32 = 0.5;
/// So much of how far it is from even is left there.
const REDONE_SURE: f32 = 0.15;
/// With less than this left it is another page altogether, and everything is gone.
const ANOTHER: f32 = 0.1;
/// So much less likely it is there that the element is gone: made-up pages lose less of what is still there than those
/// that people made anew.
const REDONE_GONE: f32 = 0.12;
/// On a page that was redone, with less of the tags and names above it left, that it says something else does not mean
/// that it is something else: nothing is as it was.
const REBUILT: f32 = 0.5;
/// So much less likely it is that the only element that says what the element said is another: made-up examples are
/// full of copies, pages are not.
const ONLY_EQUAL: f32 = 0.3;
/// The same where it stands in what bears its item's id, or where the page is in another language.
const IN_OTHER_WORDS: f32 = 0.3;
/// So much less likely it is gone when what stands at its place is in its own item.
const IN_ITS_ITEM: f32 = 0.3;
/// So sure one of several equal elements has to be, when nothing is left of the item it belonged to.
const LONE: f32 = 0.75;
/// At least so sure it is that something else has taken an element's place: an author may have written all of it anew.
const REPLACED: f32 = 0.7;
/// So sure a verdict has to be that shows one as it was: to show another element as if nothing had happened is the
/// worst of all mistakes.
const SURE_AS_IT_WAS: f32 = 0.65;
/// The same, where the anchor does not know what was around.
const SURE_BLIND: f32 = 0.975;

/// The element at the very place the anchor was made at, when it and everything next to it is as it was; and how sure
/// that is. Of equal ones among equal ones only the whole page can tell.
pub(super) fn untouched(survey: &Survey<'_>, anchor: &Anchor) -> Option<(u32, f32)> {
    let context = &anchor.context;
    let same_page = context.whole != 0 && context.whole == survey.whole();
    let is_alone = same_page || context.twins == 0;
    let sure = if is_alone { 0.995 } else { 0.97 };
    let texts = if is_alone { None } else { Some(between_landmarks(survey, anchor)?) };
    let at_path = survey.with((anchor.base.path >> 32) as u32).iter().map(|&(_, node)| node);
    let mut at_path = at_path.filter(|&node| {
        survey.path(node) == anchor.base.path && texts.is_none_or(|texts| survey.text_range(node) == texts)
    });
    at_path.find(|&node| is_untouched(survey, anchor, node)).map(|node| (node, sure))
}

/// The texts that are the element's when the nearest landmarks on both sides are as far from it as they were: from, and
/// one past the last.
fn between_landmarks(survey: &Survey<'_>, anchor: &Anchor) -> Option<(usize, usize)> {
    let place = |landmarks: &[Landmark]| {
        let one = landmarks.first()?;
        Some((survey.only_place(one.text)?, usize::from(one.distance)))
    };
    let (before, from) = place(&anchor.context.before)?;
    let (after, to) = place(&anchor.context.after)?;
    Some((before + 1 + from, after.checked_sub(to)?))
}

fn is_untouched(survey: &Survey<'_>, anchor: &Anchor, node: u32) -> bool {
    let page = survey.page;
    let content = |node: u32| anchor.content_of(survey, node);
    let neighbour = |other: Option<u32>| other.map_or(0, content);
    let siblings = page.parent(node).map_or(0, |parent| survey.child_count(parent));
    let base = &anchor.base;
    let (before, after) = survey.around(node);
    siblings == base.siblings
        && page.nth_child(node) == base.place
        && before.take(base.before.len()).eq(base.before.iter().copied())
        && after.take(base.after.len()).eq(base.after.iter().copied())
        && content(node) == base.content
        && neighbour(page.previous_element(node)) == base.previous
        && neighbour(page.next_element(node)) == base.next
}

/// Why an element is missing, mostly.
const OTHER: &str = "It is not on the page any more; what is most like it is a different element.";

/// The verdict on one anchor from its candidates, best first.
pub(super) fn verdict(
    survey: &Survey<'_>,
    sought: &Sought<'_>,
    list: &[Scored],
    outcome: Outcome,
) -> Verdict {
    let Some(best) = list.first() else { return nothing() };
    let named = || list.iter().take(NAMED).map(|one| one.node).collect();
    let change = || likely_changed(&diff(survey, sought.anchor, best.node));
    let gone = |confidence: f32, reason: &str| Verdict {
        candidates: named(),
        change: change(),
        ..missing(confidence, reason)
    };
    let open = |close: usize, confidence: f32| match list.len() {
        // One alone cannot be mistaken for another: it is not the element.
        1 => gone((1.0 - outcome.it).max(0.5), OTHER),
        _ => ambiguous(named(), close, change(), confidence),
    };
    if sought.anchor.context.twins > 0 && outcome.gone < SURE && !are_as_many(survey, sought, list) {
        let rivals = equal_ones_came_or_went(survey, sought, list);
        if rivals > 0 {
            return open(rivals + 1, 1.0 - outcome.gone);
        }
    }
    if let Some(copies) = copies_elsewhere(sought, list) {
        return open(copies, 1.0 - outcome.gone);
    }
    if let Some(marks) = marks_without_names(survey, sought, best) {
        return open(marks, 1.0 - outcome.gone);
    }
    let redone = is_redone(sought);
    let by_purpose = best.by_purpose.is_some();
    let rebuilt = by_purpose || (redone && best.clue(Clue::AncestorNames) < REBUILT);
    // Where it is looked for by what it is for, each of many that are a little like it has a share.
    let others = if by_purpose { 0.0 } else { outcome.elsewhere };
    if outcome.gone > outcome.it.max(others) {
        // Where nothing is as it was, that nothing is like an element says little.
        let sure =
            if redone && !by_purpose { EVEN + REDONE_SURE * (outcome.gone - EVEN) } else { outcome.gone };
        return gone(sure, OTHER);
    }
    if !rebuilt && best.clue(Clue::Text) < 0.5 && outcome.it < EVEN && can_be_replaced(survey, sought, best) {
        // Another item of the same template, more likely than not: in a list that shows other rows, say.
        return gone((1.0 - outcome.it).max(0.5), OTHER);
    }
    if !rebuilt && !best.is_in_row && is_replaced(survey, sought, best) {
        let reason = "It is not on the page any more; something else has taken its place.";
        return gone(REPLACED.max(1.0 - outcome.it), reason);
    }
    // What holds nothing else, or is all that another holds, is no other element.
    let is_same = |other: &Scored| {
        by_purpose
            && survey.text_hash(other.node) == survey.text_hash(best.node)
            && (survey.page.contains(other.node, best.node) || survey.page.contains(best.node, other.node))
    };
    if outcome.it < outcome.elsewhere && !list.get(1).is_some_and(is_same) {
        let close = list.iter().take(NAMED).take_while(|one| best.fit - one.fit < CLOSE).count().max(2);
        return open(close, outcome.it + outcome.elsewhere);
    }
    if !redone && sought.anchor.context.twins > 0 && outcome.it < LONE && sought.item_left() == 0.0 {
        // Nothing is left of what told its item from the others: one of those is what is here.
        return gone((1.0 - outcome.it).max(0.5), OTHER);
    }
    let verdict = found(survey, sought.anchor, best.node, outcome.it);
    let silent = verdict.kind != VerdictKind::Changed;
    let context = &sought.anchor.context;
    // Anchors of version 1 do not know what is around their twins.
    let blind = context.around.is_empty() && context.twins > 0;
    if silent && outcome.it < (if blind { SURE_BLIND } else { SURE_AS_IT_WAS }) && list.len() > 1 {
        return open(2, outcome.it + outcome.elsewhere);
    }
    verdict
}

/// Whether most of the texts around are others, and not all of them.
fn is_redone(sought: &Sought<'_>) -> bool {
    (ANOTHER..REDONE).contains(&sought.survived)
}

/// Whether nothing of what the page said is left, and its tree is: another language, not another page.
fn is_translated(sought: &Sought<'_>, best: &Scored) -> bool {
    let same_tree =
        [Clue::Path, Clue::AncestorNames, Clue::Siblings].iter().all(|&clue| best.clue(clue) >= 1.0);
    sought.survived < ANOTHER && same_tree
}

/// Whether the best stands at the very place in what says all that the element's item said: the cell of its row.
fn is_in_place_of_its_item(sought: &Sought<'_>, best: &Scored) -> bool {
    let all = [Clue::Tag, Clue::Item, Clue::Path, Clue::Place, Clue::PlaceFromEnd, Clue::AncestorNames];
    sought.item_left() >= 1.0 && all.iter().all(|&clue| best.clue(clue) >= 1.0)
}

/// What the first of the candidates is.
pub(super) fn outcome(
    model: &Model,
    survey: &Survey<'_>,
    sought: &Sought<'_>,
    list: &[Scored],
    redone: &Redone,
    purposes: &OnceCell<Purposes>,
) -> Outcome {
    let Some(best) = list.first() else { return Outcome { gone: 1.0, ..Outcome::default() } };
    if let Some(found) = &best.by_purpose {
        if redesign::is_of_another_page(sought, found) {
            return UNLIKE;
        }
        let left = redesign::left(sought, redesign::purposes(survey, purposes));
        return redesign::outcome(model, list.iter().map(|one| one.fit), &left);
    }
    if best.is_in_row {
        return IN_ITS_ROW;
    }
    let outcome = outcome::outcome(model, &outcome::signs(survey, sought, list, redone));
    let clue = |clue: Clue| best.clue(clue);
    let is_like_it = clue(Clue::Tag) > 0.0 || clue(Clue::Text) > 0.3 || clue(Clue::RareAttribute) > 0.0;
    if are_used_otherwise(survey.page, &sought.anchor.base, best.node) {
        return UNLIKE;
    }
    if outcome.it < SAYS_IT.it && says_it(survey, sought, list) {
        return SAYS_IT;
    }
    if best.is_only_equal {
        outcome.less_gone(ONLY_EQUAL)
    } else if is_like_it && is_in_place_of_its_item(sought, best) {
        outcome.less_gone(IN_ITS_ITEM)
    } else if is_like_it && is_redone(sought) {
        outcome.less_gone(REDONE_GONE)
    } else if is_like_it && (is_translated(sought, best) || is_item_named(survey, sought, best.node)) {
        outcome.less_gone(IN_OTHER_WORDS)
    } else if is_like_it {
        outcome
    } else {
        // What stands at its place or is meant by its selectors, and is nothing that it was, is not it.
        UNLIKE
    }
}

/// What a candidate is that is nothing that the element was.
const UNLIKE: Outcome = Outcome { it: 0.05, elsewhere: 0.05, gone: 0.9 };
/// What one is that alone says what the element said, on a page that was redone. What was learnt of edits says nothing
/// about those.
const SAYS_IT: Outcome = Outcome { it: 0.88, elsewhere: 0.04, gone: 0.08 };
/// What one is that stands in the element's own row with another number.
const IN_ITS_ROW: Outcome = Outcome { it: 0.93, elsewhere: 0.04, gone: 0.03 };
/// So much of a text has to be the same, at least, and so much of its words has to be left on the page.
const SAME_WORDS: f32 = 0.55;
const WORDS_LEFT: f32 = 0.3;

/// Whether the best, and nothing else, says all that is left of the element's own words, on a page that was redone.
fn says_it(survey: &Survey<'_>, sought: &Sought<'_>, list: &[Scored]) -> bool {
    let (page, Some((best, others))) = (survey.page, list.split_first()) else { return false };
    let text = best.clue(Clue::Text);
    let is_apart = |other: u32| !page.contains(other, best.node) && !page.contains(best.node, other);
    let is_called = sought.anchor.base.text_hash == 0 || survey.text_hash(best.node) == 0;
    // What says a word of a meter's name is no meter; a button that was an icon is a button.
    let is_used = || page.tag(best.node) == sought.anchor.base.tag || role::is_used(page, best.node);
    let has_letters = || is_called || page.text(best.node, LETTERS).chars().any(char::is_alphabetic);
    let all_words = || {
        best.clue(Clue::RareWords) >= 1.0
            && (if is_called { is_used() } else { best.clue(Clue::RareWordsLeft) >= WORDS_LEFT })
            && has_letters()
    };
    let is_told = || text >= SPELLED || (text >= SAME_WORDS && all_words());
    // Where its tag is nowhere any more, what alone says all that it said, or bears its name, was made of it.
    let says_all = || text >= 1.0 && has_letters();
    let is_remade = || {
        survey.with(sought.tag).is_empty() && (says_all() || alone_bears_its_name(survey, sought, best.node))
    };
    sought.anchor.context.twins == 0
        && (((ANOTHER..MAY_BE_REDONE).contains(&sought.survived) && is_told()) || is_remade())
        && others.iter().all(|other| other.clue(Clue::Text).max(0.0) < text || !is_apart(other.node))
}

/// Whether it alone is called what the element was called, by the same attribute.
fn alone_bears_its_name(survey: &Survey<'_>, sought: &Sought<'_>, node: u32) -> bool {
    let mut names = sought.anchor.base.attributes.iter().filter(|(name, _)| called::is_name(name));
    names.any(|(name, value)| {
        let bearers = survey.with(attribute(name, value.hash));
        bearers.len() == 1 && bearers.iter().any(|&(_, bearer)| bearer == node)
    })
}

/// As alike are texts that say the same.
const SPELLED: f32 = 0.94;
/// Characters that are looked at for a letter.
const LETTERS: usize = 40;

fn ambiguous(mut candidates: Vec<u32>, close: usize, change: f32, confidence: f32) -> Verdict {
    candidates.truncate(close.max(2));
    let reason = format!(
        "{} elements fit equally well; the comment's own cannot be told from the others.",
        candidates.len()
    );
    Verdict { kind: VerdictKind::Ambiguous, confidence, change, candidates, ..missing(0.0, &reason) }
}

/// The verdict when nothing on the page shares anything with the anchor.
pub(super) fn nothing() -> Verdict {
    missing(0.97, "Nothing on the page is like it any more.")
}

/// The verdict when the page shows another part of the app where the element was: what was `found` is like it and
/// stands there.
pub(super) fn elsewhere(found: &Verdict) -> Verdict {
    let reason = "What is shown now is another part of the app; what is most like it is a different element.";
    let candidates = found.node.into_iter().collect();
    Verdict { candidates, ..missing((1.0 - found.confidence).max(0.5), reason) }
}

/// The verdict when all that is like the element is known to be what other comments are about. How sure that is was
/// told before they had theirs.
pub(super) fn taken(nodes: &[u32], before: Outcome) -> Verdict {
    let reason = "It is not on the page any more; what is most like it is what another comment is about.";
    let candidates = nodes.iter().copied().take(NAMED).collect();
    Verdict { candidates, ..missing((1.0 - before.it).max(0.5), reason) }
}

/// A verdict that shows an element as it was holds only for what was the first of the candidates at once: `first`.
pub(super) fn on_its_own(verdict: Verdict, list: &[Scored], first: Option<u32>) -> Verdict {
    if !shows_as_it_was(&verdict) || list.len() < 2 || verdict.node == first {
        return verdict;
    }
    let candidates = list.iter().take(NAMED).map(|one| one.node).collect();
    ambiguous(candidates, 2, verdict.change, verdict.confidence)
}

/// What the other comments tell may say which of several it is, but not that it is as it was: only what is as it was
/// without the others, by the verdict on it `alone`, is so with them.
pub(super) fn no_more_than_alone(verdict: Verdict, alone: &Verdict) -> Verdict {
    if !shows_as_it_was(&verdict) || (shows_as_it_was(alone) && alone.node == verdict.node) {
        return verdict;
    }
    verdict.node.and_then(|node| either(node, alone, &verdict)).unwrap_or_else(|| alone.clone())
}

/// The verdict when it may be `node`, or what was `found`, which is none where that is nothing else. `like` says how
/// sure it is.
pub(super) fn either(node: u32, found: &Verdict, like: &Verdict) -> Option<Verdict> {
    let mut candidates = vec![node];
    for &other in found.node.iter().chain(&found.candidates) {
        if !candidates.contains(&other) && candidates.len() < NAMED {
            candidates.push(other);
        }
    }
    let all = candidates.len();
    (all > 1).then(|| ambiguous(candidates, all, like.change, like.confidence))
}

fn shows_as_it_was(verdict: &Verdict) -> bool {
    matches!(verdict.kind, VerdictKind::Unchanged | VerdictKind::Moved)
}

/// The verdict when the element is known.
pub(super) fn found(survey: &Survey<'_>, anchor: &Anchor, node: u32, confidence: f32) -> Verdict {
    let mut diff = diff(survey, anchor, node);
    let (kind, reason) = if diff.iter().any(counts) {
        diff.extend(size(survey, anchor, node));
        (VerdictKind::Changed, changed(&diff))
    } else if moved(survey, anchor, node) {
        (VerdictKind::Moved, "It is as it was, at another place on the page.".to_owned())
    } else {
        (VerdictKind::Unchanged, "It is as it was.".to_owned())
    };
    let change = likely_changed(&diff);
    if kind != VerdictKind::Changed {
        diff.clear();
    }
    Verdict { kind, confidence, change, node: Some(node), candidates: Vec::new(), diff, reason }
}

/// Says of an element that was found that it is as it was: what differs is what its app changes by itself.
pub(super) fn but_for_state(survey: &Survey<'_>, anchor: &Anchor, verdict: &mut Verdict) {
    let Some(node) = verdict.node else { return };
    let is_moved = moved(survey, anchor, node);
    verdict.kind = if is_moved { VerdictKind::Moved } else { VerdictKind::Unchanged };
    verdict.reason = "It is as it was, but for what the app itself changes.".to_owned();
    verdict.diff.clear();
}

/// How likely a difference is one that counts.
fn likely_changed(diff: &[FieldChange]) -> f32 {
    match diff.iter().filter(|change| counts(change)).count() {
        0 if diff.is_empty() => 0.02,
        0 => 0.1,
        count => 1.0 - 0.2 / count as f32,
    }
}

fn missing(confidence: f32, reason: &str) -> Verdict {
    Verdict {
        kind: VerdictKind::Missing,
        confidence,
        change: 1.0,
        node: None,
        candidates: Vec::new(),
        diff: Vec::new(),
        reason: reason.to_owned(),
    }
}

/// `Its text and its attribute href have changed.`
fn changed(diff: &[FieldChange]) -> String {
    let names: Vec<String> = diff
        .iter()
        .filter(|change| counts(change))
        .map(|change| match change.field.strip_prefix("attribute:") {
            Some(name) => format!("attribute {}", name.chars().take(40).collect::<String>()),
            None => change.field.clone(),
        })
        .collect();
    match names.as_slice() {
        [] => "It has changed.".to_owned(),
        [one] => format!("Its {one} changed."),
        [one, two] => format!("Its {one} and its {two} changed."),
        [one, rest @ ..] => format!("Its {one} and {} other things changed.", rest.len()),
    }
}

/// Elsewhere in the tree: under other tags, or at another position with other neighbours.
fn moved(survey: &Survey<'_>, anchor: &Anchor, node: u32) -> bool {
    if survey.path(node) == anchor.base.path {
        return false;
    }
    let page = survey.page;
    let now = survey.steps(node);
    let same_tags = now.iter().map(|step| step.tag).eq(anchor.base.ancestors.iter().map(|step| step.tag));
    // That there was none on that side says nothing: so it is at the end of every list.
    let neighbour =
        |kept: u32, other: Option<u32>| other.is_some_and(|other| kept == anchor.content_of(survey, other));
    let beside = neighbour(anchor.base.previous, page.previous_element(node))
        || neighbour(anchor.base.next, page.next_element(node));
    let (mut before, mut after) = survey.around(node);
    let kept = |texts: &[u32]| texts.first().copied();
    let near = before.next() == kept(&anchor.base.before) || after.next() == kept(&anchor.base.after);
    !same_tags || !(beside || (near && page.nth_child(node) == anchor.base.place))
}
