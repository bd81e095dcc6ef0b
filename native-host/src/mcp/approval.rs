//! A verification as an agent is told of it: what both tools of the toolset say.

use opentoolbar_core::model::{DecidedBy, VerificationStatus};
use opentoolbar_core::protocol::{Answer, Request, verification_message};
use schemars::JsonSchema;
use serde::Serialize;

use super::context::Context;
use super::outcome::Outcome;

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Told {
    verification_id: String,
    /// pending, approved, rejected
    #[schemars(with = "String")]
    status: VerificationStatus,
    message: String,
    expires_at: String,
    /// person, rule, timeout, withdrawn
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    decided_by: Option<DecidedBy>,
    // The person's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    note: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    next_step: Option<&'static str>,
}

/// Asks the hub, and waits with it. Nobody waits for who is gone.
pub(super) async fn ask(context: &Context, request: Request) -> Result<Outcome, Outcome> {
    let mut gone = context.gone.clone();
    let answer = tokio::select! {
        answer = context.link.ask(request) => answer?,
        _ = gone.wait_for(|gone| *gone) => {
            return Err(Outcome::Unexpected("the client has closed its input".to_owned()));
        }
    };
    let Answer::Verification { verification, seen_by } = answer else {
        return Err(Outcome::mismatch("a verification"));
    };
    let status = verification.status();
    let told = Told {
        verification_id: verification.id.to_string(),
        status,
        message: verification_message(&verification, seen_by),
        expires_at: verification.expires_at.to_string(),
        decided_by: verification.decided.as_ref().map(|decided| decided.by),
        note: verification.decided.and_then(|decided| decided.note),
        next_step: (status == VerificationStatus::Pending).then_some(
            "Call get_verification with this verificationId until it is decided; do not ask again.",
        ),
    };
    Ok(Outcome::success(&told))
}
