//! `cargo xtask bench core`: what the core does with a page, at three sizes, natively and as WASM under Node.
//!
//! Baselines run in the same process on the same bytes, so the ratios mean something on any machine.

mod native;
mod report;
mod selectors;
mod wasm;

use std::fs;

use anyhow::{Context as _, Result};
use opentoolbar_core::page::Page;
use xtask::{step, workspace};

use super::{Args, synthetic};

/// How much is measured.
struct Effort {
    /// Elements of the synthetic pages.
    sizes: &'static [usize],
    /// Elements of each page that are described, addressed and found again, spread evenly.
    sample: usize,
}

const FULL: Effort = Effort { sizes: &[1_000, 10_000, 50_000], sample: 100 };
const SMOKE: Effort = Effort { sizes: &[100, 200], sample: 5 };

/// One measured operation on one page, in milliseconds.
#[derive(Clone, Debug, serde::Deserialize)]
pub(super) struct Figure {
    what: String,
    median: f64,
    worst: f64,
}

/// A page to measure, with the bytes a browser would send.
struct Subject {
    elements: usize,
    page: Page,
    json: Vec<u8>,
    /// A later version of it: every fifth text reads otherwise.
    later: Vec<u8>,
    sample: Vec<u32>,
}

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

fn subject(wanted: usize, most: usize) -> Result<Subject> {
    let capture = synthetic::page(wanted);
    let json = serde_json::to_vec(&capture)?;
    let later = serde_json::to_vec(&synthetic::edited(capture))?;
    let page = Page::decode(&json).context("a synthetic page is not valid")?;
    let elements: Vec<u32> = page.elements().collect();
    let every = (elements.len() / most).max(1);
    let sample = elements.iter().copied().skip(every / 2).step_by(every).take(most).collect();
    Ok(Subject { elements: elements.len(), page, json, later, sample })
}

/// Where the WASM run finds the captures.
fn write_subjects(subjects: &[Subject]) -> Result<std::path::PathBuf> {
    let folder = workspace::own().join("bench");
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    for (at, subject) in subjects.iter().enumerate() {
        fs::write(folder.join(format!("page-{at}.json")), &subject.json)?;
        fs::write(folder.join(format!("page-{at}.later.json")), &subject.later)?;
        fs::write(folder.join(format!("page-{at}.sample.json")), serde_json::to_vec(&subject.sample)?)?;
    }
    Ok(folder)
}
