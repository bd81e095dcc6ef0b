//! What selectors look like: how many are unique (all must be), how long they are, how many rest on places.

use std::path::Path;

use anyhow::{Context as _, Result};
use opentoolbar_core::page::Page;
use opentoolbar_core::selector;
use xtask::step::say;

use crate::corpus;

/// Prints the figures of some elements of some pages.
pub(super) fn report(what: &str, pages: &[(&Page, &[u32])]) -> Result<()> {
    let (mut lengths, mut places, mut asked) = (Vec::new(), 0usize, 0usize);
    for (page, nodes) in pages {
        for &node in *nodes {
            asked += 1;
            let Ok(address) = selector::generate(page, node) else { continue };
            let found = selector::resolve(page, &address).context("a generated selector cannot be read")?;
            if found == [node] {
                lengths.push(address.chars().count());
                places += usize::from(address.contains(":nth-"));
            }
        }
    }
    lengths.sort_unstable();
    let at =
        |part: usize| lengths.get((lengths.len() * part / 100).min(lengths.len().saturating_sub(1))).copied();
    say(&format!(
        "\nSelectors, {what}: {asked} elements, {} unique and exact; length median {}, p95 {}, longest {}; {} rest on a place",
        lengths.len(),
        at(50).unwrap_or(0),
        at(95).unwrap_or(0),
        at(100).unwrap_or(0),
        places,
    ));
    Ok(())
}

/// The same for every element of the corpus's real pages.
pub(super) fn corpus(folder: &Path) -> Result<()> {
    for one in corpus::pages(folder)? {
        let page = one.page;
        let began = std::time::Instant::now();
        let _ = page.index();
        let index = began.elapsed();
        let mut times: Vec<_> = one
            .nodes
            .iter()
            .map(|&node| {
                let began = std::time::Instant::now();
                let _ = std::hint::black_box(selector::generate(&page, node));
                began.elapsed()
            })
            .collect();
        times.sort_unstable();
        let at =
            |part: usize| times.get((times.len() * part / 100).min(times.len().saturating_sub(1))).copied();
        report(&one.name, &[(&page, &one.nodes)])?;
        say(&format!(
            "  index {index:.2?}; selector median {:.2?}, p95 {:.2?}, worst {:.2?}",
            at(50).unwrap_or_default(),
            at(95).unwrap_or_default(),
            at(100).unwrap_or_default()
        ));
    }
    Ok(())
}
