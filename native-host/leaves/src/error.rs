//! Failures as the protocol says them: what happened and what to do next.

use opentoolbar_core::protocol::{ErrorBody, ErrorCode};

/// `message`: a sentence without its full stop. `next_step`: a sentence.
pub fn error(code: ErrorCode, message: impl Into<String>, next_step: impl Into<String>) -> ErrorBody {
    ErrorBody { code, message: message.into(), next_step: next_step.into() }
}

/// A defect of ours, not of the input.
pub fn internal(message: impl Into<String>) -> ErrorBody {
    error(
        ErrorCode::Internal,
        message,
        "Try again; if it stays, look into the newest file of the hub's `logs` directory.",
    )
}
