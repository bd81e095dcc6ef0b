//! Which dialogs an agent may be told: those of its project, and others where the person allows it.

use opentoolbar_core::protocol::ErrorBody;
use opentoolbar_dialogs::Scope;
use serde::Deserialize;

use crate::config;
use crate::home::Home;
use crate::mcp::context::Context;
use crate::project::root_of;

/// The part of `config.json`.
#[derive(Default, Deserialize)]
#[serde(default)]
struct File {
    dialogs: Permission,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Permission {
    other_projects: bool,
}

/// The agent's project. An agent in no project, as in the home directory, has no dialogs: all of them are others'.
pub(super) async fn of_project(context: &Context) -> Option<Scope> {
    let directory = context.directory.clone();
    // Asks the disk.
    tokio::task::spawn_blocking(move || root_of(&directory)).await.ok().flatten().map(Scope::Project)
}

/// All, where the person allows it, else those of the project; and why a permission could not be read.
pub(super) async fn allowed(context: &Context) -> (Option<Scope>, Option<ErrorBody>) {
    match tokio::task::spawn_blocking(allows_others).await {
        Ok(Ok(true)) => (Some(Scope::Everything), None),
        Ok(Err(error)) => (of_project(context).await, Some(error)),
        _ => (of_project(context).await, None),
    }
}

fn allows_others() -> Result<bool, ErrorBody> {
    let example = "{\"dialogs\": {\"otherProjects\": true}}";
    config::read::<File>(&Home::from_env()?, example).map(|file| file.dialogs.other_projects)
}
