//! The state of the hub, for `opentoolbar status`. An agent hears of its own project only.

use std::sync::Arc;

use opentoolbar_core::model::Project;
use opentoolbar_core::protocol::{Answer, CopyProblem, GatewayStatus, Role};

use crate::hub::state::{Hub, Peer};
use crate::names::DIRECTORY;
use crate::project::project_at;
use crate::store::Complaint;

/// Told of one project.
const MOST_PROBLEMS: usize = 20;

fn problem(project: &Project, Complaint { file, why, next_step }: Complaint) -> CopyProblem {
    CopyProblem {
        project: project.clone(),
        message: format!("{DIRECTORY} ({file}): {why}"),
        next_step: next_step.to_owned(),
    }
}

/// Who is connected. A browser's question goes to the agents and back; an agent hears of those of its own project only.
pub(super) async fn ping(hub: &Hub, peer: &Peer) -> Answer {
    if peer.hello.role == Role::Browser && peer.plain.is_none() {
        hub.ask_agents().await;
    }
    let mut agents = hub.agents();
    agents.retain(|agent| peer.hello.role != Role::Agent || Some(&agent.project) == peer.project.as_ref());
    Answer::Pong { agents }
}

pub(super) async fn status(hub: &Arc<Hub>, peer: &Peer) -> Answer {
    let sees = |project: Option<&Project>| peer.hello.role != Role::Agent || project == peer.project.as_ref();
    let mut projects = hub.blocking(|hub| hub.registry.projects()).await.unwrap_or_default();
    projects.retain(|project| sees(Some(project)));
    let unreadable = hub.stores.unreadable(projects.iter().map(|project| project.root.as_ref()));
    let mut agents = hub.agents();
    agents.retain(|agent| sees(Some(&agent.project)));
    let copies = hub.stores.complaints().into_iter().filter_map(|(root, complaints)| {
        let project = project_at(&root).filter(|project| sees(Some(project)))?;
        Some(complaints.into_iter().take(MOST_PROBLEMS).map(move |complaint| problem(&project, complaint)))
    });
    let copies = copies.flatten().collect();
    // It is of no project yet.
    let (unplaced, unreadable, set_aside) = match peer.hello.role {
        Role::Agent => (None, unreadable, Vec::new()),
        _ => {
            let summary = hub.blocking(|hub| hub.waiting.summary().ok().flatten()).await.flatten();
            (summary, unreadable, hub.set_aside.list())
        }
    };
    let live = hub.live();
    let browsers = live.peers.values().filter(|peer| peer.hello.role == Role::Browser);
    let sessions = live.sessions.values().filter(|session| sees(session.project()));
    let gateway = hub.gateway().map(|gateway| GatewayStatus {
        address: gateway.address().to_string(),
        connected: u32::try_from(live.peers.values().filter(|peer| peer.is_over_gateway()).count())
            .unwrap_or(u32::MAX),
        warnings: gateway.warnings(),
    });
    Answer::Status {
        pid: std::process::id(),
        version: env!("CARGO_PKG_VERSION").into(),
        uptime_seconds: u32::try_from(hub.started.elapsed().as_secs()).unwrap_or(u32::MAX),
        browsers: browsers.map(|peer| peer.hello.client.clone()).collect(),
        agents,
        sessions: sessions.map(|session| session.session.clone()).collect(),
        projects,
        gateway,
        unreadable,
        copies,
        unplaced,
        set_aside,
    }
}
