//! What a threshold on "it is there" makes of an outcome: below it, a target is said to be gone.

use super::{number, percent};

/// One target as the sweep sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sweep {
    /// How sure it is that it is there.
    pub(crate) presence: f32,
    /// It is there.
    pub(crate) present: bool,
    /// It is there, and the element taken for it is the right one.
    pub(crate) right: bool,
}

/// How many percent of the gone are below the highest threshold that leaves at least `keep` percent of `base` right
/// and above it. `None` when there are no gone, or when too few are right at any threshold.
pub(crate) fn gone_at(targets: &[Sweep], base: usize, keep: f64) -> Option<f64> {
    let gone = targets.iter().filter(|target| !target.present).count();
    let mut right: Vec<f32> =
        targets.iter().filter(|target| target.right).map(|target| target.presence).collect();
    right.sort_by(|a, b| b.total_cmp(a));
    // As many have to stay above; the threshold is the presence of the last of them.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a count")]
    let wanted = (number(base) * keep / 100.0 - 1e-9).ceil().max(0.0) as usize;
    let threshold = if wanted == 0 { f32::INFINITY } else { *right.get(wanted - 1)? };
    let said = targets.iter().filter(|target| !target.present && target.presence < threshold).count();
    percent(said, gone)
}

/// The threshold at which most outcomes are right (the right element at or above it, gone below it).
pub(crate) fn best_threshold(targets: &[Sweep]) -> f32 {
    let mut sorted: Vec<&Sweep> = targets.iter().collect();
    sorted.sort_by(|a, b| a.presence.total_cmp(&b.presence));
    // At first nothing is said to be gone; then one group of equal presence after the other is.
    let mut now = targets.iter().filter(|target| target.right).count();
    let (mut best, mut at) = (now, f32::NEG_INFINITY);
    for group in sorted.chunk_by(|a, b| a.presence.total_cmp(&b.presence).is_eq()) {
        now += group.iter().filter(|target| !target.present).count();
        now -= group.iter().filter(|target| target.right).count();
        if now > best
            && let Some(one) = group.first()
        {
            best = now;
            at = one.presence.next_up();
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(presence: f32, present: bool, right: bool) -> Sweep {
        Sweep { presence, present, right }
    }

    fn targets() -> Vec<Sweep> {
        vec![
            target(0.9, true, true),
            target(0.8, true, true),
            target(0.7, false, false),
            target(0.6, true, true),
            target(0.5, true, false),
            target(0.4, false, false),
        ]
    }

    #[test]
    fn the_gone_below_the_threshold_that_keeps_enough() {
        // Two of four kept: the threshold is 0.8, and both gone are below it.
        assert_eq!(gone_at(&targets(), 4, 50.0), Some(100.0));
        // Three of four kept: at 0.6 one of two gone is below.
        assert_eq!(gone_at(&targets(), 4, 75.0), Some(50.0));
        // Only three are right at all.
        assert_eq!(gone_at(&targets(), 4, 97.0), None);
        // All of those that are right.
        assert_eq!(gone_at(&targets(), 3, 100.0), Some(50.0));
        assert_eq!(gone_at(&[target(0.5, true, true)], 1, 97.0), None);
    }

    #[test]
    fn the_best_threshold_says_gone_where_it_pays() {
        let at = best_threshold(&targets());
        // Below 0.6: one gone gained (0.4), nothing lost.
        assert!(at > 0.4 && at <= 0.6, "{at}");
        let none_gone = [target(0.1, true, true), target(0.2, true, true)];
        assert!(best_threshold(&none_gone) <= 0.1);
    }
}
