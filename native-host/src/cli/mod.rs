//! The command line: one file per verb. This file knows which verbs there are and how a browser starts the binary;
//! a verb returns `Result<(), Failure>` and `failure` alone decides what is printed and with which code to exit.

mod check;
mod comments;
mod config;
mod connect;
mod decide;
mod directory;
mod examine;
mod export;
mod failure;
mod hub;
mod logging;
mod mcp;
mod output;
mod pair;
mod program;
mod projects;
mod relay;
mod search;
mod serve;
mod setup;
mod status;
mod tools;
mod ui;
mod verifications;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

pub use failure::{Exit, Failure};

/// Point at anything in your running app and say what you want: your coding agent gets it.
#[derive(Debug, Parser)]
#[command(name = "opentoolbar", version, subcommand_required = true, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

const EXAMPLES: &str = "\
Examples:
  opentoolbar setup                      let every browser found start opentoolbar, show how to connect agents
  opentoolbar setup --dry-run            change nothing, show how to connect agents
  opentoolbar status                     is the hub up, which browsers and agents are connected
  opentoolbar ui list                    the open pages of the project in this directory; `opentoolbar ui '#2'` picks one
  opentoolbar search button colour       what was said about it, in comments and conversations
  opentoolbar export --level brief       comments of the project in this directory, as a markdown prompt
  opentoolbar check http://localhost:5173/settings    do the comments of that page still hold

Exit codes: 0 done, 1 it did not work, 2 wrong arguments, 3 the hub cannot be reached. `check` has its own: see its help.
State lives in ~/.opentoolbar (or $OPENTOOLBAR_HOME): comments in projects/ there; copies of them in .opentoolbar/ of a project.";

#[derive(Debug, Subcommand)]
enum Verb {
    /// Serve MCP over stdin and stdout for the agent that starts it.
    Mcp(mcp::McpArgs),
    /// Keep the gateway open while this runs; starts the hub where none runs.
    Serve(serve::ServeArgs),
    /// Print what a program needs to come in over HTTP, the token included.
    Config(config::ConfigArgs),
    /// List the open pages of a project, or pick the one that its agents work with.
    Ui(ui::UiArgs),
    /// Find what was said, in comments and conversations.
    Search(search::SearchArgs),
    /// List what agents ask you to decide, and what you allowed.
    Verifications(verifications::VerificationsArgs),
    /// Say yes to one verification.
    Approve(decide::DecideArgs),
    /// Say no to one verification.
    Reject(decide::DecideArgs),
    /// Print a code with which one browser gets in over the gateway.
    Pair(pair::PairArgs),
    /// Let every browser found start opentoolbar, and show how to connect agents.
    Setup(setup::SetupArgs),
    /// Undo what setup did.
    Uninstall(setup::UninstallArgs),
    /// Tell whether the hub runs and who is connected.
    Status(status::StatusArgs),
    /// Print the comments of a project as a markdown prompt or as JSON.
    Export(export::ExportArgs),
    /// List what is kept of which project; move, export or delete it; answer offers.
    Projects(projects::ProjectsArgs),
    /// Tell whether comments still hold, from HTML and without a browser.
    Check(check::CheckArgs),
    /// Print the reference of the MCP tools.
    #[command(hide = true)]
    Tools(tools::ToolsArgs),
    /// Look into a copied database, within bounds; the hub does.
    #[command(hide = true, name = crate::store::EXAMINE)]
    Examine(examine::ExamineArgs),
    /// Run the hub in the background; started by whoever needs it first.
    #[command(hide = true)]
    Hub(hub::HubArgs),
}

/// Runs what the arguments (program name first) ask for. Never panics on any of them.
pub fn run(args: Vec<OsString>) -> ExitCode {
    let done = match relay::started_by_browser(&args) {
        Some(relay) => relay.run(),
        None => match Cli::try_parse_from(args) {
            Ok(cli) => match cli.verb {
                Verb::Mcp(args) => mcp::run(args),
                Verb::Serve(args) => serve::run(args),
                Verb::Config(args) => config::run(args),
                Verb::Ui(args) => ui::run(args),
                Verb::Search(args) => search::run(args),
                Verb::Verifications(args) => verifications::run(args),
                Verb::Approve(args) => decide::run(args, true),
                Verb::Reject(args) => decide::run(args, false),
                Verb::Pair(args) => pair::run(&args),
                Verb::Setup(args) => setup::setup(args),
                Verb::Uninstall(args) => setup::uninstall(args),
                Verb::Status(args) => status::run(&args),
                Verb::Export(args) => export::run(args),
                Verb::Projects(args) => projects::run(args),
                Verb::Examine(args) => examine::run(&args),
                Verb::Check(args) => match check::run(args) {
                    Ok(exit) => return exit.into(),
                    Err(failure) => Err(failure),
                },
                Verb::Tools(args) => tools::run(args),
                Verb::Hub(args) => hub::run(args),
            },
            Err(error) => return failure::usage(&error),
        },
    };
    match done {
        Ok(()) => Exit::Done.into(),
        Err(failure) => failure.report(),
    }
}
