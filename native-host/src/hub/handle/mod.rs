//! What the hub does for each request; one file per family. Every request gets exactly one answer.

mod annotations;
mod changes;
mod comments;
mod contexts;
mod feedback;
mod messages;
mod pairing;
mod places;
mod projects;
mod respond;
mod roles;
mod search;
mod sessions;
mod status;
mod stored;
mod verifications;
mod wait;

use std::sync::Arc;

use opentoolbar_core::model::MessageId;
use opentoolbar_core::protocol::{
    Answer, DEFAULT_HISTORY, ErrorBody, Request, RequestEnvelope, decode_request,
};

pub(super) use comments::change_as;

use super::deciding::VerificationWish;
use super::state::{Hub, Peer};
use super::turns::Turn;
use crate::ids::random_id;
use crate::store::{Conversations, Part, Wanted};

/// Decodes a message at the edge. The id is there when the message could be read that far.
pub(super) fn decode(json: &[u8]) -> Result<RequestEnvelope, (Option<MessageId>, ErrorBody)> {
    decode_request(json).map_err(|refusal| (refusal.reply_to, refusal.error))
}

/// Everything but `hello` as the first message. Those that wait are waited for elsewhere.
pub(super) async fn handle(
    hub: &Arc<Hub>,
    peer: &Arc<Peer>,
    turn: &Turn,
    envelope: RequestEnvelope,
) -> Result<Answer, ErrorBody> {
    let RequestEnvelope { id: given, session_id: session, request } = envelope;
    if !matches!(request, Request::Ping | Request::AgentPong { .. }) {
        hub.asked_by(peer);
    }
    roles::check(peer, &request)?;
    // Decoding has made sure that whatever needs an id has one.
    let id = match &given {
        Some(id) => id.clone(),
        None => random_id("m_")?,
    };
    match request {
        Request::Hello(_) => Ok(Answer::Hello(hub.hello())),
        Request::Ping => Ok(status::ping(hub, peer).await),
        Request::AgentPong { round, presence } => {
            if peer.pulse.answered(round, presence) {
                hub.tell_agents();
            }
            Ok(Answer::Done)
        }
        Request::OpenSession(session) => sessions::open(hub, peer, session).await,
        Request::CloseSession { session_id } => {
            let closed = sessions::close(hub, peer, &session_id);
            hub.watch_sources();
            closed
        }
        Request::ListComments { session_id } => sessions::list_comments(hub, (peer, turn), session_id).await,
        Request::CreateComment { session_id, comment, screenshot } => {
            comments::create(hub, (peer, turn), id, session_id, *comment, screenshot).await
        }
        Request::ChangeComment { comment_id, change, at } => {
            comments::change(hub, (peer, turn), id, session, (comment_id, change, at)).await
        }
        Request::ImportComments { session_id, comments } => {
            comments::import(hub, (peer, turn), id, session_id, comments).await
        }
        Request::GetComment { comment_id } => comments::get(hub, (peer, turn), session, comment_id).await,
        Request::GetScreenshot { comment_id } => {
            comments::screenshot(hub, (peer, turn), session, comment_id).await
        }
        Request::ListProjects => projects::list(hub, peer).await,
        Request::SetOriginProject { origin, root } => projects::choose(hub, peer, origin, root).await,
        Request::GetFeedback(query) => feedback::get(hub, peer, query).await,
        Request::WaitForFeedback(query) => wait::wait_for_feedback(hub, peer, id, query).await,
        Request::RequestVerification { action, reason, context, timeout_seconds, timeout_ms, process } => {
            let wish = VerificationWish { id, action, reason, context, timeout_seconds };
            verifications::request(hub, peer, process, wish, timeout_ms).await
        }
        Request::GetVerification { verification_id, timeout_ms } => {
            verifications::get(hub, peer, id, verification_id, timeout_ms).await
        }
        Request::WithdrawVerification { verification_id } => {
            verifications::withdraw(hub, peer, verification_id).await
        }
        Request::ListVerifications => verifications::list(hub, peer).await,
        Request::DecideVerification { verification_id, hash, approve, note, rule } => {
            let said = verifications::Said { hash, approve, note, rule };
            verifications::decide(hub, peer, verification_id, said).await
        }
        Request::StopRule { rule_id } => verifications::stop_rule(hub, peer, rule_id).await,
        Request::EndWait { message_id } => {
            peer.pulse.end_wait(&message_id);
            Ok(Answer::Done)
        }
        Request::SetContext(set) => contexts::set(hub, (peer, turn), given, session, *set).await,
        Request::UserMessage { context_id, message } => {
            messages::say(hub, (peer, turn), given, session, context_id, message).await
        }
        Request::GetConversation { after } => messages::conversation(hub, (peer, turn), session, after).await,
        Request::StopWaiting => messages::stop_waiting(hub, (peer, turn), session).await,
        Request::AnswerAnnotation { annotation_id, context_id, message } => {
            annotations::answer(hub, (peer, turn), session, &annotation_id, context_id, message).await
        }
        Request::GetUiContext { session_id, context_id } => {
            contexts::get(hub, peer, session_id, context_id).await
        }
        Request::HandedOver { message_ids } => wait::handed_over(hub, peer, message_ids).await,
        Request::ListSessions => sessions::list(hub, peer).await,
        Request::ListConversations { limit, until, behind } => {
            sessions::conversations(hub, peer, Conversations { limit, until, behind }).await
        }
        Request::GetRequests { session_id, first, limit } => {
            messages::requests(hub, peer, session_id, (first, limit)).await
        }
        Request::Complete { of, prefix } => sessions::complete(hub, peer, of, prefix).await,
        Request::SelectSession { session_id } => sessions::select(hub, peer, session_id).await,
        Request::RespondToBrowser { session_id, context_id, message, is_complete, index, told_in_part } => {
            let words = respond::Words {
                session: session_id,
                context: context_id,
                text: message,
                is_complete,
                index,
                told_in_part,
            };
            respond::respond(hub, peer, id, words).await
        }
        Request::UpdateStatus { session_id, status, detail } => {
            respond::update_status(hub, peer, &session_id, status, detail).await
        }
        Request::GetConversationHistory { session_id, limit, before, message_id } => {
            let limit = limit.unwrap_or(DEFAULT_HISTORY);
            let part = match (message_id, before) {
                (Some(one), _) => Part::One(one),
                (None, Some(before)) => Part::Before(before, limit),
                (None, None) => Part::Last(limit),
            };
            messages::history(hub, peer, session_id, part).await
        }
        Request::RequestAnnotation { session_id, annotation_id, message, timeout_ms } => {
            let wish = annotations::Wish { session: session_id, id: annotation_id, message, timeout_ms };
            annotations::request(hub, peer, wish).await
        }
        Request::Search { query, limit } => search::search(hub, peer, query, Wanted::Best(limit)).await,
        Request::SearchMessages { query, limit, before } => {
            search::search(hub, peer, query, Wanted::Messages { limit, before }).await
        }
        Request::ListStored => stored::list(hub).await,
        Request::ListOffers { session_id } => stored::offers(hub, (peer, turn), session_id).await,
        Request::GetSourceChanges { session_id, since, files } => {
            changes::get(hub, peer, session_id, since, files).await
        }
        Request::FindInSource { session_id, queries } => changes::find(hub, peer, session_id, queries).await,
        Request::AnswerOffer { root, offer_id, accept } => {
            stored::answer(hub, peer, id, (root, offer_id, accept)).await
        }
        Request::MoveStored { id, to } => stored::move_to(hub, &id, &to).await,
        Request::DeleteStored { id } => stored::delete(hub, &id).await,
        Request::ExportStored { id, cursor } => stored::export(hub, &id, cursor).await,
        Request::Status => Ok(status::status(hub, peer).await),
        Request::OpenGateway { port } => pairing::open(hub, peer, port).await,
        Request::GetGatewayConfig => pairing::config(hub, peer),
        Request::BeginPairing => pairing::begin(hub),
        Request::EndPairings => pairing::end(hub),
        Request::Shutdown => {
            hub.ask_to_leave();
            Ok(Answer::Done)
        }
    }
}
