//! Who may ask what. A browser speaks for the person, an agent for itself, a verb for the person at the terminal.

use opentoolbar_core::model::{CommentChange, Project};
use opentoolbar_core::protocol::{ErrorBody, ErrorCode, Request, Role};

use crate::error::error;
use crate::hub::state::Peer;

/// Refuses what the peer's role may not ask.
pub(super) fn check(peer: &Peer, request: &Request) -> Result<(), ErrorBody> {
    let allowed = match request {
        Request::Hello(_)
        | Request::Ping
        | Request::Status
        | Request::ListProjects
        | Request::GetComment { .. }
        | Request::GetScreenshot { .. } => true,
        Request::OpenSession(_)
        | Request::CloseSession { .. }
        | Request::ListComments { .. }
        | Request::CreateComment { .. }
        | Request::ImportComments { .. }
        | Request::SetContext(_)
        | Request::UserMessage { .. }
        | Request::GetConversation { .. }
        | Request::StopWaiting
        | Request::ListOffers { .. }
        | Request::GetSourceChanges { .. }
        | Request::FindInSource { .. }
        | Request::AnswerAnnotation { .. } => peer.hello.role == Role::Browser,
        // Which project is meant, `projects::choose` says among which; and whose words count as the project's.
        Request::SetOriginProject { .. } | Request::AnswerOffer { .. } => peer.hello.role != Role::Agent,
        Request::GetFeedback(_)
        | Request::WaitForFeedback(_)
        | Request::EndWait { .. }
        | Request::ListSessions
        | Request::ListConversations { .. }
        | Request::GetRequests { .. }
        | Request::Complete { .. }
        | Request::GetConversationHistory { .. }
        | Request::Search { .. }
        | Request::SearchMessages { .. } => peer.hello.role != Role::Browser,
        Request::AgentPong { .. }
        | Request::GetUiContext { .. }
        | Request::HandedOver { .. }
        | Request::RespondToBrowser { .. }
        | Request::UpdateStatus { .. }
        | Request::RequestAnnotation { .. }
        | Request::RequestVerification { .. }
        | Request::WithdrawVerification { .. } => peer.hello.role == Role::Agent,
        Request::GetVerification { .. } => peer.hello.role != Role::Browser,
        // Which browsers a person may be at, `verifications` says; who is told the token, `pairing`.
        Request::GetGatewayConfig
        | Request::ListVerifications
        | Request::DecideVerification { .. }
        | Request::StopRule { .. } => peer.hello.role != Role::Agent,
        // An agent's own pick is the agent's to remember.
        Request::SelectSession { .. } => peer.hello.role == Role::Cli,
        // Who can type a verb may let a browser in, and end the hub for everybody; an agent or a browser may not.
        Request::ListStored
        | Request::MoveStored { .. }
        | Request::DeleteStored { .. }
        | Request::ExportStored { .. }
        | Request::OpenGateway { .. }
        | Request::BeginPairing
        | Request::EndPairings
        | Request::Shutdown => peer.hello.role == Role::Cli,
        // What a page shows, where a pin sits and whether a comment exists is the person's to say.
        Request::ChangeComment { change, .. } => {
            peer.hello.role != Role::Agent
                || !matches!(
                    change,
                    CommentChange::Delete
                        | CommentChange::Restore
                        | CommentChange::Repin { .. }
                        | CommentChange::ReportStates { .. }
                )
        }
    };
    if allowed {
        return Ok(());
    }
    let role = match peer.hello.role {
        Role::Browser => "a browser",
        Role::Agent => "an agent",
        Role::Cli => "a verb of the command line",
    };
    Err(error(
        ErrorCode::Forbidden,
        format!("{role} may not ask for that"),
        match peer.hello.role {
            Role::Agent => "Ask the person to do it in the browser.",
            Role::Browser | Role::Cli => {
                "Ask for it from where it belongs; the protocol says which role may."
            }
        },
    ))
}

/// The project of an agent or a verb.
pub(super) fn own_project(peer: &Peer) -> Result<&Project, ErrorBody> {
    peer.project.as_ref().ok_or_else(|| {
        let cwd = peer.hello.cwd.as_deref().unwrap_or("no directory");
        error(
            ErrorCode::NoProject,
            format!("{} was started in {cwd}, which is not inside a project", peer.hello.client),
            "Start it in the project's directory (not in the home directory or the root of the file system).",
        )
    })
}
