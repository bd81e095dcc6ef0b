//! Runs a tool, for a call, a resource or a prompt: what a mistake of ours breaks is that one, and each is logged.

use std::panic::AssertUnwindSafe;
use std::time::Instant;

use futures_util::FutureExt as _;
use rmcp::model::JsonObject;
use serde_json::Value;

use super::context::Context;
use super::declared::Declared;
use super::offer::Offer;
use super::outcome::Outcome;

/// What the tool says, without advice to use tools that are off.
pub(super) async fn run(
    context: &Context,
    offer: &Offer,
    tool: &Declared,
    arguments: Option<JsonObject>,
) -> Outcome {
    let began = Instant::now();
    let running = AssertUnwindSafe((tool.run)(context, arguments)).catch_unwind();
    let outcome = running.await.unwrap_or_else(|_| {
        Outcome::Unexpected(format!(
            "{} failed by a mistake of opentoolbar's own. Other calls work; tell the developer to report it.",
            tool.name
        ))
    });
    let outcome = outcome.with_advice(|text| offer.about_what_is_on(text));
    // Never the arguments: they are a person's and a page's words.
    let took = began.elapsed().as_millis();
    tracing::info!(tool = tool.name, outcome = outcome.kind(), took, "MCP tool called");
    outcome
}

/// The same for what is told by a tool; `arguments` must be an object.
pub(super) async fn run_with(context: &Context, offer: &Offer, tool: &Declared, arguments: Value) -> Outcome {
    match arguments {
        Value::Object(arguments) => run(context, offer, tool, Some(arguments)).await,
        _ => Outcome::Unexpected(format!("{} was given no arguments", tool.name)),
    }
}
