//! Who works on which comment, so that no two agents begin the same. The store keeps which agent's process began
//! ([`Peer::answerer`]), from one hub to the next. The claim holds while that process is connected, and ends with it:
//! then what it left in progress is open again.

use std::sync::Arc;
use std::time::Duration;

use opentoolbar_core::model::{Author, Comment, CommentChange, Project};
use opentoolbar_core::protocol::{Claim, ErrorBody, ErrorCode, Role, next_step};

use super::state::{Hub, Peer};
use crate::error::error;

/// How long a hub that has just begun takes it that an agent which worked under the hub before comes back.
const RETURN_WITHIN: Duration = Duration::from_secs(5);

impl Hub {
    /// Who else works on it now, by the name that it has now. `None`: the asker does, or nobody.
    fn held_by_other(
        &self,
        project: &Project,
        (comment, holder): (&Comment, Option<&str>),
        asker: &Peer,
    ) -> Option<String> {
        let holder = holder.filter(|holder| *holder != asker.answerer())?;
        let live = self.live();
        let is_holder = |peer: &&Arc<Peer>| {
            peer.hello.role == Role::Agent
                && peer.answerer() == holder
                && peer.project.as_ref().is_some_and(|own| own.root == project.root)
        };
        if let Some(peer) = live.peers.values().find(is_holder) {
            return Some(peer.agent_name());
        }
        // One that worked under the hub before may come back; one that has left this hub is gone.
        let may_return = self.started.elapsed() < RETURN_WITHIN && !live.leaving.has_left(holder);
        match comment.begun_by() {
            Some(Author::Agent { name }) if may_return => Some(name.clone()),
            _ => None,
        }
    }

    /// Whether a peer may make this change to a comment that `holder` works on. Called where the project's changes are
    /// made one by one.
    ///
    /// # Errors
    /// `conflict` when another agent works on the comment.
    pub(super) fn must_be_free_for(
        &self,
        asker: &Peer,
        project: &Project,
        held: (&Comment, Option<&str>),
        change: &CommentChange,
    ) -> Result<(), ErrorBody> {
        // Anybody may add to the thread, and the person may do everything.
        let is_work = matches!(change, CommentChange::SetStage { .. } | CommentChange::Resolve { .. });
        if asker.hello.role != Role::Agent || !is_work {
            return Ok(());
        }
        let Some(other) = self.held_by_other(project, held, asker) else { return Ok(()) };
        Err(error(
            ErrorCode::Conflict,
            format!("{other} is working on comment {}, and nothing was changed", held.0.id),
            next_step::take_another_comment(&other),
        ))
    }

    /// Who works on these comments, as an agent is told.
    ///
    /// # Errors
    /// `storage`.
    pub(super) async fn claims_of(
        &self,
        project: &Project,
        comments: &[Comment],
        asker: &Peer,
    ) -> Result<Vec<Claim>, ErrorBody> {
        let begun: Vec<_> = comments.iter().filter(|comment| comment.begun_by().is_some()).cloned().collect();
        if begun.is_empty() {
            return Ok(Vec::new());
        }
        let holders = self.stores.of(project.root.as_ref()).holders(begun.clone()).await?;
        let claims = begun.iter().filter_map(|comment| {
            let comment_id = comment.id.clone();
            let holder = holders.get(&comment_id)?;
            if holder == asker.answerer() {
                return Some(Claim { comment_id, agent: asker.agent_name(), is_yours: true });
            }
            let agent = self.held_by_other(project, (comment, Some(holder)), asker)?;
            Some(Claim { comment_id, agent, is_yours: false })
        });
        Ok(claims.collect())
    }
}
