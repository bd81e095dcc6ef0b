//! What plain clients select and say before it is known to which project their page belongs. They have no outbox, and the first
//! agent may come much later: it is kept in memory, and stored in its order once the project is known.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use opentoolbar_core::model::{Context, ContextId, MessageId, Session, SessionId, Timestamp};
use opentoolbar_core::protocol::{ErrorBody, ErrorCode};
use tokio::sync::watch;

use super::error::error;
use super::state::{Hub, now};
use crate::store::{Pictures, Sent, Store};

/// Bytes of everything that is kept, pictures included.
const MOST_BYTES: usize = 64 * 1024 * 1024;
/// The same of one session: its client may never come back.
const MOST_BYTES_OF_SESSION: usize = 20 * 1024 * 1024;
/// Things that are kept of one session.
const MOST: usize = 200;
/// Between two tries to store something, longer each time.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// How long an agent that comes waits for what is stored then.
const STORED_WITHIN: Duration = Duration::from_secs(2);

/// One thing that is kept.
#[derive(Clone, Debug)]
pub(super) enum Unplaced {
    Selected { sent: Sent, context: Box<Context>, pictures: Pictures },
    Said { id: MessageId, context: Option<ContextId>, text: String, at: Timestamp },
}

impl Unplaced {
    fn bytes(&self) -> usize {
        match self {
            Self::Selected { context, pictures, .. } => {
                let pictures = [&pictures.element, &pictures.viewport].into_iter().flatten();
                let selection = serde_json::to_string(context).map_or(0, |json| json.len());
                pictures.map(Vec::len).sum::<usize>() + selection
            }
            Self::Said { text, .. } => text.len(),
        }
    }

    fn is_selection(&self, id: &ContextId) -> bool {
        matches!(self, Self::Selected { context, .. } if context.id == *id)
    }

    async fn store(self, store: &Store, session: &SessionId) -> Result<(), ErrorBody> {
        match self {
            Self::Selected { sent, context, pictures } => {
                let at = context.created_at;
                store.store_context(sent, *context, pictures, at).await.map(drop)
            }
            Self::Said { id, context, text, at } => {
                store.say(id, session.clone(), context, text, at).await.map(drop)
            }
        }
    }
}

/// What is kept of one session, in the order in which it came.
#[derive(Debug, Default)]
struct Queue {
    waiting: VecDeque<(Unplaced, usize)>,
    bytes: usize,
    is_being_stored: bool,
    /// Goes with the queue, when all of it is stored.
    gone: watch::Sender<()>,
}

/// By session.
#[derive(Debug, Default)]
pub(super) struct Kept {
    sessions: BTreeMap<SessionId, Queue>,
    bytes: usize,
}

impl Kept {
    /// `bytes`: what it takes, counted before.
    fn add(&mut self, session: &SessionId, one: Unplaced, bytes: usize) -> Result<(), ErrorBody> {
        let (count, of_session) =
            self.sessions.get(session).map_or((0, 0), |queue| (queue.waiting.len(), queue.bytes));
        if self.bytes + bytes > MOST_BYTES || of_session + bytes > MOST_BYTES_OF_SESSION || count >= MOST {
            return Err(error(
                ErrorCode::NoProject,
                "it is not known to which project this page belongs, and no more can be kept until it is",
                "Start an agent in the project, or choose the project, and send it again.",
            ));
        }
        if let Unplaced::Said { context: Some(id), .. } = &one
            && !self.is_selected(session, id)
        {
            let message = format!("there is no selection {id} in the session {session}");
            return Err(error(ErrorCode::UnknownContext, message, "Select the element again."));
        }
        let queue = self.sessions.entry(session.clone()).or_default();
        queue.waiting.push_back((one, bytes));
        queue.bytes += bytes;
        self.bytes += bytes;
        Ok(())
    }

    fn is_selected(&self, session: &SessionId, id: &ContextId) -> bool {
        let kept = self.sessions.get(session).map(|queue| &queue.waiting);
        kept.is_some_and(|kept| kept.iter().any(|(one, _)| one.is_selection(id)))
    }

    fn first(&self, session: &SessionId) -> Option<Unplaced> {
        self.sessions.get(session)?.waiting.front().map(|(one, _)| one.clone())
    }

    /// The first is stored, or never will be.
    fn forget_first(&mut self, session: &SessionId) {
        let Some(queue) = self.sessions.get_mut(session) else { return };
        let bytes = queue.waiting.pop_front().map_or(0, |(_, bytes)| bytes);
        queue.bytes -= bytes;
        self.bytes -= bytes;
        if queue.waiting.is_empty() {
            self.sessions.remove(session);
        }
    }

    fn page(&self, session: &SessionId) -> Option<Session> {
        let last = self.sessions.get(session)?.waiting.iter().rev().find_map(|(one, _)| match one {
            Unplaced::Selected { context, .. } => Some(&context.selection.page),
            Unplaced::Said { .. } => None,
        })?;
        let (url, title) = (last.url.clone(), last.title.clone());
        Some(Session { id: session.clone(), url, title, last_active: now() })
    }
}

/// Whether it may be stored later, as far as this answer tells.
fn may_pass(code: ErrorCode) -> bool {
    matches!(code, ErrorCode::Storage | ErrorCode::RateLimited | ErrorCode::NoProject | ErrorCode::Internal)
}

impl Hub {
    /// Keeps something of a session that has no project. False when it has one by now: then it is to be stored there.
    pub(super) fn keep_unplaced(&self, session: &SessionId, one: Unplaced) -> Result<bool, ErrorBody> {
        let bytes = one.bytes();
        let mut live = self.live();
        if live.sessions.get(session).is_some_and(|session| session.project().is_some()) {
            return Ok(false);
        }
        live.unplaced.add(session, one, bytes)?;
        Ok(true)
    }

    /// Stores what was kept of a session, now that its project is known: beside everything else, as its disk may be slow, and
    /// again until the disk takes it.
    pub(super) fn store_unplaced(self: &Arc<Self>, session: &SessionId, root: &str) {
        match self.live().unplaced.sessions.get_mut(session) {
            Some(queue) if !queue.is_being_stored => queue.is_being_stored = true,
            _ => return,
        }
        let (hub, session, store) = (Arc::clone(self), session.clone(), self.stores.of(root.as_ref()));
        tokio::spawn(async move {
            let mut pause = FIRST_PAUSE;
            loop {
                let Some(first) = hub.first_unplaced(&session) else { return };
                if let Err(error) = first.store(&store, &session).await {
                    tracing::warn!(code = ?error.code, "what was sent before its project was known is not stored");
                    if may_pass(error.code) {
                        tokio::time::sleep(pause).await;
                        pause = (pause * 2).min(LONGEST_PAUSE);
                        continue;
                    }
                }
                pause = FIRST_PAUSE;
                hub.live().unplaced.forget_first(&session);
            }
        });
    }

    fn first_unplaced(&self, session: &SessionId) -> Option<Unplaced> {
        self.live().unplaced.first(session)
    }

    /// Returns when nothing is kept of the session any more, so that what comes now is stored behind it.
    pub(super) async fn unplaced_is_stored(&self, session: &SessionId) {
        let gone = self.live().unplaced.sessions.get(session).map(|queue| queue.gone.subscribe());
        let Some(mut gone) = gone else { return };
        while gone.changed().await.is_ok() {}
    }

    /// The same for several, if it does not take long.
    pub(super) async fn unplaced_are_stored_soon(&self, sessions: &[SessionId]) {
        let all = async {
            for session in sessions {
                self.unplaced_is_stored(session).await;
            }
        };
        let _ = tokio::time::timeout(STORED_WITHIN, all).await;
    }

    /// The page of which something is kept.
    pub(super) fn unplaced_page(&self, session: &SessionId) -> Option<Session> {
        self.live().unplaced.page(session)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn said(text: &str) -> Unplaced {
        Unplaced::Said { id: "m_1".parse().unwrap(), context: None, text: text.into(), at: now() }
    }

    fn add(kept: &mut Kept, session: &str, one: Unplaced) -> Result<(), ErrorCode> {
        let bytes = one.bytes();
        kept.add(&session.parse().unwrap(), one, bytes).map_err(|error| error.code)
    }

    #[test]
    fn one_session_takes_neither_more_than_its_share_nor_the_room_of_others() {
        let mut kept = Kept::default();
        let mebibyte = "x".repeat(1024 * 1024);
        for _ in 0..MOST_BYTES_OF_SESSION / mebibyte.len() {
            add(&mut kept, "s_1", said(&mebibyte)).unwrap();
        }
        assert_eq!(add(&mut kept, "s_1", said("x")), Err(ErrorCode::NoProject));
        add(&mut kept, "s_2", said(&mebibyte)).unwrap();
        let first = "s_1".parse().unwrap();
        while kept.first(&first).is_some() {
            kept.forget_first(&first);
        }
        assert_eq!((kept.bytes, kept.sessions.len()), (mebibyte.len(), 1));
    }

    #[test]
    fn what_is_about_no_selection_that_is_kept_is_refused() {
        let mut kept = Kept::default();
        let about = |text: &str| match said(text) {
            Unplaced::Said { id, text, at, .. } => {
                Unplaced::Said { id, context: Some("ctx_1".parse().unwrap()), text, at }
            }
            selected => selected,
        };
        assert_eq!(add(&mut kept, "s_1", about("x")), Err(ErrorCode::UnknownContext));
        for _ in 0..MOST {
            add(&mut kept, "s_1", said("x")).unwrap();
        }
        assert_eq!(add(&mut kept, "s_1", said("x")), Err(ErrorCode::NoProject), "too many");
    }
}
