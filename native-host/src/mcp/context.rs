//! What the tools have to do with: the hub, and what is remembered of one agent between its calls.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use opentoolbar_core::model::{AnnotationId, Comment, CommentChange, CommentId, CommentRef, SessionId};
use opentoolbar_core::protocol::{Answer, ErrorCode, FeedbackQuery, NewsOf, Request, StatusFilter};
use opentoolbar_dialogs::{Histories, Places};
use tokio::sync::watch;

use super::arguments;
use super::link::{Link, now};
use super::outcome::Outcome;
use super::progress::{Piece, Progress};

/// What a tool may use.
pub(super) struct Context {
    /// The hub.
    pub(super) link: Link,
    /// Where the agent works; absolute.
    pub(super) directory: PathBuf,
    /// Turns true when the client is gone.
    pub(super) gone: watch::Receiver<bool>,
    /// The tab that the agent picked.
    pub(super) selected: Mutex<Option<SessionId>>,
    /// What the agent asked the developer to point at, for when it goes on waiting and another hub does not know of it.
    pub(super) wishes: Mutex<BTreeMap<AnnotationId, String>>,
    /// How far the agent was told the person's messages.
    pub(super) told: Progress,
    /// What other programs keep of their chats.
    pub(super) histories: Arc<Histories>,
    /// Whether what is told counts as read for the person.
    pub(super) marks: bool,
    /// What the agent waits for; both, where nothing is said.
    pub(super) news: Option<NewsOf>,
}

impl Context {
    /// For an agent that works in this directory, of which nothing is known yet. It marks, and waits for everything.
    pub(super) fn new(directory: PathBuf, gone: watch::Receiver<bool>) -> Self {
        Self {
            link: Link::new(directory.clone()),
            directory,
            gone,
            selected: Mutex::default(),
            wishes: Mutex::default(),
            told: Progress::default(),
            histories: Arc::new(Histories::new(Places::of_this_user())),
            marks: true,
            news: None,
        }
    }

    /// The agent's own pick.
    pub(super) fn selected(&self) -> Option<SessionId> {
        self.selected.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn select(&self, session: Option<SessionId>) {
        *self.selected.lock().unwrap_or_else(PoisonError::into_inner) = session;
    }

    /// The tab that a call names, else the agent's pick, else none: then the hub knows which.
    pub(super) fn session(&self, named: Option<&str>) -> Result<Option<SessionId>, Outcome> {
        named.map(arguments::session_id).transpose().map(|named| named.or_else(|| self.selected()))
    }

    /// Asks about the tab that a call names. An own pick holds while its tab is open; then the hub knows which is
    /// meant.
    pub(super) async fn ask_in(
        &self,
        named: Option<&str>,
        request: impl Fn(Option<SessionId>) -> Request,
    ) -> Result<Answer, Outcome> {
        let session = self.session(named)?;
        let is_pick = named.is_none() && session.is_some();
        match self.link.ask(request(session)).await {
            Err(error) if is_pick && error.code == ErrorCode::UnknownSession => {
                Ok(self.link.ask(request(None)).await?)
            }
            done => Ok(done?),
        }
    }

    /// Remembers what an answer tells that is given to the agent now, and tells the hub what is handed over by it, and
    /// no more than that: it is what the agent's answers answer. A message is handed over with its last piece. Dropped
    /// in between, as the client does not want the answer any more, nothing of it is remembered, and it is told once
    /// more.
    pub(super) async fn hand_over(&self, pieces: &[Piece]) {
        let message_ids = self.told.ended_by(pieces);
        if self.marks
            && !message_ids.is_empty()
            && let Err(error) = self.link.ask(Request::HandedOver { message_ids }).await
        {
            // It is handed over all the same; the person sees it as sent, and it is told once more.
            tracing::warn!(%error, "the hub was not told what was handed over");
        }
        self.told.add(pieces);
    }

    /// The id of the comment that a call names by its id or its number.
    pub(super) async fn comment_id(&self, name: &str) -> Result<CommentId, Outcome> {
        let number = match arguments::comment_ref(name)? {
            CommentRef::Id(id) => return Ok(id),
            CommentRef::Number(number) => number,
        };
        let status = StatusFilter::All;
        let query =
            FeedbackQuery { number: Some(number), status, limit: Some(1), ..FeedbackQuery::default() };
        let Answer::Feedback { comments, unreadable, .. } =
            self.link.ask(Request::GetFeedback(query)).await?
        else {
            return Err(Outcome::mismatch("feedback"));
        };
        // A hub of an earlier version tells others.
        let found = comments.into_iter().find(|comment| comment.number == Some(number));
        found.map(|comment| comment.id).ok_or_else(|| match unreadable {
            0 => Outcome::refused(
                format!("There is no comment #{number} in this project; it may be deleted"),
                "get_ui_feedback tells the comments with their numbers.",
            ),
            _ => Outcome::refused(
                format!("The comment #{number} cannot be read"),
                "Update opentoolbar, and tell the developer.",
            ),
        })
    }

    /// Makes one change and gives the comment as it is then.
    pub(super) async fn change(
        &self,
        comment_id: CommentId,
        change: CommentChange,
    ) -> Result<Comment, Outcome> {
        match self.link.ask(Request::ChangeComment { comment_id, change, at: now() }).await? {
            Answer::Comment { comment } => Ok(*comment),
            _ => Err(Outcome::mismatch("the comment")),
        }
    }
}
