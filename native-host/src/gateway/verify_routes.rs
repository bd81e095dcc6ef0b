//! `/verify`: a program asks for a person's yes or no, and asks again until there is one. It decides nothing here.

use std::time::Duration;

use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, PathRejection};
use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, StatusCode};
use axum::{Extension, Json};
use opentoolbar_core::model::{
    DecidedBy, MAX_ACTION, MAX_ACTION_CONTEXT, MAX_ACTION_REASON, Project, VERIFICATION_SECONDS,
    Verification, VerificationId, VerificationStatus, check_action,
};
use opentoolbar_core::protocol::{Answer, ErrorBody, ErrorCode, MAX_WAIT_MS, Request, verification_message};
use schemars::{JsonSchema, Schema, json_schema};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use serde_json::{Number, Value, json};

use super::admission;
use super::connection::Connection;
use super::refusal::Refusal;
use super::state::Door;
use super::whose;
use crate::mcp::over_http::{Agent, Way};

pub(super) const PATH: &str = "/verify";
/// Of one verification.
pub(super) const PATH_OF_ONE: &str = "/verify/{id}";
/// Longest body of `POST /verify`, in bytes: everything that it may hold, each character as an escape.
pub(super) const MAX_BODY: usize = 6 * (4 * (MAX_ACTION + MAX_ACTION_REASON) + MAX_ACTION_CONTEXT);
/// How long `wait` may be, in seconds.
pub(super) const MAX_WAIT: u32 = MAX_WAIT_MS / 1_000;
/// Something else than white space, as a regular expression: U+0085 is no space in those of JavaScript.
const IS_NOT_BLANK: &str = r"[^\s\x85]";
/// What an answer may take beside the wait.
const SLACK: Duration = Duration::from_secs(10);

/// What is asked.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(example = example())]
pub(super) struct Ask {
    /// What exactly would be done, 1 to 1,000 characters.
    #[schemars(length(min = 1, max = MAX_ACTION), regex(pattern = IS_NOT_BLANK))]
    action: String,
    /// Why, 1 to 4,000 characters.
    #[schemars(length(min = 1, max = MAX_ACTION_REASON), regex(pattern = IS_NOT_BLANK))]
    reason: String,
    /// What helps to decide: text, or any JSON; at most 16 KiB.
    #[serde(default)]
    #[schemars(with = "Option<Value>")]
    context: Option<Box<RawValue>>,
    /// After how many seconds it is rejected by itself, 5 to 86,400; 300 when absent.
    #[serde(default, deserialize_with = "whole_seconds")]
    #[schemars(with = "Option<u32>", range(min = *VERIFICATION_SECONDS.start(), max = *VERIFICATION_SECONDS.end()))]
    timeout_seconds: Option<u32>,
}

/// How it stands.
#[derive(Serialize, JsonSchema)]
pub(super) struct Answered {
    /// For `GET /verify/{id}`.
    verification_id: String,
    /// `pending`, `approved` or `rejected`; no other.
    #[schemars(with = "String", extend("enum" = ["pending", "approved", "rejected"]))]
    status: VerificationStatus,
    /// The same in a sentence or two.
    message: String,
    /// When it is rejected by itself: RFC 3339, UTC.
    #[schemars(extend("format" = "date-time"))]
    expires_at: String,
    /// `person`, `rule`, `timeout` or `withdrawn`, once it is decided.
    // `default` is for the reference alone: before that it is not there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", extend("enum" = ["person", "rule", "timeout", "withdrawn"]))]
    decided_by: Option<DecidedBy>,
    /// The person's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    note: Option<String>,
}

/// JSON has one kind of numbers: 300.0 is 300, and some clients write it so.
fn whole_seconds<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u32>, D::Error> {
    let Some(given) = Option::<Number>::deserialize(from)? else { return Ok(None) };
    let whole = given.as_f64().filter(|given| given.fract() == 0.0).map(|given| format!("{given:.0}"));
    let seconds = whole.and_then(|whole| whole.parse().ok());
    let unfit = || D::Error::custom(format!("timeout_seconds: {given} is no whole number of seconds"));
    seconds.map(Some).ok_or_else(unfit)
}

fn example() -> Value {
    json!({ "action": "Delete build/", "reason": "It is stale", "timeout_seconds": 600 })
}

/// What `wait` may be.
pub(super) fn seconds_to_wait() -> Schema {
    json_schema!({ "type": "integer", "minimum": 0, "maximum": MAX_WAIT })
}

pub(super) async fn ask(
    State(door): State<Door>,
    Extension(connection): Extension<Connection>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<Answered>, Refusal> {
    enter(&door, &connection, &headers)?;
    let project = whose::project(&door, &connection, &headers).await?;
    let body = body.map_err(|_| {
        Refusal::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            ErrorCode::TooLarge,
            format!("the body has more than {MAX_BODY} bytes, or broke off"),
            "Say it in fewer words.",
        )
    })?;
    let request = request(&headers, &body, connection.process().await)?;
    answered(&door, &headers, project, request).await
}

pub(super) async fn get(
    State(door): State<Door>,
    Extension(connection): Extension<Connection>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
    id: Result<Path<String>, PathRejection>,
) -> Result<Json<Answered>, Refusal> {
    enter(&door, &connection, &headers)?;
    let id = id_of(id)?;
    let project = whose::project_of_asker(&door, &connection, &headers, &id).await?;
    let wait = wait(query.as_deref().unwrap_or_default())?;
    connection.may_take(Duration::from_secs(wait.into()) + SLACK);
    let request = Request::GetVerification { verification_id: id, timeout_ms: wait * 1_000 };
    answered(&door, &headers, project, request).await
}

pub(super) async fn withdraw(
    State(door): State<Door>,
    Extension(connection): Extension<Connection>,
    headers: HeaderMap,
    id: Result<Path<String>, PathRejection>,
) -> Result<Json<Answered>, Refusal> {
    enter(&door, &connection, &headers)?;
    let id = id_of(id)?;
    let project = whose::project_of_asker(&door, &connection, &headers, &id).await?;
    answered(&door, &headers, project, Request::WithdrawVerification { verification_id: id }).await
}

/// A program that has shown the token.
fn enter(door: &Door, connection: &Connection, headers: &HeaderMap) -> Result<(), Refusal> {
    admission::program(headers, &door.gateway, door.port.address.port())?;
    connection.is_let_in();
    Ok(())
}

fn request(headers: &HeaderMap, body: &[u8], process: Option<u32>) -> Result<Request, Refusal> {
    admission::says_json(headers, "Send a JSON object with Content-Type: application/json.")?;
    // As deep as a reader may go, which the raw text of a context is not asked.
    let value: Value = serde_json::from_slice(body).map_err(|e| {
        Refusal::bad(format!("the body is not JSON: {e}"), "Send a JSON object with `action` and `reason`.")
    })?;
    if !value.is_object() {
        return Err(unfit(
            "the body is no JSON object".to_owned(),
            "Send an object with `action` and `reason`.",
        ));
    }
    let Ask { action, reason, context, timeout_seconds } = serde_json::from_slice(body)
        .map_err(|e| unfit(e.to_string(), "Correct the body; `GET /config` has its format."))?;
    let context = context.map(|context| match serde_json::from_str(context.get()) {
        Ok(Value::String(text)) => text,
        // As it was written: what is read anew may be other numbers, and fewer keys.
        _ => context.get().to_owned(),
    });
    check_action(&action, &reason, context.as_deref())
        .map_err(|e| unfit(e.to_string(), "Say it in as many characters as `GET /config` tells."))?;
    if let Some(seconds) = timeout_seconds.filter(|seconds| !VERIFICATION_SECONDS.contains(seconds)) {
        let (least, most) = (VERIFICATION_SECONDS.start(), VERIFICATION_SECONDS.end());
        return Err(unfit(
            format!("timeout_seconds is {seconds}, it must be from {least} to {most}"),
            "Leave it out, or give another.",
        ));
    }
    Ok(Request::RequestVerification { action, reason, context, timeout_seconds, timeout_ms: 0, process })
}

/// In seconds.
fn wait(query: &str) -> Result<u32, Refusal> {
    let pairs = query.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    let mut given = pairs.filter_map(|(name, value)| (name == "wait").then_some(value));
    let seconds = match (given.next(), given.next()) {
        (None, _) => Some(0),
        (Some(value), None) => value.parse().ok().filter(|seconds: &u32| *seconds <= MAX_WAIT),
        (Some(_), Some(_)) => None,
    };
    seconds.ok_or_else(|| {
        unfit(
            format!("wait must be one whole number of seconds from 0 to {MAX_WAIT}"),
            "Give another, and ask again.",
        )
    })
}

fn id_of(given: Result<Path<String>, PathRejection>) -> Result<VerificationId, Refusal> {
    given.ok().and_then(|Path(id)| id.parse().ok()).ok_or_else(|| {
        Refusal::new(
            StatusCode::NOT_FOUND,
            ErrorCode::UnknownVerification,
            "there is no verification of this id",
            "Use the verification_id that POST /verify answered.",
        )
    })
}

fn unfit(message: String, next: &str) -> Refusal {
    Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, ErrorCode::BadRequest, message, next)
}

fn refused(body: ErrorBody) -> Refusal {
    let status = match body.code {
        ErrorCode::UnknownVerification => StatusCode::NOT_FOUND,
        ErrorCode::Conflict | ErrorCode::NoProject => StatusCode::CONFLICT,
        ErrorCode::RateLimited => StatusCode::TOO_MANY_REQUESTS,
        ErrorCode::BadRequest => StatusCode::UNPROCESSABLE_ENTITY,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    };
    Refusal { status, body, retry_after: Refusal::SOON }
}

/// Asks the hub as every agent does: it is in the lights, and has as much as each.
async fn answered(
    door: &Door,
    headers: &HeaderMap,
    project: Project,
    request: Request,
) -> Result<Json<Answered>, Refusal> {
    // What is asked anew may find no room.
    let root = matches!(request, Request::RequestVerification { .. }).then(|| project.root.clone());
    let agent = Agent { directory: project.root.into(), name: whose::name(headers), way: Way::Verify };
    match door.gateway.mcp.ask(agent, request).await {
        Ok(Answer::Verification { verification, seen_by }) => Ok(Json(Answered::of(*verification, seen_by))),
        Ok(_) => Err(Refusal::defect()),
        Err(body) => {
            // Until there is room, if nobody decides before.
            let full_for = match root.filter(|_| body.code == ErrorCode::RateLimited) {
                Some(root) => door.hub.full_for(root).await,
                None => Refusal::SOON,
            };
            Err(Refusal { retry_after: full_for.max(Refusal::SOON), ..refused(body) })
        }
    }
}

impl Answered {
    fn of(one: Verification, seen_by: u32) -> Self {
        Self {
            verification_id: one.id.to_string(),
            status: one.status(),
            message: verification_message(&one, seen_by),
            expires_at: one.expires_at.to_string(),
            decided_by: one.decided.as_ref().map(|decided| decided.by),
            note: one.decided.and_then(|decided| decided.note),
        }
    }
}
