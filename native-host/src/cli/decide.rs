//! `opentoolbar approve` and `opentoolbar reject`: a person decides at the terminal. No agent does: it asks for a word
//! that only who reads sees, and a program that asks, or runs `opentoolbar mcp`, may not have started it.

use std::io::{BufRead, IsTerminal};

use clap::Args;
use opentoolbar_core::model::Verification;
use opentoolbar_core::protocol::{Answer, Request};

use super::verifications::{list, outcome, whole};
use super::{Exit, Failure, connect, output};
use crate::hub::client::Client;
use crate::project::Processes;

/// Characters of the id that are typed.
const TYPED: usize = 4;

/// Arguments of `opentoolbar approve` and `opentoolbar reject`.
#[derive(Debug, Args)]
pub(super) struct DecideArgs {
    /// Its id, or the beginning of it, as `opentoolbar verifications` shows it
    id: String,
    /// What the agent is told with it
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
}

pub(super) fn run(args: DecideArgs, approve: bool) -> Result<(), Failure> {
    let verb = if approve { "approve" } else { "reject" };
    connect::block_on(async {
        let client = Client::connect(connect::hello(verb, None)).await.map_err(connect::no_hub)?;
        let mut pending = list(&client).await?.pending;
        pending.retain(|one| one.id.as_str().starts_with(&args.id));
        if pending.is_empty() {
            // Of very many the list has not all.
            pending.extend(named(&client, &args.id).await);
        }
        let one = match pending.len() {
            0 => Err(Failure::new(
                format!("nothing that waits is called {}", output::plain(&args.id)),
                "Run `opentoolbar verifications` to see what waits; what is decided stays so.",
            )),
            1 => pending.pop().ok_or_else(|| connect::mismatch("a verification")),
            count => Err(Failure::new(
                format!("{count} that wait begin so: {}", output::plain(&args.id)),
                "Give more of the id.",
            )
            .exit(Exit::Usage)),
        }?;
        must_be_a_persons(&one)?;
        confirm(&one, verb)?;
        let request = Request::DecideVerification {
            verification_id: one.id,
            hash: one.hash,
            approve,
            note: args.note,
            rule: None,
        };
        let Answer::Verification { verification, .. } = client.request(request).await? else {
            return Err(connect::mismatch("what was decided"));
        };
        let how = verification.decided.as_ref().map(outcome).unwrap_or_default();
        output::print(&format!("{}: {how}.", verification.id))
    })
}

/// What waits and is called just that.
async fn named(client: &Client, id: &str) -> Option<Verification> {
    let request = Request::GetVerification { verification_id: id.parse().ok()?, timeout_ms: 0 };
    match client.request(request).await {
        Ok(Answer::Verification { verification, .. }) => {
            Some(*verification).filter(|one| one.decided.is_none())
        }
        _ => None,
    }
}

fn must_be_a_persons(one: &Verification) -> Result<(), Failure> {
    const NEXT: &str = "Only a person decides: open a terminal that the agent did not start, or the opentoolbar panel in \
                        the browser.";
    let Some(processes) = Processes::of_this_machine() else {
        return Err(Failure::new("the system does not tell which program runs this command", NEXT));
    };
    let Some(program) = processes.asker_above(std::process::id(), &one.processes) else { return Ok(()) };
    let program = output::plain(&program);
    Err(Failure::new(
        format!("{program} started this command, and also asks, or runs an agent that may"),
        NEXT,
    ))
}

fn confirm(one: &Verification, verb: &str) -> Result<(), Failure> {
    if !std::io::stdin().is_terminal() {
        return Err(Failure::new(
            "nobody is there to be asked",
            "Run it in a terminal, or decide in the opentoolbar panel in the browser.",
        )
        .exit(Exit::Usage));
    }
    let id = one.id.as_str();
    let word = id.get(id.len().saturating_sub(TYPED)..).unwrap_or(id);
    output::note(&format!("{}\nTo {verb} exactly this, type {word} and Enter:", whole(one, connect::now())));
    let mut line = String::new();
    // What cannot be read is no confirmation.
    let _ = std::io::stdin().lock().read_line(&mut line);
    if line.trim() == word {
        return Ok(());
    }
    Err(Failure::new("nothing was decided", format!("Type {word} to {verb} it.")))
}
