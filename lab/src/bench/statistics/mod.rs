//! The arithmetic of the figures: ranking, sweep over a threshold, reliability of confidences, growth. Knows numbers
//! only.

mod growth;
mod ranking;
mod reliability;
mod sweep;

pub(crate) use growth::exponent;
pub(crate) use ranking::{F1, auc};
pub(crate) use reliability::{Reliability, reliability};
pub(crate) use sweep::{Sweep, best_threshold, gone_at};

/// A part of a whole in percent; `None` of nothing.
pub(crate) fn percent(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| number(part) * 100.0 / number(whole))
}

/// The value below which `share` percent of the sorted values are; `None` of nothing.
pub(crate) fn percentile<T: Copy>(sorted: &[T], share: usize) -> Option<T> {
    let last = sorted.len().checked_sub(1)?;
    sorted.get((sorted.len() * share / 100).min(last)).copied()
}

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
pub(crate) fn number(count: usize) -> f64 {
    count as f64
}
