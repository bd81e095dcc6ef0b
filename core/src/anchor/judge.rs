//! What the scores mean: is the best candidate the element, another that looks like it, or nothing of the kind.

use super::assign::Scored;
use super::diff::{counts, diff, size};
use super::fingerprint::Anchor;
use super::score::Field;
use super::survey::Survey;
use super::{FieldChange, Verdict, VerdictKind, score};

/// Below this no candidate is taken.
const ACCEPT: f32 = 0.5;
/// Candidates closer to the best than this cannot be told apart.
const MARGIN: f32 = 0.012;
/// The same where the element had twins of equal content from the start: only what is around tells them apart.
const TWIN_MARGIN: f32 = 0.03;
/// Candidates that an ambiguous verdict names.
const NAMED: usize = 5;

/// The element at the very place the anchor was made at, when it and everything next to it is as it was.
pub(super) fn untouched(survey: &Survey<'_>, anchor: &Anchor) -> Option<u32> {
    let at_path = survey.with((anchor.path >> 32) as u32).iter().map(|&(_, node)| node);
    at_path.into_iter().find(|&node| survey.path(node) == anchor.path && is_untouched(survey, anchor, node))
}

fn is_untouched(survey: &Survey<'_>, anchor: &Anchor, node: u32) -> bool {
    let page = survey.page;
    let neighbour = |other: Option<u32>| other.map_or(0, |other| survey.content(other));
    let siblings = page.parent(node).map_or(0, |parent| page.element_children(parent).count());
    survey.content(node) == anchor.content
        && siblings == anchor.siblings as usize
        && page.nth_child(node) == anchor.place
        && neighbour(page.previous_element(node)) == anchor.previous
        && neighbour(page.next_element(node)) == anchor.next
        && survey.around(node) == (anchor.before.clone(), anchor.after.clone())
}

/// How likely the candidate is the element, 0 to 1.
///
/// One yardstick is the nearest look-alike on the page the anchor was made on: a candidate that is no more like the
/// anchor than that one was is probably that one. That the stored selector means the candidate counts for it; that
/// alone is never enough. The weights were fitted by logistic regression over edited pages with known outcome.
fn probability(
    survey: &Survey<'_>,
    anchor: &Anchor,
    addressed: Option<u32>,
    best: Scored,
    second: Option<f32>,
) -> f32 {
    let like = score::likeness(survey, anchor, addressed, best.node);
    let alike = anchor.nearest_look_alike().clamp(0.35, 0.97);
    let above = ((best.score - alike) / (1.0 - alike)).max(-1.5);
    let margin = (best.score - second.unwrap_or(0.0)).min(0.12);
    let (text_share, text) = like.of(Field::Text);
    let text = if text_share > 0.0 { text } else { 0.5 };
    let (selector_share, selector) = like.of(Field::Selector);
    let (before, after) = survey.beside(anchor, best.node);
    let beside = f32::from(u8::from(before) + u8::from(after)) / 2.0;
    // Whatever else is like the anchor has to bear the selector out.
    let borne_out = ((best.score - 0.4) / 0.2).clamp(0.0, 1.0);
    let mut evidence = 6.2 * best.score
        + above
        + 18.0 * margin
        + 3.6 * selector_share * selector * borne_out
        + 1.9 * text
        + 0.9 * beside
        - 6.45;
    if survey.is_closed(anchor) {
        evidence -= 1.1;
    }
    let (content_share, content) = like.of(Field::Content);
    if like.twins && content_share * content > 0.0 {
        // Any of the twins has this content: that it fits says less than the score makes of it.
        evidence -= 2.3;
    }
    1.0 / (1.0 + (-evidence).exp())
}

/// The verdict on one anchor from its candidates, best first.
pub(super) fn verdict(
    survey: &Survey<'_>,
    anchor: &Anchor,
    addressed: Option<u32>,
    list: &[Scored],
) -> Verdict {
    let Some(&best) = list.first() else {
        return missing(0.97, "Nothing on the page is like it any more.");
    };
    let second = list.get(1).map(|other| other.score);
    let sure = probability(survey, anchor, addressed, best, second);
    let margin = if score::has_twins(anchor) { TWIN_MARGIN } else { MARGIN };
    let close: Vec<u32> = list
        .iter()
        .take(NAMED)
        .take_while(|other| best.score - other.score < margin)
        .map(|one| one.node)
        .collect();
    // That it is one of those that are close is surer than that it is the best of them.
    let one_of_them = match list.get(close.len()) {
        next if close.len() > 1 => {
            probability(survey, anchor, addressed, best, next.map(|other| other.score))
        }
        _ => sure,
    };
    if one_of_them < ACCEPT {
        return missing(
            1.0 - one_of_them,
            "It is not on the page any more; what is most like it is a different element.",
        );
    }
    if close.len() > 1 {
        let reason = format!(
            "{} elements fit equally well; the comment's own cannot be told from the others.",
            close.len()
        );
        return Verdict {
            kind: VerdictKind::Ambiguous,
            confidence: one_of_them.min(0.9),
            node: None,
            candidates: close,
            diff: Vec::new(),
            reason,
        };
    }
    // Among twins only the surroundings speak, and they say as much as the best is ahead.
    let ahead = best.score - second.unwrap_or(0.0);
    let most = if score::has_twins(anchor) { (0.5 + 3.0 * ahead).min(0.98) } else { 0.98 };
    found(survey, anchor, best.node, sure.min(most))
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
    if kind != VerdictKind::Changed {
        diff.clear();
    }
    Verdict { kind, confidence, node: Some(node), candidates: Vec::new(), diff, reason }
}

fn missing(confidence: f32, reason: &str) -> Verdict {
    Verdict {
        kind: VerdictKind::Missing,
        confidence,
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
    if survey.path(node) == anchor.path {
        return false;
    }
    let page = survey.page;
    let now = super::fingerprint::steps(page, node);
    let same_tags = now.iter().map(|step| step.tag).eq(anchor.ancestors.iter().map(|step| step.tag));
    let neighbour = |kept: u32, other: Option<u32>| kept == other.map_or(0, |other| survey.content(other));
    let beside = neighbour(anchor.previous, page.previous_element(node))
        || neighbour(anchor.next, page.next_element(node));
    !same_tags || !(beside || page.nth_child(node) == anchor.place)
}
