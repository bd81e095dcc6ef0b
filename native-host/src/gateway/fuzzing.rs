//! For `tests/fuzz`: what the gateway reads before it knows who asks.

use axum::http::HeaderMap;

use super::admission::{shown, visitor};
use super::paired::Paired;
use super::{Config, PORT};
use crate::home::Home;

pub(crate) fn home_files(home: &Home) {
    let _ = Config::read(home);
    let _ = Paired::of(home);
}

pub(crate) fn headers(headers: &HeaderMap) {
    let _ = visitor(headers, PORT);
    let _ = shown(headers);
}
