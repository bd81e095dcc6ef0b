//! What the person says, and what was said.

use std::sync::Arc;

use opentoolbar_core::model::{ContextId, MessageId, Project, SessionId};
use opentoolbar_core::protocol::{Answer, ErrorBody, ErrorCode};

use super::comments::fingerprinted;
use super::contexts::placed;
use super::places::project_of;
use super::roles::own_project;
use crate::clock::now;
use crate::error::error;
use crate::hub::changed::Stored;
use crate::hub::live_session::no_such_page;
use crate::hub::lost_pages::Awaited;
use crate::hub::state::{Hub, Peer};
use crate::hub::turns::Turn;
use crate::ids::random_id;
use crate::store::{About, Conversation, Fingerprint, Part, Requests, Sent, Thing, Unplaced};

pub(super) async fn say(
    hub: &Arc<Hub>,
    (peer, turn): (&Peer, &Turn),
    message: Option<MessageId>,
    session: Option<SessionId>,
    context: Option<ContextId>,
    text: String,
) -> Result<Answer, ErrorBody> {
    let session = hub.session_of(peer, session).await?;
    let mut project = placed(peer, project_of(hub, turn, &session, None).await)?;
    let message = match message {
        Some(message) => message,
        None => random_id("m_")?,
    };
    // Words about a selection that waits belong where it does.
    let about = match &peer.plain {
        Some(_) => hub.unplaced_elsewhere(&session, context.as_ref()).await?,
        None => None,
    };
    let fingerprint = fingerprinted(Fingerprint::of(&(&context, &text)))?;
    let sent = Sent { message: message.clone(), fingerprint };
    if project.is_none() || about.is_some() {
        let thing = Thing::Said { context: context.clone(), text: text.clone() };
        if hub.keep_unplaced(&session, about, Unplaced { sent: sent.clone(), at: now(), thing }).await? {
            hub.touch(&session);
            return Ok(Answer::MessageStored {
                message_id: message,
                parts: 1,
                position: 0,
                told_in_part: None,
            });
        }
        project = placed(peer, project_of(hub, turn, &session, None).await)?;
    }
    let project = project.ok_or_else(|| no_such_page(&session))?;
    hub.unplaced_is_stored(&session, &project.root).await?;
    let store = hub.stores.of(project.root.as_ref());
    let selected = context.clone();
    let about = About::of(context, hub.latest_selection_on_page(&session).await?);
    let said = store.say(sent, session.clone(), about, text, now()).await?;
    hub.touch(&session);
    let stored = Stored::Said { session: &session, about: selected.as_ref(), is_first: said.is_first };
    hub.tell_stored(&project.root, stored);
    Ok(Answer::MessageStored { message_id: said.id, parts: 1, position: said.position, told_in_part: None })
}

/// For the panel: everything that it has not heard.
pub(super) async fn conversation(
    hub: &Arc<Hub>,
    (peer, turn): (&Peer, &Turn),
    session: Option<SessionId>,
    after: Option<u64>,
) -> Result<Answer, ErrorBody> {
    let session = hub.session_of(peer, session).await?;
    let project = project_of(hub, turn, &session, None).await?;
    let found = hub.stores.of(project.root.as_ref()).conversation(session.clone(), after).await?;
    Ok(answer(hub, &project.root, session, found))
}

/// For an agent: a part of what was said in a session of its project, open or closed.
pub(super) async fn history(
    hub: &Arc<Hub>,
    peer: &Peer,
    session: SessionId,
    part: Part,
) -> Result<Answer, ErrorBody> {
    let project = own_project(peer)?;
    let is_all = matches!(part, Part::Last(_));
    let found = hub.stores.of(project.root.as_ref()).history(session.clone(), part).await?;
    if is_all && found.messages.is_empty() && !is_open(hub, project, &session).await {
        return Err(no_such_page(&session));
    }
    Ok(answer(hub, &project.root, session, found))
}

/// For an agent: what the person asked in a session of its project, open or closed; in the latest without one.
pub(super) async fn requests(
    hub: &Arc<Hub>,
    peer: &Peer,
    session: Option<SessionId>,
    (first, limit): (u32, u32),
) -> Result<Answer, ErrorBody> {
    let project = own_project(peer)?;
    let store = hub.stores.of(project.root.as_ref());
    let session_id = match session {
        Some(named) => named,
        None => store.last_asked_in().await?.ok_or_else(|| {
            let next = "Name a session, or ask later.";
            error(ErrorCode::UnknownSession, "nothing was asked in this project yet", next)
        })?,
    };
    let Requests { total, requests, last, unreadable, is_any } =
        store.requests(session_id.clone(), first, limit).await?;
    if !is_any && !is_open(hub, project, &session_id).await {
        return Err(no_such_page(&session_id));
    }
    Ok(Answer::Requests { session_id, total, requests, last, unreadable })
}

/// Whether the session is open as one of this project, now or in a moment.
pub(super) async fn is_open(hub: &Arc<Hub>, project: &Project, session: &SessionId) -> bool {
    hub.wait_for_lost_pages(project, Awaited::Named(session)).await;
    hub.live().sessions.get(session).is_some_and(|session| session.is_of(&project.root))
}

fn answer(hub: &Hub, root: &str, session_id: SessionId, found: Conversation) -> Answer {
    let live = hub.live();
    let activities = live.sessions.get(&session_id).map(|session| session.activities_in(root));
    let annotations = live
        .annotations
        .values()
        .filter(|one| one.session == session_id && one.root == root && one.is_open())
        .map(|one| one.request.clone())
        .collect();
    let Conversation { messages, contexts, position, older, unreadable } = found;
    Answer::Conversation {
        session_id,
        messages,
        contexts,
        activities: activities.unwrap_or_default(),
        annotations,
        position,
        older,
        unreadable,
    }
}

/// The person no longer waits for an answer.
pub(super) async fn stop_waiting(
    hub: &Arc<Hub>,
    (peer, turn): (&Peer, &Turn),
    session: Option<SessionId>,
) -> Result<Answer, ErrorBody> {
    let session = hub.session_of(peer, session).await?;
    let taken_back = match &peer.plain {
        Some(_) => hub.take_back_unplaced(&session).await,
        None => Ok(()),
    };
    // Also when what waits cannot be read. Where no project is known nothing else was said.
    if let Some(project) = placed(peer, project_of(hub, turn, &session, None).await)? {
        hub.stores.of(project.root.as_ref()).withdraw(session.clone()).await?;
        hub.tell_stored(&project.root, Stored::TakenBack(&session));
    }
    taken_back?;
    Ok(Answer::Done)
}
