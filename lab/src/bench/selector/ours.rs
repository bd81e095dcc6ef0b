//! opentoolbar's own selectors, natively: made, timed and looked up again.

use std::hint::black_box;
use std::time::Instant;

use anyhow::Result;
use opentoolbar_core::page::{Capture, Page};
use opentoolbar_core::selector;

use super::quality::Made;
use super::survival::Found;
use crate::corpus::Pair;

/// Selectors of one element in a set, as many as a comment keeps.
pub(super) const SET: usize = 4;
/// Most characters of what an element says that a set knows.
const WORDS: usize = 2_000;
/// Runs of one element, of which the shortest counts: the machine's other work is not ours.
const RUNS: usize = 3;
/// Fresh pages that are indexed.
const INDEXED: usize = 5;

/// The single selector of each element, with its time while the page's index is there.
pub(super) fn make(page: &Page, nodes: &[u32]) -> Vec<Made> {
    let _ = page.index();
    nodes
        .iter()
        .map(|&node| {
            let mut ms = f64::INFINITY;
            let mut made = None;
            for _ in 0..RUNS {
                let began = Instant::now();
                made = Some(black_box(selector::generate(page, node)));
                ms = ms.min(began.elapsed().as_secs_f64() * 1_000.0);
            }
            match made {
                Some(Ok(selector)) => {
                    let exact = selector::resolve(page, &selector).is_ok_and(|found| found == [node]);
                    Made { selector: Some(selector), exact, ms, error: None }
                }
                other => Made {
                    selector: None,
                    exact: false,
                    ms,
                    error: other.and_then(Result::err).map(|error| error.to_string()),
                },
            }
        })
        .collect()
}

/// Milliseconds that the index takes, the median of fresh pages.
pub(super) fn setup(capture: &Capture) -> Result<f64> {
    let mut times = Vec::new();
    for _ in 0..INDEXED {
        let page = Page::from_capture(capture.clone())?;
        let began = Instant::now();
        black_box(page.index());
        times.push(began.elapsed().as_secs_f64() * 1_000.0);
    }
    times.sort_by(f64::total_cmp);
    Ok(times.get(INDEXED / 2).copied().unwrap_or(0.0))
}

/// What the single selector and the set of a target's old element mean on the new page.
pub(super) fn survive(pair: &Pair, old: u32) -> (Found, Found) {
    let (from, to) = (&pair.old.page, &pair.new.page);
    let single = selector::generate(from, old).map_or(Found::None, |selector| found(to, &selector));
    let set = selector::diverse(from, old, SET).unwrap_or_default();
    let vote = selector::vote(to, &set, Some(&from.text(old, WORDS)));
    let set = match vote.node {
        Some(node) => Found::One(node),
        None if vote.candidates.is_empty() => Found::None,
        None => Found::Several,
    };
    (single, set)
}

/// What a selector means on a page.
pub(super) fn found(page: &Page, selector: &str) -> Found {
    match selector::resolve(page, selector).as_deref() {
        Ok(&[node]) => Found::One(node),
        Ok([]) | Err(_) => Found::None,
        Ok(_) => Found::Several,
    }
}
