//! The moment, as what is stored and sent says it.

use std::time::{SystemTime, UNIX_EPOCH};

use opentoolbar_core::model::Timestamp;

/// Now, by this machine's clock.
pub fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}
