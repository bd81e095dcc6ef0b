//! The words that are stored and sent: comments, sessions, contexts, messages, projects, their ids and times.
//!
//! Types here cannot hold invalid values once decoded. They know nothing of SQL, browsers or MCP.

mod apply;
#[cfg(test)]
pub(crate) mod arbitrary;
mod author;
mod cause;
mod change;
mod comment;
mod comment_ref;
mod context;
mod flat;
mod id;
mod imported;
pub mod limits;
mod merge;
mod message;
mod project;
mod redacted;
mod session;
mod step;
mod time;
mod verdict;
mod verification;
mod word;

pub use author::Author;
pub use cause::{Cause, MAX_VALUE, MAX_VALUES, MAX_VARIED, Varied};
pub use change::{ChangeError, CommentChange};
pub use comment::{Addresses, Comment, HistoryEntry, Reply, Resolution, Stage, Status, Target, TargetState};
pub use comment_ref::CommentRef;
pub use context::{
    BoundingBox, Context, MAX_ATTRIBUTES, MAX_RELATED, MAX_SELECTION, RelatedElement, SelectedElement,
    Selection, SelectionPage,
};
pub use id::{
    AnnotationId, CommentId, ContextId, IdError, MessageId, ReplyId, RuleId, SessionId, VerificationId,
};
pub use limits::{CommentError, Field};
pub use message::{AgentStatus, MAX_DETAIL, MAX_MESSAGE_TEXT, Message, MessageRole, check_message};
pub use project::Project;
pub use session::Session;
pub use time::Timestamp;
pub use verdict::{FieldChange, VerdictKind, outdates};
pub use verification::{
    AskingProcess, DEFAULT_VERIFICATION_SECONDS, Decided, DecidedBy, DecidedIn, MAX_ACTION,
    MAX_ACTION_CONTEXT, MAX_ACTION_REASON, MAX_NOTE, RULE_HOURS, Rule, VERIFICATION_SECONDS, Verification,
    VerificationStatus, check_action, check_note,
};
pub use word::UnknownWord;
pub(crate) use word::read_by_word;
