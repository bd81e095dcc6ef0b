//! The rule by which growth is judged: of samples that were taken evenly, the median of the last third may not be more
//! than that of the second third and an allowance. The first third is for settling. Speed is never looked at.

/// By how much the last third may exceed the second: a share of it, and an amount beside.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allowance {
    pub(super) percent: u64,
    pub(super) amount: u64,
}

/// What is said about one figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Verdict {
    pub(super) second: u64,
    pub(super) last: u64,
    /// The most that would have passed.
    pub(super) most: u64,
}

impl Verdict {
    /// `None` of fewer than nine samples: their thirds say nothing.
    pub(super) fn of(samples: &[u64], allowance: Allowance) -> Option<Self> {
        let third = samples.len() / 3;
        if third < 3 {
            return None;
        }
        let (rest, last) = samples.split_at(samples.len() - third);
        let second = rest.get(rest.len() - third..)?;
        Some(Self::between(median(second), median(last), allowance))
    }

    /// For what is meant to grow with every round: what was added in the last third against what was in the second.
    pub(super) fn added(samples: &[u64], allowance: Allowance) -> Option<Self> {
        let third = samples.len() / 3;
        let back = |thirds: usize| samples.get(samples.len().checked_sub(1 + thirds * third)?).copied();
        let (begin, middle, end) = (back(2)?, back(1)?, back(0)?);
        let (second, last) = (middle.saturating_sub(begin), end.saturating_sub(middle));
        (third >= 3).then(|| Self::between(second, last, allowance))
    }

    fn between(second: u64, last: u64, allowance: Allowance) -> Self {
        Self { second, last, most: second + second * allowance.percent / 100 + allowance.amount }
    }

    pub(super) fn has_grown(self) -> bool {
        self.last > self.most
    }
}

fn median(samples: &[u64]) -> u64 {
    let mut sorted = samples.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Allowance = Allowance { percent: 0, amount: 0 };

    fn grew(samples: impl IntoIterator<Item = u64>, allowance: Allowance) -> Option<bool> {
        let samples: Vec<u64> = samples.into_iter().collect();
        Verdict::of(&samples, allowance).map(Verdict::has_grown)
    }

    #[test]
    fn what_grows_steadily_has_grown_and_what_settles_has_not() {
        assert_eq!(grew(1..=30, NONE), Some(true));
        assert_eq!(grew((1..=30).map(|n: u64| n.min(10)), NONE), Some(false), "it grew while settling");
        assert_eq!(grew((1..=30).map(|n: u64| 100 - n), NONE), Some(false), "it shrank");
        assert_eq!(
            grew((1..=30).map(|n: u64| if n.is_multiple_of(7) { 900 } else { 100 }), NONE),
            Some(false),
            "peaks"
        );
    }

    #[test]
    fn the_allowance_is_a_share_and_an_amount() {
        let samples = || (1..=30).map(|n: u64| if n > 20 { 115 } else { 100 });
        assert_eq!(grew(samples(), Allowance { percent: 10, amount: 4 }), Some(true));
        assert_eq!(grew(samples(), Allowance { percent: 10, amount: 5 }), Some(false));
    }

    #[test]
    fn a_leak_that_begins_late_is_seen_and_few_samples_say_nothing() {
        assert_eq!(grew((1..=30).map(|n: u64| if n > 22 { 200 } else { 100 }), NONE), Some(true));
        assert_eq!(grew(1..=8, NONE), None);
    }

    #[test]
    fn what_is_meant_to_grow_is_judged_by_what_is_added() {
        let added = |of: fn(u64) -> u64| {
            let samples: Vec<u64> = (0..30).map(of).collect();
            Verdict::added(&samples, Allowance { percent: 10, amount: 0 }).map(Verdict::has_grown)
        };
        assert_eq!(added(|n| n * 100), Some(false));
        assert_eq!(added(|n| n * n), Some(true));
        assert_eq!(added(|_| 7), Some(false));
        assert_eq!(Verdict::added(&[1, 2, 3, 4, 5, 6, 7, 8], NONE), None);
    }
}
