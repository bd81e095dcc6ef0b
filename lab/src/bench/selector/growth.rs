//! Times of our selectors on synthetic pages of growing size, shadow roots and frames among them.

use std::hint::black_box;
use std::time::Instant;

use anyhow::{Context as _, Result};
use opentoolbar_core::page::Page;
use opentoolbar_core::selector;
use serde::Serialize;

use super::ours::{self, SET};
use super::quality::Quality;
use super::subjects::evenly;
use crate::bench::statistics::{exponent, percentile};
use crate::bench::synthetic;

/// How much is measured.
pub(super) struct Effort {
    /// Elements of the synthetic pages.
    sizes: &'static [usize],
    /// Of each page, those that are asked about.
    sample: usize,
}

pub(super) const FULL: Effort =
    Effort { sizes: &[1_000, 2_000, 10_000, 16_000, 50_000, 100_000], sample: 500 };
pub(super) const SMOKE: Effort = Effort { sizes: &[100, 200], sample: 10 };

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Growth {
    pub(super) pages: Vec<Quality>,
    /// Median milliseconds for a set of selectors of one element, for each page.
    pub(super) set_ms_median: Vec<Option<f64>>,
    /// Exponents of set-up and of the median selector over the elements; 1 is linear.
    pub(super) setup_exponent: Option<f64>,
    pub(super) selector_exponent: Option<f64>,
}

pub(super) fn measure(&Effort { sizes, sample: most }: &Effort) -> Result<Growth> {
    let (mut pages, mut sets) = (Vec::new(), Vec::new());
    for &size in sizes {
        let capture = synthetic::page(size);
        let setup = ours::setup(&capture)?;
        let page = Page::from_capture(capture).context("a synthetic page is not valid")?;
        let elements: Vec<u32> = page.elements().collect();
        let sample = evenly(&elements, most);
        let made = ours::make(&page, &sample);
        let made: Vec<_> = made.iter().collect();
        pages.push(Quality::new("opentoolbar", "synthetic", elements.len(), &made, Some(setup)));
        let mut times: Vec<f64> = evenly(&sample, most / 5)
            .into_iter()
            .map(|node| {
                let began = Instant::now();
                drop(black_box(selector::diverse(&page, node, SET)));
                began.elapsed().as_secs_f64() * 1_000.0
            })
            .collect();
        times.sort_by(f64::total_cmp);
        sets.push(percentile(&times, 50));
    }
    let over = |of: fn(&Quality) -> Option<f64>| {
        let points: Vec<(usize, f64)> =
            pages.iter().filter_map(|page| Some((page.page_elements, of(page)?))).collect();
        exponent(&points)
    };
    Ok(Growth {
        setup_exponent: over(|page| page.ms_setup),
        selector_exponent: over(|page| page.ms_median),
        set_ms_median: sets,
        pages,
    })
}
