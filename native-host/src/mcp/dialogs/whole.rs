//! What was asked in a dialog, as much as fits into an answer.

use std::time::Instant;

use serde::Serialize;

use super::background::PATIENCE;
use super::{find, requests};
use crate::mcp::budget;
use crate::mcp::context::Context;
use crate::mcp::outcome::Outcome;
use crate::mcp::view::{Cut, words_within};

/// Requests that are told.
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
    let until = Instant::now() + PATIENCE;
    let wanted = (1, MOST);
    let place = find(context, id, wanted, until).await?;
    let asked = requests(context, place, wanted, until).await?;
    dialog.total_requests = asked.total;
    let mut notes: Vec<String> = asked.note.into_iter().collect();
    for (index, said) in (1_u64..).zip(asked.requests) {
        if left <= REST {
            break;
        }
        let (words, cut) = words_within(&said.words, left);
        left = left.saturating_sub(budget::written(&words) + AROUND);
        dialog.requests.push(Request { index, timestamp: said.at.map(|at| at.0), request: words });
        if let Some(Cut { end, all }) = cut {
            notes.push(format!(
                "Request {index} is cut: {end} of {all} characters. copilot_chat_secretary_get_request with index {index} and \
                 from {end} tells the rest."
            ));
            break;
        }
    }
    let told = dialog.requests.len() as u64;
    if told < dialog.total_requests {
        notes.push(format!(
            "These are {told} of {} requests. copilot_chat_secretary_get_request tells each.",
            dialog.total_requests
        ));
    }
    dialog.note = (!notes.is_empty()).then(|| notes.join(" "));
    Ok(Outcome::success(&dialog))
}
