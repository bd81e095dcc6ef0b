//! What a request is about, and where it is done: what orders it among the others of its connection.

use std::time::Duration;

use opentoolbar_core::model::{CommentId, SessionId};
use opentoolbar_core::protocol::{Request, RequestEnvelope, Role};

use super::state::{Hub, Peer};

/// How long one that takes long may be without an answer: less than its client waits.
const ANSWER_WITHIN: Duration = Duration::from_secs(20);
/// The same for an import: ten thousand comments take their time on a disk that answers.
const IMPORT_WITHIN: Duration = Duration::from_secs(110);
/// How long a tab that opens or closes waits for what is about it: for no disk.
const TAB_WITHIN: Duration = Duration::from_secs(1);

/// How long this request may be without an answer.
pub(super) fn answer_within(request: &Request) -> Duration {
    if matches!(request, Request::ImportComments { .. }) { IMPORT_WITHIN } else { ANSWER_WITHIN }
}

/// How long this request waits for those before it.
pub(super) fn waits_within(request: &Request) -> Duration {
    let is_of_tab = matches!(request, Request::OpenSession(_) | Request::CloseSession { .. });
    if is_of_tab { TAB_WITHIN } else { Duration::MAX }
}

/// What is answered when something happened, however late. A browser's ping waits for agents.
pub(super) fn is_wait(peer: &Peer, request: &Request) -> bool {
    match request {
        Request::WaitForFeedback(_) | Request::RequestAnnotation { .. } => true,
        Request::RequestVerification { timeout_ms, .. } | Request::GetVerification { timeout_ms, .. } => {
            *timeout_ms > 0
        }
        Request::Ping => peer.hello.role == Role::Browser && peer.plain.is_none(),
        _ => false,
    }
}

/// What waits for nothing and nobody, so that it is never refused for what others wait for.
pub(super) fn is_immediate(request: &Request) -> bool {
    matches!(
        request,
        Request::Hello(_)
            | Request::Ping
            | Request::AgentPong { .. }
            | Request::EndWait { .. }
            | Request::Shutdown
    )
}

/// What looks at files of a project, changes nothing, and is of use to its asker alone: it ends with the connection.
pub(super) fn is_look(request: &Request) -> bool {
    matches!(request, Request::GetSourceChanges { .. } | Request::FindInSource { .. })
}

/// Where a request is done.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    /// It needs no storage of a project.
    #[default]
    NoStorage,
    /// In a project that is yet to be found.
    Unknown,
    /// In the storage of the project with this root.
    Project(String),
}

impl Place {
    pub(super) fn project(&self) -> Option<&str> {
        match self {
            Self::Project(root) => Some(root),
            Self::NoStorage | Self::Unknown => None,
        }
    }
}

/// What a request is about: two that have something in common are handled in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Subject {
    pub(super) session: Option<SessionId>,
    pub(super) comment: Option<CommentId>,
    /// For which its project is chosen.
    origin: Option<String>,
    pub(super) place: Place,
}

impl Subject {
    pub(super) fn of(hub: &Hub, peer: &Peer, envelope: &RequestEnvelope) -> Self {
        let (session, comment) = match &envelope.request {
            Request::Hello(_)
            | Request::Ping
            | Request::AgentPong { .. }
            | Request::Status
            | Request::ListProjects
            | Request::ListStored
            | Request::OpenGateway { .. }
            | Request::GetGatewayConfig
            | Request::BeginPairing
            | Request::EndPairings
            | Request::RequestVerification { .. }
            | Request::GetVerification { .. }
            | Request::WithdrawVerification { .. }
            | Request::ListVerifications
            | Request::DecideVerification { .. }
            | Request::StopRule { .. }
            | Request::Shutdown => return Self::default(),
            Request::SetOriginProject { origin, .. } => {
                return Self { origin: Some(origin.clone()), ..Self::default() };
            }
            Request::OpenSession(session) => {
                return Self { session: Some(session.id.clone()), ..Self::default() };
            }
            Request::CloseSession { session_id } => {
                return Self { session: Some(session_id.clone()), ..Self::default() };
            }
            // It needs no storage, and is no one's to wait for but behind the tab that is being opened.
            Request::GetSourceChanges { session_id, .. } | Request::FindInSource { session_id, .. } => {
                let is_open = hub.live().sessions.contains_key(session_id);
                let session = (!is_open).then(|| session_id.clone());
                return Self { session, ..Self::default() };
            }
            Request::AnswerOffer { root, .. } => {
                return Self { place: Place::Project(root.clone()), ..Self::default() };
            }
            Request::ListComments { session_id }
            | Request::ListOffers { session_id }
            | Request::ImportComments { session_id, .. } => (Some(session_id), None),
            Request::CreateComment { session_id, comment, .. } => (Some(session_id), Some(&comment.id)),
            Request::ChangeComment { comment_id, .. }
            | Request::GetComment { comment_id }
            | Request::GetScreenshot { comment_id } => (None, Some(comment_id)),
            Request::SetContext(_)
            | Request::UserMessage { .. }
            | Request::GetConversation { .. }
            | Request::StopWaiting
            | Request::AnswerAnnotation { .. }
            | Request::GetUiContext { .. }
            | Request::HandedOver { .. }
            | Request::ListSessions
            | Request::ListConversations { .. }
            | Request::GetRequests { .. }
            | Request::Complete { .. }
            | Request::SelectSession { .. }
            | Request::RespondToBrowser { .. }
            | Request::UpdateStatus { .. }
            | Request::GetConversationHistory { .. }
            | Request::RequestAnnotation { .. }
            | Request::Search { .. }
            | Request::SearchMessages { .. }
            | Request::GetFeedback(_)
            | Request::WaitForFeedback(_)
            | Request::EndWait { .. }
            | Request::MoveStored { .. }
            | Request::DeleteStored { .. }
            | Request::ExportStored { .. } => (None, None),
        };
        let plain = peer.plain.as_ref().map(|plain| &plain.session);
        let session = session.or(envelope.session_id.as_ref()).or(plain);
        let of_session = |id: &SessionId| {
            let open = hub.live().sessions.get(id).map(|session| session.project().map(|p| p.root.clone()));
            open.unwrap_or_else(|| hub.registry.session(id)?.to_str().map(str::to_owned))
        };
        let own = || peer.project.as_ref().map(|project| project.root.clone());
        Self {
            place: session.and_then(of_session).or_else(own).map_or(Place::Unknown, Place::Project),
            session: session.cloned(),
            comment: comment.cloned(),
            origin: None,
        }
    }

    /// A session may have gone to another project meanwhile: then it is not what both have in common.
    pub(super) fn meets(&self, other: &Self) -> bool {
        fn is_same<T: PartialEq + ?Sized>(one: Option<&T>, other: Option<&T>) -> bool {
            one.is_some() && one == other
        }
        let (own, others) = (self.place.project(), other.place.project());
        let is_one_unplaced = own.is_none() || others.is_none();
        is_same(self.comment.as_ref(), other.comment.as_ref())
            || is_same(self.origin.as_ref(), other.origin.as_ref())
            || is_same(own, others)
            || is_one_unplaced && is_same(self.session.as_ref(), other.session.as_ref())
    }
}

#[cfg(test)]
impl Subject {
    pub(super) fn at(place: Place) -> Self {
        Self { place, ..Self::default() }
    }

    pub(super) fn in_project(session: &str, comment: &str, root: Option<&str>) -> Self {
        Self {
            session: session.parse().ok(),
            comment: comment.parse().ok(),
            place: root.map_or(Place::Unknown, |root| Place::Project(root.to_owned())),
            ..Self::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_for_one_origin_keep_their_order_and_those_for_others_wait_for_none() {
        let of = |origin: &str| Subject { origin: Some(origin.to_owned()), ..Subject::default() };
        assert!(of("https://a.test").meets(&of("https://a.test")));
        assert!(!of("https://a.test").meets(&of("https://b.test")));
        assert!(!Subject::default().meets(&Subject::default()));
    }
}
