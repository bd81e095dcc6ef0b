//! Tabs that come, go, and ask for their comments.

use std::sync::Arc;

use opentoolbar_core::model::{Session, SessionId};
use opentoolbar_core::protocol::{Answer, ErrorBody};

use crate::hub::sessions::unknown_session;
use crate::hub::state::{Hub, Peer};
use crate::project::Placement;

pub(super) async fn open(hub: &Arc<Hub>, peer: &Peer, session: Session) -> Answer {
    let session_id = session.id.clone();
    let Placement { project, reason, choices } = hub.open_session(peer, session).await;
    Answer::Session { session_id, project, reason, choices }
}

pub(super) fn close(hub: &Hub, peer: &Peer, id: &SessionId) -> Result<Answer, ErrorBody> {
    let mut live = hub.live();
    match live.sessions.get(id) {
        Some(session) if session.peer == peer.id => {
            live.sessions.remove(id);
            Ok(Answer::Done)
        }
        _ => Err(unknown_session(id)),
    }
}

pub(super) async fn list_comments(
    hub: &Arc<Hub>,
    peer: &Peer,
    session_id: SessionId,
) -> Result<Answer, ErrorBody> {
    let session = hub.live().sessions.get(&session_id).filter(|session| session.peer == peer.id).cloned();
    let session = session.ok_or_else(|| unknown_session(&session_id))?;
    let project = hub.project_for(&session_id, None).await?;
    let comments = hub.stores.of(project.root.as_ref()).on_origin(session.origin).await?;
    Ok(Answer::Comments { session_id, comments })
}
