//! Random ids, made where the clock and the system's randomness are at hand.

use std::fmt::Display;
use std::str::FromStr;

use opentoolbar_core::protocol::ErrorBody;

use crate::error::internal;

/// A fresh id: the prefix and 32 hexadecimal digits.
///
/// # Errors
/// `internal` when the system gives no randomness.
pub fn random_id<Id: FromStr<Err: Display>>(prefix: &str) -> Result<Id, ErrorBody> {
    let mut random = [0u8; 16];
    getrandom::fill(&mut random).map_err(|e| internal(format!("the system gives no randomness: {e}")))?;
    format!("{prefix}{:032x}", u128::from_le_bytes(random)).parse().map_err(|e| internal(format!("{e}")))
}
