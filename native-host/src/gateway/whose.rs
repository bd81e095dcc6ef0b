//! In which project a program works that comes over HTTP, and what it calls itself.

use std::path::{Path, PathBuf};

use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use opentoolbar_core::model::Project;
use opentoolbar_core::protocol::ErrorCode;

use super::connection::Connection;
use super::refusal::Refusal;
use super::state::Door;
use crate::project::{project_at, root_of_in_more_time};

/// By which a program says its project: a root that the hub knows.
pub(super) const HEADER: &str = "opentoolbar-project";
/// Longest name of a program, in characters.
const LONGEST_NAME: usize = 60;
/// Projects that are named to who has to choose, at most.
const MOST_NAMED: usize = 20;

/// By the header; else by the directory of the process that has the other end of the connection; else the only one with
/// an open tab or an agent.
pub(super) async fn project(
    door: &Door,
    connection: &Connection,
    headers: &HeaderMap,
) -> Result<Project, Refusal> {
    let (known, live) = door.hub.projects_of_callers();
    if let Some(named) = headers.get(HeaderName::from_static(HEADER)) {
        let named = std::str::from_utf8(named.as_bytes())
            .ok()
            .map(Path::new)
            .filter(|named| named.is_absolute())
            .ok_or_else(|| {
                Refusal::new(
                    StatusCode::UNPROCESSABLE_ENTITY,
                    ErrorCode::BadRequest,
                    format!("the header {HEADER} names no directory"),
                    "Give the project's root as an absolute path, or leave the header out.",
                )
            })?;
        // As paths, so that a slash at the end makes no other project.
        let found = known.iter().find(|project| Path::new(&project.root) == named);
        return found.cloned().ok_or_else(|| choice("there is no project known at that root", &known));
    }
    if let Some(project) = by_directory(door, connection.directory().await).await {
        return Ok(project);
    }
    match <[Project; 1]>::try_from(live) {
        Ok([only]) => Ok(only),
        Err(_) => Err(choice("it is not known in which project this program works", &known)),
    }
}

async fn by_directory(door: &Door, directory: Option<PathBuf>) -> Option<Project> {
    let directory = directory?;
    let look = move |_: &crate::hub::Hub| root_of_in_more_time(&directory).ok().flatten();
    door.hub.blocking(look).await.flatten().and_then(|root| project_at(&root))
}

fn choice(why: &str, known: &[Project]) -> Refusal {
    let roots: Vec<&str> = known.iter().take(MOST_NAMED).map(|project| project.root.as_str()).collect();
    let next = match roots.is_empty() {
        true => {
            "Start the program in the project's directory, or begin with an agent or a tab there.".to_owned()
        }
        false => format!("Send the header Opentoolbar-Project with one of: {}.", roots.join(", ")),
    };
    Refusal::new(StatusCode::CONFLICT, ErrorCode::NoProject, why, next)
}

/// What the program says it is.
pub(super) fn name(headers: &HeaderMap) -> String {
    let said = headers.get(header::USER_AGENT).and_then(|said| said.to_str().ok()).unwrap_or_default();
    let said: String = said.trim().chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect();
    if said.is_empty() { "agent".to_owned() } else { said }
}
