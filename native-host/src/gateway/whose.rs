//! In which project a program works that comes over HTTP, and what it calls itself.

use std::path::{Path, PathBuf};

use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use opentoolbar_core::model::{Project, VerificationId};
use opentoolbar_core::protocol::ErrorCode;
use sha2::{Digest as _, Sha256};

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
    let mut said = headers.get_all(HeaderName::from_static(HEADER)).iter();
    if let Some(named) = said.next() {
        let named = std::str::from_utf8(named.as_bytes())
            .ok()
            .filter(|named| Path::new(named).is_absolute() && said.next().is_none())
            .ok_or_else(|| {
                Refusal::new(
                    StatusCode::UNPROCESSABLE_ENTITY,
                    ErrorCode::BadRequest,
                    format!("the header {HEADER} names no directory, or more than one"),
                    "Give the project's root as an absolute path, or leave the header out.",
                )
            })?
            .to_owned();
        let look = move |hub: &crate::hub::Hub| hub.project_of_root(&named);
        return match door.hub.blocking(look).await.flatten() {
            Some(project) => Ok(project),
            None => Err(choice("there is no project known at that root", door).await),
        };
    }
    if let Some(project) = by_directory(door, connection.directory().await).await {
        return Ok(project);
    }
    match <[Project; 1]>::try_from(door.hub.live_projects()) {
        Ok([only]) => Ok(only),
        Err(_) => Err(choice("it is not known in which project this program works", door).await),
    }
}

async fn by_directory(door: &Door, directory: Option<PathBuf>) -> Option<Project> {
    let directory = directory?;
    let look = move |_: &crate::hub::Hub| root_of_in_more_time(&directory).ok().flatten();
    door.hub.blocking(look).await.flatten().and_then(|root| project_at(&root))
}

async fn choice(why: &str, door: &Door) -> Refusal {
    let known = door.hub.blocking(|hub| hub.known_projects()).await.unwrap_or_default();
    let roots: Vec<&str> = known.iter().take(MOST_NAMED).map(|project| project.root.as_str()).collect();
    let next = match roots.is_empty() {
        true => {
            "Start the program in the project's directory, or begin with an agent or a tab there.".to_owned()
        }
        false => format!("Send the header Opentoolbar-Project with one of: {}.", roots.join(", ")),
    };
    Refusal::new(StatusCode::CONFLICT, ErrorCode::NoProject, why, next)
}

/// The same for who asks after something of its own: that of its verification, where nothing else says another.
pub(super) async fn project_of_asker(
    door: &Door,
    connection: &Connection,
    headers: &HeaderMap,
    id: &VerificationId,
) -> Result<Project, Refusal> {
    if !headers.contains_key(HeaderName::from_static(HEADER)) {
        if let Some(project) = by_directory(door, connection.directory().await).await {
            return Ok(project);
        }
        if let Some(project) = door.hub.project_of_verification(id.clone(), name(headers)).await {
            return Ok(project);
        }
    }
    project(door, connection, headers).await
}

/// What the program says it is. Of a longer name the beginning, and what tells it from others that begin so.
pub(super) fn name(headers: &HeaderMap) -> String {
    let said = headers.get(header::USER_AGENT).map(|said| String::from_utf8_lossy(said.as_bytes()));
    let said = said.unwrap_or_default();
    let plain: String = said.trim().chars().filter(|c| !c.is_control()).collect();
    match plain.chars().count() {
        0 => "agent".to_owned(),
        count if count <= LONGEST_NAME => plain,
        _ => {
            let digest = Sha256::digest(plain.as_bytes());
            let mark: String = digest.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
            let beginning: String = plain.chars().take(LONGEST_NAME - 1 - mark.len()).collect();
            format!("{beginning}…{mark}")
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn called(name: &[u8]) -> String {
        let mut headers = HeaderMap::new();
        headers.insert(header::USER_AGENT, axum::http::HeaderValue::from_bytes(name).unwrap());
        super::name(&headers)
    }

    #[test]
    fn programs_of_other_names_are_others_however_long_and_in_whatever_letters() {
        assert_eq!(name(&HeaderMap::new()), "agent");
        assert_eq!(called(b"  curl/8 "), "curl/8");
        assert_eq!(called("köln/1".as_bytes()), "köln/1");
        assert_ne!(called(b"k\xf6ln"), called("zürich".as_bytes()));
        let [one, two] = ["one", "two"].map(|end| called(format!("{}-{end}", "A".repeat(60)).as_bytes()));
        assert_ne!(one, two);
        assert_eq!([one, two].map(|name| name.chars().count()), [60, 60]);
    }
}
