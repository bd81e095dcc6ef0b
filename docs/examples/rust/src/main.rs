//! Clears a folder, but asks a person before: an example of a client of opentoolbar's gateway.
//!
//! ```sh
//! cargo run -p opentoolbar-example -- build
//! ```
//!
//! It deletes nothing: it prints what it would do. Start it in the project's directory.
#![allow(clippy::print_stdout, reason = "a program for a terminal, no protocol")]

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use opentoolbar_example::{Config, DecidedBy, Error, Format, Gateway, Status, Timing, default_config};
use serde_json::json;

const APPROVED: u8 = 0;
const FAILED: u8 = 1;
const REQUEST: u8 = 2;
const CONFIG: u8 = 3;
const REJECTED: u8 = 4;
const TIMEOUT: u8 = 5;
const WITHDRAWN: u8 = 6;
const OVERDUE: u8 = 7;

/// Clears a folder, but asks a person before. It deletes nothing.
#[derive(Parser)]
struct Args {
    #[arg(default_value = "build")]
    folder: String,
    /// As `opentoolbar config --output FILE` wrote it
    #[arg(long, default_value_os_t = default_config())]
    config: PathBuf,
    /// One of the config's; else the main one
    #[arg(long)]
    port: Option<u16>,
    #[arg(long, default_value = "It is stale: the next build makes it anew.")]
    reason: String,
    /// How long the person has
    #[arg(long, default_value_t = 300)]
    timeout_seconds: u32,
    /// Seconds after which this program takes the question back
    #[arg(long, value_parser = seconds)]
    within: Option<Duration>,
    /// Print what the config and each port say, and ask nobody
    #[arg(long)]
    show: bool,
    /// Seconds before the second attempt; then twice that
    #[arg(long, value_parser = seconds, default_value = "0.5")]
    pause: Duration,
    /// Seconds that an answer may take
    #[arg(long, value_parser = seconds, default_value = "10")]
    patience: Duration,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

fn main() -> ExitCode {
    let args = Args::parse();
    let code = match run(&args) {
        Ok(code) => code,
        Err(error @ Error::Overdue) => {
            println!("overdue: {error}. {} stays", args.folder);
            OVERDUE
        }
        Err(error) => {
            eprintln!("clear-build: {error}");
            match error {
                Error::Config(_) => CONFIG,
                Error::Request(_) => REQUEST,
                Error::Gateway(_) | Error::Overdue => FAILED,
            }
        }
    };
    ExitCode::from(code)
}

fn run(args: &Args) -> Result<u8, Error> {
    let config = Config::read(&args.config)?;
    let timing = Timing { pause: args.pause, patience: args.patience };
    if args.show {
        show(&config, timing)?;
        return Ok(APPROVED);
    }
    let port = args.port.unwrap_or(config.main_port());
    clear(&mut Gateway::new(&config, port, timing)?, args)
}

fn show(config: &Config, timing: Timing) -> Result<(), Error> {
    println!("opentoolbar {} asks a person by {}", config.version, config.workflow.join(", "));
    for port in &config.ports {
        let context = Gateway::new(config, port.port, timing)?.context()?; // each port has its own
        println!("port {}{}: {}", port.port, if port.is_main { " (main)" } else { "" }, context.role);
        println!("  system: {}", context.system);
        println!("  instruction: {}", context.base_instruction);
        println!("  allowed: {}", context.allowed_actions.join("; "));
        println!("  asks before anything else: {}", if context.verification_required { "yes" } else { "no" });
    }
    for endpoint in &config.endpoints {
        let name = endpoint.name();
        println!("{name}: takes {}, answers {}", fields(&endpoint.request), fields(&endpoint.response));
    }
    Ok(())
}

fn fields(format: &Format) -> String {
    let name = |(name, is_needed): (&str, bool)| format!("{name}{}", if is_needed { "" } else { "?" });
    let names: Vec<String> = format.fields().map(name).collect();
    if names.is_empty() { "nothing named".to_owned() } else { names.join(" ") }
}

fn clear(gateway: &mut Gateway<'_>, args: &Args) -> Result<u8, Error> {
    let folder = &args.folder;
    let files = list(folder).map_err(|error| Error::Request(format!("cannot list {folder}: {error}")))?;
    println!("role here: {}", gateway.context()?.role);
    let action = format!("Delete the folder {folder} and all that is in it");
    let asked = gateway.ask(&action, &args.reason, &json!({ "files": files }), args.timeout_seconds)?;
    println!("{}: {}", asked.id, asked.message);
    // A little longer than the person has, so that it is the gateway that says that time is over.
    let within = args.within.unwrap_or(Duration::from_secs(u64::from(args.timeout_seconds) + 30));
    let answer = gateway.decision(asked, within)?;
    let note = answer.note.map(|note| format!(" Note: {note}")).unwrap_or_default();
    Ok(match (answer.status, answer.decided_by) {
        (Status::Approved, by) => {
            // Here it would be done: once, and exactly this.
            let by = if by == Some(DecidedBy::Rule) { "rule" } else { "person" };
            println!("approved by {by}.{note}\nwould delete {folder} with {} entries", files.len());
            APPROVED
        }
        (_, Some(DecidedBy::Timeout)) => {
            println!(
                "rejected: nobody decided in time. {folder} stays; ask again only if it is still needed"
            );
            TIMEOUT
        }
        (_, Some(DecidedBy::Withdrawn)) => {
            println!("rejected: the question was taken back. {folder} stays");
            WITHDRAWN
        }
        _ => {
            println!("rejected by a person: {folder} stays; do not ask for the same again.{note}");
            REJECTED
        }
    })
}

fn list(folder: &str) -> std::io::Result<Vec<String>> {
    let names = std::fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    let mut names = names.collect::<std::io::Result<Vec<_>>>()?;
    names.sort();
    Ok(names)
}
