//! Waiting until a person made, changed or said something.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use opentoolbar_core::model::{Message, MessageId};
use opentoolbar_core::protocol::{Answer, ErrorBody, Event, MAX_WAIT_MS};
use tokio::time::Instant;

use super::roles;
use crate::hub::state::{Hub, Peer};
use crate::store::{News, Store};

/// Marks what an agent is handed as read, and tells the pages: by the store, once it is so, whether or not the agent still
/// waits for the answer.
pub(super) async fn announce_read(
    hub: &Arc<Hub>,
    peer: &Peer,
    store: &Store,
    handed: &[Message],
) -> Result<(), ErrorBody> {
    let ids = handed.iter().map(|message| message.id.clone()).collect();
    let sessions: BTreeMap<_, _> =
        handed.iter().map(|message| (message.id.clone(), message.session_id.clone())).collect();
    let (hub, agent) = (Arc::clone(hub), peer.agent_name());
    let told = move |read: &[MessageId]| {
        for (message_id, session) in read.iter().filter_map(|id| Some((id.clone(), sessions.get(id)?))) {
            hub.tell_session(session, Event::MessageRead { message_id }, Some(agent.clone()), None);
        }
    };
    store.mark_read(ids, told).await
}

/// Returns at once when there is something after `after`; empty when the time ran out.
pub(super) async fn wait_for_feedback(
    hub: &Arc<Hub>,
    peer: &Peer,
    after: Option<u64>,
    timeout_ms: u32,
) -> Result<Answer, ErrorBody> {
    let project = roles::own_project(peer)?;
    let store = hub.stores.of(project.root.as_ref());
    let _waiting = peer.waits();
    let until = Instant::now() + Duration::from_millis(timeout_ms.min(MAX_WAIT_MS).into());
    // Watching begins before the first look, so that nothing falls in between.
    let mut watch = store.watch_news();
    let mut news = store.news(after).await?;
    let after = after.unwrap_or(news.position);
    while news.comments.is_empty() && news.messages.is_empty() && news.unreadable == 0 {
        match tokio::time::timeout_at(until, watch.changed()).await {
            Ok(Ok(())) => news = store.news(Some(after)).await?,
            Ok(Err(_)) | Err(_) => break,
        }
    }
    peer.seen();
    announce_read(hub, peer, &store, &news.messages).await?;
    let News { comments, messages, position, unreadable } = news;
    Ok(Answer::News { comments, messages, position, unreadable })
}
