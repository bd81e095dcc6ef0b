//! What a person has before them in the panel, as agents are told it: taken when it is asked for, from the live panel.

use serde::{Deserialize, Serialize};

use crate::model::Timestamp;

/// Messages of a conversation that are told: the last ones.
pub const MAX_RECENT: usize = 5;
/// Characters of each of them.
pub const MAX_RECENT_TEXT: usize = 500;
/// Lines of a file that are told: the first ones.
pub const MAX_PREVIEW_LINES: usize = 200;

/// All of it. What is not known is null.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export, rename = "UIContextSnapshot"))]
#[serde(rename_all = "camelCase")]
pub struct UiContextSnapshot {
    /// What the person looks at.
    pub active_view: ActiveView,
    /// The conversation of the page.
    pub conversation: Option<ConversationView>,
    /// The file that is open in the editor.
    pub editor: Option<EditorView>,
    /// The panel's sidebar.
    pub sidebar: SidebarView,
    /// What an agent works on.
    pub agent_task: Option<AgentTaskView>,
    /// File names of the prompt templates.
    pub prompt_templates: Vec<String>,
    /// When it was taken.
    pub timestamp: Timestamp,
}

/// A tab of the panel.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct ActiveView {
    /// Its id in the panel.
    pub tab_id: Option<String>,
    /// Of which kind.
    pub tab_type: Option<TabType>,
    /// As the person reads it.
    pub tab_title: Option<String>,
}

/// The kinds of tabs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "lowercase")]
pub enum TabType {
    /// A conversation.
    Chat,
    /// The comments of a page.
    Group,
    /// What happened.
    Feed,
    /// A template or another file of the project.
    File,
    /// Approvals, sessions and settings.
    Extension,
}

impl TabType {
    /// As it is written.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Chat => "chat",
            Self::Group => "group",
            Self::Feed => "feed",
            Self::File => "file",
            Self::Extension => "extension",
        }
    }
}

/// A conversation, by its end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct ConversationView {
    /// Its id.
    pub id: Option<String>,
    /// As the person reads it.
    pub title: Option<String>,
    /// All of its messages.
    pub message_count: u32,
    /// The last ones, at most [`MAX_RECENT`].
    pub recent_messages: Vec<ViewedMessage>,
    /// The agent that answers there.
    pub personality_id: Option<String>,
}

impl ConversationView {
    /// Keeps of a conversation's messages what is told.
    #[must_use]
    pub fn with_messages(mut self, messages: impl DoubleEndedIterator<Item = ViewedMessage>) -> Self {
        let mut last: Vec<ViewedMessage> = messages.rev().take(MAX_RECENT).collect();
        last.reverse();
        for message in &mut last {
            if let Some((end, _)) = message.content.char_indices().nth(MAX_RECENT_TEXT) {
                message.content.truncate(end);
            }
        }
        self.recent_messages = last;
        self
    }
}

/// One message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct ViewedMessage {
    /// Who said it.
    pub sender: ViewedSender,
    /// Its beginning, at most [`MAX_RECENT_TEXT`] characters.
    pub content: String,
    /// RFC 3339, UTC.
    pub timestamp: String,
}

/// Who said a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "lowercase")]
pub enum ViewedSender {
    /// The person.
    User,
    /// An agent.
    Agent,
}

/// The file in the editor.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct EditorView {
    /// From the project's root.
    pub file_path: String,
    /// As [`language_of`] says.
    pub language: String,
    /// All of its lines, from 1.
    pub line_count: u32,
    /// Something was typed that is not saved.
    pub is_dirty: bool,
    /// Where the person types.
    pub cursor_position: Cursor,
    /// The first [`MAX_PREVIEW_LINES`] lines.
    pub content_preview: String,
    /// What is selected.
    pub selection: Option<String>,
}

/// A place in a file, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Cursor {
    /// From 1.
    pub line: u32,
    /// From 1, in characters.
    pub col: u32,
}

impl Default for Cursor {
    fn default() -> Self {
        Self { line: 1, col: 1 }
    }
}

impl EditorView {
    /// Of a file with this content. An empty selection is none.
    #[must_use]
    pub fn of(file_path: &str, content: &str) -> Self {
        let lines = content.split('\n').count();
        let preview: Vec<&str> = content.split('\n').take(MAX_PREVIEW_LINES).collect();
        Self {
            file_path: file_path.to_owned(),
            language: language_of(file_path).to_owned(),
            line_count: u32::try_from(lines).unwrap_or(u32::MAX),
            content_preview: preview.join("\n"),
            ..Self::default()
        }
    }
}

/// The panel's sidebar.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct SidebarView {
    /// `explorer`, `messages` or `extensions`; null when no panel is open.
    pub active_view: Option<String>,
}

/// What an agent works on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct AgentTaskView {
    /// Of the comment or message.
    pub id: String,
    /// As it said last.
    pub status: String,
    /// Its calls since it began.
    pub step_count: u32,
    /// The call under way.
    pub current_tool: Option<String>,
}

/// In which language a file is written, by its name; `plaintext` where that says nothing.
#[must_use]
pub fn language_of(path: &str) -> &'static str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending).to_ascii_lowercase();
    match ending.as_str() {
        "ts" | "mts" | "cts" => "typescript",
        "tsx" => "typescriptreact",
        "js" | "mjs" | "cjs" => "javascript",
        "jsx" => "javascriptreact",
        "json" | "jsonc" => "json",
        "md" | "markdown" => "markdown",
        "html" | "htm" => "html",
        "css" => "css",
        "scss" => "scss",
        "vue" => "vue",
        "svelte" => "svelte",
        "rs" => "rust",
        "py" => "python",
        "toml" => "toml",
        "yaml" | "yml" => "yaml",
        "sh" => "shellscript",
        _ => "plaintext",
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_fields_are_those_of_the_requirement_and_what_is_not_known_is_null() {
        let json = serde_json::to_string(&UiContextSnapshot::default()).unwrap();
        assert_eq!(
            json,
            "{\"activeView\":{\"tabId\":null,\"tabType\":null,\"tabTitle\":null},\"conversation\":null,\"editor\":null,\
             \"sidebar\":{\"activeView\":null},\"agentTask\":null,\"promptTemplates\":[],\"timestamp\":0}"
        );
        let editor = serde_json::to_string(&EditorView::of("a/b.TS", "one\ntwo\n")).unwrap();
        assert_eq!(
            editor,
            "{\"filePath\":\"a/b.TS\",\"language\":\"typescript\",\"lineCount\":3,\"isDirty\":false,\
             \"cursorPosition\":{\"line\":1,\"col\":1},\"contentPreview\":\"one\\ntwo\\n\",\"selection\":null}"
        );
    }

    #[test]
    fn five_messages_of_five_hundred_characters_and_two_hundred_lines_are_told() {
        let message = |number: usize| ViewedMessage {
            sender: ViewedSender::User,
            content: format!("{number}{}", "ö".repeat(600)),
            timestamp: String::new(),
        };
        let told = ConversationView::default().with_messages((0..7).map(message)).recent_messages;
        assert_eq!(told.len(), MAX_RECENT);
        assert!(told.iter().all(|message| message.content.chars().count() == MAX_RECENT_TEXT));
        assert_eq!(told.iter().map(|one| &one.content[..1]).collect::<String>(), "23456");
        let editor = EditorView::of("x", &"line\n".repeat(10_000));
        assert_eq!((editor.line_count, editor.content_preview.lines().count()), (10_001, MAX_PREVIEW_LINES));
        assert_eq!((EditorView::of("x", "").line_count, language_of("Makefile")), (1, "plaintext"));
    }
}
