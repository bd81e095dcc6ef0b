use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::absent::is_zero;
use super::{
    Activity, AgentLink, AnnotationOutcome, AnnotationRequest, Chunk, Claim, ConversationSummary,
    CopyProblem, EventEnvelope, Hello, Hit, Offer, PersonsRequest, SessionSummary, StoredProject, UiContext,
    UnplacedSummary, UnreadableProject,
};
use crate::anchor::FoundIn;
use crate::model::{
    AnnotationId, Comment, Context, ContextId, Message, MessageId, Project, Rule, Session, SessionId,
    Timestamp, Verification,
};

/// The open gateway, as `opentoolbar status` tells it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct GatewayStatus {
    /// `127.0.0.1:7847`.
    pub address: String,
    /// How many clients are connected over it now.
    pub connected: u32,
    /// What the person should know of its ports and settings, a sentence each; none from a hub of before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Vec<String>>"))]
    pub warnings: Vec<String>,
}

/// What went wrong, for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// The message is not one of the protocol, or a value in it is out of range.
    BadRequest,
    /// The other half speaks a protocol this one cannot.
    Incompatible,
    /// No such comment.
    UnknownComment,
    /// No such session.
    UnknownSession,
    /// No such selection in this session.
    UnknownContext,
    /// No such verification or rule.
    UnknownVerification,
    /// Too many messages in too short a time.
    RateLimited,
    /// The session's project is not known yet; the message waits in the sender's outbox.
    NoProject,
    /// The change does not fit the comment's state: resolved twice, edited elsewhere meanwhile.
    Conflict,
    /// The project cannot be written: read-only, disk full, deleted.
    Storage,
    /// Bigger than allowed.
    TooLarge,
    /// Not allowed for this role.
    Forbidden,
    /// A defect.
    Internal,
}

/// A failure: what, why, and what to do next.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
#[error("{message}. {next_step}")]
pub struct ErrorBody {
    /// For programs.
    pub code: ErrorCode,
    /// What happened, a sentence without its full stop.
    pub message: String,
    /// What to do next, a sentence.
    pub next_step: String,
}

/// Counts over everything a query covers, whatever its limit. The parts tell what another status would select.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct FeedbackSummary {
    /// What the query selects, its status included.
    pub total: u32,
    /// Active, whatever status is asked for.
    pub active: u32,
    /// Outdated, whatever status is asked for.
    pub outdated: u32,
    /// Resolved, whatever status is asked for.
    pub resolved: u32,
}

/// What `get_source_changes` says of one file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct FileChanged {
    /// Whether exactly one source file of the project is meant. Ignored files and what is outside are never known.
    pub known: bool,
    /// When it changed last; absent when it did not after `since`, or is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub at: Option<Timestamp>,
}

/// What the hub answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(tag = "type", content = "payload", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Answer {
    /// To `hello`.
    Hello(Hello),
    /// To `open_session`: which project it belongs to and why, or which ones it could be.
    Session {
        /// Id of the tab's session.
        session_id: SessionId,
        /// Its project, when known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        project: Option<Project>,
        /// What decided: `port 5173 belongs to vite in /home/me/shop`.
        reason: String,
        /// Projects to choose from when none is known.
        choices: Vec<Project>,
    },
    /// To `list_comments`.
    Comments {
        /// Id of the session that asked.
        session_id: SessionId,
        /// Oldest first.
        comments: Vec<Comment>,
        /// How many could not be read, where they are kept or here; they are left out.
        #[serde(default, skip_serializing_if = "is_zero")]
        #[cfg_attr(feature = "typescript", ts(optional, as = "Option<u32>"))]
        unreadable: u32,
    },
    /// To `create_comment`, `change_comment`, `get_comment`.
    Comment {
        /// As it is now.
        comment: Box<Comment>,
    },
    /// To `import_comments`.
    Imported {
        /// How many were new.
        added: u32,
        /// Of how many the import knew something more.
        updated: u32,
        /// Of how many the import knew nothing more.
        skipped: u32,
        /// How many stay as they were: with what the import has they would be more than a comment can hold, or what is
        /// stored cannot be read.
        #[serde(default, skip_serializing_if = "is_zero")]
        #[cfg_attr(feature = "typescript", ts(optional, as = "Option<u32>"))]
        left_out: u32,
        /// How many of the new ones have another number than in the file, because that was given to another comment.
        #[serde(default, skip_serializing_if = "is_zero")]
        #[cfg_attr(feature = "typescript", ts(optional, as = "Option<u32>"))]
        renumbered: u32,
    },
    /// To `list_projects`.
    Projects {
        /// Sorted by name.
        projects: Vec<Project>,
    },
    /// To `ping`.
    Pong {
        /// Agents connected now, all projects.
        agents: Vec<AgentLink>,
    },
    /// To `set_context`.
    ContextStored {
        /// For messages about it.
        context_id: ContextId,
    },
    /// To `user_message` and `respond_to_browser`: the message as it is now, without its words.
    MessageStored {
        /// Id of the message.
        message_id: MessageId,
        /// How many parts it has.
        parts: u32,
        /// Its position.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        position: u64,
        /// Of a complete answer's `toldInPart` those that still wait; absent where it named none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        told_in_part: Option<Vec<MessageId>>,
    },
    /// To `get_conversation` and `get_conversation_history`.
    Conversation {
        /// Id of the tab's session.
        session_id: SessionId,
        /// Oldest first, each as it is now.
        messages: Vec<Message>,
        /// Those that the messages are about, and the latest.
        contexts: Vec<Context>,
        /// What agents are doing for the session now.
        activities: Vec<Activity>,
        /// What agents ask the person to point at.
        annotations: Vec<AnnotationRequest>,
        /// Ask for what comes after this.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        position: u64,
        /// To `get_conversation_history`: how many more there are before these.
        #[serde(default, skip_serializing_if = "is_zero")]
        #[cfg_attr(feature = "typescript", ts(optional, as = "Option<u32>"))]
        older: u32,
        /// How many could not be read, where they are kept or here; they are left out.
        #[serde(default, skip_serializing_if = "is_zero")]
        #[cfg_attr(feature = "typescript", ts(optional, as = "Option<u32>"))]
        unreadable: u32,
    },
    /// To `get_ui_context`.
    UiContext(UiContext),
    /// To `list_sessions` and `select_session`.
    Sessions {
        /// Latest active first.
        sessions: Vec<SessionSummary>,
        /// How many could not be read here; they are left out.
        #[serde(default, skip_serializing_if = "is_zero")]
        #[cfg_attr(feature = "typescript", ts(optional, as = "Option<u32>"))]
        unreadable: u32,
    },
    /// To `request_annotation`.
    Annotation {
        /// Id of the request.
        annotation_id: AnnotationId,
        /// In which tab.
        session_id: SessionId,
        /// Whether it was answered, declined or still waits.
        #[serde(flatten)]
        outcome: AnnotationOutcome,
    },
    /// To `list_conversations`.
    Conversations {
        /// The latest first.
        conversations: Vec<ConversationSummary>,
        /// Whether there are more behind them.
        more: bool,
    },
    /// To `get_requests`.
    Requests {
        /// In which session.
        session_id: SessionId,
        /// How many there are in it.
        total: u32,
        /// The wanted ones: fewer where there are not as many, or they are long.
        requests: Vec<PersonsRequest>,
        /// When the last of all was made.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        last: Option<Timestamp>,
        /// How many could not be read; they are not counted.
        #[serde(default, skip_serializing_if = "is_zero")]
        #[cfg_attr(feature = "typescript", ts(optional, as = "Option<u32>"))]
        unreadable: u32,
    },
    /// To `complete`.
    Completions {
        /// In order.
        values: Vec<String>,
        /// Whether there are more.
        more: bool,
    },
    /// To `search` and `search_messages`.
    Found {
        /// Best first; to `search_messages`, the newest first.
        hits: Vec<Hit>,
        /// Whether there are more.
        more: bool,
        /// To `search_messages`: the place of the last one that was found.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
        last: Option<u64>,
        /// How many could not be read here; they are left out.
        #[serde(default, skip_serializing_if = "is_zero")]
        #[cfg_attr(feature = "typescript", ts(optional, as = "Option<u32>"))]
        unreadable: u32,
    },
    /// To `get_feedback`.
    Feedback {
        /// The project that the comments belong to.
        project: Project,
        /// Over the whole query.
        summary: FeedbackSummary,
        /// This page of them, active first, then outdated, then resolved; oldest first within.
        comments: Vec<Comment>,
        /// Ask again with this for more; absent at the end.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        next_cursor: Option<String>,
        /// Which of them agents work on now.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Vec<Claim>>"))]
        claims: Vec<Claim>,
        /// Pass to `wait_for_feedback` to hear of everything after this answer.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        position: u64,
        /// How many could not be read, where they are kept or here; they are left out.
        #[serde(default, skip_serializing_if = "is_zero")]
        #[cfg_attr(feature = "typescript", ts(optional, as = "Option<u32>"))]
        unreadable: u32,
    },
    /// To `wait_for_feedback`; empty when the time ran out.
    News {
        /// Comments that a person made or changed.
        comments: Vec<Comment>,
        /// What a person said in a session.
        #[serde(default)]
        messages: Vec<Message>,
        /// Which of them agents work on now.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Vec<Claim>>"))]
        claims: Vec<Claim>,
        /// Position of each of them by its id: who takes only the first ones waits on from the last that was taken.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        #[cfg_attr(feature = "typescript", ts(optional, type = "Record<string, number>"))]
        positions: BTreeMap<String, u64>,
        /// For the next wait.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        position: u64,
        /// Whether more is new than is told here: the next wait tells it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(feature = "typescript", ts(optional, as = "Option<bool>"))]
        is_cut: bool,
        /// How many could not be read, where they are kept or here; they are left out.
        #[serde(default, skip_serializing_if = "is_zero")]
        #[cfg_attr(feature = "typescript", ts(optional, as = "Option<u32>"))]
        unreadable: u32,
    },
    /// To `get_screenshot`.
    Screenshot {
        /// Absolute path of the PNG.
        path: String,
    },
    /// To `status`.
    Status {
        /// The hub's process.
        pid: u32,
        /// Product version.
        version: String,
        /// Seconds since it started.
        uptime_seconds: u32,
        /// Names of connected browsers.
        browsers: Vec<String>,
        /// Connected agents.
        agents: Vec<AgentLink>,
        /// Open tabs.
        sessions: Vec<Session>,
        /// Known projects.
        projects: Vec<Project>,
        /// The way in over TCP, while it is open.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        gateway: Option<GatewayStatus>,
        /// How many stored comments, messages and selections could not be read since the hub started.
        #[serde(default, skip_serializing_if = "is_zero")]
        #[cfg_attr(feature = "typescript", ts(optional, as = "Option<u32>"))]
        unreadable: u32,
        /// What cannot be put right in projects' `.opentoolbar/`, as far as they were used since the hub started; of
        /// one project at most 20.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Vec<CopyProblem>>"))]
        copies: Vec<CopyProblem>,
        /// What plain clients sent before the project of their page was known, while anything of it waits. Agents are
        /// not told.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        unplaced: Option<UnplacedSummary>,
        /// Files of the hub's own of which entries could not be read since it started: what is left out, and where the
        /// file as it was is kept. Agents are not told.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Vec<String>>"))]
        set_aside: Vec<String>,
    },
    /// To `open_gateway`.
    Gateway {
        /// `127.0.0.1:7847`.
        address: String,
    },
    /// To `begin_pairing`.
    Pairing {
        /// What the person types into the extension; good once.
        code: String,
        /// Of the gateway: `127.0.0.1:7847`.
        address: String,
        /// How long the code is good.
        valid_seconds: u32,
    },
    /// To `list_stored`.
    Stored {
        /// By id.
        projects: Vec<StoredProject>,
        /// To projects that are known.
        offers: Vec<Offer>,
        /// Projects that are left out, because what is known of them cannot be read.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Vec<UnreadableProject>>"))]
        unreadable: Vec<UnreadableProject>,
    },
    /// To `list_offers`.
    Offers {
        /// Id of the session that asked.
        session_id: SessionId,
        /// What is not decided.
        offers: Vec<Offer>,
    },
    /// To `get_source_changes`. Names no file.
    SourceChanges {
        /// The latest change of any source file of the project; absent when there was none after `since`, as far as can
        /// be told.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        at: Option<Timestamp>,
        /// One for each file that was asked for, in that order.
        files: Vec<FileChanged>,
    },
    /// To `find_in_source`. Holds nothing of any file.
    FoundInSource {
        /// One list for each query, in it one for each of its words, in that order.
        found: Vec<Vec<FoundIn>>,
    },
    /// To `answer_offer` and `move_stored`.
    OfferAnswered {
        /// Comments that the project has now and had not before.
        added: u32,
        /// Comments that it had already, or that cannot be read.
        skipped: u32,
    },
    /// To `request_verification`, `get_verification`, `withdraw_verification` and `decide_verification`.
    Verification {
        /// As it stands now.
        verification: Box<Verification>,
        /// How many connected browsers show it.
        seen_by: u32,
    },
    /// To `list_verifications` and `stop_rule`.
    Verifications {
        /// What waits for the person, the next to expire first.
        pending: Vec<Verification>,
        /// How many more wait that had no room.
        #[serde(default, skip_serializing_if = "is_zero")]
        #[cfg_attr(feature = "typescript", ts(as = "Option<u32>", optional))]
        left_out: u32,
        /// What was decided last, the latest first, at most 50.
        decided: Vec<Verification>,
        /// Rules that hold, the next to expire first.
        rules: Vec<Rule>,
    },
    /// To `get_gateway_config`.
    GatewayConfig {
        /// JSON, as `opentoolbar config` prints it.
        text: String,
        /// Whether the token is in it: not for who came in over the gateway.
        has_token: bool,
    },
    /// Nothing more to say.
    Done,
    /// It did not work; nothing was changed.
    Error(ErrorBody),
}

/// An answer as it stands on the wire.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct AnswerEnvelope {
    /// The request's id; absent when the request could not be read that far. The answer to a request without an id is
    /// no envelope: it is the [`Answer`] alone.
    pub reply_to: Option<MessageId>,
    /// The answer.
    #[serde(flatten)]
    pub answer: Answer,
}

/// Anything the hub sends: a part of a message too large for one frame, an answer (has `replyTo`), or an event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(untagged)]
pub enum HubEnvelope {
    /// Part of a larger message.
    Chunk(Chunk),
    /// Answer to a request.
    Answer(AnswerEnvelope),
    /// Unasked.
    Event(EventEnvelope),
}
