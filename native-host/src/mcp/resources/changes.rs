//! Tells the client of resources that changed: those that it subscribed to, and that there are others now.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use opentoolbar_core::protocol::{Changed, ChangedKind};
use rmcp::model::{ErrorData, ResourceUpdatedNotificationParam};
use rmcp::service::{Peer, RoleServer, SubscriptionContext};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};

use super::kinds::{FEEDBACK, Of, is_ours, one};
use crate::mcp::link::Link;
use crate::mcp::offer::Offer;

/// Addresses that one client subscribes to: more are of a client that is broken.
pub(in crate::mcp) const MOST: usize = 1_000;
/// What changes within so long is told together.
const TOGETHER: Duration = Duration::from_millis(200);

/// What a client of a revision with a handshake subscribed to.
#[derive(Clone, Debug, Default)]
pub(in crate::mcp) struct Subscriptions(Arc<Mutex<BTreeSet<String>>>);

impl Subscriptions {
    fn list(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// # Errors
    /// `resource_not_found` for an address of no kind that is offered; `invalid_request` for one too many.
    pub(in crate::mcp) fn add(&self, offer: &Offer, uri: String) -> Result<(), ErrorData> {
        if !is_ours(offer, &uri) {
            return Err(ErrorData::resource_not_found(format!("There is no resource {uri:?}."), None));
        }
        let mut list = self.list();
        if list.len() >= MOST && !list.contains(&uri) {
            let message = format!("There are {MOST} subscriptions; end some first.");
            return Err(ErrorData::invalid_request(message, None));
        }
        list.insert(uri);
        Ok(())
    }

    pub(in crate::mcp) fn remove(&self, uri: &str) {
        self.list().remove(uri);
    }

    /// Tells the client for as long as the connection to it lasts.
    pub(in crate::mcp) async fn tell(self, link: Link, peer: Peer<RoleServer>) {
        let mut changes = link.changes();
        while let Some(told) = next(&mut changes).await {
            if told.of_lists() && peer.notify_resource_list_changed().await.is_err() {
                return;
            }
            let wanted: Vec<String> = self.list().iter().filter(|uri| told.concerns(uri)).cloned().collect();
            for uri in wanted {
                if peer.notify_resource_updated(ResourceUpdatedNotificationParam::new(uri)).await.is_err() {
                    return;
                }
            }
        }
    }
}

/// The same over one subscription of the revision without a handshake, until it is cancelled.
pub(in crate::mcp) async fn listen(link: &Link, subscription: &SubscriptionContext) {
    let mut changes = link.changes();
    let wanted = subscription.accepted().resource_subscriptions.clone().unwrap_or_default();
    let hears_lists = subscription.accepted().resources_list_changed == Some(true);
    let telling = async {
        // What happened before changes were heard of may have been missed.
        let mut now = link.reach_hub().await.then(|| Told(vec![Changed::anything()]));
        loop {
            let Some(told) = (match now.take() {
                Some(told) => Some(told),
                None => next(&mut changes).await,
            }) else {
                return;
            };
            if hears_lists
                && told.of_lists()
                && subscription.sink().notify_resource_list_changed().await.is_err()
            {
                return;
            }
            for uri in wanted.iter().filter(|uri| told.concerns(uri)) {
                if subscription.sink().notify_resource_updated(uri.clone()).await.is_err() {
                    return;
                }
            }
        }
    };
    tokio::select! {
        () = subscription.cancelled() => {}
        () = telling => {}
    }
}

/// Changes that are told together: one list of resources is read for all of them.
struct Told(Vec<Changed>);

impl Told {
    /// Whether there may be other resources than before, or other names.
    fn of_lists(&self) -> bool {
        self.0.iter().any(|changed| !changed.keeps_list)
    }

    /// Whether what is at an address is not as it was.
    fn concerns(&self, uri: &str) -> bool {
        self.0.iter().any(|changed| {
            let kinds: &[Of] = match changed.kind {
                ChangedKind::All => return true,
                ChangedKind::Comment if uri == FEEDBACK => return true,
                ChangedKind::Comment => &[Of::Comments, Of::Screenshots],
                ChangedKind::Context => &[Of::Contexts],
                ChangedKind::Conversation => &[Of::Dialogs],
            };
            let Some((kind, id)) = one(uri) else { return false };
            let number = id.strip_prefix('#').unwrap_or(&id).parse().ok();
            kinds.contains(&kind.of) && (id == changed.id || (number.is_some() && number == changed.number))
        })
    }
}

/// What changed since, at once with what comes with it.
async fn next(changes: &mut Receiver<Changed>) -> Option<Told> {
    let mut told = vec![heard(changes.recv().await)?];
    // An import, or an agent at work, changes many at once.
    tokio::time::sleep(TOGETHER).await;
    loop {
        match changes.try_recv() {
            Ok(changed) => told.push(changed),
            Err(TryRecvError::Lagged(_)) => told.push(Changed::anything()),
            Err(TryRecvError::Empty | TryRecvError::Closed) => return Some(Told(told)),
        }
    }
}

fn heard(received: Result<Changed, RecvError>) -> Option<Changed> {
    match received {
        Ok(changed) => Some(changed),
        // More changed than is remembered.
        Err(RecvError::Lagged(_)) => Some(Changed::anything()),
        Err(RecvError::Closed) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_that_changed_is_told_by_each_of_its_addresses_and_no_other() {
        let told = Told(vec![Changed {
            kind: ChangedKind::Comment,
            id: "c_1".into(),
            number: Some(3),
            keeps_list: true,
        }]);
        for uri in [
            FEEDBACK,
            "opentoolbar://comments/c_1",
            "opentoolbar://comments/c%5F1",
            "opentoolbar://comments/3",
            "opentoolbar://comments/%233",
            "opentoolbar://screenshots/c_1",
            "opentoolbar://screenshots/3",
        ] {
            assert!(told.concerns(uri), "{uri}");
        }
        for other in ["opentoolbar://comments/c_2", "opentoolbar://comments/4", "opentoolbar://contexts/c_1"]
        {
            assert!(!told.concerns(other), "{other}");
        }
        assert!(Told(vec![Changed::anything()]).concerns("opentoolbar://dialogs/s_1"));
    }
}
