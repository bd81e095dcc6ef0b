//! Which figures of a run have aims, and what they are.

use super::growth::Growth;
use super::quality::Quality;
use super::survival::Survival;
use super::{OURS, OURS_SET};
use crate::bench::summary::Line;

/// Right, % of the present, of a single selector: above the best of the peers that were measured; and of a set.
const SURVIVES: [(&str, f64, f64); 5] = [
    ("git-*", 81.0, 90.0),
    ("mut-rerender", 85.0, 95.0),
    ("mut-edit", 91.0, 97.0),
    ("mut-list", 85.0, 93.0),
    ("mut-heavy", 56.0, 80.0),
];
/// Silently wrong, % of the present.
const WRONG: [(&str, f64); 1] = [("mut-list", 3.0)];
const EXACT: f64 = 100.0;
const GENERATED: f64 = 1.0;
const LENGTH: (f64, f64) = (40.0, 120.0);
/// Milliseconds from 1k to 16k elements: median, p95, worst; set-up at 10k.
const TIMES: [f64; 3] = [0.02, 0.2, 2.0];
const SETUP: f64 = 5.0;

pub(super) fn summary(quality: &[Quality], survival: &[Survival], growth: &Growth) -> Vec<Line> {
    let mut lines = Vec::new();
    let all = |tool: &str| quality.iter().find(|row| row.page == "all" && row.tool == tool);
    if let Some(own) = all(OURS) {
        let mut push = |figure: &str, aim: f64, less: bool, of: fn(&Quality) -> Option<f64>| {
            let line = Line::new(figure, "all pages", of(own)).aim(Some(aim));
            let line = if less { line.less_is_better() } else { line };
            let peers = quality.iter().filter(|row| row.page == "all" && row.tool != OURS);
            lines.push(line.peers(peers.map(|row| (row.tool.as_str(), of(row)))));
        };
        push("exact and unique, % of the elements", EXACT, false, |row| row.exact_and_unique);
        push("with generated names, %", GENERATED, true, |row| row.generated_names);
        push("length, median", LENGTH.0, true, |row| row.length_median.map(crate::bench::statistics::number));
        push("length, p95", LENGTH.1, true, |row| row.length_p95.map(crate::bench::statistics::number));
        push("ms a selector, median", TIMES[0], true, |row| row.ms_median);
        push("ms a selector, p95", TIMES[1], true, |row| row.ms_p95);
        push("ms a selector, worst", TIMES[2], true, |row| row.ms_worst);
    }
    if let Some(page) = growth.pages.iter().find(|page| page.page_elements >= 10_000) {
        let of = format!("synthetic, {} el.", page.page_elements);
        lines.push(Line::new("ms of set-up a page", &of, page.ms_setup).less_is_better().aim(Some(SETUP)));
    }
    let of_set = |tool: &str, set: &str| {
        survival.iter().find(|row| row.tool == tool && row.set == set && row.part == "all")
    };
    let peers = |set: &str, of: fn(&Survival) -> Option<f64>| {
        let set = set.to_owned();
        survival
            .iter()
            .filter(move |row| {
                row.part == "all" && row.set == set && row.tool != OURS && row.tool != OURS_SET
            })
            .map(move |row| (row.tool.as_str(), of(row)))
    };
    for own in survival.iter().filter(|row| row.tool == OURS && row.part == "all") {
        let set = own.set.as_str();
        let aim = SURVIVES.iter().find(|aim| aim.0 == set);
        let right: fn(&Survival) -> Option<f64> = |row| row.right;
        let wrong: fn(&Survival) -> Option<f64> = |row| row.silently_wrong;
        let aim_wrong = WRONG.iter().find(|aim| aim.0 == set).map(|aim| aim.1);
        let both = of_set(OURS_SET, set);
        lines.push(
            Line::new("a selector survives, % of the present", set, right(own))
                .aim(aim.map(|aim| aim.1))
                .peers(peers(set, right)),
        );
        lines.push(
            Line::new("a set of selectors survives, % of the present", set, both.and_then(right))
                .aim(aim.map(|aim| aim.2))
                .peers(peers(set, right)),
        );
        for (figure, row) in [
            ("a selector is silently wrong, % of the present", Some(own)),
            ("a set is silently wrong, % of the present", both),
        ] {
            lines.push(
                Line::new(figure, set, row.and_then(wrong))
                    .less_is_better()
                    .aim(aim_wrong)
                    .peers(peers(set, wrong)),
            );
        }
    }
    lines
}
