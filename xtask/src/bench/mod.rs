//! `cargo xtask bench`: one file per topic; each prints its figures and how they grow. Nothing here passes or fails by time.

mod anchor;
mod capture;
mod core;
pub(crate) mod corpus;
mod mcp;
mod synthetic;

use std::path::PathBuf;

use anyhow::{Result, bail};

use crate::step::say;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// What to measure; without it, the topics
    topic: Option<String>,
    /// Folder of real pages with known outcomes, for the topics that use one
    #[arg(long)]
    corpus: Option<PathBuf>,
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
    Topic { name: "mcp", about: "cold start, memory and round trips of the MCP server", run: |_| mcp::run() },
];

pub(crate) fn run(args: &Args) -> Result<()> {
    let Some(name) = &args.topic else {
        say("Topics of `cargo xtask bench <topic>`:");
        for topic in TOPICS {
            say(&format!("  {:<8} {}", topic.name, topic.about));
        }
        return Ok(());
    };
    match TOPICS.iter().find(|topic| topic.name == name) {
        Some(topic) => (topic.run)(args),
        None => bail!("there is no topic {name:?}; `cargo xtask bench` lists them"),
    }
}
