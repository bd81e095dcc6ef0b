//! Full-text search over what was said in the project.

use opentoolbar_core::protocol::{Answer, ErrorBody};

use super::roles::own_project;
use crate::hub::state::{Hub, Peer};
use crate::store::{Found, Wanted};

pub(super) async fn search(
    hub: &Hub,
    peer: &Peer,
    query: String,
    wanted: Wanted,
) -> Result<Answer, ErrorBody> {
    let project = own_project(peer)?;
    let Found { hits, more, last } = hub.stores.of(project.root.as_ref()).search(query, wanted).await?;
    Ok(Answer::Found { hits, more, last, unreadable: 0 })
}
