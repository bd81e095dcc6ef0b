//! How a time grows with size.

use super::number;

/// The exponent e of the best fit of `time = c * size^e` (least squares over the logarithms): 1 is linear. `None` with
/// fewer than two sizes.
pub(crate) fn exponent(points: &[(usize, f64)]) -> Option<f64> {
    let logs: Vec<(f64, f64)> = points
        .iter()
        .filter(|&&(size, time)| size > 0 && time > 0.0)
        .map(|&(size, time)| (number(size).ln(), time.ln()))
        .collect();
    let count = number(logs.len());
    let mean = |of: fn(&(f64, f64)) -> f64| logs.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let spread: f64 = logs.iter().map(|p| (p.0 - x).powi(2)).sum();
    (logs.len() > 1 && spread > 0.0).then(|| logs.iter().map(|p| (p.0 - x) * (p.1 - y)).sum::<f64>() / spread)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn linear_is_one_and_square_is_two() {
        let linear = exponent(&[(10, 1.0), (100, 10.0), (1_000, 100.0)]).unwrap();
        let square = exponent(&[(10, 1.0), (100, 100.0)]).unwrap();
        assert!((linear - 1.0).abs() < 1e-9 && (square - 2.0).abs() < 1e-9);
        assert_eq!(exponent(&[(10, 1.0)]), None);
        assert_eq!(exponent(&[(10, 1.0), (10, 2.0)]), None);
    }
}
