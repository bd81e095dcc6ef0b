//! Payloads of the live conversation between a page and its agents. Their shapes are a contract with every client.

use serde::{Deserialize, Serialize};

use super::absent::is_zero;
use crate::model::{
    AgentStatus, AnnotationId, Context, ContextId, Message, MessageId, MessageRole, RelatedElement,
    SelectedElement, Selection, SelectionPage, SessionId, Target, Timestamp,
};

/// What was selected, with its pictures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase", from = "FlatSetContext")]
pub struct SetContext {
    /// Chosen by a sender that may have to send again; given by the hub otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub context_id: Option<ContextId>,
    /// The element and what is around it.
    #[serde(flatten)]
    pub selection: Selection,
    /// PNG of the element as base64, at most 8 MiB decoded; empty or absent for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub screenshot: Option<String>,
    /// PNG of the whole viewport as base64, at most 8 MiB decoded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub viewport_screenshot: Option<String>,
}

/// The same as it is read: serde keeps all of a flattened struct in a buffer first, fields that nobody knows too.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FlatSetContext {
    #[serde(default)]
    context_id: Option<ContextId>,
    element: SelectedElement,
    ancestors: Vec<RelatedElement>,
    #[serde(default)]
    children: Option<Vec<RelatedElement>>,
    page: SelectionPage,
    #[serde(default)]
    targets: Vec<Target>,
    #[serde(default)]
    screenshot: Option<String>,
    #[serde(default)]
    viewport_screenshot: Option<String>,
}

impl From<FlatSetContext> for SetContext {
    fn from(flat: FlatSetContext) -> Self {
        let FlatSetContext {
            context_id,
            element,
            ancestors,
            children,
            page,
            targets,
            screenshot,
            viewport_screenshot,
        } = flat;
        let selection = Selection { element, ancestors, children, page, targets };
        Self { context_id, selection, screenshot, viewport_screenshot }
    }
}

/// An open session, as an agent or a verb sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct SessionSummary {
    /// Id of the tab's session.
    pub session_id: SessionId,
    /// For people: `#2` of the project. The same for as long as the tab is open.
    pub number: u32,
    /// Its address.
    pub page_url: String,
    /// Its title.
    pub page_title: String,
    /// Last sign of life.
    pub last_active: Timestamp,
    /// Whether the person said something that no agent has read.
    pub has_unread_message: bool,
    /// Whether the person picked it for the project's agents.
    pub is_selected: bool,
}

/// What an agent is doing for a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Activity {
    /// In one word.
    pub status: AgentStatus,
    /// In its own words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub detail: Option<String>,
    /// Whose.
    pub agent: String,
}

/// An agent's request that the person point at something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct AnnotationRequest {
    /// Id of the request.
    pub annotation_id: AnnotationId,
    /// What to point at, in the agent's words.
    pub message: String,
    /// Who asks.
    pub agent: String,
}

/// How an annotation request ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(tag = "outcome", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum AnnotationOutcome {
    /// The person pointed at something.
    Answered {
        /// At what.
        context_id: ContextId,
        /// And said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        message: Option<String>,
    },
    /// The person does not want to.
    Declined {
        /// Why, in the person's words; with `closed` in ours.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        reason: Option<String>,
        /// The page was closed, or went to another project, before the person did anything.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(feature = "typescript", ts(optional, as = "Option<bool>"))]
        closed: bool,
    },
    /// Nothing happened yet; the request still stands on the page.
    Waiting,
}

/// A session in which something was said.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct ConversationSummary {
    /// The tab's session.
    pub session_id: SessionId,
    /// Messages of the person, without those that were taken back.
    pub requests: u32,
    /// How the first of them begins, at most 1,000 characters. Where that is not all, it ends before a space, as a
    /// secret of which the half is missing would not be known for one; without any space there is nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub first_request: Option<String>,
    /// When the last message of anybody was.
    pub last_active: Timestamp,
}

/// Something that the person asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PersonsRequest {
    /// The words.
    pub text: String,
    /// When.
    pub at: Timestamp,
}

/// What was found by a full-text search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct Hit {
    /// `comment` or `message`.
    pub kind: String,
    /// Id of the comment or the message.
    pub id: String,
    /// The tab, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub session_id: Option<SessionId>,
    /// The words found, with what is around them.
    pub excerpt: String,
    /// When it was said.
    pub at: Timestamp,
    /// Of a message: who said it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub role: Option<MessageRole>,
    /// Of a message: which of the person's in its session it is, or which one it answers; counted from 1 as
    /// `get_requests` does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub request: Option<u32>,
}

/// Where a message's part belongs, beside an event's payload.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct Part {
    /// Of which message.
    pub message_id: MessageId,
    /// Its index among the message's parts, from 0. Another than the next means that something was missed: ask with
    /// `get_conversation`.
    pub index: u32,
    /// The message's position now.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub position: u64,
    /// Of a whole answer: which of the person's messages it answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub answers: Option<Vec<MessageId>>,
}

/// A selection with its pictures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct PicturedContext {
    /// What was selected.
    pub context: Context,
    /// Absolute path of the element's picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub screenshot_path: Option<String>,
    /// Absolute path of the viewport's picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub viewport_screenshot_path: Option<String>,
}

/// The oldest message of a session that waits for an answer, with what it is about; without one the session's latest
/// selection.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct UiContext {
    /// Id of the tab's session.
    pub session_id: SessionId,
    /// The selection that `pending` is about, absent when that was said before anything was selected. Without a message
    /// the one that was asked for, else the latest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub context: Option<Box<Context>>,
    /// Absolute path of the element's picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub screenshot_path: Option<String>,
    /// Absolute path of the viewport's picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub viewport_screenshot_path: Option<String>,
    /// The oldest message that waits for an answer, alone; of those that another agent was handed the last.
    pub pending: Vec<Message>,
    /// How many more wait in the session.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<u32>"))]
    pub waiting: u32,
    /// The session's latest selection, where it is another one than `context`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub selection: Option<Box<PicturedContext>>,
    /// Other open sessions of the project.
    pub others: u32,
    /// How many pending messages could not be read here; they are left out.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<u32>"))]
    pub unreadable: u32,
}
