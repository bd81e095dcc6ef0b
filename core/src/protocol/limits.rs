//! Every number that says how much a request, an answer's list or an agent's words may be. How much a comment may hold:
//! `model::limits`.

use crate::model::{MAX_MESSAGE_TEXT, limits};

/// Longest wait for news, in milliseconds.
pub const MAX_WAIT_MS: u32 = 45_000;
/// Most comments in one `feedback` answer.
pub const MAX_FEEDBACK: u32 = 200;
/// Longest screenshot as base64, in bytes: 8 MiB decoded.
pub const MAX_SCREENSHOT: usize = (8 * 1024 * 1024_usize).div_ceil(3) * 4;
/// Longest name, version and list of capabilities of a speaker, in bytes.
pub(super) const MAX_HELLO: usize = 1_000;
/// Longest search, and longest wish of an annotation request, in bytes.
pub(super) const MAX_QUERY: usize = 1_000;
pub(super) const MAX_ANNOTATION: usize = 4_000;
/// Most messages in one `handed_over`.
pub(super) const MAX_HANDED: usize = 200;
/// Longest word in one `find_in_source`, in bytes.
pub(super) const MAX_WORD: usize = 160;
/// Most files in one `get_source_changes`, and most queries in one `find_in_source`.
pub(super) const MAX_FILES: usize = 100;
/// Most comments in one `import_comments`.
pub const MAX_IMPORT: usize = 10_000;
/// How many messages a history has, when nobody says how many.
pub const DEFAULT_HISTORY: u32 = 20;
/// Most messages in one history, and most hits of a search.
pub const MAX_HISTORY_LIMIT: u32 = 200;

/// What an agent may say through a tool, in characters. Less than what is stored: a person reads it beside the element,
/// and people and imported files may say more.
pub mod of_agents {
    /// A reply in a thread, and a note with a stage.
    pub const MAX_REPLY: usize = 4_000;
    /// The summary of a resolution.
    pub const MAX_SUMMARY: usize = 2_000;
    /// An answer in the chat, or a part of one.
    pub const MAX_ANSWER: usize = 100_000;
    /// What the person is asked to point at.
    pub const MAX_WISH: usize = 1_000;
    /// Longest wait for the person, in seconds: some clients cut a call at 60 s.
    pub const MAX_WAIT_SECONDS: u32 = super::MAX_WAIT_MS / 1_000;
}

// What an agent may say is taken by the hub and can be stored, whatever characters it is of.
const _: () = {
    let longest = 4; // bytes of a character
    assert!(of_agents::MAX_REPLY <= limits::MAX_TEXT);
    assert!(of_agents::MAX_SUMMARY <= limits::MAX_SUMMARY);
    assert!(of_agents::MAX_ANSWER * longest <= MAX_MESSAGE_TEXT);
    assert!(of_agents::MAX_WISH * longest <= MAX_ANNOTATION);
};
