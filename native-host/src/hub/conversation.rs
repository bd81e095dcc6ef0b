//! The live part of the conversation: whose session it is, what agents are doing for it, what they ask the person to
//! point at. What is said is stored elsewhere.

use std::collections::BTreeMap;

use opentoolbar_core::model::{AgentStatus, SessionId};
use opentoolbar_core::protocol::{Activity, ErrorBody, ErrorCode, Event, EventEnvelope, Part};

use super::live::Live;
use super::live_session::{LiveActivity, LiveAnnotation, LiveSession, unknown_session};
use super::state::{Hub, Peer};
use crate::clock::now;
use crate::error::error;

impl Hub {
    /// The session that a browser's message belongs to: the one it names, or a plain client's only one.
    pub(super) fn open_session_of(
        &self,
        peer: &Peer,
        named: Option<SessionId>,
    ) -> Result<SessionId, ErrorBody> {
        let of_plain = peer.plain.as_ref().map(|plain| &plain.session);
        let id = named.or_else(|| of_plain.cloned()).ok_or_else(|| {
            error(
                ErrorCode::UnknownSession,
                "the message names no session",
                "Send it with `sessionId` beside its type.",
            )
        })?;
        let is_own = self.live().sessions.get(&id).is_some_and(|session| session.peer == peer.id);
        match of_plain {
            _ if is_own => Ok(id),
            Some(plain) if *plain == id => Err(error(
                ErrorCode::UnknownSession,
                format!("the session {id} is not open: nothing was selected in it yet"),
                "Send `set_context` first.",
            )),
            _ => Err(unknown_session(&id)),
        }
    }

    /// Something happened in the session.
    pub(super) fn touch(&self, id: &SessionId) {
        let mut live = self.live();
        live.events += 1;
        let active = live.events;
        if let Some(session) = live.sessions.get_mut(id) {
            session.active = active;
            session.session.last_active = session.session.last_active.max(now());
        }
    }

    /// The open sessions of a project, latest active first.
    pub(super) fn sessions_in(&self, root: &str) -> Vec<(SessionId, LiveSession)> {
        let live = self.live();
        let of_project = live.sessions.iter().filter(|(_, session)| session.is_of(root));
        let mut found: Vec<(SessionId, LiveSession)> =
            of_project.map(|(id, session)| (id.clone(), session.clone())).collect();
        found.sort_by_key(|(_, session)| std::cmp::Reverse(session.active));
        found
    }

    /// Tells the browser that has the session open of something in the project of this root. False when none has it
    /// open, or when the tab is on a page of another project by now, whose agents speak there.
    pub(super) fn tell_session(
        &self,
        root: &str,
        session: &SessionId,
        event: Event,
        agent: Option<String>,
        part: Option<Part>,
    ) -> bool {
        let live = self.live();
        let open = live.sessions.get(session).filter(|session| !session.is_of_another(root));
        let Some(owner) = open.map(|session| session.peer) else { return false };
        drop(live);
        self.tell_page(owner, session, event, agent, part);
        true
    }

    fn tell_page(
        &self,
        owner: u64,
        session: &SessionId,
        event: Event,
        agent: Option<String>,
        part: Option<Part>,
    ) {
        let envelope = EventEnvelope { session_id: Some(session.clone()), agent, part, event };
        self.tell(&envelope, |peer| peer.id == owner);
    }

    /// The tab is of the project of this root now, or of none: what agents of others do and ask there ends.
    pub(super) fn end_of_others(&self, session: &SessionId, root: Option<&str>) {
        let (owner, stopped, withdrawn) = {
            let mut live = self.live();
            let Some(open) = live.sessions.get_mut(session) else { return };
            let owner = open.peer;
            let is_others = |of: &str| root != Some(of);
            let (others, own) =
                std::mem::take(&mut open.activities).into_iter().partition(|(_, one)| is_others(&one.root));
            open.activities = own;
            let is_ended =
                |one: &LiveAnnotation| one.session == *session && is_others(&one.root) && one.is_open();
            let withdrawn: Vec<_> =
                live.annotations.iter().filter(|(_, one)| is_ended(one)).map(|(id, _)| id.clone()).collect();
            // Who waits for the person is told that the page is gone.
            live.annotations.retain(|_, one| !is_ended(one));
            (owner, others, withdrawn)
        };
        let stopped: BTreeMap<String, LiveActivity> = stopped;
        for LiveActivity { activity, .. } in stopped.into_values() {
            let idle = Event::StatusUpdate { status: AgentStatus::Idle, detail: None };
            self.tell_page(owner, session, idle, Some(activity.agent), None);
        }
        for annotation_id in withdrawn {
            self.tell_page(owner, session, Event::AnnotationWithdrawn { annotation_id }, None, None);
        }
    }

    /// What an agent is doing for the session now. False when it is not open as one of the agent's project.
    pub(super) fn set_activity(
        &self,
        session: &SessionId,
        peer: &Peer,
        status: AgentStatus,
        detail: Option<String>,
    ) -> bool {
        let agent = peer.agent_name();
        let Some(root) = peer.project.as_ref().map(|project| project.root.clone()) else { return false };
        {
            let mut live = self.live();
            let Live { sessions, lost_pages, .. } = &mut *live;
            // What is said of a page that comes back in a moment is told with it.
            let open = sessions.get_mut(session).or_else(|| lost_pages.session_mut(session));
            let Some(live) = open.filter(|session| session.may_be_of(&root)) else { return false };
            let key = peer.answerer().to_owned();
            let before = if status == AgentStatus::Idle {
                live.activities.remove(&key)
            } else {
                let activity = Activity { status, detail: detail.clone(), agent: agent.clone() };
                live.activities.insert(key, LiveActivity { root: root.clone(), activity })
            };
            let same = match &before {
                None => status == AgentStatus::Idle,
                Some(LiveActivity { activity, .. }) => activity.status == status && activity.detail == detail,
            };
            if same {
                return true;
            }
        }
        self.tell_session(&root, session, Event::StatusUpdate { status, detail }, Some(agent), None)
    }

    /// An agent is gone: it does nothing any more, and nobody waits for what it asked.
    pub(super) fn forget_agent(&self, peer: &Peer) {
        let key = peer.answerer();
        let Some(root) = peer.project.as_ref().map(|project| project.root.as_str()) else { return };
        let (stopped, withdrawn) = {
            let mut live = self.live();
            // The same agent over another connection goes on.
            if live.peers.values().any(|other| other.id != peer.id && other.answerer() == key) {
                return;
            }
            let mut stopped = Vec::new();
            for (id, session) in &mut live.sessions {
                if session.activities.remove(key).is_some() {
                    stopped.push(id.clone());
                }
            }
            live.lost_pages.forget_agent(key);
            let of_agent = live.annotations.iter().filter(|(_, one)| one.answerer == key);
            let withdrawn: Vec<_> = of_agent.map(|(id, one)| (id.clone(), one.session.clone())).collect();
            live.annotations.retain(|_, one| one.answerer != key);
            (stopped, withdrawn)
        };
        for session in stopped {
            let idle = Event::StatusUpdate { status: AgentStatus::Idle, detail: None };
            self.tell_session(root, &session, idle, Some(peer.agent_name()), None);
        }
        for (annotation_id, session) in withdrawn {
            self.tell_session(root, &session, Event::AnnotationWithdrawn { annotation_id }, None, None);
        }
    }
}
