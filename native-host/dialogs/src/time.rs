//! Moments as transcripts write them.

use chrono::DateTime;
use opentoolbar_core::model::Timestamp;

/// RFC 3339, of whatever offset; before 1970 there is none.
pub(crate) fn parse(text: &str) -> Option<Timestamp> {
    let moment = DateTime::parse_from_rfc3339(text).ok()?;
    u64::try_from(moment.timestamp_millis()).ok().map(Timestamp)
}
