//! Which part of an element says something else than it said.

use super::FieldChange;
use super::fingerprint::Anchor;
use super::parts::{Part, TEXT, now};
use super::short::{TEXT_BYTES, cut};
use super::survey::Survey;
use crate::model::limits::MAX_DIFF;

/// Those of an anchor; `None` when it does not know them, as one of an earlier version.
fn known(anchor: &Anchor) -> Option<Vec<Part>> {
    let base = &anchor.base;
    if !anchor.parts.is_empty() || base.text_hash == 0 {
        return Some(anchor.parts.clone());
    }
    let own = || Part { rows: 1, text: cut(&base.text.start, TEXT_BYTES).to_owned(), ..Part::default() };
    (base.child_count == 0).then(|| vec![own()])
}

/// Whether the anchor knows which part of its element says what.
pub(super) fn are_known(anchor: &Anchor) -> bool {
    known(anchor).is_some()
}

/// Whether its element says something else than its own text, or than the one text that is in it.
pub(super) fn is_container(anchor: &Anchor) -> bool {
    known(anchor).map_or(anchor.base.child_count > 0, |parts| parts.len() > 1)
}

/// The same differences with the text part by part, where the parts are known and one of them differs; at most
/// [`MAX_DIFF`].
pub(super) fn told_apart(
    survey: &Survey<'_>,
    before: &Anchor,
    node: u32,
    mut diff: Vec<FieldChange>,
) -> Vec<FieldChange> {
    let Some(at) = diff.iter().position(|change| change.field == TEXT) else { return diff };
    let Some(old) = known(before) else { return diff };
    let mut new = now(survey, node);
    let mut apart = Vec::with_capacity(diff.len());
    for was in &old {
        let place = new.iter().position(|one| one.name == was.name);
        let is = place.map(|place| new.remove(place)).unwrap_or_default();
        apart.extend(change(was, &is));
    }
    for is in &new {
        apart.extend(change(&Part { name: is.name.clone(), ..Part::default() }, is));
    }
    if apart.is_empty() {
        return diff;
    }
    diff.splice(at..=at, apart);
    diff.truncate(MAX_DIFF);
    diff
}

/// What differs of one part; none when nothing does.
fn change(was: &Part, is: &Part) -> Option<FieldChange> {
    let is_same_text = was.text == is.text;
    if was.rows == is.rows && if was.hash == 0 { is_same_text } else { was.hash == is.hash } {
        return None;
    }
    let between = if was.name.is_empty() { "" } else { ":" };
    // What differs beyond the beginnings is not known.
    let said = |part: &Part| (!is_same_text && !part.text.is_empty()).then(|| part.text.clone());
    Some(FieldChange { field: [TEXT, between, &was.name].concat(), before: said(was), after: said(is) })
}
