//! Tells the client of resources that changed: those that it subscribed to, and that there are others now.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use opentoolbar_core::protocol::{Changed, ChangedKind};
use rmcp::model::{ErrorData, ResourceUpdatedNotificationParam};
use rmcp::service::{Peer, RoleServer, SubscriptionContext};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use super::kinds::{FEEDBACK, KINDS, is_ours};
use crate::mcp::link::Link;
use crate::mcp::offer::Offer;

/// Addresses that one client subscribes to: more are of a client that is broken.
const MOST: usize = 1_000;

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
            if told.is_list && peer.notify_resource_list_changed().await.is_err() {
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
        while let Some(told) = next(&mut changes).await {
            if told.is_list
                && hears_lists
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

/// Something that is to be told.
struct Told {
    /// Addresses of what changed; none: anything may have.
    uris: Option<Vec<String>>,
    is_list: bool,
}

impl Told {
    fn concerns(&self, uri: &str) -> bool {
        self.uris.as_ref().is_none_or(|uris| uris.iter().any(|one| one == uri))
    }
}

async fn next(changes: &mut Receiver<Changed>) -> Option<Told> {
    match changes.recv().await {
        Ok(changed) => Some(told(&changed)),
        // More changed than is remembered.
        Err(RecvError::Lagged(_)) => Some(Told { uris: None, is_list: true }),
        Err(RecvError::Closed) => None,
    }
}

fn told(changed: &Changed) -> Told {
    let kinds: &[&str] = match changed.kind {
        ChangedKind::Comment => &["comments", "screenshots"],
        ChangedKind::Context => &["contexts"],
        ChangedKind::Conversation => &["dialogs"],
    };
    let names = std::iter::once(changed.id.clone()).chain(changed.number.map(|number| number.to_string()));
    let names: Vec<String> = names.collect();
    let kinds = KINDS.iter().filter(|kind| kinds.contains(&kind.name));
    let mut uris: Vec<String> = kinds.flat_map(|kind| names.iter().map(|name| kind.uri(name))).collect();
    if changed.kind == ChangedKind::Comment {
        uris.push(FEEDBACK.to_owned());
    }
    Told { uris: Some(uris), is_list: changed.is_list }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_that_changed_is_told_by_each_of_its_addresses_and_no_other() {
        let changed =
            Changed { kind: ChangedKind::Comment, id: "c_1".into(), number: Some(3), is_list: false };
        let told = told(&changed);
        for uri in [
            FEEDBACK,
            "opentoolbar://comments/c_1",
            "opentoolbar://comments/3",
            "opentoolbar://screenshots/c_1",
            "opentoolbar://screenshots/3",
        ] {
            assert!(told.concerns(uri), "{uri}");
        }
        assert!(!told.concerns("opentoolbar://comments/c_2") && !told.concerns("opentoolbar://contexts/c_1"));
    }
}
