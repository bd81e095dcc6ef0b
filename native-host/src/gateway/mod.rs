//! The way into the hub for those who cannot reach its local socket: a WebSocket on 127.0.0.1, and pairing.
//! Decides who comes in, before the upgrade; what is said then is `hub::talk`'s, as over every other carrier.
//! The only room that says axum and hyper. Knows nothing of what messages mean, of SQL or of MCP.

mod admission;
mod caller;
mod config;
mod farewell;
#[cfg(feature = "fuzzing")]
pub(crate) mod fuzzing;
mod newcomers;
mod pair_routes;
mod paired;
mod pairing;
mod refusal;
mod routes;
mod server;
#[cfg(target_os = "linux")]
mod sock_diag;
mod state;
mod token;
mod websocket;

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};

use opentoolbar_core::protocol::{ErrorBody, ErrorCode};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::AbortHandle;

pub(crate) use config::Config;
use paired::Paired;
use pairing::Pairing;
use state::{Door, Gateway};
use token::Token;

use crate::error::{error, internal};
use crate::home::Home;
use crate::hub::{self, Gateways, Hub};
use crate::why::why;

/// The port when nobody says another.
pub(crate) const PORT: u16 = 7847;

/// For whoever runs a hub.
pub(crate) const OF_HUB: Gateways = Gateways {
    are_wanted: |home| Ok(Config::read(home)?.enabled),
    open: |hub, port| {
        Box::pin(async move {
            let opened: Box<dyn hub::Opened> = Box::new(Opened::on_demand(&hub, port).await?);
            Ok(opened)
        })
    },
};

/// Ends every pairing of a home in which no hub has the gateway open.
///
/// # Errors
/// `storage` when the file cannot be removed.
pub(crate) fn forget_pairings(home: &Home) -> Result<(), ErrorBody> {
    Paired::remove_file(home)
}

/// The open gateway. Closes when dropped, with everybody who came in.
#[derive(Debug)]
struct Opened {
    hub: Arc<Hub>,
    gateway: Arc<Gateway>,
    server: AbortHandle,
}

impl Opened {
    /// Listens on 127.0.0.1, on this port, else on that of the settings. Connections that are let in go to the hub's
    /// visits.
    ///
    /// # Errors
    /// `conflict` when the port is taken; `bad_request` when the settings cannot be read; `storage` when there is no
    /// token and none can be written.
    async fn on_demand(hub: &Arc<Hub>, port: Option<u16>) -> Result<Self, ErrorBody> {
        let visits = hub.visits.get().cloned().ok_or_else(|| internal("the hub is not up yet"))?;
        let port = match port {
            Some(port) => port,
            None => Config::read(&hub.home)?.port.unwrap_or(PORT),
        };
        let token = Token::of(&hub.home)?;
        let cannot = |e: std::io::Error| {
            error(
                ErrorCode::Conflict,
                format!("cannot listen on 127.0.0.1:{port}: {}", why(&e)),
                "Give another port: `opentoolbar serve --port 0` takes any that is free.",
            )
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await.map_err(cannot)?;
        let address = listener.local_addr().map_err(cannot)?;
        let pairing = Mutex::new(Pairing::new());
        let paired = Paired::of(&hub.home)?;
        hub.set_aside.note(paired.set_aside());
        let gateway =
            Arc::new(Gateway { address, token, pairing, paired, closing: watch::Sender::new(false) });
        let ours: Arc<dyn hub::Gateway> = Arc::<Gateway>::clone(&gateway);
        hub.set_gateway(Some(ours));
        let door = Door { hub: Arc::clone(hub), gateway: Arc::clone(&gateway), visits };
        let routes = routes::of(door);
        // Ends with the task alone.
        let server = tokio::spawn(server::serve(listener, address, routes));
        tracing::info!(%address, "the gateway is open");
        Ok(Self { hub: Arc::clone(hub), gateway, server: server.abort_handle() })
    }
}

impl hub::Opened for Opened {
    fn address(&self) -> SocketAddr {
        self.gateway.address
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        self.server.abort();
        self.hub.set_gateway(None);
        self.gateway.closing.send_replace(true);
    }
}
