//! Requests of one connection that take long, put aside so that what comes after them goes on: a browser's connection carries tabs of
//! several projects, and one project's disk must not hold up another's. What is about the same session, comment or project keeps its
//! order.

use std::time::Duration;

use opentoolbar_core::model::{CommentId, SessionId};
use opentoolbar_core::protocol::{Request, RequestEnvelope};
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::state::{Hub, Peer};

/// Requests of a connection that may be put aside; those that come then are refused, to be asked again.
const MOST: usize = 64;

/// How long one that was put aside may be without an answer: less than its client waits.
const ANSWER_WITHIN: Duration = Duration::from_secs(25);
/// The same for an import: ten thousand comments take their time on a disk that answers.
const IMPORT_WITHIN: Duration = Duration::from_secs(110);

/// How long this request may be without an answer once it was put aside.
pub(super) fn within(request: &Request) -> Duration {
    if matches!(request, Request::ImportComments { .. }) { IMPORT_WITHIN } else { ANSWER_WITHIN }
}

/// What a request is about: two that have something in common are handled in their order.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Subject {
    session: Option<SessionId>,
    comment: Option<CommentId>,
    /// Root of the project.
    project: Option<String>,
}

impl Subject {
    pub(super) fn of(hub: &Hub, peer: &Peer, envelope: &RequestEnvelope) -> Self {
        let (session, comment) = match &envelope.request {
            Request::OpenSession(session) => (Some(&session.id), None),
            Request::CloseSession { session_id }
            | Request::ListComments { session_id }
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

    fn meets(&self, other: &Self) -> bool {
        fn is_same<T: PartialEq>(one: Option<&T>, other: Option<&T>) -> bool {
            one.is_some() && one == other
        }
        is_same(self.session.as_ref(), other.session.as_ref())
            || is_same(self.comment.as_ref(), other.comment.as_ref())
            || is_same(self.project.as_ref(), other.project.as_ref())
    }
}

/// Requests that another one must wait for.
#[derive(Debug)]
pub(super) struct Before(Vec<watch::Receiver<()>>);

impl Before {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) async fn ended(self) {
        for mut one in self.0 {
            // Nothing is ever sent: it is closed at the end, however that came.
            drop(one.changed().await);
        }
    }
}

/// Those that are put aside, oldest first.
#[derive(Debug, Default)]
pub(super) struct Aside {
    under_way: Vec<(Subject, watch::Receiver<()>)>,
    tasks: JoinSet<()>,
}

impl Aside {
    /// What a request about this must wait for.
    pub(super) fn before(&mut self, subject: &Subject) -> Before {
        self.under_way.retain(|(_, ended)| ended.has_changed().is_ok());
        let met = self.under_way.iter().filter(|(other, _)| subject.meets(other));
        Before(met.map(|(_, ended)| ended.clone()).collect())
    }

    /// Whether one more can be put aside.
    pub(super) fn has_room(&self) -> bool {
        self.under_way.len() < MOST
    }

    /// Does the work beside what comes next on the connection. The work waits for those before it.
    pub(super) fn put<W: Future<Output = ()> + Send + 'static>(
        &mut self,
        subject: Subject,
        before: Before,
        work: impl FnOnce(Before) -> W,
    ) {
        let (ending, ended) = watch::channel(());
        self.under_way.push((subject, ended));
        let work = work(before);
        self.tasks.spawn(async move {
            work.await;
            drop(ending);
        });
    }

    /// Never, while there is none; else when one has ended.
    pub(super) async fn one_ended(&mut self) {
        if self.tasks.join_next().await.is_none() {
            std::future::pending::<()>().await;
        }
    }

    /// Waits until all have ended.
    pub(super) async fn all_ended(&mut self) {
        while self.tasks.join_next().await.is_some() {}
    }
}
