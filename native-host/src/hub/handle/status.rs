//! The state of the hub, for `opentoolbar status`.

use opentoolbar_core::protocol::{Answer, Role};

use crate::hub::state::Hub;

pub(super) fn status(hub: &Hub) -> Answer {
    let agents = hub.agents();
    let live = hub.live();
    let browsers = live.peers.values().filter(|peer| peer.hello.role == Role::Browser);
    Answer::Status {
        pid: std::process::id(),
        version: env!("CARGO_PKG_VERSION").into(),
        uptime_seconds: u32::try_from(hub.started.elapsed().as_secs()).unwrap_or(u32::MAX),
        browsers: browsers.map(|peer| peer.hello.client.clone()).collect(),
        agents,
        sessions: Vec::new(),
        projects: Vec::new(),
    }
}
