//! The words that are stored and sent: comments, sessions, projects, their ids and times.
//!
//! Types here cannot hold invalid values once decoded. They know nothing of SQL, browsers or MCP.

mod comment;
mod id;
mod project;
mod session;
mod time;

pub use comment::{
    Author, Comment, CommentChange, HistoryEntry, Reply, Resolution, Stage, Status, Target, TargetState,
};
pub use id::{CommentId, IdError, MessageId, ReplyId, SessionId};
pub use project::Project;
pub use session::Session;
pub use time::Timestamp;
