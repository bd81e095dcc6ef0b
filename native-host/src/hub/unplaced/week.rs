//! Which moment is a week ago, by a clock that may jump. What is let go by it is gone for good, so a clock that is
//! ahead for a moment must not say it.

use std::time::{Duration, Instant};

use opentoolbar_core::model::Timestamp;

/// How long something is kept, in milliseconds: its client may never come back.
const KEPT_MS: u64 = 7 * 24 * 60 * 60 * 1000;
/// How long after it was looked at the clock is compared with what has passed since by the one that does not jump.
const LOOKED_AFRESH: Duration = Duration::from_secs(60 * 60);

/// The clock as it was looked at.
#[derive(Debug, Default)]
pub(in crate::hub) struct Week {
    looked: Option<(Instant, Timestamp)>,
}

impl Week {
    /// What came before this moment came more than a week ago, by two looks at the clock that lie so far apart; none
    /// while there is but one. `now` is what the clock says at the moment `at`.
    pub(in crate::hub) fn ago(&mut self, now: Timestamp, at: Instant, apart: Duration) -> Option<Timestamp> {
        let (looked, then) = *self.looked.get_or_insert((at, now));
        let passed = at.saturating_duration_since(looked);
        if passed < apart {
            return None;
        }
        let passed_ms = u64::try_from(passed.as_millis()).unwrap_or(u64::MAX);
        let sure = now.min(Timestamp(then.0.saturating_add(passed_ms)));
        if passed > LOOKED_AFRESH.max(apart) {
            // It may have been behind then.
            self.looked = Some((at, now));
        }
        Some(Timestamp(sure.0.saturating_sub(KEPT_MS)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);
    const APART: Duration = Duration::from_secs(15 * 60);
    const NOW: u64 = 1_800_000_000_000;
    const DAYS: u64 = 24 * 60 * 60 * 1000;

    /// The clock is so many milliseconds ahead at each of the looks, a minute apart.
    fn said(ahead: impl Fn(u64) -> i64, minutes: u64) -> Vec<i64> {
        let (mut week, start) = (Week::default(), Instant::now());
        let looks = (0..minutes).filter_map(|minute| {
            let right = NOW + minute * 60_000;
            let now = Timestamp(right.saturating_add_signed(ahead(minute)));
            let ago = week.ago(now, start + MINUTE * u32::try_from(minute).unwrap_or(u32::MAX), APART)?;
            Some(
                i64::try_from(ago.0).unwrap_or(i64::MAX) - i64::try_from(right - KEPT_MS).unwrap_or(i64::MAX),
            )
        });
        looks.collect()
    }

    #[test]
    fn a_right_clock_says_a_week_once_it_was_looked_at_twice() {
        let said = said(|_| 0, 200);
        assert!(said.len() > 100 && said.iter().all(|wrong| *wrong == 0), "{said:?}");
    }

    #[test]
    fn a_clock_that_is_ahead_for_some_minutes_makes_nothing_old() {
        let jump = i64::try_from(9 * DAYS).unwrap_or_default();
        for from in [0, 1, 14, 15, 59, 60, 61, 74, 75, 120] {
            let said = said(|minute| if (from..from + 10).contains(&minute) { jump } else { 0 }, 300);
            assert!(said.iter().all(|wrong| *wrong <= 0), "{from}: {said:?}");
            assert_eq!(said.last(), Some(&0), "{from}");
        }
    }

    #[test]
    fn a_clock_that_was_behind_at_first_keeps_longer_for_an_hour_and_no_more() {
        let behind = -i64::try_from(400 * DAYS).unwrap_or_default();
        let said = said(|minute| if minute < 5 { behind } else { 0 }, 200);
        assert!(said.iter().all(|wrong| *wrong <= 0), "{said:?}");
        assert_eq!(said.last(), Some(&0));
    }
}
