//! Selections: made by the person, read by agents.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use opentoolbar_core::model::{Context, ContextId, MessageId, Session, SessionId};
use opentoolbar_core::protocol::{Answer, ErrorBody, ErrorCode, SetContext, UiContext};

use super::comments::fingerprinted;
use super::roles::own_project;
use super::sessions::meant;
use crate::hub::error::error;
use crate::hub::state::{Hub, Peer, now};
use crate::ids::random_id;
use crate::store::{Fingerprint, Pictures, Sent, StoredContext};

pub(super) async fn set(
    hub: &Arc<Hub>,
    peer: &Peer,
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
        (named, _) => hub.session_of(peer, named)?,
    };
    let project = hub.project_for(&session, None).await?;
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
    let store = hub.stores.of(project.root.as_ref());
    let context_id = store
        .store_context(Sent { message, fingerprint }, context, Pictures { element, viewport }, now())
        .await?;
    // What was said in a session is found by the next hub, whatever becomes of this one.
    hub.save_registry_now().await;
    hub.touch(&session);
    Ok(Answer::ContextStored { context_id })
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

/// What an agent works from. Hands out what the person said, which counts as read from now on.
pub(super) async fn get(
    hub: &Arc<Hub>,
    peer: &Peer,
    session: Option<SessionId>,
) -> Result<Answer, ErrorBody> {
    let project = own_project(peer)?;
    let session_id = meant(hub, project, session).await?;
    let store = hub.stores.of(project.root.as_ref());
    let (stored, pending) = store.ui_context(session_id.clone()).await?;
    super::wait::announce_read(hub, peer, &store, &pending).await?;
    let others = hub.sessions_in(&project.root).len().saturating_sub(1);
    let path = |path: Option<std::path::PathBuf>| path.map(|path| path.to_string_lossy().into_owned());
    let (context, screenshot_path, viewport_screenshot_path) = match stored {
        Some(StoredContext { context, screenshot, viewport }) => {
            (Some(Box::new(context)), path(screenshot), path(viewport))
        }
        None => (None, None, None),
    };
    Ok(Answer::UiContext(UiContext {
        session_id,
        context,
        screenshot_path,
        viewport_screenshot_path,
        pending,
        others: u32::try_from(others).unwrap_or(u32::MAX),
        unreadable: 0,
    }))
}
