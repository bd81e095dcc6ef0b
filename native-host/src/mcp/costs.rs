//! What opentoolbar costs an agent, in tokens by whichever of the tokenizers o200k_base and cl100k_base says more.
//! Tests measure it and say what must stand here.

use super::view::Detail;

/// Of a comment in an answer, by level: the mean of twenty with a path of ten tokens and twelve tokens of words.
pub(super) const LEVELS: &[(Detail, usize)] =
    &[(Detail::Brief, 36), (Detail::Standard, 104), (Detail::Full, 194)];

/// Of each tool's entry in `tools/list`, in every session. By name, sorted.
pub(super) const COSTS: &[(&str, usize)] = &[
    ("check_comment", 350),
    ("copilot_chat_secretary_get_first_request", 259),
    ("copilot_chat_secretary_get_request", 329),
    ("get_conversation_history", 229),
    ("get_screenshot", 174),
    ("get_ui_context", 349),
    ("get_ui_feedback", 546),
    ("get_verification", 224),
    ("list_dialogs", 291),
    ("list_sessions", 190),
    ("reply_to_comment", 177),
    ("request_annotation", 285),
    ("request_verification", 302),
    ("resolve_comment", 188),
    ("respond_to_browser", 250),
    ("search_dialogs", 307),
    ("select_session", 157),
    ("update_comment", 211),
    ("update_status", 172),
    ("wait_for_feedback", 222),
];
