//! Waiting until a person made or changed something.

use std::time::Duration;

use opentoolbar_core::protocol::{Answer, ErrorBody, MAX_WAIT_MS};
use tokio::time::Instant;

use super::roles;
use crate::hub::state::{Hub, Peer};

/// Returns at once when there is something after `after`; empty when the time ran out.
pub(in crate::hub) async fn wait_for_feedback(
    hub: &Hub,
    peer: &Peer,
    after: Option<u64>,
    timeout_ms: u32,
) -> Result<Answer, ErrorBody> {
    peer.seen();
    roles::check(peer, &opentoolbar_core::protocol::Request::WaitForFeedback { after, timeout_ms })?;
    let project = roles::own_project(peer)?;
    let store = hub.stores.of(project.root.as_ref());
    let until = Instant::now() + Duration::from_millis(timeout_ms.min(MAX_WAIT_MS).into());
    // Watching begins before the first look, so that nothing falls in between.
    let mut watch = store.watch_news();
    let mut news = store.news(after).await?;
    let after = after.unwrap_or(news.position);
    while news.comments.is_empty() {
        match tokio::time::timeout_at(until, watch.changed()).await {
            Ok(Ok(())) => news = store.news(Some(after)).await?,
            Ok(Err(_)) | Err(_) => break,
        }
    }
    peer.seen();
    Ok(Answer::News { comments: news.comments, position: news.position })
}
