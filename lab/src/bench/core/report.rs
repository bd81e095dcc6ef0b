//! Prints the figures, and how they grow.

use xtask::step::say;

use super::subject::{Figure, Subject};

/// One line per operation: the median at each size, and the growth from size to size.
pub(super) fn table(title: &str, subjects: &[Subject], figures: &[Vec<Figure>]) {
    say(&format!("\n{title}: median ms (growth; the page grows in brackets)"));
    let sizes: Vec<String> = subjects.iter().map(|s| format!("{:>22}", s.elements)).collect();
    say(&format!("  {:<38}{}   worst at the largest", "elements", sizes.concat()));
    for figure in figures.first().map_or(&[][..], Vec::as_slice) {
        let mut line = format!("  {:<38}", figure.what);
        let mut before: Option<(f64, usize)> = None;
        let mut worst = 0.0;
        for (subject, column) in subjects.iter().zip(figures) {
            let Some(found) = column.iter().find(|other| other.what == figure.what) else { continue };
            let growth = before.map_or_else(String::new, |(time, elements)| {
                format!(
                    " (x{:.1} [x{:.1}])",
                    ratio(found.median, time),
                    ratio(count(subject.elements), count(elements))
                )
            });
            line.push_str(&format!("{:>22}", format!("{}{growth}", milliseconds(found.median))));
            before = Some((found.median, subject.elements));
            worst = found.worst;
        }
        say(&format!("{line}   {}", milliseconds(worst)));
    }
    for (subject, column) in subjects.iter().zip(figures) {
        for baseline in column.iter().filter(|figure| figure.what.contains(": baseline")) {
            let name = baseline.what.split(": baseline").next().unwrap_or("");
            if let Some(ours) =
                column.iter().find(|f| f.what.starts_with(name) && !f.what.contains(": baseline"))
            {
                say(&format!(
                    "  {name} takes x{:.2} of its baseline at {} elements",
                    ratio(ours.median, baseline.median),
                    subject.elements
                ));
            }
        }
    }
}

/// WASM against native, operation by operation.
pub(super) fn ratios(native: &[Vec<Figure>], wasm: &[Vec<Figure>]) {
    say("\nWASM / native, median");
    for figure in wasm.first().map_or(&[][..], Vec::as_slice) {
        let of = |columns: &[Vec<Figure>]| -> Vec<Option<f64>> {
            columns.iter().map(|c| c.iter().find(|f| f.what == figure.what).map(|f| f.median)).collect()
        };
        let ratios: Vec<String> = of(wasm)
            .into_iter()
            .zip(of(native))
            .filter_map(|(ours, theirs)| Some(format!("{:>8}", format!("x{:.1}", ratio(ours?, theirs?)))))
            .collect();
        if !ratios.is_empty() {
            say(&format!("  {:<38}{}", figure.what, ratios.concat()));
        }
    }
}

fn ratio(of: f64, to: f64) -> f64 {
    if to > 0.0 { of / to } else { 0.0 }
}

#[expect(clippy::cast_precision_loss, reason = "counts of elements are far below 2^52")]
fn count(elements: usize) -> f64 {
    elements as f64
}

fn milliseconds(time: f64) -> String {
    if time < 0.1 { format!("{time:.4}") } else { format!("{time:.2}") }
}
