//! What agents and verbs ask about their project's comments.

use opentoolbar_core::protocol::{Answer, ErrorBody, FeedbackQuery};

use super::roles::own_project;
use crate::hub::state::{Hub, Peer};
use crate::store::Feedback;

pub(super) async fn get(hub: &Hub, peer: &Peer, query: FeedbackQuery) -> Result<Answer, ErrorBody> {
    let project = own_project(peer)?.clone();
    let Feedback { summary, comments, next_cursor, position, unreadable } =
        hub.stores.of(project.root.as_ref()).feedback(query).await?;
    let claims = hub.claims_of(&project, &comments, peer).await?;
    Ok(Answer::Feedback { project, summary, comments, next_cursor, claims, position, unreadable })
}
