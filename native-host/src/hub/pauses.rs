//! What failed and must not be given up is tried again, after pauses that grow, as long as somebody could see that it
//! is not done.

use std::time::Duration;

const FIRST: Duration = Duration::from_millis(500);
const LONGEST: Duration = Duration::from_secs(30);

/// The next pause before another try, from half a second to half a minute.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pauses(Duration);

impl Default for Pauses {
    fn default() -> Self {
        Self(FIRST)
    }
}

impl Pauses {
    pub(super) fn next(&mut self) -> Duration {
        let pause = self.0;
        self.0 = (pause * 2).min(LONGEST);
        pause
    }

    /// Whether it was tried for a minute about.
    pub(super) fn are_long(self) -> bool {
        self.0 == LONGEST
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_half_a_minute() {
        let mut pauses = Pauses::default();
        let millis: Vec<u128> = (0..9).map(|_| pauses.next().as_millis()).collect();
        assert_eq!(millis, [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
    }
}
