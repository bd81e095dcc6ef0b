//! The way into the hub for those who cannot reach its local socket: on 127.0.0.1 a WebSocket and pairing for browsers,
//! and HTTP for programs, a file a family of paths.
//!
//! Decides who comes in, from the headers; what is said over the WebSocket then is `hub::talk`'s, as over every other
//! carrier. `endpoints` is the one table of what there is. The only room that says axum and hyper. Knows nothing of
//! what messages mean, of SQL, or of what is said in MCP.

mod admission;
mod answers;
mod caller;
mod config;
mod connection;
mod discovery;
mod endpoint;
mod endpoints;
mod farewell;
mod for_the_hub;
#[cfg(feature = "fuzzing")]
pub(crate) mod fuzzing;
mod instructions;
mod mcp_route;
mod newcomers;
mod openapi;
mod pair_routes;
mod paired;
mod pairing;
mod port;
mod ports;
mod refusal;
mod routes;
mod server;
mod settings;
#[cfg(target_os = "linux")]
mod sock_diag;
mod state;
mod strangers;
mod token;
mod verify_routes;
mod websocket;
mod websocket_route;
mod whose;

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};

use opentoolbar_core::protocol::{ErrorBody, ErrorCode};
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};
use tokio::task::AbortHandle;

pub(crate) use config::Config;
use instructions::Instructions;
use paired::Paired;
use pairing::Pairing;
use port::{PORT, Port};
use ports::{Ports, cannot_listen};
use state::{Door, Gateway};
use strangers::Strangers;
use token::Token;

use crate::error::{error, internal};
use crate::home::Home;
use crate::hub::{self, Gateways, Hub};
use crate::mcp::over_http::{OverHttp, idle};

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

/// The reference of the main port, as it stands in docs/openapi.json.
pub(crate) fn openapi() -> serde_json::Value {
    openapi::of(&endpoints::on(true), port::PORT)
}

/// The open gateway. Closes when dropped, with everybody who came in.
#[derive(Debug)]
struct Opened {
    hub: Arc<Hub>,
    gateway: Arc<Gateway>,
    /// The main port's server, what follows the settings, and what lets go of silent agents.
    tasks: [AbortHandle; 3],
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
        // Whoever names a port wants that one alone.
        let has_extra = port.is_none();
        let (config, mistake) = match Config::read(&hub.home) {
            Ok(config) => (config, None),
            Err(mistake) if has_extra => return Err(mistake),
            Err(mistake) => (Config::default(), Some(mistake.message)),
        };
        let number = port.or(config.port).unwrap_or(PORT);
        let token = Token::of(&hub.home)?;
        let bound = TcpListener::bind((Ipv4Addr::LOCALHOST, number)).await;
        let (address, listener) = match bound.and_then(|listener| Ok((listener.local_addr()?, listener))) {
            Ok(listening) => listening,
            Err(e) => {
                let next = "Give another port: `opentoolbar serve --port 0` takes any that is free.";
                return Err(error(ErrorCode::Conflict, cannot_listen(number, &e).await, next));
            }
        };
        let pairing = Mutex::new(Pairing::new());
        let paired = Paired::of(&hub.home)?;
        hub.set_aside.note(paired.set_aside());
        let main = Arc::new(Port::new(address, true, endpoints::on(true), Instructions::of_the_main_port()));
        let gateway = Arc::new(Gateway {
            ports: Ports::new(Arc::clone(&main)),
            token,
            token_file: hub.home.token(),
            strangers: Strangers::default(),
            mcp: OverHttp::new(),
            mcp_calls: Arc::new(Semaphore::new(mcp_route::MOST)),
            pairing,
            paired,
            closing: watch::Sender::new(false),
        });
        let door = Door { hub: Arc::clone(hub), gateway: Arc::clone(&gateway), port: main, visits };
        let opens = {
            let door = door.clone();
            move |address, instructions| {
                let port = Arc::new(Port::new(address, false, endpoints::on(false), instructions));
                (Arc::clone(&port), routes::of(Door { port, ..door.clone() }))
            }
        };
        gateway.ports.set_mistake(mistake);
        settings::adopt(&gateway.ports, &config, has_extra, &opens).await;
        let ours: Arc<dyn hub::Gateway> = Arc::<Gateway>::clone(&gateway);
        hub.set_gateway(Some(ours));
        // Each ends with its task alone.
        let server = tokio::spawn(server::serve(listener, address, routes::of(door))).abort_handle();
        let following = {
            let (home, gateway) = (hub.home.clone(), Arc::clone(&gateway));
            let follow = async move { settings::follow(home, &gateway.ports, has_extra, opens).await };
            tokio::spawn(follow).abort_handle()
        };
        let letting_go = {
            let gateway = Arc::clone(&gateway);
            let let_go = async move {
                loop {
                    tokio::time::sleep(idle() / 4).await;
                    gateway.mcp.let_go_of_silent();
                }
            };
            tokio::spawn(let_go).abort_handle()
        };
        tracing::info!(%address, "the gateway is open");
        Ok(Self { hub: Arc::clone(hub), gateway, tasks: [server, following, letting_go] })
    }
}

impl hub::Opened for Opened {
    fn address(&self) -> SocketAddr {
        self.gateway.ports.main().address
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        self.tasks.iter().for_each(AbortHandle::abort);
        self.gateway.ports.close_extra();
        self.gateway.mcp.end();
        self.hub.set_gateway(None);
        self.gateway.closing.send_replace(true);
    }
}
