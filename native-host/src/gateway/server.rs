//! Takes the gateway's connections, and lets go who does not come in within its time: hyper alone would wait for ever,
//! and anybody on this machine may connect.

use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::task::{Id, JoinSet};

use super::caller::{Caller, Callers};
use super::connection::{Connection, has_had_its_time};
use super::newcomers::Newcomers;

/// How long a connection may take until it is upgraded, or to send its request and read the answer, whatever it is slow
/// with; unless `OPENTOOLBAR_ADMISSION_MS` says otherwise.
const ADMISSION: Duration = Duration::from_secs(10);
/// The system lends no more handles: some must close first.
const OUT_OF_HANDLES: Duration = Duration::from_millis(100);

/// How long a request may take.
pub(super) fn admission() -> Duration {
    let told = std::env::var("OPENTOOLBAR_ADMISSION_MS").ok().and_then(|ms| ms.parse().ok());
    told.filter(|ms| *ms > 0).map_or(ADMISSION, Duration::from_millis)
}

/// Serves until it is dropped, and with it every connection that is not upgraded.
pub(super) async fn serve(listener: TcpListener, address: SocketAddr, routes: Router) {
    let within = admission();
    let mut connections = JoinSet::new();
    let mut newcomers = Newcomers::new();
    let mut callers = Callers::new();
    let (let_in, mut ones_let_in) = mpsc::unbounded_channel();
    loop {
        tokio::select! {
            // Who has gone makes room before the next one needs it.
            biased;
            Some(ended) = connections.join_next_with_id() => {
                newcomers.remove(ended.map_or_else(|error| error.id(), |(id, ())| id));
            }
            Some(id) = ones_let_in.recv() => newcomers.remove(id),
            accepted = listener.accept() => match accepted {
                Ok((stream, peer)) => {
                    let caller = callers.of(peer, address).await;
                    let task = connections.spawn(admit(stream, peer, caller, routes.clone(), within, let_in.clone()));
                    if let Some(oldest) = newcomers.add(caller, task.id(), task) {
                        tracing::warn!(?caller, "too many connections have shown no token: the oldest is closed");
                        oldest.abort();
                    }
                }
                Err(error) => {
                    tracing::warn!(%error, "cannot take a connection");
                    tokio::time::sleep(OUT_OF_HANDLES).await;
                }
            },
        }
    }
}

/// Returns when the connection was upgraded, answered or given up.
async fn admit(
    stream: TcpStream,
    peer: SocketAddr,
    caller: Caller,
    routes: Router,
    within: Duration,
    let_in: mpsc::UnboundedSender<Id>,
) {
    // Parts of an answer are small and must not wait for one another.
    let _ = stream.set_nodelay(true);
    let (connection, until) = Connection::new(peer, tokio::task::id(), within, let_in);
    // Told with each request: a layer of its own for each connection would build all routes anew.
    let routes = TowerToHyperService::new(routes);
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(caller);
        request.extensions_mut().insert(connection.clone());
        routes.call(request)
    });
    let serving = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(within)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    // One deadline for head, body, answer and the silence between two requests; who has shown a token has one for each
    // request. Errors of a connection are its own.
    tokio::select! {
        _ = serving => {}
        () = has_had_its_time(until) => tracing::debug!("a connection has had its time"),
    }
}
