//! What selectors are on the page they were made on: exact, short, of lasting names, quickly made.

use serde::Serialize;

use super::names::has_generated_name;
use crate::bench::statistics::{percent, percentile};

/// A selector that was asked for.
#[derive(Clone, Debug)]
pub(super) struct Made {
    /// None when the generator failed or was stopped.
    pub(super) selector: Option<String>,
    /// It matches the element and nothing else.
    pub(super) exact: bool,
    pub(super) ms: f64,
    pub(super) error: Option<String>,
}

/// The figures of one generator on one page, or on all. Percentages 0 to 100, lengths in characters.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Quality {
    pub(super) tool: String,
    /// A page's name, or `all`.
    pub(super) page: String,
    /// Of the page; of the largest for `all`.
    pub(super) page_elements: usize,
    pub(super) asked: usize,
    pub(super) exact_and_unique: Option<f64>,
    /// No selector: an error, or stopped at the limit.
    pub(super) failed: Option<f64>,
    pub(super) generated_names: Option<f64>,
    pub(super) length_median: Option<usize>,
    pub(super) length_p95: Option<usize>,
    pub(super) length_max: Option<usize>,
    pub(super) ms_median: Option<f64>,
    pub(super) ms_p95: Option<f64>,
    pub(super) ms_worst: Option<f64>,
    /// Milliseconds once a page, before the first selector; of tools that have such a step.
    pub(super) ms_setup: Option<f64>,
}

impl Quality {
    pub(super) fn new(
        tool: &str,
        page: &str,
        page_elements: usize,
        made: &[&Made],
        ms_setup: Option<f64>,
    ) -> Self {
        let selectors: Vec<&str> = made.iter().filter_map(|one| one.selector.as_deref()).collect();
        let mut lengths: Vec<usize> = selectors.iter().map(|selector| selector.chars().count()).collect();
        lengths.sort_unstable();
        let mut times: Vec<f64> = made.iter().map(|one| one.ms).collect();
        times.sort_by(f64::total_cmp);
        let count = |which: fn(&Made) -> bool| made.iter().filter(|one| which(one)).count();
        Self {
            tool: tool.to_owned(),
            page: page.to_owned(),
            page_elements,
            asked: made.len(),
            exact_and_unique: percent(count(|one| one.exact), made.len()),
            failed: percent(count(|one| one.selector.is_none()), made.len()),
            generated_names: percent(
                selectors.iter().filter(|selector| has_generated_name(selector)).count(),
                selectors.len(),
            ),
            length_median: percentile(&lengths, 50),
            length_p95: percentile(&lengths, 95),
            length_max: lengths.last().copied(),
            ms_median: percentile(&times, 50),
            ms_p95: percentile(&times, 95),
            ms_worst: times.last().copied(),
            ms_setup,
        }
    }
}
