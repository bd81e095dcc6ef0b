//! The live conversation of a project: selections, messages, answers that come in parts.
//!
//! Knows how they are stored and in which order; nothing of connections, or of who may say what.

mod annotations;
mod contexts;
mod handed;
mod list;
mod messages;
mod parts;
mod reading;
mod requests;
mod respond;
mod rows;
mod ui_state;

use std::collections::BTreeSet;

use opentoolbar_core::model::{AnnotationId, Context, ContextId, MessageId, SessionId, Timestamp};
use opentoolbar_core::protocol::{ConversationSummary, ErrorBody};

use super::Store;
use super::applied::Sent;
use super::worker::Worker;

pub use annotations::AnsweredAnnotation;
pub use contexts::{Latest, Pictures};
pub use handed::Of;
pub use list::Conversations;
pub use messages::{About, Said};
pub use reading::{Conversation, Part};
pub use requests::Requests;
pub use respond::{Answered, Response};
pub use ui_state::{StoredContext, UiState};

pub(super) use contexts::{latest_id, latest_selections};
pub(super) use reading::last_words;
pub(super) use rows::said;
pub(super) use ui_state::mirrored;

#[cfg(test)]
mod tests;

use contexts::Made;
use messages::Missing;

impl Store {
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
        self.worker.ask(move |worker| contexts::store_context(worker, &sent, context, &pictures, made)).await
    }

    /// Whether the session has this selection.
    ///
    /// # Errors
    /// `storage`; `unknown_context` when it has not.
    pub async fn must_have(&self, context: ContextId, session: SessionId) -> Result<(), ErrorBody> {
        self.worker.ask(move |worker| contexts::must_have(worker, &context, &session)).await
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
            move |worker: &mut Worker| ui_state::ui_context(worker, &session, asked.as_ref(), &answerer);
        self.worker.ask(job).await
    }

    /// The latest selection of a session.
    ///
    /// # Errors
    /// `storage`.
    pub async fn latest_selection(&self, session: SessionId) -> Result<Option<Context>, ErrorBody> {
        self.worker.ask(move |worker| contexts::latest_selection(worker, &session)).await
    }

    /// The session that a selection was made in.
    ///
    /// # Errors
    /// `storage`.
    pub async fn session_of(&self, context: ContextId) -> Result<Option<SessionId>, ErrorBody> {
        self.worker.ask(move |worker| contexts::session_of(worker, &context)).await
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
            .ask(move |worker| messages::say(worker, &sent, &session, &about, &text, at, missing))
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
        self.worker.ask_and_tell(move |worker| respond::respond(worker, &response, at), tell).await
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
        let job =
            move |worker: &mut Worker| handed::hand_over(worker, &ids, &answerer).map(|read| told(&read));
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
        let job = move |worker: &mut Worker| handed::release(worker, &here).map(|released| told(&released));
        self.worker.look(job).await
    }

    /// The person no longer waits for an answer.
    ///
    /// # Errors
    /// `storage`.
    pub async fn withdraw(&self, session: SessionId) -> Result<(), ErrorBody> {
        self.worker.ask(move |worker| messages::withdraw(worker, &session)).await
    }

    /// A part of what was said in a session.
    ///
    /// # Errors
    /// `storage`; `bad_request` for a message that is not in it.
    pub async fn history(&self, session: SessionId, part: Part) -> Result<Conversation, ErrorBody> {
        self.worker.ask(move |worker| reading::history(worker, &session, &part)).await
    }

    /// Sessions in which something was said, the latest first, and whether there are more.
    ///
    /// # Errors
    /// `storage`.
    pub async fn conversations(
        &self,
        wanted: Conversations,
    ) -> Result<(Vec<ConversationSummary>, bool), ErrorBody> {
        self.worker.ask(move |worker| list::conversations(worker, &wanted)).await
    }

    /// The session in which the person said something last.
    ///
    /// # Errors
    /// `storage`.
    pub async fn last_asked_in(&self) -> Result<Option<SessionId>, ErrorBody> {
        self.worker.ask(list::last_asked_in).await
    }

    /// What the person asked in a session, from one on, counted from 1.
    ///
    /// # Errors
    /// `storage`.
    pub async fn requests(&self, session: SessionId, first: u32, limit: u32) -> Result<Requests, ErrorBody> {
        self.worker.ask(move |worker| requests::requests(worker, &session, first, limit)).await
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
        self.worker.ask(move |worker| annotations::keep_annotation(worker, &id, answer)).await
    }

    /// What the person answered to a request to point at something, if anything.
    ///
    /// # Errors
    /// `storage`.
    pub async fn annotation(&self, id: AnnotationId) -> Result<Option<AnsweredAnnotation>, ErrorBody> {
        self.worker.ask(move |worker| annotations::annotation(worker, &id)).await
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
        self.worker.ask(move |worker| reading::conversation(worker, &session, after)).await
    }

    /// Which of the sessions have messages that no agent has read.
    ///
    /// # Errors
    /// `storage`.
    pub async fn with_unread(&self, sessions: Vec<SessionId>) -> Result<Vec<SessionId>, ErrorBody> {
        self.worker.ask(move |worker| messages::with_unread(worker, sessions)).await
    }
}
