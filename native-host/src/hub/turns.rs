//! The order among the requests of one connection: a browser's connection carries tabs of several projects, and one project's disk
//! must not hold up another's. What is about the same project or comment keeps its order; whatever hangs, hangs in one project.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use opentoolbar_core::model::{CommentId, SessionId};
use opentoolbar_core::protocol::{Request, RequestEnvelope};
use tokio::sync::watch;

use super::state::{Hub, Peer};

/// Requests of one project that a connection may have under way. For the next one nothing is read until one has ended.
const MOST_OF_A_PROJECT: usize = 64;

/// How long one that takes long may be without an answer: less than its client waits.
pub(super) const ANSWER_WITHIN: Duration = Duration::from_secs(20);
/// The same for an import: ten thousand comments take their time on a disk that answers.
const IMPORT_WITHIN: Duration = Duration::from_secs(110);
/// How long a tab that opens or closes waits for what is about it: for no disk.
const TAB_WITHIN: Duration = Duration::from_secs(1);

/// How long this request may be without an answer once others are served beside it.
pub(super) fn answer_within(request: &Request) -> Duration {
    if matches!(request, Request::ImportComments { .. }) { IMPORT_WITHIN } else { ANSWER_WITHIN }
}

/// How long this request waits for those before it.
pub(super) fn waits_within(request: &Request) -> Duration {
    let is_of_tab = matches!(request, Request::OpenSession(_) | Request::CloseSession { .. });
    if is_of_tab { TAB_WITHIN } else { Duration::MAX }
}

/// What a request is about: two that have something in common are handled in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Subject {
    session: Option<SessionId>,
    comment: Option<CommentId>,
    /// Root of the project in whose storage it is done.
    pub(super) project: Option<String>,
}

impl Subject {
    pub(super) fn of(hub: &Hub, peer: &Peer, envelope: &RequestEnvelope) -> Self {
        let (session, comment) = match &envelope.request {
            // These need no storage of a project.
            Request::Hello(_)
            | Request::Ping
            | Request::AgentPong { .. }
            | Request::Status
            | Request::ListProjects
            | Request::ListStored
            | Request::SetOriginProject { .. }
            | Request::OpenGateway { .. }
            | Request::BeginPairing
            | Request::EndPairings
            | Request::Shutdown => return Self::default(),
            Request::OpenSession(session) => {
                return Self { session: Some(session.id.clone()), ..Self::default() };
            }
            Request::CloseSession { session_id } => {
                return Self { session: Some(session_id.clone()), ..Self::default() };
            }
            Request::AnswerOffer { root, .. } => {
                return Self { project: Some(root.clone()), ..Self::default() };
            }
            Request::ListComments { session_id }
            | Request::ListOffers { session_id }
            | Request::ImportComments { session_id, .. } => (Some(session_id), None),
            Request::CreateComment { session_id, comment, .. } => (Some(session_id), Some(&comment.id)),
            Request::ChangeComment { comment_id, .. }
            | Request::GetComment { comment_id }
            | Request::GetScreenshot { comment_id } => (None, Some(comment_id)),
            _ => (None, None),
        };
        let plain = peer.plain.as_ref().map(|plain| &plain.session);
        let session = session.or(envelope.session_id.as_ref()).or(plain);
        let of_session = |id: &SessionId| {
            let open = hub.live().sessions.get(id).map(|session| session.project().map(|p| p.root.clone()));
            open.unwrap_or_else(|| hub.registry.session(id)?.to_str().map(str::to_owned))
        };
        let own = || peer.project.as_ref().map(|project| project.root.clone());
        Self {
            project: session.and_then(of_session).or_else(own),
            session: session.cloned(),
            comment: comment.cloned(),
        }
    }

    /// A session may have gone to another project meanwhile: then it is not what both have in common.
    fn meets(&self, other: &Self) -> bool {
        fn is_same<T: PartialEq>(one: Option<&T>, other: Option<&T>) -> bool {
            one.is_some() && one == other
        }
        let is_one_unplaced = self.project.is_none() || other.project.is_none();
        is_same(self.comment.as_ref(), other.comment.as_ref())
            || is_same(self.project.as_ref(), other.project.as_ref())
            || is_one_unplaced && is_same(self.session.as_ref(), other.session.as_ref())
    }
}

/// The requests of one connection that are under way.
#[derive(Clone, Debug, Default)]
pub(super) struct Turns(Arc<Line>);

#[derive(Debug, Default)]
struct Line {
    subjects: Mutex<Subjects>,
    /// Says only that something is otherwise.
    changed: watch::Sender<()>,
}

#[derive(Debug, Default)]
struct Subjects {
    last: u64,
    under_way: BTreeMap<u64, Subject>,
}

impl Line {
    fn subjects(&self) -> MutexGuard<'_, Subjects> {
        self.subjects.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Turns {
    /// Whether one more of this project can be under way.
    pub(super) fn have_room(&self, project: Option<&str>) -> bool {
        let subjects = self.0.subjects();
        let of_project = subjects.under_way.values().filter(|subject| subject.project.as_deref() == project);
        of_project.count() < MOST_OF_A_PROJECT
    }

    /// The last in the line.
    pub(super) fn enter(&self, subject: Subject) -> Turn {
        let mut subjects = self.0.subjects();
        subjects.last += 1;
        let number = subjects.last;
        subjects.under_way.insert(number, subject);
        Turn { line: Arc::clone(&self.0), number }
    }

    /// Returns when one has ended, or goes elsewhere.
    pub(super) async fn changed(&self) {
        drop(self.0.changed.subscribe().changed().await);
    }
}

/// A request's place in the line until it is dropped.
#[derive(Debug)]
pub(super) struct Turn {
    line: Arc<Line>,
    number: u64,
}

impl Turn {
    /// Of a request that nobody waits for.
    pub(super) fn beside_all() -> Self {
        Turns::default().enter(Subject::default())
    }

    /// Whether it must wait for another one.
    pub(super) fn must_wait(&self) -> bool {
        !self.before().is_empty()
    }

    /// In which projects those are that it must wait for.
    pub(super) fn projects_before(&self) -> Vec<String> {
        self.before().into_iter().filter_map(|subject| subject.project).collect()
    }

    fn before(&self) -> Vec<Subject> {
        let subjects = self.line.subjects();
        let Some(own) = subjects.under_way.get(&self.number) else { return Vec::new() };
        let before = subjects.under_way.range(..self.number).map(|(_, subject)| subject);
        before.filter(|other| own.meets(other)).cloned().collect()
    }

    /// Returns when it is its turn.
    pub(super) async fn comes(&self) {
        // From here on nothing that changes is missed.
        let mut changed = self.line.changed.subscribe();
        while self.must_wait() {
            if changed.changed().await.is_err() {
                return;
            }
        }
    }

    /// From here on it can hang in this project alone, and nobody of another one waits for it.
    pub(super) fn goes_to(&self, root: &str) {
        if let Some(subject) = self.line.subjects().under_way.get_mut(&self.number) {
            subject.session = None;
            subject.project = Some(root.to_owned());
        }
        self.line.changed.send_replace(());
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.line.subjects().under_way.remove(&self.number);
        self.line.changed.send_replace(());
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn subject(session: &str, comment: &str, project: Option<&str>) -> Subject {
        Subject {
            session: session.parse().ok(),
            comment: comment.parse().ok(),
            project: project.map(str::to_owned),
        }
    }

    #[tokio::test]
    async fn who_waits_goes_on_once_the_one_before_hangs_in_another_project() {
        let turns = Turns::default();
        let lost = turns.enter(subject("s_good", "c_1", Some("/good")));
        let next = turns.enter(subject("s_good", "c_2", Some("/good")));
        let same_comment = turns.enter(subject("s_good", "c_1", Some("/good")));
        let other = turns.enter(subject("s_dead", "", Some("/dead")));
        assert!(next.must_wait() && same_comment.must_wait() && !other.must_wait());
        lost.goes_to("/dead");
        next.comes().await;
        assert_eq!(same_comment.projects_before(), ["/dead", "/good"]);
        drop(next);
        assert!(same_comment.must_wait(), "changes of one comment keep their order");
        drop(lost);
        same_comment.comes().await;
    }

    #[test]
    fn a_session_that_went_to_another_project_waits_for_none_in_the_one_before() {
        let turns = Turns::default();
        let _before = turns.enter(subject("s_1", "c_1", Some("/dead")));
        assert!(!turns.enter(subject("s_1", "c_2", Some("/good"))).must_wait());
        assert!(turns.enter(subject("s_1", "c_3", None)).must_wait());
    }

    #[test]
    fn one_project_takes_no_room_from_another() {
        let turns = Turns::default();
        let of = |root| Subject { project: Some(String::from(root)), ..Subject::default() };
        let all: Vec<Turn> = (0..MOST_OF_A_PROJECT).map(|_| turns.enter(of("/dead"))).collect();
        assert!(!turns.have_room(Some("/dead")));
        assert!(turns.have_room(Some("/good")) && turns.have_room(None));
        drop(all);
        assert!(turns.have_room(Some("/dead")));
    }
}
