//! A message as it came in, and the request that it is.

use opentoolbar_core::model::MessageId;
use opentoolbar_core::protocol::{ErrorBody, Request, RequestEnvelope};

use super::answering::bad_frame;
use super::frame::{Frame, FrameError};
use super::handle;

/// A message of this many bytes is decoded away from the other connections.
const LARGE: usize = 256 * 1024;

/// A message as its carrier brought it.
#[derive(Debug)]
pub(crate) enum Body {
    /// A frame of the local socket, not decoded yet.
    Frame(Vec<u8>),
    /// JSON alone.
    Json(Vec<u8>),
    /// Nothing that could be one. The connection goes on.
    Refused(ErrorBody),
}

/// The one place where bytes of a connection become a request.
pub(super) fn decode(body: &Body) -> Result<RequestEnvelope, (Option<MessageId>, ErrorBody)> {
    match body {
        Body::Frame(bytes) | Body::Json(bytes) if bytes.len() >= LARGE => {
            tokio::task::block_in_place(|| decode_here(body))
        }
        _ => decode_here(body),
    }
}

fn decode_here(body: &Body) -> Result<RequestEnvelope, (Option<MessageId>, ErrorBody)> {
    match body {
        Body::Json(json) => handle::decode(json),
        Body::Frame(frame) => match Frame::decode(frame) {
            Ok(Frame::Message(json)) => handle::decode(json),
            Ok(Frame::Goodbye) => Err((None, bad_frame(&FrameError::Malformed))),
            Err(fault) => Err((None, bad_frame(&fault))),
        },
        Body::Refused(error) => Err((None, error.clone())),
    }
}

pub(super) fn bytes_of(body: &Body) -> usize {
    match body {
        Body::Frame(bytes) | Body::Json(bytes) => bytes.len(),
        Body::Refused(_) => 0,
    }
}

pub(super) fn is_hello(body: &Body) -> bool {
    matches!(decode(body), Ok(RequestEnvelope { request: Request::Hello(_), .. }))
}
