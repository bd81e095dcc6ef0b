//! Waiting until a person made, changed or said something.

use std::sync::Arc;
use std::time::Duration;

use opentoolbar_core::model::{Message, MessageId};
use opentoolbar_core::protocol::{Answer, ErrorBody, Event, MAX_WAIT_MS, NewsQuery, Role};
use tokio::time::Instant;

use super::roles;
use crate::hub::handed::HANDS_OVER;
use crate::hub::state::{Hub, Peer};
use crate::store::{News, Of, Store};

/// What the hub sends to an agent is handed over, unless the agent's process says itself what it handed over.
pub(super) async fn sent(
    hub: &Arc<Hub>,
    peer: &Peer,
    store: &Store,
    messages: &[Message],
) -> Result<(), ErrorBody> {
    if peer.hello.role != Role::Agent || peer.hello.capabilities.iter().any(|can| can == HANDS_OVER) {
        return Ok(());
    }
    hand_over(hub, peer, store, messages.iter().map(|message| message.id.clone()).collect()).await
}

/// Remembers what an agent was handed, and tells the pages: by the store, once it is so, whether or not the agent still
/// waits for the answer.
async fn hand_over(hub: &Arc<Hub>, peer: &Peer, store: &Store, ids: Vec<MessageId>) -> Result<(), ErrorBody> {
    let root = roles::own_project(peer)?.root.clone();
    let (hub, agent) = (Arc::clone(hub), peer.agent_name());
    let told = move |read: &[Of]| {
        for (message_id, session) in read {
            let event = Event::MessageRead { message_id: message_id.clone(), is_read: true };
            hub.tell_session(&root, session, event, Some(agent.clone()), None);
        }
    };
    store.hand_over(ids, peer.answerer().to_owned(), told).await
}

/// An agent's process has handed messages to its agent.
pub(super) async fn handed_over(
    hub: &Arc<Hub>,
    peer: &Peer,
    ids: Vec<MessageId>,
) -> Result<Answer, ErrorBody> {
    let project = roles::own_project(peer)?;
    hand_over(hub, peer, &hub.stores.of(project.root.as_ref()), ids).await?;
    Ok(Answer::Done)
}

/// Returns at once when there is something that is asked for; empty when the time ran out.
pub(super) async fn wait_for_feedback(
    hub: &Arc<Hub>,
    peer: &Peer,
    query: NewsQuery,
) -> Result<Answer, ErrorBody> {
    let project = roles::own_project(peer)?;
    let store = hub.stores.of(project.root.as_ref());
    let _waiting = peer.pulse.waits();
    let until = Instant::now() + Duration::from_millis(query.timeout_ms.min(MAX_WAIT_MS).into());
    // Watching begins before the first look, so that nothing falls in between.
    let mut watch = store.watch_news();
    let mut news = store.news(query.clone()).await?;
    let query = NewsQuery { after: query.after.or(Some(news.position)), ..query };
    while news.comments.is_empty() && news.messages.is_empty() && news.unreadable == 0 {
        match tokio::time::timeout_at(until, watch.changed()).await {
            Ok(Ok(())) => news = store.news(query.clone()).await?,
            Ok(Err(_)) | Err(_) => break,
        }
    }
    peer.pulse.seen();
    sent(hub, peer, &store, &news.messages).await?;
    let News { comments, messages, positions, position, is_cut, unreadable } = news;
    let claims = hub.claims_of(project, &comments, peer).await?;
    Ok(Answer::News { comments, messages, claims, positions, position, is_cut, unreadable })
}
