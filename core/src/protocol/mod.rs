//! Messages between the hub and everyone who talks to it: browsers, agents and the command line.
//!
//! JSON everywhere: `{"id": "m_1", "type": "...", "payload": {...}}`; the same over native messaging, the local
//! socket and later the WebSocket. Every request gets exactly one answer with its id in `replyTo`; events come
//! unasked. Unknown fields are ignored, so the halves can be updated separately.

mod answer;
mod chunk;
mod event;
mod request;

pub use answer::{Answer, AnswerEnvelope, ErrorBody, ErrorCode, FeedbackSummary, HubEnvelope};
pub use chunk::Chunk;
pub use event::{AgentLink, Event, EventEnvelope};
pub use request::{FeedbackQuery, Hello, Request, RequestEnvelope, Role, StatusFilter};

/// Version of this protocol. Raised when an older half could misunderstand a newer one.
pub const PROTOCOL_VERSION: u32 = 1;
