//! `cargo xtask train anchor --corpus DIR --versions DIR`: learns the numbers of core's anchors and writes them as Rust
//! constants. `cargo xtask train pages --into DIR` makes what `--versions` takes. `cargo xtask train redesigns` learns
//! those for pages that were built anew.
//!
//! The examples are the corpus's train part, real versions of other pages, and seeded edits of both; nothing of the
//! corpus's test part is looked at. The same corpus and versions give the same numbers.

mod examples;
mod learn;
mod mutate;
mod pages;
mod random;
mod redesigns;
mod write;

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use opentoolbar_core::anchor::training::{CLUES, Numbers, OUTCOMES, SIGNS};
use xtask::step::say;
use xtask::workspace;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// What to learn, `anchor` or `redesigns`; or to make what is learnt from, `pages`
    topic: Option<String>,
    /// Folder of real pages with known outcomes
    #[arg(long)]
    corpus: Option<PathBuf>,
    /// Folder of real versions of pages, as `train pages` makes it
    #[arg(long)]
    versions: Option<PathBuf>,
    /// Where `train pages` puts what it fetches and makes; the second time little is fetched
    #[arg(long)]
    into: Option<PathBuf>,
    /// Fewer edits of fewer pages, to try something out; nothing is written
    #[arg(long)]
    quick: bool,
    /// Keep the ranking as it is and learn only what the best candidate is
    #[arg(long)]
    outcome: bool,
    /// Write nothing; fail when what is learnt is not what is in use
    #[arg(long, conflicts_with_all = ["quick", "outcome"])]
    check: bool,
}

/// How often both networks are learnt, each time with what the time before gave.
const TURNS: usize = 2;

pub(crate) fn run(args: &Args) -> Result<()> {
    match args.topic.as_deref() {
        Some("anchor") => {}
        Some("redesigns") => return redesigns::run(args.check),
        Some("pages") => {
            let into = args.into.as_deref().context("name the folder: cargo xtask train pages --into DIR")?;
            return pages::run(into);
        }
        Some(other) => {
            bail!("there is nothing called {other:?} to learn; `cargo xtask train anchor --corpus DIR`")
        }
        None => bail!("say what to learn: `cargo xtask train anchor --corpus DIR`"),
    }
    let corpus = args.corpus.as_deref().context("name the corpus: cargo xtask train anchor --corpus DIR")?;
    crate::ensure_optimised()?;
    let pages = examples::read(corpus, args.versions.as_deref(), args.quick)?;
    // From nothing, so that the result depends on the corpus and the code alone.
    let mut numbers = if args.outcome { Numbers::learnt() } else { Numbers::default() };
    // The look-alikes that an anchor keeps, and what other comments tell of it, come from the numbers: they are learnt
    // twice.
    for turn in 0..if args.outcome { 1 } else { TURNS } {
        if !args.outcome {
            say(&format!("Turn {}: looking at the examples ...", turn + 1));
            let rows = learn::ranking(&examples::look(&numbers, &pages)?);
            numbers.fit = learn::learn(&rows, CLUES, 1, learn::Loss::Ranking, 28, learn::Pace::MANY);
        }
        say("Looking at the examples with the learnt ranking ...");
        let seen = examples::look(&numbers, &pages)?;
        report(&seen);
        let rows = learn::outcomes(&seen);
        numbers.outcome = learn::learn(&rows, SIGNS, OUTCOMES, learn::Loss::Kinds, 24, learn::Pace::MANY);
    }
    let path = workspace::root().join("core/src/anchor/weights.rs");
    let text = write::text(&numbers)?;
    if args.check {
        let kept =
            std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        anyhow::ensure!(kept == text, "{} is not what this corpus and code give", path.display());
        say(&format!("{} is what this corpus and code give.", path.display()));
    } else if !args.quick {
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        say(&format!("Wrote {}.", path.display()));
    }
    Ok(())
}

/// How good the present numbers are on the examples themselves, by kind of edit.
fn report(seen: &[examples::Seen]) {
    for kind in 0..=examples::VERSIONS {
        let of_kind = || seen.iter().filter(move |one| one.kind == kind);
        let present = of_kind().filter(|one| one.truth.is_some()).count();
        let among = of_kind().filter(|one| one.place.is_some()).count();
        let right = of_kind().filter(|one| one.place == Some(0)).count();
        let share = |count: usize| count as f64 * 100.0 / present.max(1) as f64;
        let names = [
            "rerender",
            "edit",
            "list",
            "heavy",
            "translated",
            "redesign",
            "release",
            "years",
            "redone",
            "real",
            "other",
            "back",
            "versions",
        ];
        let name = names.get(kind).unwrap_or(&"");
        say(&format!(
            "  {name:<10} {:>6} elements, {present:>6} there: among the candidates {:.2} %, the best {:.2} %",
            of_kind().count(),
            share(among),
            share(right),
        ));
    }
}
