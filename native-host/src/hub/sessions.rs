//! Open tabs and the projects they belong to, looked at again whenever the facts change.

use std::sync::Arc;

use opentoolbar_core::model::{Session, SessionId};
use opentoolbar_core::protocol::{ErrorBody, ErrorCode};

use super::live::Live;
use super::live_session::LiveSession;
use super::placing::Settle;
use super::state::{Hub, Peer};
use crate::error::error;
use crate::project::{Placement, origin_of};

/// Tabs that one connection may have open: more than any person has.
const MOST_OF_A_CONNECTION: usize = 2_000;

impl Hub {
    /// A tab appeared or went elsewhere.
    ///
    /// # Errors
    /// `conflict` when another connection has a tab of this id open.
    pub(super) async fn open_session(
        self: &Arc<Self>,
        peer: &Peer,
        session: Session,
    ) -> Result<Placement, ErrorBody> {
        self.live().must_be_free(peer, &session.id)?;
        let origin = origin_of(&session.url);
        let port = self.port_of(&origin).await;
        let session = self.redact(move || session.redacted()).await?;
        let id = session.id.clone();
        {
            let mut live = self.live();
            // Somebody may have been faster meanwhile.
            live.must_be_free(peer, &session.id)?;
            must_be_latest(&live, peer, &session.id)?;
            must_have_room(&live, peer, &session.id)?;
            live.events += 1;
            let (page, active) = (live.events, live.events);
            // The same tab on another page, or after a link that broke: what is known of it stays.
            let lost = live.lost_pages.of(&id, peer).cloned();
            // Its browser came back, which is nothing that happened in it.
            let active = lost.as_ref().filter(|l| l.session.url == session.url).map_or(active, |l| l.active);
            let before = live.sessions.remove(&id).or(lost);
            let held = before.as_ref().filter(|before| before.origin == origin).and_then(LiveSession::stays);
            let (number, activities) = before.map(|b| (b.number, b.activities)).unwrap_or_default();
            let session = LiveSession {
                peer: peer.id,
                session,
                origin: origin.clone(),
                port,
                placement: None,
                page,
                held,
                active,
                number,
                activities,
            };
            live.sessions.insert(id.clone(), session);
        }
        self.end_earlier_name(peer, &id);
        self.note_unplaced_page(&id, &origin).await;
        self.settle(Settle::New).await;
        let placement = self.live().sessions.get(&id).and_then(|session| session.placement.clone());
        Ok(placement.unwrap_or(Placement {
            project: None,
            reason: "the tab was closed meanwhile".into(),
            choices: Vec::new(),
        }))
    }

    /// Gives these open tabs their project by what is true now, and tells the browsers of those that changed.
    pub(super) async fn settle(self: &Arc<Self>, mut which: Settle) {
        let mut placed = Vec::new();
        {
            let mut settled = self.settling.lock().await;
            placed.extend(self.settle_some(which.clone()).await);
            // A project that became known may be that of tabs that have none, and can be chosen for them.
            let learnt = self.registry.learnt();
            if std::mem::replace(&mut *settled, learnt) != learnt {
                placed.extend(self.settle_some(Settle::WithoutProject).await);
                which = Settle::All;
            }
        }
        self.settle_unplaced(&which, &placed).await;
    }

    /// Whether the session may be this connection's: no other one has it open.
    pub(super) fn is_free_for(&self, peer: &Peer, id: &SessionId) -> bool {
        self.live().must_be_free(peer, id).is_ok()
    }
}

/// What a connection sent is done for a moment when it is gone, and its browser may have opened the tab over the next
/// one.
fn must_be_latest(live: &Live, peer: &Peer, id: &SessionId) -> Result<(), ErrorBody> {
    let is_newer = |owner: &Arc<Peer>| owner.id > peer.id;
    if live.peers.contains_key(&peer.id) && !live.owner(id).is_some_and(is_newer) {
        return Ok(());
    }
    Err(error(
        ErrorCode::Conflict,
        format!("this connection is closed, or a newer one of its browser has the session {id} open"),
        "Go on over the newer connection.",
    ))
}

/// A connection that opens tabs without end would have all of them looked after.
fn must_have_room(live: &Live, peer: &Peer, id: &SessionId) -> Result<(), ErrorBody> {
    let own = live.sessions.iter().filter(|(other, session)| session.peer == peer.id && *other != id);
    if own.count() < MOST_OF_A_CONNECTION {
        return Ok(());
    }
    Err(error(
        ErrorCode::TooLarge,
        format!("{MOST_OF_A_CONNECTION} tabs are open over this connection, and no more are taken"),
        "Close tabs that are not worked on.",
    ))
}

#[cfg(test)]
mod tests;
