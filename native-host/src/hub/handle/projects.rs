//! Projects that the hub knows, and the person's choice for an origin.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use opentoolbar_core::protocol::{Answer, ErrorBody, ErrorCode, Role};

use crate::clock::now;
use crate::error::{error, internal};
use crate::hub::placing::Settle;
use crate::hub::state::{Hub, Peer};
use crate::project::{SilentDisk, origin_of, usable_in_time};

pub(super) async fn list(hub: &Arc<Hub>, peer: &Peer) -> Result<Answer, ErrorBody> {
    let projects = match peer.hello.role {
        Role::Agent => peer.project.clone().into_iter().collect(),
        Role::Browser | Role::Cli => hub.blocking(|hub| hub.registry.projects()).await.unwrap_or_default(),
    };
    Ok(Answer::Projects { projects })
}

/// The person's choice for an origin. Over the local socket comes this very user, who may name any directory; a browser
/// over the gateway chooses among projects that were made known here: by an agent, a verb, or a browser of this
/// machine.
pub(super) async fn choose(
    hub: &Arc<Hub>,
    peer: &Peer,
    origin: String,
    root: String,
) -> Result<Answer, ErrorBody> {
    let is_over_gateway = peer.is_over_gateway();
    // Before the disk is asked: what is there is nobody's to find out.
    if is_over_gateway && !hub.registry.is_known(Path::new(&root)) {
        return Err(unknown());
    }
    let origin = origin_of(&origin);
    let of_origin = Settle::Origin(origin.clone());
    let work = move |hub: &Hub| {
        let root = usable(hub, Path::new(&root))?;
        hub.registry.choose(&origin, &root, now())
    };
    hub.blocking(work).await.ok_or_else(|| internal("the choice could not be remembered"))??;
    hub.settle(of_origin).await;
    Ok(Answer::Done)
}

fn unknown() -> ErrorBody {
    error(
        ErrorCode::Forbidden,
        "a browser that came over the gateway chooses among known projects",
        "Start an agent in the project's directory once; then it is in the list.",
    )
}

/// An absolute, existing directory that may be a project; or a known one whose disk does not answer. Blocks, for
/// seconds at most.
pub(super) fn usable(hub: &Hub, root: &Path) -> Result<PathBuf, ErrorBody> {
    let canonical = match usable_in_time(root) {
        Err(SilentDisk) if hub.registry.is_known(root) => return Ok(root.to_owned()),
        Err(SilentDisk) => return Err(silent(root)),
        Ok(canonical) => canonical,
    };
    canonical.filter(|_| root.is_absolute()).ok_or_else(|| {
        error(
            ErrorCode::BadRequest,
            format!("{} cannot be a project", root.display()),
            "Choose an existing directory by its absolute path; not the home directory or the root of the file system.",
        )
    })
}

/// For a directory that cannot be looked at.
pub(super) fn silent(root: &Path) -> ErrorBody {
    error(
        ErrorCode::Storage,
        format!("the disk of {} does not answer", root.display()),
        "See whether it is mounted and its server is there, then try again; other projects go on meanwhile.",
    )
}
