//! What a person and an agent work on together beside the page: prompt chains, what the panel shows, and how an agent
//! is told of both in one text.
//!
//! Everything that a file, a chat or a page could have written is one line or fenced here. Knows nothing of files,
//! panels or MCP: who asks says what is there.

mod chain;
mod chain_section;
mod context_text;
mod section;
mod snapshot;
mod variables;

pub use chain::{Chain, ChainError, ChainMeta, ChainPrompt, ChainTool, MAX_TEMPLATE, Problem};
pub use chain_section::chain_section;
pub use context_text::{LeftOut, MAX_CONTEXT_TEXT, context_text};
pub use section::ui_context_section;
pub use snapshot::{
    ActiveView, AgentTaskView, ConversationView, Cursor, EditorView, MAX_PREVIEW_LINES, MAX_RECENT,
    MAX_RECENT_TEXT, SidebarView, TabType, UiContextSnapshot, ViewedMessage, ViewedSender, language_of,
};
pub use variables::{fill, variables};
