//! `cargo xtask bench`: one file per topic; each prints its figures and how they grow. Nothing here passes or fails by time.

mod anchor;
mod core;
mod groups;
mod hub;
mod mcp;
mod redaction;
mod selector;
mod statistics;
mod summary;
mod synthetic;

use std::fs::OpenOptions;
use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use xtask::step::say;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// What to measure; without it, the topics
    topic: Option<String>,
    /// Folder of real pages with known outcomes, for the topics that use one
    #[arg(long)]
    corpus: Option<PathBuf>,
    /// Write all figures to a file as well, for the topics that have a JSON form
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Print every failure with the elements concerned
    #[arg(long)]
    failures: bool,
    /// Less of it, for the topics that take long
    #[arg(long)]
    quick: bool,
    /// Instead of measuring, keep it busy for so long and fail when something grows, for the topics that can
    #[arg(long, value_name = "SECONDS")]
    soak: Option<u64>,
    /// Without the peers, for the topics that have some
    #[arg(long)]
    own: bool,
    /// Only try whether every part still runs, as small as can be, in any build: no figure comes of it
    #[arg(long)]
    smoke: bool,
}

impl Args {
    /// That the JSON can be written, before a long run; what is there stays as it is.
    fn check_json(&self) -> Result<()> {
        let Some(path) = &self.json else { return Ok(()) };
        let what = || format!("cannot write {}", path.display());
        OpenOptions::new().create(true).append(true).open(path).with_context(what)?;
        Ok(())
    }
}

/// One thing that can be measured.
struct Topic {
    name: &'static str,
    about: &'static str,
    run: fn(&Args) -> Result<()>,
}

const TOPICS: &[Topic] = &[
    Topic {
        name: "anchor",
        about: "how often elements are found again on later versions of real pages (--corpus DIR)",
        run: anchor::run,
    },
    Topic {
        name: "core",
        about: "decode, index, describe, selector, relocate at 1k, 10k and 50k elements, native and WASM",
        run: core::run,
    },
    Topic {
        name: "hub",
        about: "messages between browsers and waiting agents at 1, 10 and 100 sessions; memory; growth (--soak SECONDS)",
        run: hub::run,
    },
    Topic { name: "mcp", about: "cold start, memory and round trips of the MCP server", run: mcp::run },
    Topic {
        name: "redaction",
        about: "kinds of secrets removed, of our own list and of kept libraries' patterns; ordinary texts touched (--corpus DIR)",
        run: redaction::run,
    },
    Topic {
        name: "selector",
        about: "how exact, short, lasting and quick selectors are, beside those of others in Chromium (--corpus DIR)",
        run: selector::run,
    },
];

pub(crate) fn run(args: &Args) -> Result<()> {
    let Some(name) = &args.topic else {
        say("Topics of `cargo xtask bench <topic>`:");
        for topic in TOPICS {
            say(&format!("  {:<9} {}", topic.name, topic.about));
        }
        return Ok(());
    };
    match TOPICS.iter().find(|topic| topic.name == name) {
        Some(topic) => (topic.run)(args),
        None => bail!("there is no topic {name:?}; `cargo xtask bench` lists them"),
    }
}
