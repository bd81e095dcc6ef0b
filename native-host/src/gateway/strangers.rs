//! Requests that no program meant for us: kept out before anything else of them is looked at, and logged once each.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::admission::visitor;
use super::state::Door;

/// Maximum number of strangers that are remembered, and logged, as long as the gateway is open.
const MOST: usize = 100;
/// Longest name of a stranger in the log, in characters.
const LONGEST: usize = 100;

/// Who was refused already.
#[derive(Debug, Default)]
pub(super) struct Strangers(Mutex<BTreeSet<String>>);

impl Strangers {
    /// Whether this one is to be logged: once each, and no more than a bound of them.
    fn is_new(&self, name: &str) -> bool {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.len() < MOST && known.insert(name.to_owned())
    }
}

/// Refuses what comes from a page, or by a name that is not loopback's.
pub(super) async fn keep_out(State(door): State<Door>, request: Request, next: Next) -> Response {
    match visitor(request.headers(), door.port.address.port()) {
        Ok(_) => next.run(request).await,
        Err(refusal) => {
            let name = name_of(request.headers());
            if door.gateway.strangers.is_new(&name) {
                let (port, path) = (door.port.address.port(), request.uri().path());
                let path: String = path.chars().take(LONGEST).collect();
                tracing::warn!(?name, port, ?path, why = refusal.body.message, "a stranger was refused");
            }
            refusal.into_response()
        }
    }
}

/// The origin, else the name by which it came.
fn name_of(headers: &HeaderMap) -> String {
    let text = |name: HeaderName| headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()));
    let name = text(header::ORIGIN).or_else(|| text(header::HOST)).unwrap_or_default();
    name.chars().take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_stranger_is_told_once_and_no_more_than_a_bound_of_them() {
        let strangers = Strangers::default();
        assert!(strangers.is_new("https://evil.test") && !strangers.is_new("https://evil.test"));
        let told = (0..1_000).filter(|number| strangers.is_new(&format!("https://{number}.test"))).count();
        assert_eq!(told, MOST - 1);
    }
}
