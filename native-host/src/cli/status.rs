//! `opentoolbar status`: is the hub up, who is connected, is the gateway open.

use std::fmt::Write as _;

use clap::Args;
use opentoolbar_core::protocol::{Answer, CopyProblem, Request, UnplacedSummary};
use serde_json::json;

use super::{Failure, connect, output};
use crate::home::Home;
use crate::hub::client::Connector;

/// Arguments of `opentoolbar status`.
#[derive(Debug, Args)]
pub(super) struct StatusArgs {
    /// For programs: one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &StatusArgs) -> Result<(), Failure> {
    let answer = connect::block_on(async {
        // Looking must not start what it looks for.
        let connector = Connector::new(Home::from_env()?);
        let running = connector.connect_if_running(connect::hello("status", None)).await;
        let Some(client) = running.map_err(connect::no_hub)? else { return Ok(None) };
        let status = client.request(Request::Status).await.map_err(Failure::from)?;
        let offers = match client.request(Request::ListStored).await {
            Ok(Answer::Stored { offers, .. }) => offers,
            // The state of the hub is what was asked for.
            _ => Vec::new(),
        };
        Ok(Some((status, offers)))
    })?;
    let Some((answer, offers)) = answer else {
        if args.json {
            return output::print_json(&json!({ "running": false }).to_string());
        }
        return output::print(
            "The hub is not running. It starts by itself when a browser or an agent needs it.",
        );
    };
    let Answer::Status {
        pid,
        version,
        uptime_seconds,
        browsers,
        agents,
        sessions,
        projects,
        gateway,
        unreadable,
        copies,
        unplaced,
        set_aside,
    } = answer
    else {
        return Err(Failure::new(
            "the hub did not answer with its status",
            "Restart it: it may be of another version.",
        ));
    };
    if args.json {
        let value = json!({
            "running": true, "pid": pid, "version": version, "uptimeSeconds": uptime_seconds,
            "browsers": browsers, "agents": agents, "sessions": sessions, "projects": projects,
            "gateway": gateway, "offers": offers, "unreadable": unreadable, "copies": copies, "unplaced": unplaced,
            "setAside": set_aside,
        });
        return output::print_json(&value.to_string());
    }
    let mut text =
        format!("The hub is running: version {version}, process {pid}, up {}.\n", duration(uptime_seconds));
    list(&mut text, "Browsers", "none; open the browser and press the toolbar button", browsers);
    let agents = agents.iter().map(|agent| format!("{} in {}", agent.client, agent.project.root)).collect();
    list(&mut text, "Agents", "none; see how to connect one with `opentoolbar setup --dry-run`", agents);
    let sessions = sessions.iter().map(|session| format!("{} {}", session.url, session.title)).collect();
    list(&mut text, "Tabs", "none", sessions);
    let projects = projects.iter().map(|project| project.root.clone()).collect();
    list(&mut text, "Projects", "none", projects);
    let warnings = gateway.as_ref().map(|gateway| gateway.warnings.clone()).unwrap_or_default();
    let gateway = gateway
        .map(|gateway| format!("open at ws://{}/ws, {} connected", gateway.address, gateway.connected));
    let _ = writeln!(text, "Gateway: {}", gateway.unwrap_or_else(why_closed));
    for warning in warnings {
        let _ = writeln!(text, "  {}", output::plain(&warning));
    }
    text.push_str(&super::projects::offered(&offers));
    if let Some(unplaced) = unplaced {
        waiting(&mut text, unplaced);
    }
    if !copies.is_empty() {
        text.push_str("Not put right in projects:\n");
    }
    for CopyProblem { project, message, next_step } in copies {
        let (root, message) = (output::plain(&project.root), output::plain(&message));
        let _ = writeln!(text, "  {root}: {message}.\n    {}", output::plain(&next_step));
    }
    if !set_aside.is_empty() {
        text.push_str("Left out of the hub's own files:\n");
    }
    for told in set_aside {
        let _ = writeln!(text, "  {}", output::plain(&told));
    }
    if unreadable > 0 {
        let _ = writeln!(
            text,
            "Unreadable: {unreadable} items, left as they are; update opentoolbar to read them"
        );
    }
    output::print(&text)
}

/// Also when it could not be opened because of the settings.
fn why_closed() -> String {
    let settings = Home::from_env().and_then(|home| crate::gateway::Config::read(&home));
    match settings {
        Ok(_) => "closed; `opentoolbar serve` opens it, for programs and for browsers that cannot start opentoolbar".to_owned(),
        Err(mistake) => format!("closed; {}", output::plain(&mistake.to_string())),
    }
}

fn waiting(text: &mut String, UnplacedSummary { things, sessions, since, unreadable }: UnplacedSummary) {
    let counted_things = |count| counted(count, "selection or message", "selections and messages");
    if things > 0 {
        let (things, sessions) = (counted_things(things), counted(sessions, "client", "clients"));
        let _ = writeln!(
            text,
            "Waiting for their project: {things} of {sessions}, since {since}; start an agent in the project of the page"
        );
    }
    if unreadable > 0 {
        let things = counted_things(unreadable);
        let _ = writeln!(
            text,
            "Unreadable, of what waited for its project: {things}; update opentoolbar to read them. They are let go a week after \
             they came"
        );
    }
}

fn list(text: &mut String, title: &str, empty: &str, lines: Vec<String>) {
    if lines.is_empty() {
        let _ = writeln!(text, "{title}: {empty}");
        return;
    }
    let _ = writeln!(text, "{title}:");
    for line in lines {
        let _ = writeln!(text, "  {}", output::plain(&line));
    }
}

fn counted(count: u32, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

fn duration(seconds: u32) -> String {
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, _) => format!("{minutes} min"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}

#[cfg(test)]
mod tests {
    use opentoolbar_core::model::Timestamp;

    use super::*;

    #[test]
    fn where_nothing_that_waits_can_be_read_nothing_is_said_to_wait_for_its_project() {
        let mut text = String::new();
        let summary =
            serde_json::json!({ "things": 0, "sessions": 0, "since": Timestamp(1_000), "unreadable": 2 });
        #[allow(clippy::unwrap_used, reason = "it is one")]
        waiting(&mut text, serde_json::from_value(summary).unwrap());
        assert!(
            text.starts_with("Unreadable, of what waited for its project: 2 selections and messages;"),
            "{text}"
        );
    }
}
