//! What the files will say, from the database.

use opentoolbar_core::model::SessionId;
use opentoolbar_core::protocol::{FeedbackQuery, MAX_FEEDBACK};

use super::{Content, Due, MOST_SESSIONS, Waiting};
use crate::fault::Fault;
use crate::file_names::{REPORT, SESSIONS, name_of, path_of};
use crate::worker::Worker;
use crate::{Feedback, conversation, feedback};

/// Of a part that cannot be read the others are still written.
pub(crate) fn read(worker: &mut Worker, mut due: Due) -> Content {
    let feedback = due.comments.then(|| waiting(worker)).transpose();
    let feedback = feedback.unwrap_or_else(|fault| {
        worker.warn_of_copy(REPORT, fault);
        None
    });
    if let Some(found) = due.found.as_ref().filter(|found| !found.sessions.is_empty()) {
        // Of thousands of names in the place of ours a few are asked for; the others go unread.
        match conversation::latest_selections(worker, MOST_SESSIONS) {
            Ok(ours) => {
                let is_found = |id: &SessionId| found.sessions.contains(&name_of(id));
                due.sessions.extend(ours.into_iter().filter(is_found));
            }
            Err(fault) => worker.warn_of_copy(SESSIONS, fault),
        }
    }
    let mut sessions = Vec::with_capacity(due.sessions.len());
    for session in &due.sessions {
        match conversation::mirrored(worker, session) {
            Ok(Some(json)) => sessions.push((session.clone(), json)),
            Ok(None) => {}
            Err(fault) => worker.warn_of_copy(&path_of(&name_of(session)), fault),
        }
    }
    let history = due.history.then(|| worker.history()).flatten();
    Content { feedback, sessions, history, found: due.found }
}

fn waiting(worker: &mut Worker) -> Result<Waiting, Fault> {
    let query = FeedbackQuery { limit: Some(MAX_FEEDBACK), ..FeedbackQuery::default() };
    let Feedback { comments, summary, unreadable, .. } = feedback::feedback(worker, &query)?;
    Ok(Waiting { comments, count: summary.active + summary.outdated, unreadable })
}
