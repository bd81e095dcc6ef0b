//! The tools, one file each, declared in one table. A tool decodes its arguments, asks the hub and says how it ended;
//! how that stands on the wire is not its business.

mod check_comment;
mod copilot_chat_secretary_get_first_request;
mod copilot_chat_secretary_get_request;
mod get_conversation_history;
mod get_screenshot;
mod get_ui_context;
mod get_ui_feedback;
mod get_verification;
mod list_dialogs;
mod list_sessions;
mod reply_to_comment;
mod request_annotation;
mod request_verification;
mod resolve_comment;
mod respond_to_browser;
mod search_dialogs;
mod select_session;
mod update_comment;
mod update_status;
mod wait_for_feedback;

use super::declared::Declared;

// Those that tell resources and prompts.
pub(super) use get_screenshot::TOOL as GET_SCREENSHOT;
pub(super) use get_ui_context::TOOL as GET_UI_CONTEXT;
pub(super) use get_ui_feedback::TOOL as GET_UI_FEEDBACK;

/// Every tool, sorted by name.
pub(super) const TABLE: &[&Declared] = &[
    &check_comment::TOOL,
    &copilot_chat_secretary_get_first_request::TOOL,
    &copilot_chat_secretary_get_request::TOOL,
    &get_conversation_history::TOOL,
    &get_screenshot::TOOL,
    &get_ui_context::TOOL,
    &get_ui_feedback::TOOL,
    &get_verification::TOOL,
    &list_dialogs::TOOL,
    &list_sessions::TOOL,
    &reply_to_comment::TOOL,
    &request_annotation::TOOL,
    &request_verification::TOOL,
    &resolve_comment::TOOL,
    &respond_to_browser::TOOL,
    &search_dialogs::TOOL,
    &select_session::TOOL,
    &update_comment::TOOL,
    &update_status::TOOL,
    &wait_for_feedback::TOOL,
];

/// The tool of that name.
pub(super) fn find(name: &str) -> Option<&'static Declared> {
    TABLE.iter().copied().find(|tool| tool.name == name)
}
