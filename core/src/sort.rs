//! One door to sorting. Stable, like the standard library's.
//!
//! Each type and comparison that the standard library sorts costs about 3 KB of WASM, and this crate sorts some thirty
//! of them. There, one sort of positions serves all, and the items are put in place afterwards; elsewhere the
//! standard library's own is faster and size does not matter.

use std::cmp::Ordering;

/// Sorts by a comparison. Stable.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn by<T>(items: &mut [T], compare: impl FnMut(&T, &T) -> Ordering) {
    items.sort_by(compare);
}

/// Sorts by a comparison. Stable.
#[cfg(target_arch = "wasm32")]
pub(crate) fn by<T>(items: &mut [T], compare: impl FnMut(&T, &T) -> Ordering) {
    through_positions(items, compare);
}

/// Sorts by a key that is cheap to make. Stable.
pub(crate) fn by_key<T, K: Ord>(items: &mut [T], mut key: impl FnMut(&T) -> K) {
    by(items, |a, b| key(a).cmp(&key(b)));
}

/// Sorts by the items' own order, for items of which equal ones are the same.
pub(crate) fn plain<T: Ord>(items: &mut [T]) {
    #[cfg(not(target_arch = "wasm32"))]
    items.sort_unstable();
    #[cfg(target_arch = "wasm32")]
    through_positions(items, T::cmp);
}

/// Sorts `(key, number)` by key and leaves equal ones as they stand: three rounds over eleven bits each. A
/// comparison sort of half
/// a million entries would take longer than all the rest.
pub(crate) fn by_digits(entries: &mut Vec<(u32, u32)>) {
    const BITS: u32 = 11;
    let mut other = vec![(0, 0); entries.len()];
    for round in 0..3 {
        let digit = |key: u32| (key >> (round * BITS)) as usize & ((1 << BITS) - 1);
        let mut starts = [0usize; (1 << BITS) + 1];
        for &(key, _) in entries.iter() {
            starts[digit(key) + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        for &entry in entries.iter() {
            let start = &mut starts[digit(entry.0)];
            other[*start] = entry;
            *start += 1;
        }
        std::mem::swap(entries, &mut other);
    }
}

#[cfg(any(test, target_arch = "wasm32"))]
fn through_positions<T>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    let order = sorted_positions(items.len(), &mut |a, b| compare(&items[a as usize], &items[b as usize]));
    put_in_place(order, &mut |a, b| items.swap(a, b));
}

/// Puts items in an order, by swapping: `order[i]` says who comes to place i.
#[cfg(any(test, target_arch = "wasm32"))]
#[inline(never)]
fn put_in_place(mut order: Vec<u32>, swap: &mut dyn FnMut(usize, usize)) {
    // Follows each cycle once, marking what is in place.
    for start in 0..order.len() {
        let mut place = start;
        loop {
            let from = std::mem::replace(&mut order[place], place as u32) as usize;
            if from == start {
                break;
            }
            swap(place, from);
            place = from;
        }
    }
}

/// A merge sort from the bottom up: an eighth of the size of the standard library's.
#[cfg(any(test, target_arch = "wasm32"))]
#[inline(never)]
fn sorted_positions(length: usize, compare: &mut dyn FnMut(u32, u32) -> Ordering) -> Vec<u32> {
    // Pages have at most `MAX_NODES` nodes and everything else that is sorted is shorter, so u32 holds a position.
    let mut order: Vec<u32> = (0..length as u32).collect();
    let mut merged: Vec<u32> = Vec::with_capacity(length);
    let mut width = 1;
    while width < length {
        merged.clear();
        let mut start = 0;
        while start < length {
            let (middle, end) = ((start + width).min(length), (start + 2 * width).min(length));
            let (mut left, mut right) = (start, middle);
            while left < middle || right < end {
                let from_left = right == end
                    || (left < middle && compare(order[left], order[right]) != Ordering::Greater);
                let next = if from_left { &mut left } else { &mut right };
                merged.push(order[*next]);
                *next += 1;
            }
            start = end;
        }
        std::mem::swap(&mut order, &mut merged);
        width *= 2;
    }
    order
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sorting_through_positions_is_the_stable_sort(items: Vec<(u8, u32)>) {
            let (mut ours, mut theirs) = (items.clone(), items);
            super::through_positions(&mut ours, |a, b| a.0.cmp(&b.0));
            theirs.sort_by_key(|item| item.0);
            prop_assert_eq!(ours, theirs);
        }

        #[test]
        fn sorting_by_digits_is_the_stable_sort_by_key(keys: Vec<u32>) {
            let mut ours: Vec<(u32, u32)> = keys.iter().map(|key| key & 0x8040_0803).zip(0..).collect();
            let mut theirs = ours.clone();
            super::by_digits(&mut ours);
            theirs.sort_by_key(|entry| entry.0);
            prop_assert_eq!(ours, theirs);
        }
    }
}
