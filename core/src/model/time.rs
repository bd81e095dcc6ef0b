use serde::{Deserialize, Serialize};

/// A moment: milliseconds since the Unix epoch, UTC. The core never reads a clock; hosts pass moments in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(type = "number"))]
#[serde(transparent)]
pub struct Timestamp(pub u64);
