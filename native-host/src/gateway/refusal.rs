//! Refusals as HTTP says them: a status, and the same error body as everywhere else.

use std::time::Duration;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use opentoolbar_core::protocol::{ErrorBody, ErrorCode};

use crate::error::{error, internal};

/// Why a request goes no further.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Refusal {
    pub(super) status: StatusCode,
    pub(super) body: ErrorBody,
    /// When it was too much at once: after this time there is room again, or the same is said once more.
    pub(super) retry_after: Duration,
}

impl Refusal {
    /// Most of what is too much at once is over then.
    pub(super) const SOON: Duration = Duration::from_secs(1);

    pub(super) fn new(
        status: StatusCode,
        code: ErrorCode,
        message: impl Into<String>,
        next: impl Into<String>,
    ) -> Self {
        Self { status, body: error(code, message, next), retry_after: Self::SOON }
    }

    /// Not for this visitor, whatever it shows.
    pub(super) fn forbidden(message: impl Into<String>, next: &str) -> Self {
        Self::new(StatusCode::FORBIDDEN, ErrorCode::Forbidden, message, next)
    }

    /// Something could not be kept.
    pub(super) fn storage(body: ErrorBody) -> Self {
        Self { status: StatusCode::INTERNAL_SERVER_ERROR, body, retry_after: Self::SOON }
    }

    pub(super) fn bad(message: impl Into<String>, next: &str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, ErrorCode::BadRequest, message, next)
    }

    /// A defect of ours, of which nothing is told but that it happened.
    pub(super) fn defect() -> Self {
        let body = internal("a defect in opentoolbar ended the work on this request");
        Self { status: StatusCode::INTERNAL_SERVER_ERROR, body, retry_after: Self::SOON }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(self.body)).into_response();
        let headers = response.headers_mut();
        match self.status {
            StatusCode::UNAUTHORIZED => {
                headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            StatusCode::TOO_MANY_REQUESTS => {
                let whole = self.retry_after.as_millis().div_ceil(1_000);
                headers
                    .insert(header::RETRY_AFTER, HeaderValue::from(u64::try_from(whole).unwrap_or(u64::MAX)));
            }
            _ => {}
        }
        response
    }
}
