//! An agent's words and doings for a session.

use std::sync::Arc;

use opentoolbar_core::model::{AgentStatus, ContextId, MessageId, SessionId};
use opentoolbar_core::protocol::{Answer, ErrorBody, Event, Part};

use super::messages::is_open;
use super::roles::own_project;
use crate::clock::now;
use crate::hub::live_session::no_such_page;
use crate::hub::state::{Hub, Peer};
use crate::store::{Answered, Response};

/// One part or the whole of an answer.
pub(super) struct Words {
    pub(super) session: SessionId,
    pub(super) context: Option<ContextId>,
    pub(super) text: String,
    pub(super) is_complete: bool,
    pub(super) index: Option<u32>,
    /// Messages of which its agent was told a part alone.
    pub(super) told_in_part: Vec<MessageId>,
}

pub(super) async fn respond(
    hub: &Arc<Hub>,
    peer: &Arc<Peer>,
    message: MessageId,
    words: Words,
) -> Result<Answer, ErrorBody> {
    let project = own_project(peer)?;
    let Words { session, context, text, is_complete, index, told_in_part } = words;
    let is_any_in_part = is_complete && !told_in_part.is_empty();
    let response = Response {
        message,
        session: session.clone(),
        context: context.clone(),
        agent: peer.agent_name(),
        answerer: peer.answerer().to_owned(),
        text: text.clone(),
        is_complete,
        index,
        told_in_part,
    };
    // The tab may be closed by now; what an agent says is kept all the same.
    let tell = {
        let (hub, peer, agent) = (Arc::clone(hub), Arc::clone(peer), peer.agent_name());
        let root = project.root.clone();
        move |answered: &Answered| {
            let event = match answered.whole.clone() {
                Some(message) => Event::AgentResponse { context_id: context, message, is_complete: true },
                None => Event::AgentResponseChunk { context_id: context, chunk: text },
            };
            let part = Part {
                message_id: answered.id.clone(),
                index: answered.parts - 1,
                position: answered.position,
                answers: answered.whole.is_some().then(|| answered.answers.clone()),
            };
            hub.tell_session(&root, &session, event, Some(agent), Some(part));
            if is_complete {
                hub.set_activity(&session, &peer, AgentStatus::Idle, None);
            }
        }
    };
    let answered = hub.stores.of(project.root.as_ref()).respond(response, now(), tell).await?;
    Ok(Answer::MessageStored {
        message_id: answered.id,
        parts: answered.parts,
        position: answered.position,
        told_in_part: is_any_in_part.then_some(answered.told_in_part),
    })
}

pub(super) async fn update_status(
    hub: &Arc<Hub>,
    peer: &Peer,
    session: &SessionId,
    status: AgentStatus,
    detail: Option<String>,
) -> Result<Answer, ErrorBody> {
    let project = own_project(peer)?;
    let detail = detail.filter(|detail| !detail.trim().is_empty());
    if is_open(hub, project, session).await && hub.set_activity(session, peer, status, detail) {
        return Ok(Answer::Done);
    }
    Err(no_such_page(session))
}
