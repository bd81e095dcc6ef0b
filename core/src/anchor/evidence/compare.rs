//! How alike two things are, 0 to 1.

use crate::anchor::survey::Survey;

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
pub(in crate::anchor) fn rarity(survey: &Survey<'_>, count: usize) -> f32 {
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
    let (mut i, mut j, mut shared) = (0, 0, 0);
    while let (Some(one), Some(two)) = (a.get(i), b.get(j)) {
        shared += usize::from(one == two);
        (i, j) = (i + usize::from(one <= two), j + usize::from(two <= one));
    }
    2.0 * shared as f32 / (a.len() + b.len()) as f32
}

/// Shared elements of two short lists, repetitions counted; of `now` the first 32.
pub(super) fn bag<T>(kept: &[T], now: &[T], is_same: impl Fn(&T, &T) -> bool) -> f32 {
    if kept.is_empty() && now.is_empty() {
        return 1.0;
    }
    // A bit for each of `now` that has its counterpart.
    let mut taken = 0u32;
    for one in kept {
        let free = |&at: &usize| taken & (1 << at) == 0;
        let found = (0..now.len().min(32)).filter(free).find(|&at| is_same(one, &now[at]));
        taken |= found.map_or(0, |at| 1 << at);
    }
    2.0 * taken.count_ones() as f32 / (kept.len() + now.len()) as f32
}
