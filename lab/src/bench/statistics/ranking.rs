//! How well a score, or a yes and no, tells two kinds apart.

use super::number;

/// Area under the ROC curve: the chance that one of `positive` scores above one of `negative`, ties counting half.
/// `None` when either is empty.
pub(crate) fn auc(positive: &[f32], negative: &[f32]) -> Option<f64> {
    if positive.is_empty() || negative.is_empty() {
        return None;
    }
    let mut all: Vec<(f32, bool)> =
        positive.iter().map(|&s| (s, true)).chain(negative.iter().map(|&s| (s, false))).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    // The sum of the positives' ranks; equal scores share the mean of their ranks.
    let mut ranks = 0.0;
    let mut from = 0;
    for group in all.chunk_by(|a, b| a.0.total_cmp(&b.0).is_eq()) {
        let mean = number(from) + (number(group.len()) + 1.0) / 2.0;
        ranks += mean * number(group.iter().filter(|one| one.1).count());
        from += group.len();
    }
    let (p, n) = (number(positive.len()), number(negative.len()));
    Some((ranks - p * (p + 1.0) / 2.0) / (p * n))
}

/// Counts of a yes-or-no decision.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct F1 {
    pub(crate) hit: usize,
    pub(crate) invented: usize,
    pub(crate) missed: usize,
}

impl F1 {
    pub(crate) fn add(&mut self, is: bool, said: bool) {
        match (is, said) {
            (true, true) => self.hit += 1,
            (false, true) => self.invented += 1,
            (true, false) => self.missed += 1,
            (false, false) => {}
        }
    }

    /// Harmonic mean of precision and recall; `None` when there was nothing to find and nothing was said.
    pub(crate) fn value(self) -> Option<f64> {
        let all = 2 * self.hit + self.invented + self.missed;
        (all > 0).then(|| 2.0 * number(self.hit) / number(all))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn auc_is_one_when_all_positives_are_above_and_half_when_nothing_tells_them_apart() {
        assert_eq!(auc(&[0.9, 0.8], &[0.1, 0.2, 0.3]), Some(1.0));
        assert_eq!(auc(&[0.1], &[0.9]), Some(0.0));
        assert_eq!(auc(&[0.5, 0.5], &[0.5, 0.5, 0.5]), Some(0.5));
        assert_eq!(auc(&[], &[0.5]), None);
    }

    #[test]
    fn auc_counts_pairs_in_order_and_half_of_the_ties() {
        // 0.8 beats both; 0.4 beats 0.2 and ties with 0.4: 3.5 of 4.
        assert_eq!(auc(&[0.8, 0.4], &[0.2, 0.4]), Some(0.875));
    }

    #[test]
    fn f1_of_two_hits_one_invented_and_one_missed() {
        let mut f1 = F1::default();
        for (is, said) in [(true, true), (true, true), (false, true), (true, false), (false, false)] {
            f1.add(is, said);
        }
        assert_eq!(f1.value(), Some(2.0 / 3.0));
        assert_eq!(F1::default().value(), None);
    }
}
