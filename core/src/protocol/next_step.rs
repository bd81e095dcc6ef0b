//! What an agent can do next, as sentences that name its tools. They stand here and where the tools are, and nowhere
//! else, so that a tool that gets another name is called by it everywhere.

/// After `resolve the comment by its id`.
pub const RESOLVE: &str = "`resolve_comment`, where the opentoolbar MCP server is connected";
/// Where a report has left some out.
pub const READ_WHAT_IS_LEFT_OUT: &str = "Call `get_ui_feedback` with `limit` and `cursor` to read them";
/// Who has more comments than a file is made of.
pub const HAVE_THEM_ALL: &str = "`get_ui_feedback` and `opentoolbar export` have them all";
/// The selection that was named is not one of the session.
pub const ASK_FOR_THE_SELECTION: &str =
    "Ask with `get_ui_context` for the session's selection and use its `contextId`.";
/// The answer is complete, and another part of it came.
pub const WAIT_FOR_WORDS: &str =
    "Wait for the person's next message (wait_for_feedback), or say one thing more with `isComplete: true`.";
/// The message that was named is not one of the history.
pub const TAKE_AN_ID_OF_THE_HISTORY: &str =
    "Take the id from `get_conversation_history`; what the person took back is in no history.";
/// What an agent is doing takes more letters than it may.
pub const SAY_IT_SHORTER: &str = "Say it shorter; an answer's words go into respond_to_browser.";
/// Nobody can be asked to point at something.
pub const ASK_IN_WORDS: &str = "Ask in words with respond_to_browser, then wait_for_feedback.";
/// No page is open as the session that was named.
pub const SEE_WHICH_PAGES_ARE_OPEN: &str = "`list_sessions` and `opentoolbar ui list` show which are; without a `sessionId` the latest active one is meant.";

/// Another agent works on the comment.
#[must_use]
pub fn take_another_comment(other: &str) -> String {
    format!(
        "Take another comment; what {other} should know can be added to this one's thread with reply_to_comment. It is \
         free again when {other} sets another stage or disconnects."
    )
}
