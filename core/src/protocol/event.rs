use serde::{Deserialize, Serialize};

use crate::model::{Comment, Project, SessionId, Timestamp};

/// A connected agent, as the page may know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct AgentLink {
    /// Name its MCP client gave.
    pub client: String,
    /// Where it works.
    pub project: Project,
    /// Last request from the agent itself (not from its MCP process's keep-alive).
    pub last_seen: Timestamp,
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
        /// Which tab.
        session_id: SessionId,
        /// Its project now.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        project: Option<Project>,
        /// What decided.
        reason: String,
    },
    /// An agent came or left.
    AgentsChanged {
        /// All that are connected now.
        agents: Vec<AgentLink>,
    },
}

/// An event as it stands on the wire.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct EventEnvelope {
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
}
