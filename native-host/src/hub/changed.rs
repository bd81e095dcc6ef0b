//! Tells agents that something of their project is not as it was: their clients look at it as resources.

use std::collections::BTreeSet;

use opentoolbar_core::model::{Comment, CommentChange, ContextId, SessionId};
use opentoolbar_core::protocol::{Changed, ChangedKind, Event, Role};

use super::state::{Hub, Peer};
use crate::project::origin_of;

/// The capability of agents that are told.
pub(crate) const HEARS_CHANGES: &str = "changes";

/// What is stored now, or not as it was.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stored<'a> {
    /// It was made or taken away, or is called otherwise.
    Comment(&'a Comment),
    /// There was the same comment before, and it is called the same.
    WithinComment(&'a Comment),
    Selected(&'a ContextId),
    /// In a session, perhaps about a selection: what waits about that is told with it.
    Said {
        session: &'a SessionId,
        about: Option<&'a ContextId>,
        /// The dialog is called by it.
        is_first: bool,
    },
    /// The person waits for no answer any more.
    TakenBack(&'a SessionId),
    /// It came to the project or went: what is selected in it is listed as long as it is there.
    Session(&'a SessionId),
}

impl<'a> Stored<'a> {
    /// A comment that this change was made to. Its number, its words and its page are what it is called by.
    pub(super) fn by(change: &CommentChange, comment: &'a Comment) -> Self {
        match change {
            CommentChange::SetStage { .. }
            | CommentChange::Reply { .. }
            | CommentChange::ReportStates { .. }
            | CommentChange::Repin { .. } => Self::WithinComment(comment),
            CommentChange::Edit { .. }
            | CommentChange::Resolve { .. }
            | CommentChange::Reopen
            | CommentChange::Delete
            | CommentChange::Restore => Self::Comment(comment),
        }
    }

    fn changes(self) -> Vec<Changed> {
        let of = |kind, id: &str| Changed { kind, id: id.to_owned(), number: None, keeps_list: false };
        match self {
            Self::Comment(comment) | Self::WithinComment(comment) => {
                let keeps_list = matches!(self, Self::WithinComment(_));
                let changed = of(ChangedKind::Comment, comment.id.as_str());
                vec![Changed { number: comment.number, keeps_list, ..changed }]
            }
            Self::Selected(id) => vec![of(ChangedKind::Context, id.as_str())],
            Self::Said { session, about, is_first } => {
                let about = about.map(|id| (ChangedKind::Context, id.as_str(), true));
                let session = (ChangedKind::Conversation, session.as_str(), !is_first);
                let all = [session].into_iter().chain(about);
                all.map(|(kind, id, keeps_list)| Changed { keeps_list, ..of(kind, id) }).collect()
            }
            Self::TakenBack(session) | Self::Session(session) => {
                vec![of(ChangedKind::Conversation, session.as_str())]
            }
        }
    }
}

impl Hub {
    /// Tells whoever looks at a project what is stored there now, whatever way it came: the browsers that show pages of
    /// a comment's origin, and the agents that hear of changes.
    pub(super) fn tell_stored(&self, root: &str, stored: Stored<'_>) {
        if let Stored::Comment(comment) | Stored::WithinComment(comment) = stored {
            self.tell_comment(root, comment);
        }
        let hears = |peer: &Peer| {
            peer.hello.role == Role::Agent
                && peer.hello.capabilities.iter().any(|one| one == HEARS_CHANGES)
                && peer.project.as_ref().is_some_and(|project| project.root == root)
        };
        for changed in stored.changes() {
            self.tell(&Event::Changed(changed).into(), hears);
        }
    }

    /// Tells the browsers that show pages of the comment's origin and project, and no one else.
    fn tell_comment(&self, root: &str, comment: &Comment) {
        let origin = origin_of(&comment.url);
        let peers: BTreeSet<u64> = {
            let live = self.live();
            let concerned =
                live.sessions.values().filter(|session| session.origin == origin && session.is_of(root));
            concerned.map(|session| session.peer).collect()
        };
        if !peers.is_empty() {
            let event = Event::CommentChanged { comment: Box::new(comment.clone()) };
            self.tell(&event.into(), |peer| peers.contains(&peer.id));
        }
    }
}
