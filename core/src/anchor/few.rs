//! Short lists without an allocation: a pass compares thousands of candidates, and looks at a dozen of them for each.

use std::ops::Deref;

/// At most `N` items.
#[derive(Clone, Copy, Debug)]
pub(super) struct Few<T, const N: usize> {
    items: [T; N],
    count: usize,
}

impl<T: Copy + Default, const N: usize> Few<T, N> {
    pub(super) fn new() -> Self {
        Self { items: [T::default(); N], count: 0 }
    }

    /// Puts `item` at a place; the last one is lost when there is no room.
    fn insert(&mut self, at: usize, item: T) {
        if at < N {
            self.count = (self.count + 1).min(N);
            self.items.copy_within(at..self.count - 1, at + 1);
            self.items[at] = item;
        }
    }
}

impl<T: Copy + Default + Ord, const N: usize> Few<T, N> {
    /// Sorted, each once; of those that are there first when there are more than `N`.
    pub(super) fn set(items: impl Iterator<Item = T>) -> Self {
        let mut set = Self::new();
        for item in items.take(N) {
            if let Err(at) = set.binary_search(&item) {
                set.insert(at, item);
            }
        }
        set
    }
}

/// The first `N`.
impl<T: Copy + Default, const N: usize> FromIterator<T> for Few<T, N> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut few = Self::new();
        for (slot, item) in few.items.iter_mut().zip(items) {
            *slot = item;
            few.count += 1;
        }
        few
    }
}

impl<T, const N: usize> Deref for Few<T, N> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.items.get(..self.count).unwrap_or(&[])
    }
}

#[cfg(test)]
mod tests {
    use super::Few;

    #[test]
    fn no_more_than_there_is_room_for_is_kept() {
        let first: Few<u32, 3> = [5, 1, 4, 2].into_iter().collect();
        assert_eq!(*first, [5, 1, 4]);
        assert_eq!(*Few::<u32, 4>::set([3, 1, 3, 2, 9].into_iter()), [1, 2, 3]);
    }
}
