//! Outcomes by set, by family of sets (`git-*`), and all; each whole and by part.

use std::collections::BTreeMap;

use super::figures::{Row, figures, sweep};
use super::outcome::{Case, Said};
use crate::bench::corpus::Part;
use crate::bench::statistics::{Sweep, best_threshold};

/// A set, a family of sets, or `all`, with its outcomes.
pub(super) struct Group<'a> {
    pub(super) name: String,
    pub(super) cases: Vec<&'a Case>,
}

pub(super) fn groups(cases: &[Case]) -> Vec<Group<'_>> {
    let mut sets: BTreeMap<&str, Vec<&Case>> = BTreeMap::new();
    for case in cases {
        sets.entry(&case.set).or_default().push(case);
    }
    let mut families: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for set in sets.keys() {
        if let Some((family, _)) = set.split_once('-') {
            families.entry(family).or_default().push(set);
        }
    }
    let mut groups: Vec<Group<'_>> =
        sets.iter().map(|(set, cases)| Group { name: (*set).to_owned(), cases: cases.clone() }).collect();
    for (family, members) in families {
        if members.len() > 1 && members.len() < sets.len() {
            let cases = members.iter().filter_map(|set| sets.get(set)).flatten().copied().collect();
            groups.push(Group { name: format!("{family}-*"), cases });
        }
    }
    if sets.len() > 1 {
        groups.push(Group { name: "all".to_owned(), cases: cases.iter().collect() });
    }
    groups
}

/// The figures of a method: for each group, all of it and both parts. `tuned`: what is below a threshold counts as said
/// to be gone, and for each line it is the one that makes most of its outcomes right.
pub(super) fn rows(method: &str, cases: &[Case], tuned: bool) -> Vec<Row> {
    let mut rows = Vec::new();
    for group in groups(cases) {
        for part in [None, Some(Part::Train), Some(Part::Test)] {
            let some: Vec<&Case> = group
                .cases
                .iter()
                .filter(|case| part.is_none_or(|part| case.part == part))
                .copied()
                .collect();
            if some.is_empty() {
                continue;
            }
            let tuned: Vec<Case> = if tuned { with_best_threshold(&some) } else { Vec::new() };
            let some = if tuned.is_empty() { some } else { tuned.iter().collect() };
            rows.push(Row {
                method: method.to_owned(),
                set: group.name.clone(),
                part: part.map_or("all", Part::word).to_owned(),
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
