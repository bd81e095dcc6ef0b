//! What each change does to a comment. One rule for the browser, the hub and the agents.

use super::VerdictKind;
use super::{Author, ChangeError, Comment, CommentChange, HistoryEntry, Reply, Resolution, Stage, Status};
use super::{Target, TargetState, Timestamp, limits, step};

impl Comment {
    /// The comment after `change`, made by `by` at `at`; `self` stays as it is.
    ///
    /// A change that does something raises the revision by one and adds one history entry. A change that would do
    /// nothing (the same text again, a reply that is there, states that say the same) returns the comment with nothing
    /// changed but the moment at which its targets were looked at. A change is never earlier than the last.
    ///
    /// # Errors
    /// Says why the change does not fit; see [`ChangeError`].
    pub fn apply(&self, change: &CommentChange, by: &Author, at: Timestamp) -> Result<Comment, ChangeError> {
        if let (Some(at), false) = (self.deleted_at, matches!(change, CommentChange::Restore)) {
            return Err(ChangeError::Deleted { id: self.id.clone(), at });
        }
        let mut next = self.clone();
        // What follows is not earlier, whatever a clock that was set back says: a merge goes by these moments.
        let at = at.max(self.updated_at);
        let step = match change {
            CommentChange::Edit { text, base_revision } => next.edit(text, *base_revision, by)?,
            CommentChange::Resolve { summary } => next.resolve(summary.as_deref(), by, at)?,
            CommentChange::Reopen => next.reopen()?,
            CommentChange::SetStage { stage } => next.set_stage(*stage, by)?,
            CommentChange::Reply { id, text } => {
                let (id, author, text) = (id.clone(), by.clone(), text.clone());
                let reply = Reply { id, author, text, created_at: at, imported_at: None };
                next.reply(reply)?
            }
            CommentChange::ReportStates { states } => next.report_states(states)?,
            CommentChange::Repin { targets } => next.repin(targets)?,
            CommentChange::Delete => {
                next.deleted_at = Some(at);
                Some(Step::new(step::DELETED))
            }
            CommentChange::Restore => match next.deleted_at.take() {
                Some(_) => Some(Step::new(step::RESTORED)),
                None => return Err(ChangeError::NotDeleted { id: self.id.clone() }),
            },
        };
        if let Some(step) = step {
            next.record(step, by, at)?;
        }
        Ok(next)
    }

    fn edit(&mut self, text: &str, base_revision: u32, by: &Author) -> Result<Option<Step>, ChangeError> {
        self.refuse_if_resolved()?;
        limits::check_text(text)?;
        if text == self.text {
            return Ok(None);
        }
        if base_revision > self.revision {
            return Err(ChangeError::UnknownRevision {
                id: self.id.clone(),
                base_revision,
                revision: self.revision,
                yours: text.to_owned(),
            });
        }
        // Only edits keep a previous text, and edits are never dropped from the history: those after the
        // revision that the writer saw are exactly what the writer did not see.
        let unseen = self.history.iter().rev().take_while(|entry| entry.revision > base_revision);
        if let Some(entry) = unseen.into_iter().find(|entry| entry.previous_text.is_some()) {
            return Err(ChangeError::TextChanged {
                id: self.id.clone(),
                by: entry.by.clone(),
                base_revision,
                revision: self.revision,
                current: self.text.clone(),
                yours: text.to_owned(),
            });
        }
        let previous = std::mem::replace(&mut self.text, text.to_owned());
        // What was somebody else's is the person's now. An agent vouches for nobody.
        if *by == Author::Person {
            self.imported_at = None;
        }
        Ok(Some(Step { what: "edited the text".to_owned(), previous_text: Some(previous) }))
    }

    fn resolve(
        &mut self,
        summary: Option<&str>,
        by: &Author,
        at: Timestamp,
    ) -> Result<Option<Step>, ChangeError> {
        if let Some(Resolution { by, at, .. }) = &self.resolution {
            return Err(ChangeError::AlreadyResolved { id: self.id.clone(), by: by.clone(), at: *at });
        }
        let summary = summary.map(str::trim).filter(|summary| !summary.is_empty());
        summary.map_or(Ok(()), limits::check_summary)?;
        self.status = Status::Resolved;
        let (summary_kept, by) = (summary.map(str::to_owned), by.clone());
        self.resolution = Some(Resolution { summary: summary_kept, by, at, imported_at: None });
        self.settle_stage();
        Ok(Some(Step::new(
            summary.map_or(step::RESOLVED.to_owned(), |summary| format!("{}: {summary}", step::RESOLVED)),
        )))
    }

    fn reopen(&mut self) -> Result<Option<Step>, ChangeError> {
        if self.resolution.take().is_none() {
            return Err(ChangeError::NotResolved { id: self.id.clone() });
        }
        self.status = waiting_status(&self.targets);
        self.stage = Stage::Open;
        Ok(Some(Step::new(step::REOPENED)))
    }

    fn set_stage(&mut self, stage: Stage, by: &Author) -> Result<Option<Step>, ChangeError> {
        self.refuse_if_resolved()?;
        // Who takes over what another began says so.
        let takes_over = stage == Stage::InProgress && self.begun_by().is_some_and(|begun| begun != by);
        // And so does a person who asks again for what an agent left: what changed in its work was not what they asked
        // for.
        let asks_again = stage == Stage::Open && *by == Author::Person && self.is_left_by_an_agent();
        if stage == self.stage && !takes_over && !asks_again {
            return Ok(None);
        }
        self.stage = stage;
        Ok(Some(Step::new(match stage {
            Stage::Open => step::STAGES[0],
            Stage::InProgress => step::STAGES[1],
            Stage::Review => step::STAGES[2],
        })))
    }

    fn reply(&mut self, reply: Reply) -> Result<Option<Step>, ChangeError> {
        if self.replies.iter().any(|known| known.id == reply.id) {
            return Ok(None);
        }
        limits::check_reply("reply", &reply)?;
        if self.replies.len() >= limits::MAX_REPLIES {
            let id = self.id.clone();
            return Err(ChangeError::Full { id, what: "replies", limit: limits::MAX_REPLIES });
        }
        self.replies.push(reply);
        Ok(Some(Step::new("replied")))
    }

    fn report_states(&mut self, states: &[TargetState]) -> Result<Option<Step>, ChangeError> {
        if states.len() != self.targets.len() {
            let (targets, states) = (self.targets.len(), states.len());
            return Err(ChangeError::WrongStateCount { id: self.id.clone(), targets, states });
        }
        for (i, state) in states.iter().enumerate() {
            limits::check_state(&format!("states[{i}]"), state)?;
        }
        let before: Vec<Option<TargetState>> =
            self.targets.iter().map(|target| target.state.clone()).collect();
        for (target, state) in self.targets.iter_mut().zip(states) {
            // That it varies in something new is kept, and no step: nothing happened to the comment.
            target.take(state);
        }
        let news =
            self.targets.iter().zip(&before).any(|(target, before)| {
                target.state.as_ref().is_some_and(|state| !says_the_same(before, state))
            });
        if !news {
            return Ok(None);
        }
        let before = self.status;
        if before != Status::Resolved {
            self.status = waiting_status(&self.targets);
        }
        Ok(Some(Step::new(match (before, self.status) {
            (Status::Active, Status::Outdated) => {
                let reason = self.targets.iter().filter_map(|target| target.state.as_ref());
                let reason = reason.into_iter().find(|state| state.outdates());
                format!("{}: {}", step::LOOKS[0], reason.map_or("", |state| state.reason.as_str()))
            }
            (Status::Outdated, Status::Active) => {
                format!("{}: its elements are as they were", step::LOOKS[1])
            }
            _ if self.may_have_changed() => format!("{}: may have changed", step::LOOKS[2]),
            _ => step::LOOKS[2].to_owned(),
        })))
    }

    fn repin(&mut self, targets: &[Target]) -> Result<Option<Step>, ChangeError> {
        limits::check_targets(targets)?;
        if targets == self.targets {
            return Ok(None);
        }
        let before = std::mem::replace(&mut self.targets, targets.to_vec());
        self.targets.iter_mut().zip(&before).for_each(|(target, before)| target.keep_varied(before));
        if self.status != Status::Resolved {
            self.status = waiting_status(&self.targets);
        }
        let count = targets.len();
        Ok(Some(Step::new(format!("{} {count} element{}", step::PINNED, if count == 1 { "" } else { "s" }))))
    }

    fn refuse_if_resolved(&self) -> Result<(), ChangeError> {
        match &self.resolution {
            Some(Resolution { by, at, .. }) => {
                Err(ChangeError::Resolved { id: self.id.clone(), by: by.clone(), at: *at })
            }
            None => Ok(()),
        }
    }

    /// Counts the revision on and writes the step down. A full history gives up its oldest step that is no edit.
    fn record(&mut self, step: Step, by: &Author, at: Timestamp) -> Result<(), ChangeError> {
        if self.revision >= limits::MAX_REVISION {
            let limit = limits::MAX_REVISION as usize;
            return Err(ChangeError::Full { id: self.id.clone(), what: "revisions", limit });
        }
        if self.history.len() >= limits::MAX_HISTORY {
            match self.history.iter().position(|entry| entry.previous_text.is_none()) {
                Some(oldest) => drop(self.history.remove(oldest)),
                None => {
                    let (id, limit) = (self.id.clone(), limits::MAX_HISTORY);
                    return Err(ChangeError::Full { id, what: "edits in its history", limit });
                }
            }
        }
        self.revision = self.revision.saturating_add(1);
        self.updated_at = at;
        let Step { what, previous_text } = step;
        let what = what.trim_end_matches([' ', ':']).to_owned();
        let (revision, by) = (self.revision, by.clone());
        self.history.push(HistoryEntry { revision, at, by, what, previous_text, imported_at: None });
        Ok(())
    }
}

/// What a change did, for the history.
struct Step {
    what: String,
    previous_text: Option<String>,
}

impl Step {
    fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), previous_text: None }
    }
}

/// Active or outdated, by what the last look said about the targets.
pub(super) fn waiting_status(targets: &[Target]) -> Status {
    let states = targets.iter().filter_map(|target| target.state.as_ref());
    if states.into_iter().any(TargetState::outdates) { Status::Outdated } else { Status::Active }
}

/// Whether a report brings nothing new. The confidence and the moment may differ: both do at every look. That an
/// element is unchanged is no news either when nobody looked before.
fn says_the_same(old: &Option<TargetState>, new: &TargetState) -> bool {
    match old {
        Some(old) => {
            old.verdict == new.verdict
                && old.cause == new.cause
                && old.diff == new.diff
                && old.reason == new.reason
        }
        None => new.verdict == VerdictKind::Unchanged,
    }
}

#[cfg(test)]
#[path = "apply_tests.rs"]
mod tests;
