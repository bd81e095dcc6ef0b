//! How alike two things are, 0 to 1.

use crate::anchor::survey::Survey;
use crate::sort;

pub(super) fn same(is: bool) -> f32 {
    f32::from(u8::from(is))
}

/// Of those that are known; NaN when none is.
pub(in crate::anchor) fn mean<const N: usize>(values: [f32; N]) -> f32 {
    let known = || values.iter().filter(|value| !value.is_nan());
    if known().next().is_none() { f32::NAN } else { known().sum::<f32>() / known().count() as f32 }
}

pub(super) fn ratio(a: f32, b: f32) -> f32 {
    (a.min(b) + 1.0) / (a.max(b) + 1.0)
}

/// 1 for what is there once, 0 for what every element has.
pub(super) fn rarity(survey: &Survey<'_>, count: usize) -> f32 {
    let all = (survey.elements().max(2) as f32).ln();
    1.0 - (count.max(1) as f32).ln() / all
}

/// How much of two strings is the same from the beginning and from the end, 0 to 1.
pub(super) fn ends(a: &str, b: &str) -> f32 {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let shorter = a.len().min(b.len());
    let first = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let last = a.iter().rev().zip(b.iter().rev()).take(shorter - first).take_while(|(a, b)| a == b).count();
    (first + last) as f32 / a.len().max(b.len()).max(1) as f32
}

/// Shared elements of two sorted sets.
pub(super) fn dice(a: &[u32], b: &[u32]) -> f32 {
    if a.is_empty() || b.is_empty() {
        return same(a.len() == b.len());
    }
    let shared = a.iter().filter(|word| b.binary_search(word).is_ok()).count();
    2.0 * shared as f32 / (a.len() + b.len()) as f32
}

/// Shared elements of two short lists, repetitions counted.
pub(super) fn bag(a: &[u32], b: &[u32]) -> f32 {
    let (mut left, mut right) = (a.to_vec(), b.to_vec());
    sort::plain(&mut left);
    sort::plain(&mut right);
    let (mut i, mut j, mut shared) = (0, 0, 0);
    while let (Some(one), Some(two)) = (left.get(i), right.get(j)) {
        shared += usize::from(one == two);
        (i, j) = (i + usize::from(one <= two), j + usize::from(two <= one));
    }
    if left.is_empty() && right.is_empty() { 1.0 } else { 2.0 * shared as f32 / (a.len() + b.len()) as f32 }
}
