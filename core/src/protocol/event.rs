use serde::{Deserialize, Serialize};

use super::{AgentLink, AnnotationRequest, Part};
use crate::model::{
    AgentStatus, AnnotationId, Comment, ContextId, MessageId, Project, Rule, SessionId, Timestamp,
    Verification,
};

fn is_so() -> bool {
    true
}

/// A kind of thing that an agent's client can look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum ChangedKind {
    /// A comment.
    Comment,
    /// A selection.
    Context,
    /// What was said in a session.
    Conversation,
    /// Anything: what happened meanwhile was not heard. Never told by the hub: whoever was not there takes it so.
    All,
}

/// That something is not as it was: it is other, new, or gone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct Changed {
    /// What it is.
    pub kind: ChangedKind,
    /// The comment's, the selection's or the session's id.
    pub id: String,
    /// A comment's number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub number: Option<u32>,
    /// Whether there are the same things in the project as before, under the same names: only what is in this one
    /// changed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<bool>"))]
    pub keeps_list: bool,
}

impl Changed {
    /// Of whoever did not hear what changed.
    #[must_use]
    pub fn anything() -> Self {
        Self { kind: ChangedKind::All, id: String::new(), number: None, keeps_list: false }
    }
}

/// What the hub tells unasked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(tag = "type", content = "payload", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Event {
    /// A comment was made or changed; sent to every browser with a session on its origin and to no one else.
    CommentChanged {
        /// As it is now.
        comment: Box<Comment>,
    },
    /// A session's project became known or changed.
    SessionChanged {
        /// Id of the tab's session.
        session_id: SessionId,
        /// Its project now.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        project: Option<Project>,
        /// What decided.
        reason: String,
    },
    /// What an agent is doing for the session.
    StatusUpdate {
        /// In one word.
        status: AgentStatus,
        /// In its own words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        detail: Option<String>,
    },
    /// An agent's answer, whole: it replaces what its parts made.
    AgentResponse {
        /// What it is about; absent: what was said before anything was selected.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        context_id: Option<ContextId>,
        /// Markdown.
        message: String,
        /// Whether nothing more comes.
        is_complete: bool,
    },
    /// The next part of an agent's answer.
    AgentResponseChunk {
        /// What it is about; absent: what was said before anything was selected.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        context_id: Option<ContextId>,
        /// Markdown, to be put behind what came before.
        chunk: String,
    },
    /// An agent was handed a message of the person's, or has left without an answer to it.
    MessageRead {
        /// Id of the message.
        message_id: MessageId,
        /// False when every agent that was handed it has left: it waits again.
        #[serde(default = "is_so", skip_serializing_if = "Clone::clone")]
        #[cfg_attr(feature = "typescript", ts(optional, as = "Option<bool>"))]
        is_read: bool,
    },
    /// An agent asks the person to point at something.
    AnnotationRequested(AnnotationRequest),
    /// An annotation request needs no answer any more.
    AnnotationWithdrawn {
        /// Id of the request.
        annotation_id: AnnotationId,
    },
    /// An agent came or left.
    AgentsChanged {
        /// All that are connected now.
        agents: Vec<AgentLink>,
    },
    /// A browser wants to know whether this agent is there: its MCP process asks the agent's program, and answers with
    /// `agent_pong`. Sent to agents with the capability `agent_ping` only.
    AgentPing {
        /// Counts up.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        round: u64,
    },
    /// Source files of a project changed. Sent to browsers with the capability `source_changes` and an open session of
    /// that project, at most once in 300 ms for each project; which files they are, `get_source_changes` says.
    SourceChanged {
        /// Root of the project.
        root: String,
        /// The latest change.
        at: Timestamp,
    },
    /// A verification was asked or decided. Sent to browsers with the capability `verifications`.
    VerificationChanged {
        /// As it stands now.
        verification: Box<Verification>,
    },
    /// A rule was made, was used, or holds no longer. As `verification_changed`.
    RulesChanged {
        /// All that hold, the next to expire first.
        rules: Vec<Rule>,
    },
    /// Something of the agent's project is not as it was, whoever changed it. Sent to agents with the capability
    /// `changes`.
    Changed(Changed),
}

/// An event as it stands on the wire.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct EventEnvelope {
    /// Of which session, for what happens in one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub session_id: Option<SessionId>,
    /// Whose words or doing it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub agent: Option<String>,
    /// Where an answer or a part of one belongs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub part: Option<Part>,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
}

impl From<Event> for EventEnvelope {
    fn from(event: Event) -> Self {
        Self { session_id: None, agent: None, part: None, event }
    }
}
