//! Prints the figures as tables, with a line for what each says.

use xtask::step::say;

use super::json::Result;
use super::quality::Quality;
use super::survival::Survival;
use super::{OURS, OURS_SET};
use crate::bench::summary;

pub(super) fn print(result: &Result) {
    quality(result);
    growth(result);
    survival(result);
    summary::print(&result.summary);
    for error in &result.errors {
        say(&format!("  {} failed {} times: {}", error.tool, error.count, error.error));
    }
    for left_out in &result.left_out {
        say(&format!("  left out: {left_out}"));
    }
}

fn quality(result: &Result) {
    say("\nSelectors on the page they were made on; the same elements for every generator.");
    say("  exact   % of the elements: the selector matches the element and nothing else");
    say("  failed  % of the elements: no selector, by an error or stopped at the limit");
    say(
        "  gen.    % of the selectors: rest on an id, class or name that looks generated (the bench's own rule, by spelling)",
    );
    say(
        "  length  in characters; time in ms an element, ours native, the others in Chromium; set-up once a page",
    );
    heading();
    let mut tools: Vec<&str> = Vec::new();
    for row in result.quality.iter().filter(|row| row.page == "all") {
        line(row, None);
        tools.push(&row.tool);
    }
    say("\nThe same by page:");
    heading();
    for row in result.quality.iter().filter(|row| row.page != "all") {
        line(row, None);
    }
    let own = &result.own_in_browser;
    if own.asked > 0 {
        say(&format!(
            "\nOurs as Chromium resolves them ({}): {} of {} match exactly their element.",
            result.browser, own.exact, own.asked
        ));
    }
}

fn heading() {
    say(&format!(
        "  {:<24}{:<26}{:>7}{:>7}{:>7}{:>7}{:>7}{:>9}{:>6}{:>6}{:>9}{:>9}{:>9}{:>9}",
        "generator",
        "page",
        "size",
        "asked",
        "exact",
        "failed",
        "gen.",
        "length",
        "p95",
        "max",
        "ms",
        "p95",
        "worst",
        "set-up"
    ));
}

fn line(row: &Quality, name: Option<&str>) {
    let share = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.1}"));
    let count = |value: Option<usize>| value.map_or("-".to_owned(), |value| value.to_string());
    let time = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.3}"));
    say(&format!(
        "  {:<24}{:<26}{:>7}{:>7}{:>7}{:>7}{:>7}{:>9}{:>6}{:>6}{:>9}{:>9}{:>9}{:>9}",
        row.tool,
        name.unwrap_or(&row.page),
        row.page_elements,
        row.asked,
        share(row.exact_and_unique),
        share(row.failed),
        share(row.generated_names),
        count(row.length_median),
        count(row.length_p95),
        count(row.length_max),
        time(row.ms_median),
        time(row.ms_p95),
        time(row.ms_worst),
        time(row.ms_setup),
    ));
}

fn growth(result: &Result) {
    let growth = &result.growth;
    say(
        "\nOurs on synthetic pages with shadow roots and frames, index shared; last, a set of selectors, median ms:",
    );
    heading();
    for (row, set) in growth.pages.iter().zip(&growth.set_ms_median) {
        line(row, Some(&format!("synthetic, set {:.3}", set.unwrap_or(0.0))));
    }
    let exponent = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.2}"));
    say(&format!(
        "  Set-up grows with the elements to the power of {}, the median selector to the power of {} (1 is linear).",
        exponent(growth.setup_exponent),
        exponent(growth.selector_exponent)
    ));
}

fn survival(result: &Result) {
    say("\nThe old page's selectors on the new page.");
    say("  right    % of the present: one match, the right element");
    say("  wrong    % of the present: one match, another element (silently wrong)");
    say("  several  % of the present: several matches, or a set that does not agree; lost: none");
    say(
        "  gone hit % of the gone: one match all the same; wrong of all: silently wrong, there or gone, in % of all",
    );
    let sets: Vec<(&str, &str)> = result
        .survival
        .iter()
        .filter(|row| row.tool == OURS)
        // Of the single sets only the JSON has the parts.
        .filter(|row| row.part == "all" || row.set == "all" || row.set.ends_with('*'))
        .map(|row| (row.set.as_str(), row.part))
        .collect();
    for (set, part) in sets {
        let rows = || result.survival.iter().filter(|row| row.set == set && row.part == part);
        // The parts are about our own fit only.
        let shown: Vec<&Survival> =
            rows().filter(|row| part == "all" || row.tool == OURS || row.tool == OURS_SET).collect();
        let Some(first) = shown.first() else { continue };
        say(&format!("\n  {set}, {part}: {} present, {} gone", first.present, first.gone));
        say(&format!(
            "    {:<26}{:>8}{:>8}{:>9}{:>8}{:>10}{:>14}",
            "generator", "right", "wrong", "several", "lost", "gone hit", "wrong of all"
        ));
        for row in shown {
            let share = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.1}"));
            say(&format!(
                "    {:<26}{:>8}{:>8}{:>9}{:>8}{:>10}{:>14}",
                row.tool,
                share(row.right),
                share(row.silently_wrong),
                share(row.several),
                share(row.lost),
                share(row.gone_but_hit),
                share(row.silently_wrong_of_all)
            ));
        }
    }
}
