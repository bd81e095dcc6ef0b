//! What every answer has, whichever handler it comes from: headers that keep pages from reading it, and, when a handler
//! panics, the same form of error as any other.

use std::panic::AssertUnwindSafe;

use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;

use super::refusal::Refusal;

/// On every answer.
const HEADERS: [(HeaderName, HeaderValue); 3] = [
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
];

/// The same routes, each answer as it must be.
pub(super) fn with_headers(routes: Router) -> Router {
    routes.layer(from_fn(complete))
}

async fn complete(request: Request, next: Next) -> Response {
    let answered = AssertUnwindSafe(next.run(request)).catch_unwind().await;
    // Where it was is in the log already (`hub/log/defects.rs`).
    let mut response = answered.unwrap_or_else(|_| Refusal::defect().into_response());
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, value);
    }
    response
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use axum::routing::get;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::{TcpListener, TcpStream};

    use super::*;
    use crate::gateway::server::serve;

    /// What the server answers to this, until it closes.
    async fn answer(routes: Router, request: &str) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let server = tokio::spawn(serve(listener, address, routes));
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut said = String::new();
        stream.read_to_string(&mut said).await.unwrap();
        server.abort();
        said.to_lowercase()
    }

    async fn breaks() -> &'static str {
        panic!("the token of somebody")
    }

    #[tokio::test]
    async fn a_handler_that_panics_answers_500_in_our_form_and_tells_nothing() {
        let routes =
            with_headers(Router::new().route("/broken", get(breaks)).route("/fine", get(|| async {})));
        let said = answer(routes.clone(), "GET /broken HTTP/1.1\r\nConnection: close\r\n\r\n").await;
        assert!(said.starts_with("http/1.1 500 "), "{said}");
        assert!(said.contains("\"code\":\"internal\"") && said.contains("\"nextstep\":\""), "{said}");
        assert!(!said.contains("somebody"), "{said}");
        for said in [said, answer(routes, "GET /fine HTTP/1.1\r\nConnection: close\r\n\r\n").await] {
            for header in [
                "x-content-type-options: nosniff\r\n",
                "cross-origin-resource-policy: same-origin\r\n",
                "cache-control: no-store\r\n",
            ] {
                assert_eq!(said.matches(header).count(), 1, "{said}");
            }
        }
    }
}
