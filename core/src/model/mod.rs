//! The words that are stored and sent: comments, sessions, projects, their ids and times.
//!
//! Types here cannot hold invalid values once decoded. They know nothing of SQL, browsers or MCP.

mod apply;
#[cfg(test)]
pub(crate) mod arbitrary;
mod change;
mod comment;
mod flat;
mod id;
pub mod limits;
mod project;
mod session;
mod time;
mod word;

pub use change::{ChangeError, CommentChange};
pub use comment::{
    Addresses, Author, Comment, HistoryEntry, Reply, Resolution, Stage, Status, Target, TargetState,
};
pub use id::{CommentId, IdError, MessageId, ReplyId, SessionId};
pub use limits::{CommentError, Field};
pub use project::Project;
pub use session::Session;
pub use time::Timestamp;
pub use word::UnknownWord;
pub(crate) use word::read_by_word;
