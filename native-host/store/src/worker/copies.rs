//! When the copies in the project are written, and with what.

use std::time::{Duration, Instant};

use opentoolbar_core::model::SessionId;

use super::{Fault, Worker};
use crate::file_names::{ALL, HISTORY, REPORT, SESSIONS, session_of};
use crate::{history, mirror};

/// How long after a change the mirror is written, so that a burst of changes writes it once.
pub(super) const MIRROR_AFTER: Duration = Duration::from_millis(250);
/// How long after something was said the session's file is written.
const SESSIONS_AFTER: Duration = Duration::from_millis(50);
/// How long nothing must have been said before the history is written, and how long it may be put off by what is said.
const HISTORY_AFTER: Duration = Duration::from_secs(2);
const HISTORY_WITHIN: Duration = Duration::from_secs(60);
/// How long after a copy could not be written it is tried again at a request: each costs reading what it says.
const TRY_AGAIN_AFTER: Duration = Duration::from_secs(5);

impl Worker {
    /// Has the copies looked at, after a job that needed the project's directory: one that did not must not wait for
    /// its disk.
    pub(super) fn look_at_copies(&mut self) {
        self.receive_found();
        if std::mem::take(&mut self.is_project_used) {
            self.copier.look();
        }
    }

    /// What is not ours is written anew, or removed.
    pub(super) fn receive_found(&mut self) {
        // Written with the next change: its directory may be there again by then.
        let (unwritten, was_cut_short) = self.copier.unwritten();
        self.mirror_due.merge(unwritten);
        // Nobody else has what is kept of the project: giving it away, or deleting it, has failed.
        if was_cut_short && self.catalogue.find(&self.places.root).is_ok_and(|kept| kept.is_some()) {
            self.mirror_at.get_or_insert_with(|| Instant::now() + MIRROR_AFTER);
        }
        let (found, has_looked) = self.copier.found();
        if let Some(found) = found {
            self.mirror_due.add(found);
            self.mirror_at = Some(Instant::now());
        }
        // What was taken back must not stay, also where no name tells that somebody has put it right.
        if has_looked || self.mirror.taken_back.is_there() && self.history_at.is_none() {
            self.try_again();
        }
    }

    /// Somebody may have put right what kept a copy from being written.
    fn try_again(&mut self) {
        let complaints = &self.mirror.complaints;
        if !complaints.is_any() {
            return;
        }
        if self.retried_at.is_some_and(|at| at.elapsed() < TRY_AGAIN_AFTER) {
            // The next look must not take it for done.
            self.copier.forget_seen();
            return;
        }
        self.retried_at = Some(Instant::now());
        let is_about = |file: &str| complaints.is_about(file) || complaints.is_about(ALL);
        self.mirror_due.comments |= is_about(REPORT);
        self.mirror_due.history |= is_about(HISTORY);
        self.mirror_due.sessions.extend(
            complaints
                .all()
                .iter()
                .filter_map(|one| session_of(one.file.strip_prefix(SESSIONS)?.strip_prefix('/')?)),
        );
        self.mirror_at.get_or_insert_with(|| Instant::now() + MIRROR_AFTER);
    }

    /// Reads what the files are to say and has them written: requests do not wait for a report.
    pub(super) fn write_mirror(&mut self) {
        if self.copier.is_writing() {
            // The one under way may miss the newest change; look again when it is done.
            self.mirror_at = Some(Instant::now() + MIRROR_AFTER);
            return;
        }
        self.mirror_at = None;
        let (content, due) = self.mirror_content();
        self.copier.write(content, due);
    }

    /// Somebody was started in the project's directory: the one that is there now is the project's.
    pub(crate) fn look_at_root_again(&mut self) {
        self.root.forget();
        self.copier.forget_seen();
    }

    pub(super) fn history_due(&self) -> Option<Instant> {
        self.history_at.map(|(quiet, latest)| quiet.min(latest))
    }

    pub(super) fn history_is_due(&mut self) {
        self.history_at = None;
        self.mirror_due.history = true;
        self.mirror_at = Some(Instant::now());
    }

    /// What is to be written, and of what.
    pub(super) fn mirror_content(&mut self) -> (mirror::Content, mirror::Due) {
        let due = std::mem::take(&mut self.mirror_due);
        (self.even_if_gone(|worker| mirror::gather::read(worker, due.clone())), due)
    }

    /// What a file in the project is to say could not be read or written.
    pub(crate) fn warn_of_copy(&self, file: &str, fault: Fault) {
        // The sentence may quote what was said, which is not for the log.
        let error = fault.into_body(&self.places);
        self.mirror.complaints.say(&self.places.root, file, &format!("{:?}", error.code));
    }

    /// Something was selected, said or answered in a session.
    pub(crate) fn said(&mut self, session: &SessionId) {
        self.mirror_due.sessions.insert(session.clone());
        let now = Instant::now();
        let latest = self.history_at.map_or(now + HISTORY_WITHIN, |(_, latest)| latest);
        self.history_at = Some((now + HISTORY_AFTER, latest));
        let soon = now + SESSIONS_AFTER;
        self.mirror_at = Some(self.mirror_at.map_or(soon, |at| at.min(soon)));
    }

    /// Something that was said in a session was taken back.
    pub(crate) fn took_back(&mut self, session: &SessionId) {
        self.mirror.taken_back.note();
        self.said(session);
    }

    /// What the history is to say; `None` when it stays as it is.
    pub(crate) fn history(&mut self) -> Option<history::Content> {
        let taken_back = self.mirror.taken_back.clone();
        history::gather::read(self, &taken_back)
    }

    /// A change of a comment was committed.
    pub(crate) fn changed(&mut self, position: Option<u64>) {
        self.mirror_due.comments = true;
        self.mirror_at.get_or_insert_with(|| Instant::now() + MIRROR_AFTER);
        if let Some(position) = position {
            self.position.send_replace(position);
        }
    }
}
