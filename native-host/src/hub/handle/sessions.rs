//! Tabs that come, go, and ask for their comments.

use std::sync::Arc;

use opentoolbar_core::model::{Project, Session, SessionId};
use opentoolbar_core::protocol::{Answer, Completed, ErrorBody, ErrorCode, Role, SessionSummary};

use super::messages::is_open;
use super::places::project_of;
use super::roles::own_project;
use crate::error::{error, internal};
use crate::hub::changed::Stored;
use crate::hub::live_session::{no_such_page, unknown_session};
use crate::hub::lost_pages::Awaited;
use crate::hub::state::{Hub, Peer};
use crate::hub::turns::Turn;
use crate::project::Placement;
use crate::store::{Completion, Conversations};

pub(super) async fn open(hub: &Arc<Hub>, peer: &Peer, session: Session) -> Result<Answer, ErrorBody> {
    let session_id = session.id.clone();
    let Placement { project, reason, choices } = hub.open_session(peer, session).await?;
    if let Some(project) = &project {
        hub.tell_stored(&project.root, Stored::Session(&session_id));
    }
    Ok(Answer::Session { session_id, project, reason, choices })
}

/// The session that is meant: the one named, else the one that the person picked, else the latest active one.
pub(super) async fn meant(
    hub: &Arc<Hub>,
    project: &Project,
    named: Option<SessionId>,
) -> Result<SessionId, ErrorBody> {
    if let Some(named) = named {
        return if is_open(hub, project, &named).await { Ok(named) } else { Err(no_such_page(&named)) };
    }
    if let Some(picked) = picked(hub, project)
        && is_open(hub, project, &picked).await
    {
        return Ok(picked);
    }
    hub.wait_for_lost_pages(project, Awaited::Latest).await;
    let latest = hub.sessions_in(&project.root).into_iter().next();
    latest.map(|(id, _)| id).ok_or_else(|| {
        error(
            ErrorCode::UnknownSession,
            format!("no page of {} is open in a browser with opentoolbar", project.name),
            "Ask the person to open the app in the browser; `opentoolbar status` shows which tabs are known.",
        )
    })
}

fn picked(hub: &Hub, project: &Project) -> Option<SessionId> {
    hub.registry.picked(project.root.as_ref())
}

/// The open sessions of the agent's or the verb's project.
pub(super) async fn list(hub: &Arc<Hub>, peer: &Peer) -> Result<Answer, ErrorBody> {
    let project = own_project(peer)?;
    // A person sees whether the browser is there.
    if peer.hello.role == Role::Agent {
        hub.wait_for_lost_pages(project, Awaited::All).await;
    }
    let sessions = hub.sessions_in(&project.root);
    let picked = picked(hub, project);
    let ids = sessions.iter().map(|(id, _)| id.clone()).collect();
    let unread = hub.stores.of(project.root.as_ref()).with_unread(ids).await?;
    let summary = |(session_id, live): (SessionId, crate::hub::live_session::LiveSession)| SessionSummary {
        number: live.number,
        page_url: live.session.url,
        page_title: live.session.title,
        last_active: live.session.last_active,
        has_unread_message: unread.contains(&session_id),
        is_selected: picked.as_ref() == Some(&session_id),
        session_id,
    };
    Ok(Answer::Sessions { sessions: sessions.into_iter().map(summary).collect(), unreadable: 0 })
}

/// What was said in the agent's or the verb's project, also in tabs that are gone.
pub(super) async fn conversations(
    hub: &Hub,
    peer: &Peer,
    wanted: Conversations,
) -> Result<Answer, ErrorBody> {
    let project = own_project(peer)?;
    let (conversations, more) = hub.stores.of(project.root.as_ref()).conversations(wanted).await?;
    Ok(Answer::Conversations { conversations, more })
}

/// Values that are told while a person types one.
const MOST_COMPLETIONS: u32 = 100;

/// What may be typed next. Nothing but that is read.
pub(super) async fn complete(
    hub: &Hub,
    peer: &Peer,
    of: Completed,
    prefix: String,
) -> Result<Answer, ErrorBody> {
    let project = own_project(peer)?;
    let tabs = match of {
        Completed::Context => hub.sessions_in(&project.root).into_iter().map(|(id, _)| id).collect(),
        _ => Vec::new(),
    };
    let wanted = Completion { of, prefix, tabs, limit: MOST_COMPLETIONS };
    let (values, more) = hub.stores.of(project.root.as_ref()).complete(wanted).await?;
    Ok(Answer::Completions { values, more })
}

/// The person's pick for all agents of the project.
pub(super) async fn select(hub: &Arc<Hub>, peer: &Peer, id: Option<SessionId>) -> Result<Answer, ErrorBody> {
    let project = own_project(peer)?;
    if let Some(id) = &id
        && !is_open(hub, project, id).await
    {
        return Err(no_such_page(id));
    }
    let root = project.root.clone();
    let pick = move |hub: &Hub| hub.registry.pick(root.as_ref(), id.as_ref());
    hub.blocking(pick).await.ok_or_else(|| internal("the choice could not be remembered"))??;
    list(hub, peer).await
}

pub(super) fn close(hub: &Hub, peer: &Peer, id: &SessionId) -> Result<Answer, ErrorBody> {
    let mut live = hub.live();
    match live.sessions.get(id) {
        Some(session) if session.peer == peer.id => {
            let root = session.project().map(|project| project.root.clone());
            live.sessions.remove(id);
            live.close_annotations_of(id);
            drop(live);
            // What was selected in it is not listed any more.
            if let Some(root) = root {
                hub.tell_stored(&root, Stored::Session(id));
            }
            Ok(Answer::Done)
        }
        None if live.lost_pages.of(id, peer).is_some() => {
            live.lost_pages.remove(id);
            live.close_annotations_of(id);
            drop(live);
            // Who waits for it waits no more.
            hub.placed_tabs.send_replace(());
            Ok(Answer::Done)
        }
        _ => Err(unknown_session(id)),
    }
}

pub(super) async fn list_comments(
    hub: &Arc<Hub>,
    (peer, turn): (&Peer, &Turn),
    session_id: SessionId,
) -> Result<Answer, ErrorBody> {
    let session = hub.live().sessions.get(&session_id).filter(|session| session.peer == peer.id).cloned();
    let session = session.ok_or_else(|| unknown_session(&session_id))?;
    let project = project_of(hub, turn, &session_id, None).await?;
    let (comments, unreadable) = hub.stores.of(project.root.as_ref()).on_origin(session.origin).await?;
    Ok(Answer::Comments { session_id, comments, unreadable })
}
