//! Messages between the hub and everyone who talks to it: browsers, agents and the command line.
//!
//! JSON everywhere: `{"id": "m_1", "type": "...", "payload": {...}}`; the same over native messaging, the local
//! socket and later the WebSocket. Every request gets exactly one answer with its id in `replyTo`; events come
//! unasked. Unknown fields are ignored, so the halves can be updated separately.

mod answer;
mod chunk;
mod cursor;
mod decode;
mod event;
mod request;

pub use answer::{Answer, AnswerEnvelope, ErrorBody, ErrorCode, FeedbackSummary, HubEnvelope};
pub use chunk::{Chunk, ChunkError, Joiner, MAX_FRAME, MAX_MESSAGE, MAX_TRANSFERS, MIN_FRAME, split};
pub use cursor::FeedbackCursor;
pub use decode::{
    MAX_FEEDBACK, MAX_IMPORT, MAX_SCREENSHOT, MAX_WAIT_MS, Refusal, decode_hub, decode_request,
};
pub use event::{AgentLink, Event, EventEnvelope};
pub use request::{FeedbackQuery, Hello, Request, RequestEnvelope, Role, StatusFilter};

/// Version of this protocol. Raised when an older half could misunderstand a newer one.
pub const PROTOCOL_VERSION: u32 = 1;
