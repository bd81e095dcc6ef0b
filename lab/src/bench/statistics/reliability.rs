//! Whether a confidence of 0.9 is right nine times in ten.

use super::number;

const BINS: u8 = 10;

/// What was said with a confidence from `from` up to `to` (1 included in the last).
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Bin {
    pub(crate) from: f64,
    pub(crate) to: f64,
    pub(crate) count: usize,
    /// Mean confidence, 0 to 1.
    pub(crate) confidence: f64,
    /// Share that was right, 0 to 1.
    pub(crate) right: f64,
}

/// The bins that hold something, and the expected calibration error: the mean distance between confidence and
/// share right, weighted by how much a bin holds.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reliability {
    pub(crate) bins: Vec<Bin>,
    pub(crate) expected_calibration_error: f64,
}

/// From confidences and whether each was right; `None` of nothing.
pub(crate) fn reliability(said: &[(f32, bool)]) -> Option<Reliability> {
    if said.is_empty() {
        return None;
    }
    let mut bins = Vec::new();
    let mut error = 0.0;
    for at in 0..BINS {
        let (from, to) = (f64::from(at) / f64::from(BINS), f64::from(at + 1) / f64::from(BINS));
        let inside: Vec<(f64, bool)> = said
            .iter()
            .map(|&(confidence, right)| (f64::from(confidence), right))
            .filter(|&(confidence, _)| (at == 0 || confidence >= from) && (at + 1 == BINS || confidence < to))
            .collect();
        if inside.is_empty() {
            continue;
        }
        let confidence = inside.iter().map(|one| one.0).sum::<f64>() / number(inside.len());
        let right = number(inside.iter().filter(|one| one.1).count()) / number(inside.len());
        error += (confidence - right).abs() * number(inside.len()) / number(said.len());
        bins.push(Bin { from, to, count: inside.len(), confidence, right });
    }
    Some(Reliability { bins, expected_calibration_error: error })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_sure_half_that_is_right_half_the_time_has_no_error() {
        let table = reliability(&[(0.5, true), (0.5, false)]).unwrap();
        assert_eq!(table.expected_calibration_error, 0.0);
        assert_eq!(table.bins.len(), 1);
    }

    #[test]
    fn the_error_is_the_weighted_distance() {
        // Three said with 1, two of them right; one said with 0.25, wrong: (3 * 1/3 + 1 * 1/4) / 4.
        let table = reliability(&[(1.0, true), (1.0, true), (1.0, false), (0.25, false)]).unwrap();
        assert!((table.expected_calibration_error - 0.3125).abs() < 1e-9);
        assert_eq!(table.bins.iter().map(|bin| bin.count).collect::<Vec<_>>(), [1, 3]);
    }

    #[test]
    fn of_nothing_there_is_no_table() {
        assert_eq!(reliability(&[]), None);
    }
}
