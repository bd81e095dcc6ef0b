//! MCP over HTTP, for agents that the gateway has let in: rmcp's streamable HTTP with the same tools as over stdio.
//! Runs in the hub's process; each agent has a link to the hub of its own, and so is one to everybody else.
//!
//! Revisions with a handshake have a session each. A call of the revision without one is its agent's by directory and
//! name: what is remembered of that one lasts as long as it goes on asking.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use opentoolbar_core::protocol::{Answer, ErrorBody, Request};
use rmcp::model::ProtocolVersion;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::time::Instant;

#[cfg(feature = "conformance")]
use super::sample::Sample as Handler;
use super::seat::Seat;
#[cfg(not(feature = "conformance"))]
use super::server::Server as Handler;

/// Maximum number of sessions, and of agents without one that are remembered.
pub(crate) const MOST_SESSIONS: usize = 64;
/// Longest body of a message, in bytes.
pub(crate) const MAX_MESSAGE: usize = 4 * 1024 * 1024;
/// A session is over when nothing was said in it for so long, unless `OPENTOOLBAR_MCP_IDLE_MS` says otherwise.
const IDLE: Duration = Duration::from_secs(15 * 60);
/// Between two signs of life on a stream.
const SIGN_OF_LIFE: Duration = Duration::from_secs(15);

tokio::task_local! {
    /// Whose request is being worked on, for whoever makes its server.
    static SEAT: Arc<Seat>;
}

/// How long an agent may be silent.
pub(crate) fn idle() -> Duration {
    let told = std::env::var("OPENTOOLBAR_MCP_IDLE_MS").ok().and_then(|ms| ms.parse().ok());
    told.filter(|ms| *ms > 0).map_or(IDLE, Duration::from_millis)
}

/// The revisions that are spoken, oldest first.
pub(crate) fn revisions() -> impl Iterator<Item = &'static str> {
    ProtocolVersion::KNOWN_VERSIONS.iter().map(ProtocolVersion::as_str)
}

/// Who asks.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Agent {
    /// Where it works; absolute.
    pub(crate) directory: PathBuf,
    /// As its program calls itself.
    pub(crate) name: String,
    /// By which way it comes: what speaks MCP may say another name there.
    pub(crate) way: Way,
}

/// How an agent speaks over HTTP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Way {
    Mcp,
    Verify,
}

/// All agents that come over HTTP.
pub(crate) struct OverHttp {
    sessions: Arc<LocalSessionManager>,
    config: StreamableHttpServerConfig,
    service: Service,
    /// Asked for the list of tools alone.
    nobody: Arc<Seat>,
    /// Of those without a session, with the moment in which each asked last.
    seats: Mutex<BTreeMap<Agent, (Arc<Seat>, Instant)>>,
}

/// Answers requests: `handle`.
pub(crate) type Service = StreamableHttpService<Handler, LocalSessionManager>;

impl std::fmt::Debug for OverHttp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("OverHttp(..)")
    }
}

impl OverHttp {
    pub(crate) fn new() -> Self {
        let mut sessions = LocalSessionManager::default();
        sessions.session_config.keep_alive = Some(idle());
        let sessions = Arc::new(sessions);
        // `Host` and `Origin` were looked at before, more strictly.
        let config = StreamableHttpServerConfig::default()
            .disable_allowed_hosts()
            .with_sse_keep_alive(Some(SIGN_OF_LIFE))
            .with_max_request_body_bytes(MAX_MESSAGE);
        let server = || {
            let nobody = || std::io::Error::other("it is not known who asks");
            SEAT.try_with(|seat| Handler(Arc::clone(seat))).map_err(|_| nobody())
        };
        let service = StreamableHttpService::new(server, Arc::clone(&sessions), config.clone());
        let nobody = Arc::new(Seat::in_the_hub(PathBuf::from("/"), String::new()));
        Self { sessions, config, service, nobody, seats: Mutex::default() }
    }

    /// Asks the hub as this agent, which is then here like one that speaks MCP.
    ///
    /// # Errors
    /// What the hub refuses; that it leaves.
    pub(crate) async fn ask(&self, agent: Agent, request: Request) -> Result<Answer, ErrorBody> {
        let seat = self.seat_of(agent);
        seat.context.link.ask(request).await
    }

    /// Does with the service what `work` says, as this agent, which is this process. `is_new`: it begins a session, and
    /// is another one than any before.
    pub(crate) async fn as_agent<T>(
        &self,
        agent: Agent,
        process: Option<u32>,
        is_new: bool,
        work: impl AsyncFnOnce(&Service) -> T,
    ) -> T {
        let seat = match is_new {
            true => Arc::new(Seat::in_the_hub(agent.directory, agent.name)),
            false => self.seat_of(agent),
        };
        seat.context.link.speaks_for(process);
        SEAT.scope(seat, work(&self.service)).await
    }

    /// Does it in a session, which knows whose it is.
    pub(crate) async fn in_session<T>(&self, work: impl AsyncFnOnce(&Service) -> T) -> T {
        SEAT.scope(Arc::clone(&self.nobody), work(&self.service)).await
    }

    /// Whether one more session may begin.
    pub(crate) async fn has_room(&self) -> bool {
        self.sessions.sessions.read().await.len() < MOST_SESSIONS
    }

    fn seat_of(&self, agent: Agent) -> Arc<Seat> {
        let mut seats = self.seats.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        if !seats.contains_key(&agent) && seats.len() >= MOST_SESSIONS {
            let oldest = seats.iter().min_by_key(|(_, (_, asked))| *asked).map(|(agent, _)| agent.clone());
            oldest.map(|oldest| seats.remove(&oldest));
        }
        let (seat, asked) = seats.entry(agent).or_insert_with_key(|agent| {
            (Arc::new(Seat::in_the_hub(agent.directory.clone(), agent.name.clone())), now)
        });
        *asked = now;
        Arc::clone(seat)
    }

    /// Lets go of those that were silent for too long. Called every now and then.
    pub(crate) fn let_go_of_silent(&self) {
        let idle = idle();
        let mut seats = self.seats.lock().unwrap_or_else(PoisonError::into_inner);
        // Of one that waits for an answer somebody else holds the seat.
        seats.retain(|_, (seat, asked)| asked.elapsed() < idle || Arc::strong_count(seat) > 1);
    }

    /// Ends every session and stream.
    pub(crate) fn end(&self) {
        self.config.cancellation_token.cancel();
        self.seats.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}
