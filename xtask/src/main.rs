//! Every developer verb: `cargo xtask <verb>`. One file per verb, on what the library has; those that measure, teach
//! and break the product are handed on to the crate `lab` (`lab.rs`).
#![allow(clippy::print_stdout, reason = "a developer tool talks on stdout; it carries no protocol")]

mod codegen;
mod demo;
mod fuzz;
mod lab;
mod lint;
mod rooms;
mod setup_tools;
mod test;
mod use_apps;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use xtask::{build, step, tools, workspace};

#[derive(Parser)]
#[command(
    name = "cargo xtask",
    bin_name = "cargo xtask",
    about = "The developer verbs of opentoolbar",
    disable_help_subcommand = true
)]
struct Cli {
    #[command(subcommand)]
    verb: Option<Verb>,
}

#[derive(Subcommand)]
enum Verb {
    /// Play the main job in a real browser: point, comment, the agent gets it, fixes it, resolves it
    Demo(demo::Args),
    /// Run every check and every test, and count them
    Test(test::Args),
    /// Measure, and print the figures
    Bench(lab::Args),
    /// Kill processes, fill disks and move the clock while everybody writes: nothing is lost, nothing is there twice
    Faults(lab::Args),
    /// Every decoder under arbitrary input; what crashes one is kept as a case
    Fuzz(fuzz::Args),
    /// Use apps of the frameworks' generators for an hour, then edit their source: comments are outdated by edits alone
    UseApps(use_apps::Args),
    /// Learn the numbers of the anchors' model from a corpus
    Train(lab::Args),
    /// Build the WASM, the extension for Chrome and Firefox, and the host
    Build(build::Args),
    /// Write the generated files, or compare them with what is committed
    Codegen(codegen::Args),
    /// Formatting and lints of Rust and TypeScript
    Lint(lint::Args),
    /// Which room of the source uses which; what is not as the architecture document says fails
    Rooms(rooms::Args),
    /// Make sure of every tool the other verbs need; what is there in the right version is left alone
    SetupTools,
}

fn main() -> ExitCode {
    if let Some(code) = fuzz::instrument::as_wrapper() {
        return code;
    }
    let outcome = match Cli::parse().verb {
        None => Cli::command().print_help().map_err(Into::into),
        Some(Verb::Demo(args)) => demo::run(&args),
        Some(Verb::Test(args)) => test::run(&args),
        Some(Verb::Bench(args)) => lab::run("bench", &args),
        Some(Verb::Faults(args)) => lab::run("faults", &args),
        Some(Verb::Fuzz(args)) => fuzz::run(&args),
        Some(Verb::UseApps(args)) => use_apps::run(&args),
        Some(Verb::Train(args)) => lab::run("train", &args),
        Some(Verb::Build(args)) => build::run(&args),
        Some(Verb::Codegen(args)) => codegen::run(&args),
        Some(Verb::Lint(args)) => lint::run(&args),
        Some(Verb::Rooms(args)) => rooms::run(&args),
        Some(Verb::SetupTools) => setup_tools::run(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\nerror: {error:#}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verb_is_in_contributing() {
        let guide = include_str!("../../CONTRIBUTING.md");
        for verb in Cli::command().get_subcommands() {
            let named = format!("cargo xtask {}", verb.get_name());
            assert!(guide.contains(&named), "CONTRIBUTING.md does not name `{named}`");
        }
    }
}
