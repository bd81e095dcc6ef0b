//! The figures of a method: for each set, family and all; each whole and by part.

use super::figures::{Row, figures, sweep};
use super::outcome::{Case, Said};
use crate::bench::groups::groups;
use crate::bench::statistics::{Sweep, best_threshold};

/// The figures of a method: for each group, all of it and both parts. `tuned`: what is below a threshold counts as said
/// to be gone, and for each line it is the one that makes most of its outcomes right.
pub(super) fn rows(method: &str, cases: &[Case], tuned: bool) -> Vec<Row> {
    let mut rows = Vec::new();
    for group in groups(cases) {
        for (part, some) in group.parts() {
            let tuned: Vec<Case> = if tuned { with_best_threshold(&some) } else { Vec::new() };
            let some = if tuned.is_empty() { some } else { tuned.iter().collect() };
            rows.push(Row {
                method: method.to_owned(),
                set: group.name.clone(),
                part: part.to_owned(),
                figures: figures(&some),
            });
        }
    }
    rows
}

fn with_best_threshold(cases: &[&Case]) -> Vec<Case> {
    let sweeps: Vec<Sweep> = cases.iter().map(|case| sweep(case)).collect();
    let threshold = best_threshold(&sweeps);
    let mut tuned: Vec<Case> = cases.iter().map(|case| (*case).clone()).collect();
    for case in tuned.iter_mut().filter(|case| case.answer.presence < threshold) {
        case.answer.said = Said::Missing;
    }
    tuned
}
