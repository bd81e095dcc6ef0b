//! Prints the figures as tables, with a line for each heading.

use xtask::step::say;

use super::failures::{CLASSES, Failure};
use super::figures::{DEFINITIONS, Row};
use super::peers::Peer;
use super::speed::{Growth, Speed};
use crate::bench::statistics::Reliability;

/// What a difference of a pair counts as.
const ACROSS: &str = "The two pages of a pair are of different source: whatever differs counts as a change of the source (cause `source`), \
                      so each `changed`, `ambiguous` and `missing` would make a comment outdated. Nothing is taken for state of the app.";

pub(super) fn definitions() {
    say(&format!("\n{ACROSS}"));
    say("\nWhat the columns say:");
    for (_, heading, meaning) in DEFINITIONS {
        say(&format!("  {heading:<7} {meaning}"));
    }
    say("  Part: pages whose name falls to `train` may be fitted on, `test` never was; `all` is both.");
}

pub(super) fn table<'a>(title: &str, rows: impl Iterator<Item = &'a Row>) {
    say(&format!("\n{title}"));
    let headings: Vec<String> = DEFINITIONS.iter().map(|(_, heading, _)| format!("{heading:>7}")).collect();
    say(&format!("  {:<18}{:<6}{}", "set", "part", headings.concat()));
    for row in rows {
        let f = &row.figures;
        let share = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.1}"));
        let score = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.3}"));
        let cells = [
            f.present.to_string(),
            f.gone.to_string(),
            share(f.right_element),
            share(f.ambiguous),
            share(f.wrong),
            share(f.falsely_missing),
            share(f.gone_said),
            share(f.gone_shown),
            share(f.whole_right),
            share(f.whole_strict),
            f.wrong_shown_as_it_was.map_or("-".to_owned(), |value| format!("{value:.2}")),
            share(f.gone_at97_of_present),
            share(f.gone_at97_of_right),
            share(f.gone_at90_of_present),
            score(f.changed_auc),
            score(f.changed_f1),
            score(f.changed_f1_of_present),
            score(f.calibration_error),
        ];
        let cells: Vec<String> = cells.iter().map(|cell| format!("{cell:>7}")).collect();
        say(&format!("  {:<18}{:<6}{}", row.set, row.part, cells.concat()));
    }
}

/// What of the figures a peer has.
pub(super) fn peer<'a>(peer: &Peer, rows: impl Iterator<Item = &'a Row>) {
    say(&format!("\n{}: {}", peer.name, peer.about));
    say(&format!(
        "  {:<18}{:<6}{:>7}{:>7}{:>7}{:>7}{:>7}{:>7}{:>7}{:>7}",
        "set", "part", "right", "gone+", "whole", "lost", "silent", "g@97", "g@97r", "g@90"
    ));
    for row in rows.filter(|row| row.part == "all") {
        let f = &row.figures;
        let cells = [
            f.right_element,
            f.gone_said,
            f.whole_right,
            f.falsely_missing,
            f.wrong_shown_as_it_was,
            f.gone_at97_of_present,
            f.gone_at97_of_right,
            f.gone_at90_of_present,
        ];
        let cells =
            cells.map(|cell| format!("{:>7}", cell.map_or("-".to_owned(), |value| format!("{value:.1}"))));
        say(&format!("  {:<18}{:<6}{}", row.set, row.part, cells.concat()));
    }
}

pub(super) fn reliability(name: &str, table: &Reliability) {
    say(&format!(
        "\nReliability of the confidences, {name} (expected calibration error {:.3}): of what was said with a confidence in the bin, how much was right",
        table.expected_calibration_error
    ));
    say(&format!("  {:<12}{:>7}{:>12}{:>9}", "confidence", "n", "mean", "right"));
    for bin in &table.bins {
        say(&format!(
            "  {:<12}{:>7}{:>12.3}{:>9.3}",
            format!("{:.1} to {:.1}", bin.from, bin.to),
            bin.count,
            bin.confidence,
            bin.right
        ));
    }
}

pub(super) fn speed(speeds: &[Speed], growth: &Growth) {
    say(
        "\nSpeed: ms for 100 comments in one pass, from the decoded page to the verdicts, its index included (median, best and worst of 7 runs).",
    );
    say(
        "WASM is the build that ships, under Node, from targets to verdicts as JavaScript values; ratio: best to best of the same natively, JSON to JSON. Similo is reckoned from 5 targets, in Rust.",
    );
    say(&format!(
        "  {:<44}{:>9}{:>9}{:>10}{:>10}{:>10}{:>10}{:>9}  Similo (times ours)",
        "page", "elements", "nodes", "native", "best", "worst", "WASM", "ratio"
    ));
    for s in speeds {
        let wasm = s.wasm.map_or("-".to_owned(), |time| format!("{time:.2}"));
        let ratio = s.wasm_best.map_or("-".to_owned(), |time| format!("x{:.2}", time / s.native_whole_best));
        let peers: Vec<String> = s
            .peers
            .iter()
            .map(|peer| {
                format!("  {}: {:.0} (x{:.0})", peer.method, peer.milliseconds, peer.milliseconds / s.native)
            })
            .collect();
        say(&format!(
            "  {:<44}{:>9}{:>9}{:>10.2}{:>10.2}{:>10.2}{wasm:>10}{ratio:>9}{}",
            s.page,
            s.elements,
            s.nodes,
            s.native,
            s.native_best,
            s.native_worst,
            peers.concat()
        ));
    }
    if speeds.iter().all(|s| s.wasm.is_none()) {
        say("  The WASM is not built: `cargo xtask build` builds it; then run this again.");
    }
    if let Some(exponent) = growth.nodes_exponent {
        say(&format!(
            "  Grows with the nodes of the synthetic pages to the power of {exponent:.2} (1 is linear)."
        ));
    }
    let by_comments: Vec<String> =
        growth.comments.iter().map(|(count, time)| format!("{count} comments {time:.2}")).collect();
    say(&format!("  By comments, on the synthetic page of 16k elements, in ms: {}.", by_comments.join(", ")));
}

pub(super) fn failure_counts(failures: &[Failure]) {
    say("\nFailures by class (train, test); --failures prints each, --json has them all");
    for (class, meaning) in CLASSES {
        let of = |part: &str| failures.iter().filter(|f| f.class == *class && f.part == part).count();
        say(&format!("  {class:<30}{:>5}{:>5}   {meaning}", of("train"), of("test")));
    }
}

pub(super) fn failures(failures: &[Failure]) {
    for (class, _) in CLASSES {
        for failure in failures.iter().filter(|failure| failure.class == *class) {
            say(&format!(
                "\n[{class}] {} {} ({}): {} {:.2}, {}",
                failure.set, failure.page, failure.part, failure.verdict, failure.confidence, failure.reason
            ));
            let elements = [
                ("old", Some(&failure.old)),
                ("truth", failure.truth.as_ref()),
                ("found", failure.found.as_ref()),
            ];
            for (role, element) in elements {
                match element {
                    Some(e) => say(&format!("  {role:<6}{} {:?}  {}", e.tag, e.text, e.path)),
                    None => say(&format!("  {role:<6}-")),
                }
            }
            for change in &failure.diff {
                say(&format!("  diff  {change}"));
            }
        }
    }
}
