use serde::{Deserialize, Serialize};

use super::{Presence, RuleWish, SetContext, SourceQuery};
use crate::model::{
    AgentStatus, AnnotationId, Comment, CommentChange, CommentId, ContextId, MessageId, RuleId, Session,
    SessionId, Timestamp, VerificationId,
};

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// A browser extension; its changes are a person's.
    Browser,
    /// An MCP server process; its changes are an agent's.
    Agent,
    /// A verb of the command line.
    Cli,
}

/// The first message of every connection, both ways.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct Hello {
    /// `PROTOCOL_VERSION` of the speaker.
    pub protocol: u32,
    /// Product version, for people.
    pub version: String,
    /// Who speaks.
    pub role: Role,
    /// Name for people: `Chromium 156`, `claude-code 2.1`.
    pub client: String,
    /// Absolute working directory of an agent or a verb.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub cwd: Option<String>,
    /// Random, the same for as long as the speaker lives: tells two agents of one name apart, and a browser that
    /// connects again from another browser.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub instance: Option<String>,
    /// When an agent itself last asked for something, of whichever hub; absent when it never did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub last_asked: Option<Timestamp>,
    /// What the speaker can do beyond the protocol's version: `chunks`.
    #[serde(default)]
    pub capabilities: Vec<String>,
}

/// Which comments by status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum StatusFilter {
    /// Active and outdated: everything that waits for work.
    #[default]
    Unresolved,
    /// Only active.
    Active,
    /// Only outdated.
    Outdated,
    /// Only resolved.
    Resolved,
    /// Every one, resolved too.
    All,
}

/// Which comments an agent asks for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct FeedbackQuery {
    /// Exact path: `/about`.
    #[serde(default)]
    pub pathname: Option<String>,
    /// Whole address, or its beginning.
    #[serde(default)]
    pub url: Option<String>,
    /// One tab.
    #[serde(default)]
    pub session_id: Option<SessionId>,
    /// One comment.
    #[serde(default)]
    pub comment_id: Option<CommentId>,
    /// One comment, by its number in the project.
    #[serde(default)]
    pub number: Option<u32>,
    /// By status.
    #[serde(default)]
    pub status: StatusFilter,
    /// At most this many, 1 to 200.
    #[serde(default)]
    pub limit: Option<u32>,
    /// Where the last answer ended, as it said.
    #[serde(default)]
    pub cursor: Option<String>,
}

/// What news are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum NewsOf {
    /// Comments on elements.
    Comments,
    /// What is said in the chat.
    Messages,
}

/// What is completed while a person types it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Completed {
    /// Numbers of comments, then their ids.
    Comment,
    /// Paths of pages with comments.
    Pathname,
    /// Ids of the latest selections of open tabs.
    Context,
    /// Ids of sessions in which something was said, the latest first.
    Conversation,
}

/// What an agent waits for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct NewsQuery {
    /// `position` of the last `news` or `feedback` answer; absent: from now on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    pub after: Option<u64>,
    /// What no agent was handed is told wherever it stands, but for what is not behind this position: for an agent that
    /// hands over nothing and was told what is before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    pub unread_after: Option<u64>,
    /// Only these; absent: both.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub only: Option<NewsOf>,
    /// At most 45,000.
    pub timeout_ms: u32,
}

/// What is asked of the hub.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(tag = "type", content = "payload", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Request {
    /// First of all. Answered by `hello`.
    Hello(Hello),
    /// A tab appeared, or went to another address. Answered by `session`.
    OpenSession(Session),
    /// A tab is gone. Answered by `done`.
    CloseSession {
        /// Id of the session to close.
        session_id: SessionId,
    },
    /// All comments on the session's origin in its project, deleted ones too. Answered by `comments`.
    ListComments {
        /// Id of the session that asks.
        session_id: SessionId,
    },
    /// Store a new comment, or nothing if its id is known. Answered by `comment`.
    CreateComment {
        /// The tab it was made in.
        session_id: SessionId,
        /// The whole comment.
        comment: Box<Comment>,
        /// PNG as base64, at most 8 MiB decoded.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        screenshot: Option<String>,
    },
    /// Change a comment. Answered by `comment` as it is now.
    ChangeComment {
        /// Id of the comment to change.
        comment_id: CommentId,
        /// What to change.
        change: CommentChange,
        /// When the person or the agent did it.
        at: Timestamp,
    },
    /// Merge comments from an export into the session's project, by id. Answered by `imported`.
    ImportComments {
        /// Into which session's project.
        session_id: SessionId,
        /// Already validated by `prompt::import_json`.
        comments: Vec<Comment>,
    },
    /// Projects that the hub knows. Answered by `projects`.
    ListProjects,
    /// The person's choice for an origin. Answered by `done`; sessions of that origin get `session_changed`.
    SetOriginProject {
        /// `http://localhost:5173`.
        origin: String,
        /// Absolute path.
        root: String,
    },
    /// A round trip to the hub. A browser's goes on to every agent that can be asked and back. Answered by `pong`.
    Ping,
    /// Answers `agent_ping`. Answered by `done`.
    AgentPong {
        /// Of the question.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        round: u64,
        /// What the agent's program did.
        presence: Presence,
    },
    /// The person selected something in the session. Answered by `context_stored`.
    SetContext(Box<SetContext>),
    /// The person says something in the session. Answered by `message_stored` when it has an id.
    UserMessage {
        /// What it is about; absent: what was selected last in the session by then, if anything was.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        context_id: Option<ContextId>,
        /// The words.
        message: String,
    },
    /// Messages of the session that changed after a position, oldest first. Answered by `conversation`.
    GetConversation {
        /// `position` of the last `conversation` or part that was heard; absent: the latest messages.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
        after: Option<u64>,
    },
    /// The person no longer waits for an answer: what no agent has answered is taken back, read or not, and is told to
    /// none any more. Answered by `done`.
    StopWaiting,
    /// What the person did about an annotation request: it is told to the agent, also by a later hub. Answered by
    /// `done`.
    AnswerAnnotation {
        /// Id of the request that is answered.
        annotation_id: AnnotationId,
        /// The selection that answers it; absent: declined.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        context_id: Option<ContextId>,
        /// The person's words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        message: Option<String>,
    },
    /// The oldest message of the session that waits, with its selection, else the latest selection. Without a session
    /// that of `contextId`, else the picked or the latest active one of the agent's project. Answered by `ui_context`.
    GetUiContext {
        /// Id of the tab's session.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        session_id: Option<SessionId>,
        /// Only this selection, and what waits about it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        context_id: Option<ContextId>,
    },
    /// An agent's process has handed these messages to its agent, each of them whole: they count as read, and what the
    /// agent answers is an answer to them. For agents with the capability `handed_over`; for others what the hub sends
    /// counts as handed over. Answered by `done`.
    HandedOver {
        /// Ids of the person's messages, at most 200.
        message_ids: Vec<MessageId>,
    },
    /// Open sessions of the project, latest active first. Answered by `sessions`.
    ListSessions,
    /// Sessions of the project in which something was said, open or not, the latest first. Answered by
    /// `conversations`.
    ListConversations {
        /// At most this many, 1 to 200.
        limit: u32,
        /// Only those whose last message is no later.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        until: Option<Timestamp>,
        /// Of those whose last message is of that very moment, only the ones whose ids come after this one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        behind: Option<SessionId>,
    },
    /// What the person asked in a session, in order, without what was taken back. Answered by `requests`.
    GetRequests {
        /// Id of the tab's session; absent: the one in which the person said something last.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        session_id: Option<SessionId>,
        /// From this one on, counted from 1.
        first: u32,
        /// At most this many, 1 to 200.
        limit: u32,
    },
    /// What the id of something in the project may be that begins so, at most 100. Answered by `completions`.
    Complete {
        /// Of what.
        of: Completed,
        /// The beginning of the names that are wanted.
        prefix: String,
    },
    /// Pick the session that is meant when none is named: an agent for itself, a verb for the project. Without one the
    /// latest active one is meant again. Answered by `sessions`.
    SelectSession {
        /// Id of the tab's session.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        session_id: Option<SessionId>,
    },
    /// An agent answers in the session. Answered by `message_stored`.
    RespondToBrowser {
        /// Id of the tab's session.
        session_id: SessionId,
        /// What it is about; absent: what was said before anything was selected.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        context_id: Option<ContextId>,
        /// Markdown: the next part while not complete; when complete, the last part, or without an index the whole,
        /// which is what begins with all parts before.
        message: String,
        /// Whether nothing more comes.
        is_complete: bool,
        /// Which part this is, from 0; refused when it is not the next. With it the message is always a part.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        index: Option<u32>,
        /// Messages of which the agent was told a part alone: those are not answered, nor is anything else in their
        /// sessions that it was not handed. At most 200.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Vec<MessageId>>"))]
        told_in_part: Vec<MessageId>,
    },
    /// An agent says what it is doing. Answered by `done`.
    UpdateStatus {
        /// Id of the tab's session.
        session_id: SessionId,
        /// In one word.
        status: AgentStatus,
        /// In its own words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        detail: Option<String>,
    },
    /// The last messages of a session, oldest first; what was taken back is not among them. Answered by `conversation`.
    GetConversationHistory {
        /// Id of the tab's session.
        session_id: SessionId,
        /// At most this many, 1 to 200; 20 when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        limit: Option<u32>,
        /// Only those before this one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        before: Option<MessageId>,
        /// This one alone.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        message_id: Option<MessageId>,
    },
    /// An agent asks the person to point at something, or asks again how that stands. Answered by `annotation`.
    RequestAnnotation {
        /// Id of the tab's session; absent: as for `get_ui_context`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        session_id: Option<SessionId>,
        /// Id of the request; chosen by the agent's side, so that asking again does not ask twice.
        annotation_id: AnnotationId,
        /// What to point at.
        message: String,
        /// At most 45,000.
        timeout_ms: u32,
    },
    /// An agent asks whether it may do something, and waits for the person's decision. Asked again in the same words
    /// while that waits, it is the same. Answered by `verification`.
    RequestVerification {
        /// What it would do, at most 1,000 characters.
        action: String,
        /// Why, at most 4,000 characters.
        reason: String,
        /// What else there is to know, at most 16 KiB.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        context: Option<String>,
        /// After how many seconds it is rejected by itself, 5 to 86,400; 300 when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        timeout_seconds: Option<u32>,
        /// How long the answer waits for the decision, at most 45,000.
        timeout_ms: u32,
        /// The process for which the hub's own process speaks; said by any other it counts for nothing.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        process: Option<u32>,
    },
    /// How a verification stands: an agent's, of its own project. Answered by `verification`.
    GetVerification {
        /// Its id.
        verification_id: VerificationId,
        /// How long the answer waits for the decision, at most 45,000.
        timeout_ms: u32,
    },
    /// An agent takes back what it asked and nobody has decided. Answered by `verification`.
    WithdrawVerification {
        /// Its id.
        verification_id: VerificationId,
    },
    /// What waits for the person's decision in any project, what was decided last, and the rules that hold. Answered by
    /// `verifications`.
    ListVerifications,
    /// The person decides. Refused from a connection that a program opened over the gateway. Answered by
    /// `verification`.
    DecideVerification {
        /// Its id.
        verification_id: VerificationId,
        /// What the person saw: the verification's `hash`.
        hash: String,
        /// Yes or no.
        approve: bool,
        /// To the agent, at most 2,000 characters.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        note: Option<String>,
        /// With a yes: allow it from now on, without asking.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        rule: Option<RuleWish>,
    },
    /// A rule holds no longer. As for `decide_verification`. Answered by `verifications`.
    StopRule {
        /// Its id.
        rule_id: RuleId,
    },
    /// Full-text search over comments and messages of the project, best first. Answered by `found`.
    Search {
        /// Words; all must be there.
        query: String,
        /// At most this many, 1 to 200.
        limit: u32,
    },
    /// Messages of the project with these words, the newest first. Answered by `found`.
    SearchMessages {
        /// Words; all must be there.
        query: String,
        /// At most this many, 1 to 200.
        limit: u32,
        /// Only those before this place: `last` of the answer before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
        before: Option<u64>,
    },
    /// Comments of the agent's project (by its `cwd`). Answered by `feedback`.
    GetFeedback(FeedbackQuery),
    /// One comment. Answered by `comment`.
    GetComment {
        /// Id of the comment.
        comment_id: CommentId,
    },
    /// Wait until a person changes or says something in the agent's project. Answered by `news`.
    WaitForFeedback(NewsQuery),
    /// Whoever waits does not wait any more: a wait of this connection is answered with nothing. Answered by `done`.
    EndWait {
        /// Id of the `wait_for_feedback`.
        message_id: MessageId,
    },
    /// The screenshot of a comment. Answered by `screenshot`.
    GetScreenshot {
        /// Id of the comment.
        comment_id: CommentId,
    },
    /// What is kept of which project, and what is offered. Answered by `stored`.
    ListStored,
    /// What is offered to the project of a tab. Answered by `offers`.
    ListOffers {
        /// Id of the tab's session.
        session_id: SessionId,
    },
    /// When files of the session's project changed: names and times alone are looked at, and ignored files say nothing.
    /// Only an open session of the same connection may be named. Answered by `source_changes`.
    GetSourceChanges {
        /// Id of the tab's session.
        session_id: SessionId,
        /// Changes until then, in milliseconds since 1970, are not told.
        since: Timestamp,
        /// Files as a page names them, at most 100 of at most 8,192 bytes: `/src/pages/Shop.tsx`, `src/Shop.tsx:12:3`,
        /// or an absolute path.
        files: Vec<String>,
    },
    /// Whether words stand literally in source files of the session's project: in what changed since a moment, or in
    /// one file. Only open sessions of the same connection may be named. Answered by `found_in_source`.
    FindInSource {
        /// Id of the tab's session.
        session_id: SessionId,
        /// At most 100.
        queries: Vec<SourceQuery>,
    },
    /// The person takes what is offered to a project, or does not want it; either way it is not offered again. Answered
    /// by `offer_answered`.
    AnswerOffer {
        /// The project's directory.
        root: String,
        /// Id of the offer.
        offer_id: String,
        /// Whether the person takes it.
        accept: bool,
    },
    /// Give what is kept of one project to another, of which nothing is kept. Answered by `offer_answered`.
    MoveStored {
        /// Id of what is kept.
        id: String,
        /// Absolute path of the other project's directory.
        to: String,
    },
    /// Delete what is kept of a project, for good. Answered by `done`.
    DeleteStored {
        /// Id of what is kept.
        id: String,
    },
    /// Comments of any project by what is kept of it, also of one whose directory is gone. Answered by `feedback`.
    ExportStored {
        /// Id of what is kept.
        id: String,
        /// `nextCursor` of the answer before; absent: from the beginning.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        cursor: Option<String>,
    },
    /// State of the hub for `opentoolbar status`. Answered by `status`.
    Status,
    /// Open the gateway for as long as this connection lasts, or tell where it is open. Answered by `gateway`.
    OpenGateway {
        /// TCP port on 127.0.0.1, 0 for any that is free; absent: the one of the settings.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        port: Option<u16>,
    },
    /// What an agent needs that comes over HTTP, as a file for the person to keep. Answered by `gateway_config`.
    GetGatewayConfig,
    /// A code with which one browser gets a token of its own for the gateway. Answered by `pairing`.
    BeginPairing,
    /// Every paired browser must pair again; those that are connected are closed. Answered by `done`.
    EndPairings,
    /// Leave as soon as every connection is closed. Answered by `done`.
    Shutdown,
}

/// A request as it stands on the wire.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct RequestEnvelope {
    /// Chosen by the sender. A request with an id that was applied before is answered again, not applied again. Only
    /// messages of the conversation may come without one; then an answer has no `replyTo`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub id: Option<MessageId>,
    /// Which session a message of the conversation belongs to, on a connection that carries several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub session_id: Option<SessionId>,
    /// What is asked.
    #[serde(flatten)]
    pub request: Request,
}
