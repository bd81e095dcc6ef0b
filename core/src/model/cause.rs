//! What a difference comes from, and the values that an element was seen to take by itself.

use serde::{Deserialize, Serialize};

use super::word::read_by_word;
use super::{Comment, Status, Target, TargetState, VerdictKind, outdates};

/// Most fields of one target whose values were seen to vary.
pub const MAX_VARIED: usize = 8;
/// Most values of one field.
pub const MAX_VALUES: usize = 8;
/// Longest value, in characters.
pub const MAX_VALUE: usize = 120;

/// What the difference between an element and its anchor comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case", try_from = "String")]
pub enum Cause {
    /// The app is used: its source is as it was, or the element differs as it was seen to without a change of source.
    State,
    /// The source of the app changed. States of earlier versions, which did not tell, count as this.
    #[default]
    Source,
    /// Nothing tells which of both.
    Unknown,
}

read_by_word!(Cause: State = "state", Source = "source", Unknown = "unknown");

impl Cause {
    /// Not written: states of earlier versions read the same.
    pub(super) fn is_source(&self) -> bool {
        *self == Self::Source
    }
}

/// Values that one field of an element was seen to take while the source stayed the same: its state, not an edit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Varied {
    /// As in a diff: `text`, `classes`, `attribute:NAME`.
    pub field: String,
    /// 1 to 8 values of at most 120 characters; of longer ones the part that varied, with a word or two around it.
    pub values: Vec<String>,
}

impl Varied {
    /// Adds what is not in `known` yet, as far as there is room; says whether something was added.
    pub fn merge(known: &mut Vec<Varied>, more: &[Varied]) -> bool {
        put(known, more, false)
    }

    /// What either of two copies knows; the first by their order when there is no room for all. Whichever copy is named
    /// first, and however often they are joined, the outcome is the same.
    pub(super) fn joined(mut a: Vec<Varied>, b: &[Varied]) -> Vec<Varied> {
        put(&mut a, b, true);
        a
    }
}

/// Puts fields and values in order among those that are known. With `pushes_out` what is last makes room for it.
fn put(known: &mut Vec<Varied>, more: &[Varied], pushes_out: bool) -> bool {
    let mut grew = false;
    for Varied { field, values } in more.iter().filter(|one| !one.values.is_empty()) {
        let place = known.iter().take_while(|one| one.field < *field).count();
        if known.get(place).is_none_or(|one| one.field != *field) {
            if known.len() >= MAX_VARIED && !pushes_out {
                continue;
            }
            known.insert(place, Varied { field: field.clone(), values: Vec::new() });
            known.truncate(MAX_VARIED);
        }
        let Some(one) = known.get_mut(place) else { continue };
        for value in values {
            let place = one.values.iter().take_while(|known| *known < value).count();
            let is_known = one.values.get(place) == Some(value);
            if !is_known && (one.values.len() < MAX_VALUES || pushes_out) {
                one.values.insert(place, value.clone());
                one.values.truncate(MAX_VALUES);
                grew = true;
            }
        }
    }
    grew
}

impl TargetState {
    /// Whether it makes its comment outdated: the element differs or is gone, and the source has changed.
    #[must_use]
    pub fn outdates(&self) -> bool {
        outdates(self.verdict) && self.cause == Cause::Source
    }

    /// Whether the element may have changed: it differs or is gone, and nothing tells what of.
    #[must_use]
    pub fn may_have_changed(&self) -> bool {
        outdates(self.verdict) && self.cause == Cause::Unknown
    }

    /// Whether a report of it says anything about whether its comment is outdated. What the app's use brings about does
    /// not, and a difference of which nobody knows the cause does not either: what stood before stays.
    pub(super) fn decides(&self) -> bool {
        match self.cause {
            Cause::Source => true,
            Cause::State => false,
            Cause::Unknown => matches!(self.verdict, VerdictKind::Unchanged | VerdictKind::Moved),
        }
    }
}

impl Comment {
    /// Whether it waits, is not outdated, and one of its elements differs without anything that tells what of.
    #[must_use]
    pub fn may_have_changed(&self) -> bool {
        let mut states = self.targets.iter().filter_map(|target| target.state.as_ref());
        self.status == Status::Active && states.any(TargetState::may_have_changed)
    }
}

impl Target {
    /// Keeps what a look said. One that decides nothing does not take the place of one that makes the comment outdated.
    /// What was seen to vary goes to the target. Says whether it varied in something new.
    pub(super) fn take(&mut self, state: &TargetState) -> bool {
        let grew = Varied::merge(&mut self.varied, &state.varied);
        if state.decides() || !self.state.as_ref().is_some_and(TargetState::outdates) {
            self.state = Some(TargetState { varied: Vec::new(), ..state.clone() });
        }
        grew
    }

    /// An element that is pinned anew as it is now varies as it did.
    pub(super) fn keep_varied(&mut self, before: &Target) {
        if self.selector == before.selector && self.snapshot.tag == before.snapshot.tag {
            Varied::merge(&mut self.varied, &before.varied);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at what cannot be")]
    use super::*;
    use crate::model::arbitrary;

    fn varied(field: &str, values: &[&str]) -> Varied {
        Varied { field: field.into(), values: values.iter().map(|&value| value.into()).collect() }
    }

    #[test]
    fn a_state_without_a_cause_is_of_the_source_and_one_of_the_source_is_written_without() {
        let state = arbitrary::state(VerdictKind::Changed, "Its text changed.");
        let json = serde_json::to_string(&state).unwrap();
        assert!(!json.contains("cause") && !json.contains("varied"), "{json}");
        assert_eq!(serde_json::from_str::<TargetState>(&json).unwrap().cause, Cause::Source);
        assert!(state.outdates());
    }

    #[test]
    fn only_a_difference_of_the_source_outdates() {
        for (cause, outdates, may) in
            [(Cause::State, false, false), (Cause::Source, true, false), (Cause::Unknown, false, true)]
        {
            let state = TargetState { cause, ..arbitrary::state(VerdictKind::Missing, "Gone.") };
            assert_eq!((state.outdates(), state.may_have_changed()), (outdates, may));
            let well = TargetState { cause, ..arbitrary::state(VerdictKind::Moved, "There.") };
            assert!(!well.outdates() && !well.may_have_changed());
        }
    }

    #[test]
    fn values_are_kept_once_and_as_many_as_there_is_room_for() {
        let mut known = vec![varied("text", &["1", "2"])];
        assert!(Varied::merge(&mut known, &[varied("text", &["2", "3"]), varied("classes", &["on"])]));
        assert_eq!(known, [varied("classes", &["on"]), varied("text", &["1", "2", "3"])]);
        assert!(!Varied::merge(&mut known, &[varied("text", &["3"]), varied("title", &[])]));
        assert_eq!(known.len(), 2, "a field without values is none");
        let many: Vec<Varied> = (0..20)
            .map(|n| varied(&format!("f{n}"), &["a", "b", "c", "d", "e", "f", "g", "h", "i"]))
            .collect();
        Varied::merge(&mut known, &many);
        assert_eq!(known.len(), MAX_VARIED);
        assert!(known.iter().all(|one| one.values.len() <= MAX_VALUES));
    }
}
