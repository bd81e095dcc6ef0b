//! What measures the product, learns its numbers and breaks it: `cargo xtask bench`, `train` and `faults`. Everyday
//! verbs do not compile it. Knows the core and, as a client does, the host; it stands on what `xtask` has for its
//! verbs, and on none of these.
#![allow(clippy::print_stdout, reason = "a developer tool talks on stdout; it carries no protocol")]

mod bench;
mod capture;
mod clients;
mod corpus;
mod faults;
mod train;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(
    name = "cargo xtask",
    bin_name = "cargo xtask",
    about = "The laboratory of opentoolbar",
    disable_help_subcommand = true
)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Measure, and print the figures
    Bench(bench::Args),
    /// Kill processes, fill disks and move the clock while everybody writes: nothing is lost, nothing is there twice
    Faults(faults::Args),
    /// Learn the numbers of the anchors' model from a corpus
    Train(train::Args),
}

/// What is measured or learnt in an unoptimised build takes ten times as long, and its figures say nothing.
fn ensure_optimised() -> anyhow::Result<()> {
    anyhow::ensure!(!cfg!(debug_assertions), "this wants an optimised build: start it by `cargo xtask`");
    Ok(())
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().verb {
        Verb::Bench(args) => bench::run(&args),
        Verb::Faults(args) => faults::run(&args),
        Verb::Train(args) => train::run(&args),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\nerror: {error:#}");
            ExitCode::FAILURE
        }
    }
}
