//! What an agent is told of a session: the message that waits, and what it is about.

use std::path::PathBuf;

use opentoolbar_core::model::{Context, ContextId, Message, SessionId};
use opentoolbar_core::prompt::neutralise;
use serde_json::json;

use super::super::fault::{Fault, NamedBy};
use super::super::screenshot;
use super::super::worker::Worker;
use super::contexts::{latest, must_be_of, read, unknown};
use super::messages;

/// A selection as it is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredContext {
    /// The selection.
    pub context: Context,
    /// Absolute path of the element's picture, while it is there.
    pub screenshot: Option<PathBuf>,
    /// Absolute path of the viewport's picture, while it is there.
    pub viewport: Option<PathBuf>,
}

/// What an agent is told of a session.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UiState {
    /// The oldest message that waits, if any does.
    pub message: Option<Message>,
    /// What the message is about, none where it was said before any selection; without a message the selection that was
    /// asked for, or the latest.
    pub context: Option<StoredContext>,
    /// The latest selection, where it is another one.
    pub selection: Option<StoredContext>,
    /// How many more messages wait.
    pub waiting: u32,
}

/// What an agent is told of a session, or of one of its selections.
pub(crate) fn ui_context(
    worker: &mut Worker,
    session: &SessionId,
    asked: Option<&ContextId>,
    answerer: &str,
) -> Result<UiState, Fault> {
    let unreadable = worker.unreadable();
    let Some(database) = worker.reading()? else {
        return asked.map_or(Ok(UiState::default()), |id| Err(unknown(id, session, NamedBy::Question)));
    };
    let connection = &database.connection;
    if let Some(asked) = asked {
        must_be_of(connection, asked, session, NamedBy::Question)?;
    }
    let (message, waiting) = messages::oldest_waiting(connection, session, asked, answerer, &unreadable)?;
    let skip = |id: Option<&ContextId>, found: Result<Option<Context>, Fault>| {
        let id = id.map_or("of a session", ContextId::as_str);
        Ok::<_, Fault>(unreadable.skip("context", id, found)?.flatten())
    };
    let named = match &message {
        Some(message) => message.context_id.as_ref(),
        None => asked,
    };
    let context = match named {
        Some(id) => skip(Some(id), read(connection, id))?,
        // Said before anything was selected.
        None if message.is_some() => None,
        None => skip(None, latest(connection, session))?,
    };
    let last = match latest(connection, session) {
        // One that cannot be read is counted where it is what is asked for.
        Err(fault) if fault.is_of_a_row() => None,
        last => last?,
    };
    let last = last.filter(|last| context.as_ref().is_none_or(|context| context.id != last.id));
    // Without a message, and when none was named, it is what is told.
    let last = last.filter(|_| message.is_some() || asked.is_some());
    let context = context.map(|context| pictured(worker, context)).transpose()?;
    let selection = last.map(|last| pictured(worker, last)).transpose()?;
    Ok(UiState { message, context, selection, waiting })
}

fn pictured(worker: &mut Worker, context: Context) -> Result<StoredContext, Fault> {
    let mut place = |name: &Option<String>| -> Result<Option<PathBuf>, Fault> {
        match name {
            Some(name) => Ok(screenshot::find::find_named(worker, name)?.path()),
            None => Ok(None),
        }
    };
    let (screenshot, viewport) = (place(&context.screenshot)?, place(&context.viewport_screenshot)?);
    Ok(StoredContext { context, screenshot, viewport })
}

/// What `sessions/<id>.json` says: the same as `get_ui_context`, for agents that read files but speak no MCP. `None`
/// when nothing was ever selected or said in the session.
pub(crate) fn mirrored(worker: &mut Worker, session: &SessionId) -> Result<Option<Vec<u8>>, Fault> {
    let UiState { message, context, selection, waiting } = ui_context(worker, session, None, "")?;
    let mut value = match context {
        Some(context) => written(context)?,
        None if message.is_some() || messages::is_any(worker, session)? => {
            json!({ "contextId": null, "element": null })
        }
        None => return Ok(None),
    };
    value["sessionId"] = json!(session);
    value["userMessage"] = json!(message.map(|message| message.content).unwrap_or_default());
    value["waiting"] = json!(waiting);
    if let Some(selection) = selection {
        value["selection"] = written(selection)?;
    }
    neutralise_all(&mut value);
    Ok(Some(serde_json::to_vec_pretty(&value)?))
}

fn written(stored: StoredContext) -> Result<serde_json::Value, Fault> {
    let StoredContext { context, screenshot, viewport } = stored;
    let mut value = json!({
        "contextId": context.id,
        "screenshotPath": screenshot,
        "viewportScreenshotPath": viewport,
        "timestamp": context.created_at,
    });
    if let (Some(object), serde_json::Value::Object(selection)) =
        (value.as_object_mut(), serde_json::to_value(&context.selection)?)
    {
        object.extend(selection);
    }
    Ok(value)
}

/// Every string, names of attributes too: agents read the file as it stands. No deeper than a selection is.
fn neutralise_all(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::String(text) => *text = neutralise(text),
        serde_json::Value::Array(entries) => entries.iter_mut().for_each(neutralise_all),
        serde_json::Value::Object(fields) => {
            *fields = std::mem::take(fields)
                .into_iter()
                .map(|(name, mut value)| {
                    neutralise_all(&mut value);
                    (neutralise(&name), value)
                })
                .collect();
        }
        _ => {}
    }
}
