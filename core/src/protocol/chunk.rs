use serde::{Deserialize, Serialize};

/// A part of a message that is larger than one native-messaging frame may be (1 MiB towards the browser).
/// The receiver joins `data` of all parts of one `transfer` in order and decodes the result as a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Chunk {
    /// Same for all parts of one message; unique on a connection.
    pub transfer: u32,
    /// 0-based.
    pub index: u32,
    /// How many parts there are.
    pub total: u32,
    /// A piece of the message's JSON text.
    pub data: String,
}
