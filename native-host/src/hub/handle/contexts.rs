//! Selections: made by the person, read by agents.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use opentoolbar_core::model::{Context, ContextId, MessageId, Project, Session, SessionId};
use opentoolbar_core::protocol::{Answer, ErrorBody, ErrorCode, PicturedContext, SetContext, UiContext};

use super::comments::fingerprinted;
use super::places::project_of;
use super::roles::own_project;
use super::sessions::meant;
use crate::clock::now;
use crate::error::error;
use crate::hub::changed::Stored;
use crate::hub::live_session::no_such_page;
use crate::hub::state::{Hub, Peer};
use crate::hub::turns::Turn;
use crate::ids::random_id;
use crate::store::{Fingerprint, Pictures, Sent, StoredContext, Thing, UiState, Unplaced, may_be_kept};

pub(super) async fn set(
    hub: &Arc<Hub>,
    (peer, turn): (&Peer, &Turn),
    message: Option<MessageId>,
    session: Option<SessionId>,
    set: SetContext,
) -> Result<Answer, ErrorBody> {
    let SetContext { context_id, selection, screenshot, viewport_screenshot } = set;
    let fingerprint = fingerprinted(Fingerprint::of(&selection))?;
    let selection = hub.redact(move || selection.redacted()).await?;
    let session = match (session, &peer.plain) {
        // A plain client's session opens with its first selection: only that tells the page.
        (None, Some(plain)) => {
            let page = &selection.page;
            let (url, title) = (page.url.clone(), page.title.clone());
            let opened = Session { id: plain.session.clone(), url, title, last_active: now() };
            hub.open_session(peer, opened).await?;
            plain.session.clone()
        }
        (named, _) => hub.session_of(peer, named).await?,
    };
    let mut project = placed(peer, project_of(hub, turn, &session, None).await)?;
    let element = picture("screenshot", screenshot)?;
    let viewport = picture("viewportScreenshot", viewport_screenshot)?;
    let id: ContextId = match context_id {
        Some(id) => id,
        None => random_id("ctx_")?,
    };
    let message = match message {
        Some(message) => message,
        None => random_id("m_")?,
    };
    let context = Context {
        id,
        session_id: session.clone(),
        selection,
        screenshot: None,
        viewport_screenshot: None,
        created_at: now(),
    };
    let (sent, pictures) = (Sent { message, fingerprint }, Pictures { element, viewport });
    if project.is_none() {
        // What would be refused later is refused now.
        [&pictures.element, &pictures.viewport].into_iter().flatten().try_for_each(|png| may_be_kept(png))?;
        let thing = Thing::Selected { context: Box::new(context.clone()), pictures: pictures.clone() };
        let selected = Unplaced { sent: sent.clone(), at: context.created_at, thing };
        if hub.keep_unplaced(&session, None, selected).await? {
            hub.touch(&session);
            return Ok(Answer::ContextStored { context_id: context.id });
        }
        project = placed(peer, project_of(hub, turn, &session, None).await)?;
    }
    let project = project.ok_or_else(|| no_such_page(&session))?;
    hub.unplaced_is_stored(&session, &project.root).await?;
    let store = hub.stores.of(project.root.as_ref());
    let context_id = store.store_context(sent, context, pictures, now()).await?;
    hub.tell_stored(&project.root, Stored::Selected(&context_id));
    // What was said in a session is found by the next hub, whatever becomes of this one.
    hub.save_registry_now().await;
    hub.touch(&session);
    Ok(Answer::ContextStored { context_id })
}

/// The project, or none where a plain client's page has none yet: it keeps nothing itself, so the hub does.
pub(super) fn placed(peer: &Peer, found: Result<Project, ErrorBody>) -> Result<Option<Project>, ErrorBody> {
    match found {
        Err(error) if error.code == ErrorCode::NoProject && peer.plain.is_some() => Ok(None),
        found => found.map(Some),
    }
}

fn picture(field: &str, base64: Option<String>) -> Result<Option<Vec<u8>>, ErrorBody> {
    let Some(base64) = base64.filter(|base64| !base64.is_empty()) else { return Ok(None) };
    // As canvases give it.
    let base64 = base64.strip_prefix("data:image/png;base64,").unwrap_or(&base64);
    // Megabytes, while other connections of this thread wait.
    tokio::task::block_in_place(|| STANDARD.decode(base64)).map(Some).map_err(|e| {
        error(
            ErrorCode::BadRequest,
            format!("{field} is not base64: {e}"),
            "Send the selection with a PNG in standard, padded base64, or without a picture.",
        )
    })
}

/// What an agent works from: the oldest message that waits, with what it is about, else the latest selection.
pub(super) async fn get(
    hub: &Arc<Hub>,
    peer: &Peer,
    session: Option<SessionId>,
    asked: Option<ContextId>,
) -> Result<Answer, ErrorBody> {
    let project = own_project(peer)?;
    let store = hub.stores.of(project.root.as_ref());
    let session = match (session, &asked) {
        (None, Some(id)) => Some(store.session_of(id.clone()).await?.ok_or_else(|| {
            let next = "Ask without `contextId`: the answer has the one that is meant.";
            error(ErrorCode::UnknownContext, format!("there is no selection {id} in this project"), next)
        })?),
        (session, _) => session,
    };
    // What a person said outlives its tab, and so does what it is about.
    let session_id = match (session, &asked) {
        (Some(session), Some(_)) => session,
        (session, _) => meant(hub, project, session).await?,
    };
    let state = store.ui_context(session_id.clone(), asked, peer.answerer().to_owned()).await?;
    let UiState { message, context, selection, waiting } = state;
    let pending = Vec::from_iter(message);
    super::wait::sent(hub, peer, &store, &pending).await?;
    let others = hub.sessions_in(&project.root).len().saturating_sub(1);
    let (context, screenshot_path, viewport_screenshot_path) = match context.map(pictured) {
        Some(PicturedContext { context, screenshot_path, viewport_screenshot_path }) => {
            (Some(Box::new(context)), screenshot_path, viewport_screenshot_path)
        }
        None => (None, None, None),
    };
    Ok(Answer::UiContext(UiContext {
        session_id,
        context,
        screenshot_path,
        viewport_screenshot_path,
        pending,
        waiting,
        selection: selection.map(pictured).map(Box::new),
        others: u32::try_from(others).unwrap_or(u32::MAX),
        unreadable: 0,
    }))
}

fn pictured(StoredContext { context, screenshot, viewport }: StoredContext) -> PicturedContext {
    let path = |path: Option<std::path::PathBuf>| path.map(|path| path.to_string_lossy().into_owned());
    PicturedContext { context, screenshot_path: path(screenshot), viewport_screenshot_path: path(viewport) }
}
