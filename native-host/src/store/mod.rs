//! What is kept of a project: SQLite in the home's `projects/<id>/opentoolbar.db`, which is the truth, and in the
//! project's `.opentoolbar/` what is copied for others to read, `feedback.md` and the rest, with the screenshots.
//!
//! The only room that says SQL. One thread per project does all its work in order; knows nothing of connections,
//! roles or who may do what.

mod applied;
mod claims;
mod comments;
mod complaints;
mod conversation;
mod database;
mod directory;
mod earlier_pictures;
mod examine;
mod fault;
mod feedback;
mod file_names;
mod history;
mod import;
mod in_project;
mod left;
mod migrations;
mod mirror;
mod news;
mod planted;
mod root;
mod screenshot;
mod search;
mod stores;
mod takeover;
mod unplaced;
mod unreadable;
mod whereabouts;
mod worker;

use std::collections::BTreeSet;
use std::path::PathBuf;

use opentoolbar_core::model::{
    AnnotationId, Author, Comment, CommentChange, CommentId, Context, ContextId, MessageId, SessionId,
    Timestamp,
};
use opentoolbar_core::protocol::{ErrorBody, FeedbackQuery, Hit};
use tokio::sync::watch;

pub use applied::{Fingerprint, Sent};
pub use claims::Holders;
pub use complaints::Complaint;
pub use conversation::{
    About, Answered, AnsweredAnnotation, Conversation, Latest, Of, Part, Pictures, Response, Said,
    StoredContext, UiState,
};
use conversation::{Made, Missing};
pub(crate) use examine::{Question, VERB as EXAMINE, examine};
pub use feedback::Feedback;
pub use import::Imported;
pub use news::News;
pub use screenshot::Picture;
pub(crate) use screenshot::may_be_kept;
pub use stores::Stores;
pub use unplaced::{First, Page, Thing, Unplaced, Waiting, Whereto};

use crate::project::Decision;
use worker::Worker;

/// A comment as it is after a request, and whether the request changed it (a repeated one does not).
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    /// As it is now.
    pub comment: Comment,
    /// False when the request had been applied before.
    pub changed: bool,
}

/// Who changes a comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct By {
    /// As people see it.
    pub author: Author,
    /// What tells an agent from others of its name; `None` for a person.
    pub answerer: Option<String>,
}

/// One project's store. Every call waits for its turn on the project's thread. All fail with `storage` when the
/// project cannot be read or written; nothing is then half-written.
#[derive(Debug)]
pub struct Store {
    worker: worker::Handle,
    position: watch::Sender<u64>,
    unreadable: unreadable::Unreadable,
}

impl Store {
    /// Stores a new comment with its screenshot (PNG), or nothing when its id is known. `told` as in [`Self::respond`].
    ///
    /// # Errors
    /// `storage`; `bad_request` when the screenshot is no PNG or the message id was used for something else.
    pub async fn create(
        &self,
        message: MessageId,
        comment: Comment,
        png: Option<Vec<u8>>,
        at: Timestamp,
        told: impl FnOnce(&Comment) + Send + 'static,
    ) -> Result<Written, ErrorBody> {
        let tell = |written: &Written| {
            if written.changed {
                told(&written.comment);
            }
        };
        let job = move |worker: &mut Worker| comments::create(worker, &message, comment, png.as_deref(), at);
        self.worker.ask_and_tell(job, tell).await
    }

    /// Changes a comment; `None` when this project has no such comment. `may` sees the comment as it is then and which
    /// agent holds it, and can refuse; it is not asked about a request that was applied before. An agent that sets it
    /// in progress holds it from then on, until its stage is another. `told` as in [`Self::respond`].
    ///
    /// # Errors
    /// What `Comment::apply` and `may` say; `storage`; `bad_request` as for `create`.
    pub async fn change(
        &self,
        sent: Sent,
        id: CommentId,
        (change, by, at): (CommentChange, By, Timestamp),
        may: impl FnOnce(&Comment, Option<&str>) -> Result<(), ErrorBody> + Send + 'static,
        told: impl FnOnce(&Comment) + Send + 'static,
    ) -> Result<Option<Written>, ErrorBody> {
        let tell = |written: &Option<Written>| {
            if let Some(written) = written.as_ref().filter(|written| written.changed) {
                told(&written.comment);
            }
        };
        let job = move |worker: &mut Worker| comments::change(worker, &sent, &id, (&change, &by, at), may);
        self.worker.ask_and_tell(job, tell).await
    }

    /// Which agents hold these comments.
    ///
    /// # Errors
    /// `storage`.
    pub async fn holders(&self, among: Vec<Comment>) -> Result<Holders, ErrorBody> {
        self.worker.look(move |worker| claims::holders(worker, &among)).await
    }

    /// The comments that this agent holds, deleted ones never.
    ///
    /// # Errors
    /// `storage`.
    pub async fn held_by(&self, answerer: String) -> Result<Vec<CommentId>, ErrorBody> {
        self.worker.look(move |worker| claims::held_by(worker, &answerer)).await
    }

    /// Merges comments by id; what is imported is marked so. All or nothing. `told` as in [`Self::respond`].
    ///
    /// # Errors
    /// `storage`; `bad_request` as for `create`.
    pub async fn import(
        &self,
        message: MessageId,
        comments: Vec<Comment>,
        at: Timestamp,
        told: impl FnOnce(&[Comment]) + Send + 'static,
    ) -> Result<Imported, ErrorBody> {
        let tell = |imported: &Imported| told(&imported.changed);
        self.worker.ask_and_tell(move |worker| import::import(worker, &message, comments, at), tell).await
    }

    /// What became of an offer.
    ///
    /// # Errors
    /// `storage`; the offer is then made again.
    pub async fn decide(&self, offer: String, decision: Decision) -> Result<(), ErrorBody> {
        self.worker.ask(move |worker| worker.decide(&offer, decision)).await
    }

    /// Lets go of the database; the next call opens it again.
    ///
    /// # Errors
    /// `storage` when what was written is not on disk.
    pub async fn close_database(&self) -> Result<(), ErrorBody> {
        self.worker.ask(|worker| worker.close_database()).await
    }

    /// Takes what is kept of another project, which has let go of it.
    ///
    /// # Errors
    /// `storage`; `conflict` when something is kept of this one.
    pub async fn receive(&self, from: PathBuf) -> Result<(), ErrorBody> {
        self.worker.ask(move |worker| worker.receive(&from)).await
    }

    /// Deletes everything that is kept of the project.
    ///
    /// # Errors
    /// `storage`.
    pub async fn delete(&self) -> Result<(), ErrorBody> {
        self.worker.ask(|worker| worker.delete()).await
    }

    /// As `feedback`, also of a project whose directory is gone.
    ///
    /// # Errors
    /// As `feedback`.
    pub async fn kept(&self, query: FeedbackQuery) -> Result<Feedback, ErrorBody> {
        self.worker.ask(move |worker| worker.even_if_gone(|worker| feedback::feedback(worker, &query))).await
    }

    /// One comment, deleted or not.
    ///
    /// # Errors
    /// `storage`.
    pub async fn get(&self, id: CommentId) -> Result<Option<Comment>, ErrorBody> {
        self.worker.ask(move |worker| comments::get(worker, &id)).await
    }

    /// All comments of one origin, deleted ones too, oldest first, and how many cannot be read.
    ///
    /// # Errors
    /// `storage`.
    pub async fn on_origin(&self, origin: String) -> Result<(Vec<Comment>, u32), ErrorBody> {
        self.worker.ask(move |worker| comments::on_origin(worker, &origin)).await
    }

    /// What an agent asks for; deleted comments never.
    ///
    /// # Errors
    /// `storage`; `bad_request` for a cursor that is not ours.
    pub async fn feedback(&self, query: FeedbackQuery) -> Result<Feedback, ErrorBody> {
        self.worker.ask(move |worker| feedback::feedback(worker, &query)).await
    }

    /// What a person made or changed after `after`, at most 50 comments; deleted ones never.
    ///
    /// # Errors
    /// `storage`.
    pub async fn news(&self, after: Option<u64>) -> Result<News, ErrorBody> {
        self.worker.look(move |worker| news::since(worker, after)).await
    }

    /// Changes whenever there may be news.
    pub fn watch_news(&self) -> watch::Receiver<u64> {
        self.position.subscribe()
    }

    /// What became of a comment's screenshot.
    ///
    /// # Errors
    /// `storage`.
    pub async fn screenshot(&self, id: CommentId) -> Result<Picture, ErrorBody> {
        self.worker.ask(move |worker| screenshot::find::find(worker, &id)).await
    }

    /// Stores a selection with its pictures, or nothing when its id is known.
    ///
    /// # Errors
    /// `storage`; `bad_request` and `too_large` when a picture is no PNG or too large.
    pub async fn store_context(
        &self,
        sent: Sent,
        context: Context,
        pictures: Pictures,
        at: Timestamp,
    ) -> Result<ContextId, ErrorBody> {
        self.selected(sent, context, pictures, (Made::Now, at)).await
    }

    /// The same of one that was made before its project was known: others may have been made since. `made`: when, in
    /// the order in which its page's were.
    ///
    /// # Errors
    /// As of `store_context`.
    pub async fn store_kept_context(
        &self,
        sent: Sent,
        context: Context,
        pictures: Pictures,
        (made, at): (Timestamp, Timestamp),
    ) -> Result<ContextId, ErrorBody> {
        self.selected(sent, context, pictures, (Made::Before(made), at)).await
    }

    async fn selected(
        &self,
        sent: Sent,
        context: Context,
        pictures: Pictures,
        made: (Made, Timestamp),
    ) -> Result<ContextId, ErrorBody> {
        self.worker
            .ask(move |worker| conversation::store_context(worker, &sent, context, &pictures, made))
            .await
    }

    /// Whether the session has this selection.
    ///
    /// # Errors
    /// `storage`; `unknown_context` when it has not.
    pub async fn must_have(&self, context: ContextId, session: SessionId) -> Result<(), ErrorBody> {
        self.worker.ask(move |worker| conversation::must_have(worker, &context, &session)).await
    }

    /// The oldest message of a session that waits, with what it is about; without one the latest selection. `asked`:
    /// only of this selection. `answerer`: who asks.
    ///
    /// # Errors
    /// `storage`; `unknown_context` when the session has not what was asked for.
    pub async fn ui_context(
        &self,
        session: SessionId,
        asked: Option<ContextId>,
        answerer: String,
    ) -> Result<UiState, ErrorBody> {
        let job =
            move |worker: &mut Worker| conversation::ui_context(worker, &session, asked.as_ref(), &answerer);
        self.worker.ask(job).await
    }

    /// The latest selection of a session.
    ///
    /// # Errors
    /// `storage`.
    pub async fn latest_selection(&self, session: SessionId) -> Result<Option<Context>, ErrorBody> {
        self.worker.ask(move |worker| conversation::latest_selection(worker, &session)).await
    }

    /// The session that a selection was made in.
    ///
    /// # Errors
    /// `storage`.
    pub async fn session_of(&self, context: ContextId) -> Result<Option<SessionId>, ErrorBody> {
        self.worker.ask(move |worker| conversation::session_of(worker, &context)).await
    }

    /// The person says something.
    ///
    /// # Errors
    /// `storage`; `unknown_context`; `bad_request` as for `create`.
    pub async fn say(
        &self,
        sent: Sent,
        session: SessionId,
        about: About,
        text: String,
        at: Timestamp,
    ) -> Result<Said, ErrorBody> {
        self.said(sent, session, (about, Missing::IsRefused), text, at).await
    }

    /// What the person said before its project was known, and was acknowledged then: it is about nothing when its
    /// selection is lost. `made`: when, in the order in which its page's things were.
    ///
    /// # Errors
    /// `storage`; `bad_request` as for `create`.
    pub async fn say_kept(
        &self,
        sent: Sent,
        session: SessionId,
        about: About,
        text: String,
        (made, at): (Timestamp, Timestamp),
    ) -> Result<Said, ErrorBody> {
        self.said(sent, session, (about, Missing::IsNone { until: made }), text, at).await
    }

    async fn said(
        &self,
        sent: Sent,
        session: SessionId,
        (about, missing): (About, Missing),
        text: String,
        at: Timestamp,
    ) -> Result<Said, ErrorBody> {
        self.worker
            .ask(move |worker| conversation::say(worker, &sent, &session, &about, &text, at, missing))
            .await
    }

    /// An agent answers, whole or in part. `told` is called with what is new once it is on disk, also when the asker
    /// was told that the disk failed and it turns out stored; in the order in which everything of the project is
    /// stored. It must not wait: who has heard a position has heard all before it.
    ///
    /// # Errors
    /// `storage`; `unknown_context`; `conflict` for a part out of order or after the end; `too_large`.
    pub async fn respond(
        &self,
        response: Response,
        at: Timestamp,
        told: impl FnOnce(&Answered) + Send + 'static,
    ) -> Result<Answered, ErrorBody> {
        let tell = |answered: &Answered| {
            if answered.is_new {
                told(answered);
            }
        };
        self.worker.ask_and_tell(move |worker| conversation::respond(worker, &response, at), tell).await
    }

    /// An agent was handed these messages. `told` is called with those that were unread, also when the asker has left
    /// meanwhile. After a power cut the last marks may be gone: the agent is gone as well, and the next one is handed
    /// the messages again.
    ///
    /// # Errors
    /// `storage`.
    pub async fn hand_over(
        &self,
        ids: Vec<MessageId>,
        answerer: String,
        told: impl FnOnce(&[Of]) + Send + 'static,
    ) -> Result<(), ErrorBody> {
        let job = move |worker: &mut Worker| {
            conversation::hand_over(worker, &ids, &answerer).map(|read| told(&read))
        };
        self.worker.look(job).await
    }

    /// What was handed to agents other than these waits again. `told` is called with it.
    ///
    /// # Errors
    /// `storage`.
    pub async fn release(
        &self,
        here: BTreeSet<String>,
        told: impl FnOnce(&[Of]) + Send + 'static,
    ) -> Result<(), ErrorBody> {
        let job =
            move |worker: &mut Worker| conversation::release(worker, &here).map(|released| told(&released));
        self.worker.look(job).await
    }

    /// The person no longer waits for an answer.
    ///
    /// # Errors
    /// `storage`.
    pub async fn withdraw(&self, session: SessionId) -> Result<(), ErrorBody> {
        self.worker.ask(move |worker| conversation::withdraw(worker, &session)).await
    }

    /// A part of what was said in a session.
    ///
    /// # Errors
    /// `storage`; `bad_request` for a message that is not in it.
    pub async fn history(&self, session: SessionId, part: Part) -> Result<Conversation, ErrorBody> {
        self.worker.ask(move |worker| conversation::history(worker, &session, &part)).await
    }

    /// The person has answered a request to point at something. Returns the answer that counts: the first.
    ///
    /// # Errors
    /// `storage`.
    pub async fn keep_annotation(
        &self,
        id: AnnotationId,
        answer: AnsweredAnnotation,
    ) -> Result<AnsweredAnnotation, ErrorBody> {
        self.worker.ask(move |worker| conversation::keep_annotation(worker, &id, answer)).await
    }

    /// What the person answered to a request to point at something, if anything.
    ///
    /// # Errors
    /// `storage`.
    pub async fn annotation(&self, id: AnnotationId) -> Result<Option<AnsweredAnnotation>, ErrorBody> {
        self.worker.ask(move |worker| conversation::annotation(worker, &id)).await
    }

    /// Messages that changed after a position; without one, the latest.
    ///
    /// # Errors
    /// `storage`.
    pub async fn conversation(
        &self,
        session: SessionId,
        after: Option<u64>,
    ) -> Result<Conversation, ErrorBody> {
        self.worker.ask(move |worker| conversation::conversation(worker, &session, after)).await
    }

    /// Which of the sessions have messages that no agent has read.
    ///
    /// # Errors
    /// `storage`.
    pub async fn with_unread(&self, sessions: Vec<SessionId>) -> Result<Vec<SessionId>, ErrorBody> {
        self.worker.ask(move |worker| conversation::with_unread(worker, sessions)).await
    }

    /// Full-text search; best first, and whether there is more.
    ///
    /// # Errors
    /// `storage`.
    pub async fn search(&self, query: String, limit: u32) -> Result<(Vec<Hit>, bool), ErrorBody> {
        self.worker.ask(move |worker| search::search(worker, &query, limit)).await
    }
}
