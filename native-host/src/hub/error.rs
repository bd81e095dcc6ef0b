//! Failures as the protocol says them: what happened and what to do next.

use opentoolbar_core::protocol::{ErrorBody, ErrorCode};

/// `message`: a sentence without its full stop. `next_step`: a sentence.
pub(crate) fn error(code: ErrorCode, message: impl Into<String>, next_step: impl Into<String>) -> ErrorBody {
    ErrorBody { code, message: message.into(), next_step: next_step.into() }
}

/// A defect of ours, not of the input.
pub(crate) fn internal(message: impl Into<String>) -> ErrorBody {
    error(
        ErrorCode::Internal,
        message,
        "Try again; if it stays, look into the newest file of the hub's `logs` directory.",
    )
}

/// A message beyond the frame's limit.
pub(crate) fn too_large(size: usize) -> ErrorBody {
    error(
        ErrorCode::TooLarge,
        format!("the message has {size} bytes; at most {} are allowed", super::frame::MAX_FRAME),
        "Send less at once: fewer comments in one import, a smaller screenshot.",
    )
}
