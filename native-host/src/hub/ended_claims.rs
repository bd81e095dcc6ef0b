//! What an agent left in progress is open again, once it is sure that it has left.

use std::sync::Arc;
use std::time::Duration;

use opentoolbar_core::model::{CommentChange, Project, Stage};
use opentoolbar_core::protocol::{ErrorBody, ErrorCode};

use super::handle::change_as;
use super::pauses::Pauses;
use super::state::{Hub, Peer};
use crate::store::By;

/// How long an agent may be gone before what it began is open again: one whose connection broke is back at once. Others
/// may take it as soon as it is gone.
const HOLDER_BACK_WITHIN: Duration = Duration::from_secs(2);

impl Hub {
    /// An agent's connection has ended: unless it comes back, what it began is open again.
    pub(super) fn end_claims(self: &Arc<Self>, peer: &Peer) {
        let Some(project) = peer.project.clone() else { return };
        let (hub, by, holder) = (Arc::clone(self), peer.by(), peer.answerer().to_owned());
        tokio::spawn(async move {
            let (mut pause, mut pauses) = (HOLDER_BACK_WITHIN, None::<Pauses>);
            // A hub that leaves closes all connections; the agents are there, and find the next one.
            while hub.stays_for(pause).await {
                let is_back = hub.live().peers.values().any(|peer| peer.answerer() == holder);
                if is_back {
                    return;
                }
                let Err(error) = hub.open_again(&project, &holder, &by).await else { return };
                if pauses.is_none() {
                    tracing::warn!(%error, "a comment stays in progress although its agent has ended; it is opened later");
                }
                let pauses = pauses.get_or_insert_default();
                // Others can take it nevertheless.
                if pauses.are_long() && !hub.live().is_in_use(&project.root) {
                    return;
                }
                pause = pauses.next();
            }
        });
    }

    /// Opens what this agent works on.
    ///
    /// # Errors
    /// `storage`; then it is to be tried again.
    async fn open_again(self: &Arc<Self>, project: &Project, holder: &str, by: &By) -> Result<(), ErrorBody> {
        let mut done = Ok(());
        for id in self.stores.of(project.root.as_ref()).held_by(holder.to_owned()).await? {
            let open = CommentChange::SetStage { stage: Stage::Open };
            match change_as(self, project, &id, open, by).await {
                // Somebody else has changed it since.
                Ok(()) | Err(ErrorBody { code: ErrorCode::Conflict, .. }) => {}
                Err(error) => done = Err(error),
            }
        }
        done
    }
}
