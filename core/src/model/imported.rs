//! A comment from a file: whose words it has, and when they were said.
//!
//! What a file says of time is somebody else's word: it is never later than the import, so that whatever is done here
//! afterwards is later.

use super::merge::{last_step, order};
use super::{Comment, CommentChange, HistoryEntry, Timestamp};

/// Higher revisions are not taken from a file: they would leave no room to count on.
const MAX_IMPORTED_REVISION: u32 = 1_000_000;

impl Comment {
    /// As it comes from a file: every word in it is somebody else's, whoever it says wrote it, and no moment in it is
    /// later than `at`, when the import happens. Words that are marked keep their mark.
    #[must_use]
    pub fn imported(mut self, at: Timestamp) -> Self {
        for (label, said_at) in self.labels() {
            let label = label.insert(label.map_or(at, |label| label.min(at)));
            *said_at = (*said_at).min(*label);
        }
        self.deleted_at = self.deleted_at.map(|deleted_at| deleted_at.min(at));
        if self.updated_at > at {
            self.updated_at = self.last_change();
        }
        let created_at = self.created_at;
        let looks = self.targets.iter_mut().filter_map(|target| target.state.as_mut());
        // Nobody has looked in the future. When they did look, nobody knows.
        looks.filter(|look| look.checked_at > at).for_each(|look| look.checked_at = created_at);
        if self.revision > MAX_IMPORTED_REVISION {
            self.revision = self.history.len() as u32 + 1;
            self.history.iter_mut().zip(2..).for_each(|(entry, revision)| entry.revision = revision);
        }
        self
    }

    /// With no moment later than `at`: a clock that runs ahead must not order anything after what is yet to come.
    #[must_use]
    pub fn not_after(mut self, at: Timestamp) -> Self {
        for (label, said_at) in self.labels() {
            *label = label.map(|label| label.min(at));
            *said_at = (*said_at).min(at);
        }
        self.updated_at = self.updated_at.min(at);
        self.deleted_at = self.deleted_at.map(|deleted_at| deleted_at.min(at));
        let looks = self.targets.iter_mut().filter_map(|target| target.state.as_mut());
        looks.for_each(|look| look.checked_at = look.checked_at.min(at));
        self
    }

    /// Every mark of an import, with the moment at which what it marks was said.
    pub(super) fn labels(&mut self) -> impl Iterator<Item = (&mut Option<Timestamp>, &mut Timestamp)> {
        let replies = self.replies.iter_mut().map(|one| (&mut one.imported_at, &mut one.created_at));
        let steps = self.history.iter_mut().map(|one| (&mut one.imported_at, &mut one.at));
        let resolution = self.resolution.iter_mut().map(|one| (&mut one.imported_at, &mut one.at));
        replies.chain(steps).chain(resolution).chain([(&mut self.imported_at, &mut self.created_at)])
    }

    /// With the moments that `other` has of the same words. A moment that was cut to that of an import says only `not
    /// earlier`: the same file imported once more is cut to another moment, and is still the same words.
    pub(super) fn dated_as(&self, other: &Comment) -> Comment {
        let mut next = self.clone();
        let is_cut = |at: Timestamp, label: Option<Timestamp>| label == Some(at);
        let mut theirs: Vec<&HistoryEntry> = other.history.iter().collect();
        let mut unknown = Vec::new();
        for mine in &mut next.history {
            match theirs.iter().position(|one| order(one, mine).is_eq()) {
                Some(same) => drop(theirs.remove(same)),
                None if mine.imported_at.is_some() => unknown.push(mine),
                None => {}
            }
        }
        for mine in unknown {
            let is_same = |one: &&HistoryEntry| {
                let dated = HistoryEntry { at: mine.at, ..(*one).clone() };
                is_cut(one.at, one.imported_at) && one.at < mine.at && order(&dated, mine).is_eq()
            };
            let Some(same) = theirs.iter().position(is_same) else { continue };
            let (was, is) = (mine.at, theirs.remove(same).at);
            mine.at = is;
            let decided = [next.resolution.as_mut().map(|one| &mut one.at), next.deleted_at.as_mut()];
            decided.into_iter().flatten().filter(|at| **at == was).for_each(|at| *at = is);
        }
        for mine in next.replies.iter_mut().filter(|mine| mine.imported_at.is_some()) {
            let theirs = other.replies.iter().find(|one| one.id == mine.id);
            let cut = theirs.filter(|one| is_cut(one.created_at, one.imported_at));
            mine.created_at = cut.map_or(mine.created_at, |one| mine.created_at.min(one.created_at));
        }
        let (was, is) = (self.created_at, other.created_at);
        if self.imported_at.is_some() && is_cut(is, other.imported_at) && is < was {
            next.created_at = is;
            let looks = next.targets.iter_mut().filter_map(|target| target.state.as_mut());
            looks.filter(|look| look.checked_at == was).for_each(|look| look.checked_at = is);
        }
        if self.updated_at == self.last_change() {
            next.updated_at = next.last_change();
        }
        next
    }

    fn last_change(&self) -> Timestamp {
        last_step(self, |_| true).max(self.created_at)
    }
}

impl CommentChange {
    /// As [`Comment::not_after`].
    #[must_use]
    pub fn not_after(mut self, at: Timestamp) -> Self {
        let cut = |checked_at: &mut Timestamp| *checked_at = (*checked_at).min(at);
        match &mut self {
            Self::ReportStates { states } => states.iter_mut().for_each(|state| cut(&mut state.checked_at)),
            Self::Repin { targets } => {
                let looks = targets.iter_mut().filter_map(|target| target.state.as_mut());
                looks.for_each(|look| cut(&mut look.checked_at));
            }
            _ => {}
        }
        self
    }
}
