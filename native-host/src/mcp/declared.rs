//! How a tool is declared: everything that is known of it stands in its file.

use std::pin::Pin;

use rmcp::model::JsonObject;
use serde::de::DeserializeOwned;

use super::arguments;
use super::context::Context;
use super::outcome::Outcome;

type Running<'a> = Pin<Box<dyn Future<Output = Outcome> + Send + 'a>>;

/// One tool.
pub(super) struct Declared {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    /// It is on with any of these.
    pub(super) toolsets: &'static [Toolset],
    pub(super) effect: Effect,
    /// What for; "Use this tool when:"; "Example usage scenarios". Parameters and fields are told by the schemas alone.
    pub(super) description: &'static str,
    pub(super) input: fn() -> JsonObject,
    pub(super) output: fn() -> JsonObject,
    /// Decodes the arguments and runs; see [`call`].
    pub(super) run: for<'a> fn(&'a Context, Option<JsonObject>) -> Running<'a>,
}

/// Tools that are switched on and off together: `opentoolbar mcp --toolsets`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Toolset {
    /// Comments on elements of the page.
    Feedback,
    /// The chat beside the page, and what is selected there.
    Chat,
    /// A person's yes or no before a risky step.
    Approval,
    /// What was asked of agents before: our own chat, and what other programs keep.
    Dialogs,
}

/// What a call does to what is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// Nothing.
    Reads,
    /// Nothing but that the person's messages count as read.
    Marks,
    /// The same, and the next call gives what comes then. It waits for the person.
    HandsOver,
    /// Nothing: what is remembered is this agent's own, until it ends.
    Picks,
    /// Changes something; again with the same arguments changes nothing more.
    Sets,
    /// May add something more every time, also with the same arguments.
    Adds,
    /// The same, and waits for the person.
    Asks,
}

impl Effect {
    /// Whether something else is stored afterwards than before. That the person sees what was read is not meant.
    pub(super) fn writes(self) -> bool {
        matches!(self, Self::Sets | Self::Adds | Self::Asks)
    }

    /// Whether there is an answer only when the person has done something.
    pub(super) fn waits(self) -> bool {
        matches!(self, Self::HandsOver | Self::Asks)
    }

    /// Whether a client that did not hear the answer may call again and nothing is done twice.
    pub(super) fn is_idempotent(self) -> bool {
        matches!(self, Self::Reads | Self::Marks | Self::Picks | Self::Sets)
    }
}

/// Runs a tool with its arguments, or says what is wrong with them: no handler sees others than its own type.
pub(super) async fn call<A, R>(tool: &str, context: &Context, given: Option<JsonObject>, run: R) -> Outcome
where
    A: DeserializeOwned,
    R: AsyncFnOnce(&Context, A) -> Result<Outcome, Outcome>,
{
    let done = match arguments::decode(tool, given) {
        Ok(wanted) => run(context, wanted).await,
        Err(refused) => Err(refused),
    };
    done.unwrap_or_else(|outcome| outcome)
}
