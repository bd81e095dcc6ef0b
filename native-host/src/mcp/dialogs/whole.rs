//! What was asked in a dialog, as much as fits into an answer.

use serde::Serialize;

use super::request;
use crate::mcp::budget;
use crate::mcp::context::Context;
use crate::mcp::outcome::Outcome;
use crate::mcp::view::words_within;

/// Requests that are told: each is looked for by itself.
const MOST: u64 = 50;
/// Tokens of everything but the requests, and of what is around one.
const REST: usize = 300;
const AROUND: usize = 40;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Dialog {
    session_id: String,
    total_requests: u64,
    requests: Vec<Request>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

#[derive(Serialize)]
struct Request {
    index: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    timestamp: Option<u64>,
    request: String,
}

/// The first requests of a dialog.
pub(in crate::mcp) async fn whole(context: &Context, id: &str) -> Result<Outcome, Outcome> {
    let mut left = budget::ANSWER - REST;
    let mut dialog =
        Dialog { session_id: id.to_owned(), total_requests: 0, requests: Vec::new(), note: None };
    for index in 1..=MOST {
        let asked = request(context, Some(id), index).await?;
        dialog.total_requests = asked.total;
        let Some(said) = asked.request.filter(|_| left > REST) else { break };
        let (words, cut) = words_within(&said.words, left);
        left = left.saturating_sub(budget::written(&words) + AROUND);
        dialog.requests.push(Request { index, timestamp: said.at.map(|at| at.0), request: words });
        if cut.is_some() {
            break;
        }
    }
    let told = dialog.requests.len() as u64;
    if told < dialog.total_requests {
        dialog.note = Some(format!(
            "These are {told} of {} requests. copilot_chat_secretary_get_request tells each.",
            dialog.total_requests
        ));
    }
    Ok(Outcome::success(&dialog))
}
