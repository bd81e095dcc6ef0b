use serde::{Deserialize, Serialize};

/// A moment: milliseconds since the Unix epoch, UTC. The core never reads a clock; hosts pass moments in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(type = "number"))]
#[serde(transparent)]
pub struct Timestamp(pub u64);

/// RFC 3339 in UTC with milliseconds: `2026-11-21T10:15:30.000Z`.
impl std::fmt::Display for Timestamp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (days, millis) = (self.0 / 86_400_000, self.0 % 86_400_000);
        let (year, month, day) = civil_from_days(days);
        let (hour, minute) = (millis / 3_600_000, millis / 60_000 % 60);
        let (second, milli) = (millis / 1000 % 60, millis % 1000);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z")
    }
}

/// Year, month (1..=12) and day (1..=31) of a day counted from 1970-01-01, in the proleptic Gregorian calendar.
/// Counts in 400-year eras that begin on 1 March, so that the leap day is an era's and a year's last day.
fn civil_from_days(days: u64) -> (u64, u64, u64) {
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    (year_of_era + era * 400 + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::Timestamp;

    #[test]
    fn a_moment_reads_as_rfc_3339() {
        for (millis, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_709_251_199_999, "2024-02-29T23:59:59.999Z"),
            (1_763_719_200_001, "2025-11-21T10:00:00.001Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
        ] {
            assert_eq!(Timestamp(millis).to_string(), text);
        }
        // The far end must not overflow.
        assert!(!Timestamp(u64::MAX).to_string().is_empty());
    }
}
