//! Waiting until a person made, changed or said something.

use std::time::Duration;

use opentoolbar_core::protocol::{Answer, ErrorBody, Event, MAX_WAIT_MS};
use tokio::time::Instant;

use super::roles;
use crate::hub::state::{Hub, Peer};
use crate::store::News;

/// Returns at once when there is something after `after`; empty when the time ran out.
pub(super) async fn wait_for_feedback(
    hub: &Hub,
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
    let ids = news.messages.iter().map(|message| message.id.clone()).collect();
    let read = store.mark_read(ids).await?;
    for message in news.messages.iter().filter(|message| read.contains(&message.id)) {
        let event = Event::MessageRead { message_id: message.id.clone() };
        hub.tell_session(&message.session_id, event, Some(peer.agent_name()), None);
    }
    let News { comments, messages, position, unreadable } = news;
    Ok(Answer::News { comments, messages, position, unreadable })
}
