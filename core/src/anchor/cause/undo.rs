//! An edit that was taken back: what is left of a difference then is what the app changes by itself.
//!
//! A comment that an edit made outdated is active again when another edit leaves its element as it was commented on,
//! but for state. The other edit is what differs from the look; by being seen again nothing is taken back.

use super::super::diff::counts;
use super::super::survey::Survey;
use super::super::{Anchor, FieldChange, judge as verdicts, outdates};
use super::values::{self, are_other_numbers};
use super::{Asked, Evidence, Judged, Look, VerdictKind, difference, look, told_apart, written};
use crate::model::Cause;

/// Judges the element by what it was commented on where an edit may have been taken back. `by_look`: what differs from
/// the look.
pub(super) fn settle(
    survey: &Survey<'_>,
    anchor: &Anchor,
    query: &Asked,
    by_look: Option<&[FieldChange]>,
    judged: &mut Judged,
) {
    match query.evidence {
        Evidence::None => settle_state(query, judged),
        Evidence::Hot | Evidence::Loaded => settle_edit(survey, anchor, query, by_look, judged),
        Evidence::Unknown => {}
    }
}

/// Where the last edit may have been an undo, what looks as it was commented on is well. It is said once: then the look
/// is another one.
fn settle_state(query: &Asked, judged: &mut Judged) {
    if !query.look.as_ref().is_some_and(Look::may_be_undone) {
        return;
    }
    if outdates(judged.verdict.kind) {
        judged.look = judged.look.take().map(look::may_be_undone);
        return;
    }
    judged.cause = Cause::Source;
}

fn settle_edit(
    survey: &Survey<'_>,
    anchor: &Anchor,
    query: &Asked,
    by_look: Option<&[FieldChange]>,
    judged: &mut Judged,
) {
    let (Some(node), Some(by_look), VerdictKind::Changed, Cause::Source) =
        (judged.verdict.node, by_look, judged.verdict.kind, judged.cause)
    else {
        return;
    };
    let left = difference(survey, anchor, anchor, query, node);
    let left: Vec<&FieldChange> = left.iter().filter(|change| counts(change)).collect();
    let of_field = |change: &FieldChange| by_look.iter().find(|other| other.field == change.field);
    let is_state = |change: &FieldChange| {
        values::is_known(&query.varied, change)
            || written::is_in_no_file(change, told_apart::is_container(anchor), &query.found)
            || values::counts_in_other_words(&query.varied, change, of_field(change))
    };
    if query.found.is_empty() {
        let unknown = left.iter().copied().filter(|change| !values::is_known(&query.varied, change));
        written::ask_too(&mut judged.words, unknown);
    }
    if left.iter().all(|change| is_state(change)) {
        verdicts::but_for_state(survey, anchor, &mut judged.verdict);
    } else if left.iter().all(|change| are_other_numbers(change)) && !by_look.iter().all(are_other_numbers) {
        judged.look = judged.look.take().map(look::may_be_undone);
    }
}
