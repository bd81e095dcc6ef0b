//! An open tab as the hub knows it, with what agents are doing for it and what they ask its person to point at.

use std::collections::BTreeMap;
use std::path::PathBuf;

use opentoolbar_core::model::{Project, Session, SessionId};
use opentoolbar_core::protocol::{
    Activity, AnnotationOutcome, AnnotationRequest, ErrorBody, ErrorCode, next_step,
};
use tokio::sync::watch;

use crate::error::error;
use crate::project::Placement;

/// A tab that a browser told us of.
#[derive(Clone, Debug)]
pub(super) struct LiveSession {
    pub(super) peer: u64,
    pub(super) session: Session,
    pub(super) origin: String,
    /// Loopback port of the page with name and directory of the process that serves it.
    pub(super) port: Option<(u16, String, PathBuf)>,
    /// None until first looked at.
    pub(super) placement: Option<Placement>,
    /// Counts the pages that were opened: of which one this is.
    pub(super) page: u64,
    /// The root of the project that the tab had on the page before, when that was of the same origin.
    pub(super) held: Option<String>,
    /// When something last happened in it, as [`super::live::Live::events`] counts.
    pub(super) active: u64,
    /// `#2` of its project, for people; 0 while it has none.
    pub(super) number: u32,
    /// What agents are doing for it, by [`super::peer::Peer::answerer`].
    pub(super) activities: BTreeMap<String, LiveActivity>,
}

impl LiveSession {
    pub(super) fn project(&self) -> Option<&Project> {
        self.placement.as_ref()?.project.as_ref()
    }

    /// Whether it is known to be of the project of this root.
    pub(super) fn is_of(&self, root: &str) -> bool {
        self.project().is_some_and(|project| project.root == root)
    }

    /// The root of the project that it stays in as long as nothing but agents come and go.
    pub(super) fn stays(&self) -> Option<String> {
        self.project().map(|project| project.root.clone()).or_else(|| self.held.clone())
    }

    /// Whether it is known to be of another project than that of this root.
    pub(super) fn is_of_another(&self, root: &str) -> bool {
        self.project().is_some_and(|project| project.root != root)
    }

    /// Whether it is of the project of this root, as far as it was looked at.
    pub(super) fn may_be_of(&self, root: &str) -> bool {
        self.placement.is_none() || self.is_of(root)
    }

    /// What agents of the project of this root are doing for it.
    pub(super) fn activities_in(&self, root: &str) -> Vec<Activity> {
        let own = self.activities.values().filter(|one| one.root == root);
        own.map(|one| one.activity.clone()).collect()
    }

    /// Where the program runs that serves its page, when it is on this machine.
    pub(super) fn served_from(&self) -> Option<PathBuf> {
        self.port.as_ref().map(|(_, _, directory)| directory.clone())
    }
}

/// An agent's request that the person point at something.
#[derive(Debug)]
pub(super) struct LiveAnnotation {
    pub(super) session: SessionId,
    /// Whose, as [`super::peer::Peer::answerer`] says.
    pub(super) answerer: String,
    /// Root of the agent's project.
    pub(super) root: String,
    pub(super) request: AnnotationRequest,
    pub(super) outcome: watch::Sender<AnnotationOutcome>,
}

impl LiveAnnotation {
    /// Whether the person has done nothing about it yet.
    pub(super) fn is_open(&self) -> bool {
        *self.outcome.borrow() == AnnotationOutcome::Waiting
    }
}

/// What an agent is doing for a session.
#[derive(Clone, Debug)]
pub(super) struct LiveActivity {
    /// Root of the agent's project.
    pub(super) root: String,
    pub(super) activity: Activity,
}

/// For agents and verbs, which open no tabs.
pub(super) fn no_such_page(id: &SessionId) -> ErrorBody {
    error(
        ErrorCode::UnknownSession,
        format!("no page of this project is open as {id}"),
        next_step::SEE_WHICH_PAGES_ARE_OPEN,
    )
}

/// For requests that only an open tab can make.
pub(super) fn unknown_session(id: &SessionId) -> ErrorBody {
    error(
        ErrorCode::UnknownSession,
        format!("the session {id} is not open on this connection"),
        "Send `open_session` for the tab first.",
    )
}
