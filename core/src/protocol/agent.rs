use serde::{Deserialize, Serialize};

use crate::model::{CommentId, Project, Timestamp};

/// How an agent stood in the last round trip to it. An open connection says nothing: a process that hangs keeps its
/// own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Presence {
    /// The agent's own program answered.
    Answers,
    /// Its MCP server answered; its program has answered no question so far.
    ServerAnswers,
    /// Its MCP server answered; its program speaks a revision of MCP in which servers ask nothing.
    TakesNoQuestion,
    /// Its MCP server answered, and its program did not in time.
    ServerAlone,
    /// Nothing answered in time.
    Silent,
    /// Not asked yet, of a version that cannot be asked, or in a word that this version does not know.
    #[default]
    #[serde(other)]
    Unknown,
}

/// That a connected agent works on a comment: it has set its stage to in progress.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct Claim {
    /// Id of the comment.
    pub comment_id: CommentId,
    /// The agent's name, as in `AgentLink`.
    pub agent: String,
    /// Whether it is the one that asks.
    pub is_yours: bool,
}

/// A connected agent, as the page may know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct AgentLink {
    /// Name its MCP client gave; with a number when another agent of this name works in the project: `codex 1.2 (2)`.
    pub client: String,
    /// Where it works.
    pub project: Project,
    /// Last request from the agent itself (not from its MCP process's keep-alive).
    pub last_seen: Timestamp,
    /// Of the last round trip to it.
    #[serde(default)]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Presence>", optional))]
    pub presence: Presence,
    /// Whether it waits for what the person says or writes, right now.
    #[serde(default)]
    #[cfg_attr(feature = "typescript", ts(as = "Option<bool>", optional))]
    pub is_waiting: bool,
    /// Whether it has asked for nothing since it connected.
    #[serde(default)]
    #[cfg_attr(feature = "typescript", ts(as = "Option<bool>", optional))]
    pub is_new: bool,
    /// Of its MCP server.
    #[serde(default)]
    #[cfg_attr(feature = "typescript", ts(as = "Option<String>", optional))]
    pub version: String,
}
