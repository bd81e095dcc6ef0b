//! `cargo xtask bench core`: what the core does with a page, at three sizes, natively and as WASM under Node.
//!
//! Baselines run in the same process on the same bytes, so the ratios mean something on any machine.

mod native;
mod report;
mod selectors;
mod subject;
mod wasm;

use anyhow::Result;
use xtask::step;

use self::subject::subject;
use super::args::Args;

/// How much is measured.
struct Effort {
    /// Elements of the synthetic pages.
    sizes: &'static [usize],
    /// Elements of each page that are described, addressed and found again, spread evenly.
    sample: usize,
}

const FULL: Effort = Effort { sizes: &[1_000, 10_000, 50_000], sample: 100 };
const SMOKE: Effort = Effort { sizes: &[100, 200], sample: 5 };

pub(super) fn run(args: &Args) -> Result<()> {
    let corpus = args.corpus.as_deref();
    let &Effort { sizes, sample } = if args.smoke { &SMOKE } else { &FULL };
    let subjects = sizes.iter().map(|&size| subject(size, sample)).collect::<Result<Vec<_>>>()?;
    step::say("Synthetic pages (seeded, the same on every machine):");
    for s in &subjects {
        let (nodes, kib) = (s.page.len(), s.json.len() / 1024);
        step::say(&format!("  {:>6} elements, {nodes:>6} nodes, {kib:>5} KiB of JSON", s.elements));
    }
    let native = subjects.iter().map(native::measure).collect::<Result<Vec<_>>>()?;
    report::table("native", &subjects, &native);
    selectors::report(
        "synthetic",
        &subjects.iter().map(|s| (&s.page, s.sample.as_slice())).collect::<Vec<_>>(),
    )?;
    if let Some(corpus) = corpus {
        selectors::corpus(corpus)?;
    }
    match wasm::measure(&subjects)? {
        Some(figures) => {
            report::table("WASM under Node", &subjects, &figures);
            report::ratios(&native, &figures);
        }
        None => args.left_out("WASM: not built yet. `cargo xtask build` builds it; then run this again.")?,
    }
    Ok(())
}
