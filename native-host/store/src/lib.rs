//! What is kept of a project: SQLite in the home's `projects/<id>/opentoolbar.db`, which is the truth, and in the
//! project's `.opentoolbar/` what is copied for others to read, `feedback.md` and the rest, with the screenshots.
//!
//! The only room that says SQL. One thread per project does all its work in order; knows nothing of connections,
//! roles or who may do what.

mod applied;
mod claims;
mod comment_rows;
mod comments;
mod complaints;
mod completion;
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
mod migrations;
mod mirror;
mod news;
mod news_log;
mod numbers;
mod planted;
mod root;
mod screenshot;
mod search;
mod stores;
mod takeover;
mod unplaced;
mod unreadable;
mod verifications;
mod whereabouts;
mod worker;

use std::path::PathBuf;

use opentoolbar_core::model::{Comment, CommentChange, CommentId, MessageId, Timestamp};
use opentoolbar_core::protocol::{ErrorBody, FeedbackQuery, NewsQuery};
use tokio::sync::watch;

pub use applied::{Fingerprint, Sent};
pub use claims::Holders;
pub use comments::{By, Written};
pub use complaints::Complaint;
pub use completion::Completion;
pub use conversation::{
    About, Answered, AnsweredAnnotation, Conversation, Conversations, Latest, Of, Part, Pictures, Requests,
    Response, Said, StoredContext, UiState,
};
pub use examine::{Question, VERB as EXAMINE, examine};
pub use feedback::Feedback;
pub use import::Imported;
pub use news::News;
pub use screenshot::Picture;
pub use screenshot::may_be_kept;
pub use search::{Found, Wanted};
pub use stores::Stores;
pub use unplaced::{First, Page, Thing, Unplaced, Waiting, Whereto};
pub use verifications::{
    Choice, Effects, MOST_PENDING, MOST_PENDING_IN_ALL, MOST_RULES, Overview, Verifications, hash_of,
};

use opentoolbar_project::Decision;
use worker::Worker;

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

    /// What a person made, changed or said after `query.after`, at most 50; deleted ones never. Nobody waits here.
    ///
    /// # Errors
    /// `storage`.
    pub async fn news(&self, query: NewsQuery) -> Result<News, ErrorBody> {
        self.worker.look(move |worker| news::since(worker, &query)).await
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

    /// What may be typed, and whether there is more.
    ///
    /// # Errors
    /// `storage`.
    pub async fn complete(&self, wanted: Completion) -> Result<(Vec<String>, bool), ErrorBody> {
        self.worker.ask(move |worker| completion::complete(worker, &wanted)).await
    }

    /// Full-text search.
    ///
    /// # Errors
    /// `storage`.
    pub async fn search(&self, query: String, wanted: Wanted) -> Result<Found, ErrorBody> {
        self.worker.ask(move |worker| search::search(worker, &query, wanted)).await
    }
}
