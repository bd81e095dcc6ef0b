//! Messages between the hub and everyone who talks to it: browsers, agents and the command line.
//!
//! JSON everywhere: `{"id": "m_1", "sessionId": "s_1", "type": "...", "payload": {...}}`; the same over native
//! messaging, the local socket and the WebSocket. Every request gets exactly one answer with its id in `replyTo`;
//! events come unasked. A client that belongs to one session alone may leave `sessionId` out; the messages of the
//! conversation that need no answer to be repeated may come without an id. Unknown fields are ignored, so the halves
//! can be updated separately.

mod absent;
mod agent;
mod answer;
mod check;
mod chunk;
mod conversation;
mod cursor;
mod decode;
mod envelope;
mod event;
pub mod limits;
pub mod next_step;
mod request;
mod source;
mod stored;
mod verification;
mod weight;

pub use agent::{AgentLink, Claim, Presence};
pub use answer::{
    Answer, AnswerEnvelope, ErrorBody, ErrorCode, FeedbackSummary, FileChanged, GatewayStatus, HubEnvelope,
};
pub use chunk::{Chunk, ChunkError, Joiner, MAX_FRAME, MAX_MESSAGE, MAX_TRANSFERS, MIN_FRAME, split};
pub use conversation::{
    Activity, AnnotationOutcome, AnnotationRequest, ConversationSummary, Hit, Part, PersonsRequest,
    PicturedContext, SessionSummary, SetContext, UiContext,
};
pub use cursor::FeedbackCursor;
pub use decode::{Refusal, decode_hub, decode_request};
pub use event::{Changed, ChangedKind, Event, EventEnvelope};
pub use limits::{DEFAULT_HISTORY, MAX_FEEDBACK, MAX_HISTORY_LIMIT, MAX_IMPORT, MAX_SCREENSHOT, MAX_WAIT_MS};
pub use request::{
    Completed, FeedbackQuery, Hello, NewsOf, NewsQuery, Request, RequestEnvelope, Role, StatusFilter,
};
pub use source::SourceQuery;
pub use stored::{CopyProblem, Offer, OfferKind, StoredProject, UnplacedSummary, UnreadableProject};
pub use verification::{RuleWish, verification_message};

/// Version of this protocol. Raised when an older half could misunderstand a newer one.
pub const PROTOCOL_VERSION: u32 = 1;
