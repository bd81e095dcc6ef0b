//! `cargo xtask bench`: one file per topic; each prints its figures and how they grow. Nothing here passes or fails by
//! time.

mod anchor;
mod args;
mod core;
mod dialogs;
mod gateway;
mod groups;
mod hub;
mod mcp;
mod redaction;
mod selector;
mod smoke;
mod statistics;
mod summary;
mod synthetic;

use anyhow::{Context as _, Result};
use xtask::step::say;

pub(crate) use args::Args;

/// One thing that can be measured.
struct Topic {
    name: &'static str,
    about: &'static str,
    /// What it wants besides, which a smoke run gives it.
    wants: &'static [Want],
    run: fn(&Args) -> Result<()>,
}

const TOPICS: &[Topic] = &[
    Topic {
        name: "anchor",
        about: "how often elements are found again on later versions of real pages (--corpus DIR)",
        wants: &[Want::Corpus, Want::Json],
        run: anchor::run,
    },
    Topic {
        name: "core",
        about: "decode, index, describe, selector, relocate at 1k, 10k and 50k elements, native and WASM",
        wants: &[Want::Corpus],
        run: core::run,
    },
    Topic {
        name: "dialogs",
        about: "time and memory to the 20th request of chat histories of 500 MB, beside whole readers",
        wants: &[],
        run: dialogs::run,
    },
    Topic {
        name: "gateway",
        about: "requests a second and p99 of /context and /verify under 64 connections, beside the smallest server of axum",
        wants: &[],
        run: gateway::run,
    },
    Topic {
        name: "hub",
        about: "messages between browsers and waiting agents at 1, 10 and 100 sessions; memory; growth (--soak SECONDS)",
        wants: &[Want::Json],
        run: hub::run,
    },
    Topic {
        name: "mcp",
        about: "cold start, memory and calls of the MCP server, beside a minimal one on the official SDK; growth",
        wants: &[],
        run: mcp::run,
    },
    Topic {
        name: "redaction",
        about: "kinds of secrets removed, of our own list and of kept libraries' patterns; ordinary texts touched (--corpus DIR)",
        wants: &[Want::Corpus],
        run: redaction::run,
    },
    Topic {
        name: "selector",
        about: "how exact, short, lasting and quick selectors are, beside those of others in Chromium (--corpus DIR)",
        wants: &[Want::Corpus, Want::Json],
        run: selector::run,
    },
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Want {
    Corpus,
    /// A file for its JSON.
    Json,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    if args.smoke && !args.inside {
        return smoke::run(args.topic.as_deref());
    }
    let Some(name) = &args.topic else {
        say("Topics of `cargo xtask bench <topic>`:");
        for topic in TOPICS {
            say(&format!("  {:<9} {}", topic.name, topic.about));
        }
        return Ok(());
    };
    let topic = topic(name)?;
    if args.smoke {
        say("A smoke run: what it prints are no figures.");
    } else if args.soak.is_none() {
        // Growth is the same in every build.
        crate::ensure_optimised()?;
    }
    (topic.run)(args)
}

fn topic(name: &str) -> Result<&'static Topic> {
    TOPICS
        .iter()
        .find(|topic| topic.name == name)
        .with_context(|| format!("there is no topic {name:?}; `cargo xtask bench` lists them"))
}
