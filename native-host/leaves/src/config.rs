//! `config.json`: the person's settings, a part at a time, as whoever needs them knows its shape.

use std::io::ErrorKind;

use opentoolbar_core::protocol::{ErrorBody, ErrorCode};
use serde::de::DeserializeOwned;

use crate::error::error;
use crate::home::Home;
use crate::why::why;

/// What the file says; of a home without the file, the default. `example`: how it may be written.
///
/// # Errors
/// `bad_request` when the file is there and cannot be read as that.
pub fn read<T: Default + DeserializeOwned>(home: &Home, example: &str) -> Result<T, ErrorBody> {
    let path = home.config();
    let cannot = |why: String| {
        error(
            ErrorCode::BadRequest,
            format!("cannot read {}: {why}", path.display()),
            format!("Write it as {example}, or remove it."),
        )
    };
    match std::fs::read(&path) {
        Ok(bytes) => serde_json::from_slice(&bytes).map_err(|e| cannot(e.to_string())),
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(T::default()),
        Err(e) => Err(cannot(why(&e))),
    }
}
