//! One comment from two copies of it: one rule for the browser and the hub, whichever copy is newer.
//!
//! Nothing that was said is lost: replies and steps of both copies are kept, each once. What a comment has one of
//! (text, targets, stage, resolution, deletion) is taken from the copy that set it last. Merging in another order, or
//! once more, gives the same; only revisions may then have other numbers.

use std::cmp::Ordering;

use super::apply::waiting_status;
use super::{
    ChangeError, Comment, HistoryEntry, Reply, Resolution, Stage, Status, Target, Timestamp, Varied, limits,
    step,
};
use crate::sort;

/// What the history says of a text that another copy had, and no step of either replaced.
const KEPT_TEXT: &str = "another copy said";

impl Comment {
    /// This copy and another one of the same comment as one. Equal to a copy that holds everything of the other.
    ///
    /// The revision is higher than that of each copy that differs from the result. A full history gives up its oldest
    /// steps that are no edits.
    ///
    /// # Errors
    /// [`ChangeError::Full`] when both together have more replies, edits or revisions than a comment can hold.
    pub fn merge(&self, other: &Comment) -> Result<Comment, ChangeError> {
        let (a, b) = (self.dated_as(other), other.dated_as(self));
        let steps = Steps::of(&a, &b);
        Self::joined(&a, &b, steps, false)
    }

    /// This copy, which is the one that is kept here, with what an imported one knows more. A file is believed only
    /// what it has a step for that is not here yet: whatever else differs stays as it is here. What the comment is
    /// about, who wrote it and when never changes.
    ///
    /// # Errors
    /// As [`Comment::merge`].
    pub fn merge_imported(&self, file: &Comment) -> Result<Comment, ChangeError> {
        let file = &Comment { created_at: self.created_at, ..file.clone() };
        let (ours, mut theirs) = (self.dated_as(file), file.dated_as(self));
        let steps = Steps::of(&ours, &theirs);
        theirs.hold_to(&steps.only_b, &ours);
        let is_edit = |entry: &HistoryEntry| entry.previous_text.is_some() && entry.what != KEPT_TEXT;
        let keeps_text = !steps.only_b.iter().any(is_edit);
        Self::joined(&ours, &theirs, steps, keeps_text)
    }

    /// Gives up what differs from `ours` without one of `news`, the steps that are not in `ours`. The text is left: it
    /// goes into the history.
    fn hold_to(&mut self, news: &[HistoryEntry], ours: &Comment) {
        let brings = |step: &str| news.iter().any(|entry| entry.what.starts_with(step));
        self.number = ours.number;
        self.author.clone_from(&ours.author);
        self.url.clone_from(&ours.url);
        self.pathname.clone_from(&ours.pathname);
        self.title.clone_from(&ours.title);
        self.session_id.clone_from(&ours.session_id);
        self.screenshot.clone_from(&ours.screenshot);
        self.updated_at = self.updated_at.max(ours.updated_at);
        if news.is_empty() {
            // A number alone is no news.
            self.revision = self.revision.min(ours.revision.saturating_sub(1));
        }
        // How an element looks is told by the pages that are open here: a look without news is no step, so whose is the
        // latest would depend on the order of the files.
        if !brings(step::PINNED) {
            self.targets.clone_from(&ours.targets);
        }
        if !brings(step::REOPENED) && !step::STAGES.into_iter().any(brings) {
            self.stage = ours.stage;
        }
        let decided = if self.resolution.is_some() { step::RESOLVED } else { step::REOPENED };
        if self.resolution.as_ref().map(unmarked) != ours.resolution.as_ref().map(unmarked)
            && !brings(decided)
        {
            self.resolution.clone_from(&ours.resolution);
        }
        let hidden = if self.deleted_at.is_some() { step::DELETED } else { step::RESTORED };
        if !brings(hidden) {
            self.deleted_at = ours.deleted_at;
        }
        self.status = match &self.resolution {
            Some(_) => Status::Resolved,
            None if ours.status != Status::Resolved && self.targets == ours.targets => ours.status,
            None => waiting_status(&self.targets),
        };
    }

    fn joined(a: &Comment, b: &Comment, steps: Steps, keeps_text: bool) -> Result<Comment, ChangeError> {
        let lineage = steps.lineage(a, b);
        // The copy that set something last; in case of doubt ours, then the newer.
        let last = |set_at: &dyn Fn(&Comment) -> Timestamp| {
            let key = |one: &Comment| (one.imported_at.is_none(), one.updated_at, one.revision);
            let order = lineage.then_with(|| set_at(a).cmp(&set_at(b)));
            match order.then_with(|| key(a).cmp(&key(b))).then_with(|| a.text.cmp(&b.text)) {
                Ordering::Less => (b, a),
                _ => (a, b),
            }
        };
        let (base, rest) = last(&|_| Timestamp(0));
        let mut next = base.clone();
        // What a comment is about is nobody else's to say.
        if let Some(ours) = [base, rest].into_iter().find(|one| one.imported_at.is_none()) {
            next.author.clone_from(&ours.author);
            next.url.clone_from(&ours.url);
            next.pathname.clone_from(&ours.pathname);
            next.title.clone_from(&ours.title);
            next.created_at = ours.created_at;
        }
        next.number = [a.number, b.number].into_iter().flatten().min();
        next.session_id = next.session_id.or_else(|| rest.session_id.clone());
        next.screenshot = next.screenshot.or_else(|| rest.screenshot.clone());
        next.updated_at = match lineage {
            Ordering::Equal => a.updated_at.max(b.updated_at),
            _ => base.updated_at,
        };

        let (said, replaced) = match keeps_text {
            true => (a, b),
            false => last(&|one| last_step(one, |entry| entry.previous_text.is_some())),
        };
        next.text.clone_from(&said.text);
        next.imported_at = said.imported_at;
        if said.text == replaced.text {
            next.imported_at = ours_first(said.imported_at, replaced.imported_at);
        }
        let (pinned, before) = last(&|one| last_step(one, |entry| entry.what.starts_with(step::PINNED)));
        next.targets = latest_looks(&pinned.targets, &before.targets);
        next.stage =
            stage_before_resolving(last(&|one| last_step(one, |entry| step::sets_stage(&entry.what))).0);
        next.resolution = resolution(base, rest, lineage);
        next.settle_stage();
        next.deleted_at = match lineage {
            // What both say is not weighed: a moment that was cut may be that of two steps.
            Ordering::Equal if a.deleted_at != b.deleted_at => {
                let is_restored = |entry: &HistoryEntry| entry.what == step::RESTORED;
                let restored = last_step(a, is_restored).max(last_step(b, is_restored));
                a.deleted_at.max(b.deleted_at).filter(|at| *at > restored)
            }
            _ => base.deleted_at,
        };
        let is_as_before = base.status != Status::Resolved && next.targets == base.targets;
        next.status = match &next.resolution {
            Some(_) => Status::Resolved,
            None if is_as_before => base.status,
            None => waiting_status(&next.targets),
        };
        next.add_replies(rest)?;
        let grown = next.add_steps(steps, base, rest, replaced)?;
        next.count_on(a, b, grown)?;
        Ok(next)
    }

    fn add_replies(&mut self, other: &Comment) -> Result<(), ChangeError> {
        let mut added = false;
        for theirs in &other.replies {
            match self.replies.iter_mut().find(|reply| reply.id == theirs.id) {
                None => {
                    self.replies.push(theirs.clone());
                    added = true;
                }
                Some(mine) if is_same_reply(mine, theirs) => {
                    mine.imported_at = ours_first(mine.imported_at, theirs.imported_at);
                }
                // Ids are random: one that stands for other words is made up, and does not take the place of ours.
                Some(mine) if mine.imported_at.is_some() && theirs.imported_at.is_none() => {
                    mine.clone_from(theirs);
                }
                Some(_) => {}
            }
        }
        if self.replies.len() > limits::MAX_REPLIES {
            return Err(self.full("replies", limits::MAX_REPLIES));
        }
        if added {
            sort::by(&mut self.replies, |a, b| (a.created_at, &a.id).cmp(&(b.created_at, &b.id)));
        }
        Ok(())
    }

    /// Puts the steps of both copies into the history, with texts that no step of either replaced. Returns how many of
    /// them need numbers of their own: none while one copy has all that the other has.
    fn add_steps(
        &mut self,
        steps: Steps,
        base: &Comment,
        rest: &Comment,
        replaced: &Comment,
    ) -> Result<usize, ChangeError> {
        let both_grew = steps.only_a > 0 && !steps.only_b.is_empty();
        let is_kept = |text: &str| {
            text == self.text || steps.all.iter().any(|entry| entry.previous_text.as_deref() == Some(text))
        };
        let lost = (!is_kept(&replaced.text)).then(|| HistoryEntry {
            revision: 0,
            at: last_step(replaced, |entry| entry.previous_text.is_some()).max(replaced.created_at),
            by: replaced.author.clone(),
            what: KEPT_TEXT.to_owned(),
            previous_text: Some(replaced.text.clone()),
            imported_at: replaced.imported_at,
        });
        if !both_grew && lost.is_none() {
            for entry in self.history.iter_mut().filter(|entry| entry.imported_at.is_some()) {
                let same = steps.all.iter().find(|one| order(one, entry).is_eq());
                entry.imported_at = same.map_or(entry.imported_at, |one| one.imported_at);
            }
            return Ok(0);
        }
        let mut all = steps.all;
        all.extend(lost);
        sort::by(&mut all, order);
        drop_repeated_texts(&mut all);
        let edits = all.iter().filter(|entry| entry.previous_text.is_some()).count();
        if edits > limits::MAX_HISTORY {
            return Err(self.full("edits in its history", limits::MAX_HISTORY));
        }
        let mut too_many = all.len().saturating_sub(limits::MAX_HISTORY);
        all.retain(|entry| {
            let goes = too_many > 0 && entry.previous_text.is_none();
            too_many -= usize::from(goes);
            !goes
        });
        // Where the copies began as one, the numbers are known to whoever has either.
        let known = all.iter().zip(&base.history).zip(&rest.history);
        let known = known.take_while(|((entry, a), b)| {
            a.revision == b.revision && order(entry, a).is_eq() && order(entry, b).is_eq()
        });
        let common = known.map(|((_, a), _)| a.revision).collect::<Vec<_>>();
        all.iter_mut().zip(&common).for_each(|(entry, revision)| entry.revision = *revision);
        let own = all.len() - common.len();
        self.history = all;
        Ok(own)
    }

    /// Gives the comment a revision that tells it from both copies, and the last `own` steps the numbers up to it.
    fn count_on(&mut self, a: &Comment, b: &Comment, own: usize) -> Result<(), ChangeError> {
        let more = own.max(1) as u32;
        let after =
            |copy: &Comment, next: &Comment| copy.revision + if copy.says_as(next) { 0 } else { more };
        self.revision = match own {
            0 => after(a, self).max(after(b, self)),
            _ => a.revision.max(b.revision) + more,
        };
        if self.revision > limits::MAX_REVISION {
            return Err(self.full("revisions", limits::MAX_REVISION as usize));
        }
        let first = self.history.len() - own;
        let numbers = self.revision - own as u32 + 1..;
        self.history[first..].iter_mut().zip(numbers).for_each(|(entry, number)| entry.revision = number);
        Ok(())
    }

    /// Whether both say the same: whoever they are marked to be from, in whichever tab, by whatever numbers, and
    /// whenever somebody looked (a look that brings news is a step).
    fn says_as(&self, other: &Comment) -> bool {
        let words = |one: &Comment| {
            let mut one = one.clone();
            one.revision = 0;
            one.number = None;
            one.session_id = None;
            one.screenshot = None;
            one.targets.iter_mut().for_each(|target| target.state = None);
            one.history.iter_mut().for_each(|entry| entry.revision = 0);
            one.labels().for_each(|(label, _)| *label = None);
            one
        };
        words(self) == words(other)
    }

    fn full(&self, what: &'static str, limit: usize) -> ChangeError {
        ChangeError::Full { id: self.id.clone(), what, limit }
    }
}

/// The steps of two copies, each once, in order.
struct Steps {
    all: Vec<HistoryEntry>,
    /// How many of them `b` does not have.
    only_a: usize,
    /// Those that `a` does not have.
    only_b: Vec<HistoryEntry>,
}

impl Steps {
    fn of(a: &Comment, b: &Comment) -> Self {
        let from = |copy: &Comment, is_b: bool| {
            copy.history.iter().cloned().map(|entry| (is_b, entry)).collect::<Vec<_>>()
        };
        let mut sides = from(a, false);
        sides.extend(from(b, true));
        sort::by(&mut sides, |x, y| order(&x.1, &y.1).then(x.0.cmp(&y.0)));
        let mut steps = Self { all: Vec::new(), only_a: 0, only_b: Vec::new() };
        let mut rest = sides.as_slice();
        while let Some((_, first)) = rest.first() {
            let same = rest.iter().take_while(|(_, entry)| order(entry, first).is_eq()).count();
            let (group, after) = rest.split_at(same);
            // What happened twice within one copy happened twice.
            let of_b = group.iter().filter(|(is_b, _)| *is_b).count();
            let of_a = same - of_b;
            steps.only_a += of_a.saturating_sub(of_b);
            steps.only_b.extend(group.iter().skip(2 * of_a).map(|(_, entry)| entry.clone()));
            let label = group.iter().map(|(_, entry)| entry.imported_at).reduce(ours_first).flatten();
            for (_, entry) in &group[..of_a.max(of_b)] {
                steps.all.push(HistoryEntry { imported_at: label, ..entry.clone() });
            }
            rest = after;
        }
        steps
    }

    /// Greater when `a` is what `b` became, less when `b` is what `a` became.
    fn lineage(&self, a: &Comment, b: &Comment) -> Ordering {
        match (self.only_a, self.only_b.len()) {
            (0, 0) => a.revision.cmp(&b.revision),
            (_, 0) => Ordering::Greater,
            (0, _) => Ordering::Less,
            _ => Ordering::Equal,
        }
    }
}

/// The order of a history; equal are those that say the same, whatever their numbers.
pub(super) fn order(a: &HistoryEntry, b: &HistoryEntry) -> Ordering {
    fn name(entry: &HistoryEntry) -> Option<&str> {
        match &entry.by {
            super::Author::Person => None,
            super::Author::Agent { name } => Some(name),
        }
    }
    let key = |entry: &HistoryEntry| entry.at;
    let by_words =
        || (a.what.as_str(), &a.previous_text, name(a)).cmp(&(b.what.as_str(), &b.previous_text, name(b)));
    key(a).cmp(&key(b)).then_with(by_words)
}

/// A text that a step replaced needs no second mention, and one that two copies had needs one.
fn drop_repeated_texts(all: &mut Vec<HistoryEntry>) {
    let is_mention = |entry: &HistoryEntry| entry.what == KEPT_TEXT;
    let repeated: Vec<bool> = (0..all.len())
        .map(|at| {
            let mut others = all.iter().enumerate().filter(|(other, one)| *other < at || !is_mention(one));
            is_mention(&all[at]) && others.any(|(_, one)| one.previous_text == all[at].previous_text)
        })
        .collect();
    let mut repeated = repeated.into_iter();
    all.retain(|_| !repeated.next().unwrap_or_default());
}

/// The stage of a copy; of a resolved one that which it would have without.
fn stage_before_resolving(copy: &Comment) -> Stage {
    if copy.resolution.is_none() {
        return copy.stage;
    }
    let steps = copy.history.iter().filter(|entry| step::sets_stage(&entry.what));
    match steps.max_by_key(|entry| entry.at).map(|entry| entry.what.as_str()) {
        Some(what) if what == step::STAGES[1] => Stage::InProgress,
        Some(what) if what == step::STAGES[2] => Stage::Review,
        _ => Stage::Open,
    }
}

/// When a step of a kind was last taken.
pub(super) fn last_step(comment: &Comment, is: impl Fn(&HistoryEntry) -> bool) -> Timestamp {
    let steps = comment.history.iter().filter(|entry| is(entry));
    steps.map(|entry| entry.at).max().unwrap_or_default()
}

/// Words that one side knows as its own are its own; of two marks the earlier.
fn ours_first(a: Option<Timestamp>, b: Option<Timestamp>) -> Option<Timestamp> {
    a.and_then(|a| b.map(|b| a.min(b)))
}

fn is_same_reply(a: &Reply, b: &Reply) -> bool {
    a.author == b.author && a.text == b.text && a.created_at == b.created_at
}

/// The targets as they were pinned last, each with the latest look of either copy.
fn latest_looks(pinned: &[Target], before: &[Target]) -> Vec<Target> {
    let mut targets = pinned.to_vec();
    for (mine, theirs) in targets.iter_mut().zip(before) {
        let looked = |target: &Target| target.state.as_ref().map(|state| state.checked_at);
        let is_same = mine.selector == theirs.selector && mine.anchor == theirs.anchor;
        if is_same && looked(theirs) > looked(mine) {
            mine.state.clone_from(&theirs.state);
        }
        if is_same {
            mine.varied = Varied::joined(std::mem::take(&mut mine.varied), &theirs.varied);
        }
    }
    targets
}

/// Whoever it is marked to be from.
fn unmarked(one: &Resolution) -> Resolution {
    Resolution { imported_at: None, ..one.clone() }
}

/// The latest one that nobody has undone.
fn resolution(base: &Comment, rest: &Comment, lineage: Ordering) -> Option<Resolution> {
    let is_reopened = |entry: &HistoryEntry| entry.what == step::REOPENED;
    let reopened = last_step(base, is_reopened).max(last_step(rest, is_reopened));
    let (mine, theirs) = (base.resolution.as_ref(), rest.resolution.as_ref());
    let mut latest = match lineage {
        Ordering::Equal if mine.map(unmarked) != theirs.map(unmarked) => {
            let candidates = mine.into_iter().chain(theirs).filter(|one| one.at > reopened);
            candidates.reduce(|a, b| if b.at > a.at { b } else { a }).cloned()
        }
        _ => mine.cloned(),
    };
    if let (Some(latest), Some(mine), Some(theirs)) = (&mut latest, mine, theirs)
        && unmarked(mine) == unmarked(theirs)
    {
        latest.imported_at = ours_first(mine.imported_at, theirs.imported_at);
    }
    latest
}

#[cfg(test)]
#[path = "merge_tests/mod.rs"]
mod tests;
