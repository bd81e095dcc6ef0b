//! `cargo xtask bench`: one file per topic; each prints its figures and how they grow. Nothing here passes or fails by
//! time.

mod anchor;
mod core;
mod groups;
mod hub;
mod mcp;
mod redaction;
mod selector;
mod smoke;
mod statistics;
mod summary;
mod synthetic;

use std::fs::OpenOptions;
use std::path::PathBuf;

use anyhow::{Context as _, Result, ensure};
use xtask::step::say;
use xtask::{build, workspace};

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
    /// Only try whether every part still runs, as small as can be, in any build: no figure comes of it. Without a
    /// topic, of all
    #[arg(long)]
    smoke: bool,
    /// One topic of a smoke run (the verb starts itself so)
    #[arg(long, hide = true, requires = "smoke")]
    inside: bool,
}

impl Args {
    /// Tells what could not be measured. A smoke run fails by it: it is there to show that everything can be.
    fn left_out(&self, what: &str) -> Result<()> {
        self.nothing_left_out(&[what])?;
        say(what);
        Ok(())
    }

    /// The same for what is told later.
    fn nothing_left_out(&self, left_out: &[impl AsRef<str>]) -> Result<()> {
        let what = left_out.iter().map(AsRef::as_ref).collect::<Vec<_>>().join("; ");
        ensure!(!self.smoke || what.is_empty(), "a smoke run leaves nothing out: {what}");
        Ok(())
    }

    /// The host that is measured: the one that is named, or the release build; of a smoke run, the one that every test
    /// uses.
    fn host(&self) -> Result<PathBuf> {
        if let Some(host) = std::env::var_os("OPENTOOLBAR_HOST") {
            return Ok(std::path::absolute(host)?);
        }
        build::host(!self.smoke)?;
        Ok(if self.smoke { workspace::host_binary() } else { workspace::release_host_binary() })
    }

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
        name: "hub",
        about: "messages between browsers and waiting agents at 1, 10 and 100 sessions; memory; growth (--soak SECONDS)",
        wants: &[Want::Json],
        run: hub::run,
    },
    Topic {
        name: "mcp",
        about: "cold start, memory and round trips of the MCP server",
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
