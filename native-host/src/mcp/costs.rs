//! What each tool costs an agent in every session: tokens of its entry in `tools/list`, by whichever of the tokenizers
//! o200k_base and cl100k_base says more. A test measures it and says what must stand here.

/// By name, sorted.
pub(super) const COSTS: &[(&str, usize)] = &[
    ("check_comment", 350),
    ("copilot_chat_secretary_get_first_request", 252),
    ("copilot_chat_secretary_get_request", 311),
    ("get_conversation_history", 229),
    ("get_screenshot", 174),
    ("get_ui_context", 349),
    ("get_ui_feedback", 544),
    ("list_sessions", 190),
    ("reply_to_comment", 177),
    ("request_annotation", 285),
    ("resolve_comment", 188),
    ("respond_to_browser", 250),
    ("select_session", 157),
    ("update_comment", 211),
    ("update_status", 172),
    ("wait_for_feedback", 222),
];
