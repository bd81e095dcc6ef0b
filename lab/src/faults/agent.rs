//! An agent that writes: replies to one comment after the other, through a process that may be killed. A call that it
//! got no answer to may have been applied or not; it is never made again, as an agent that ended is not there to do it.

use std::sync::PoisonError;
use std::time::Duration;

use anyhow::Result;
use serde_json::json;

use super::browser::Pid;
use super::ledger::Ledger;
use crate::clients::mcp::{Client, Started};
use crate::clients::world::World;

/// Replies that one comment is given: less than it can have.
const REPLIES: usize = 200;

pub(super) fn write(world: &World, name: &str, project: usize, ledger: &Ledger, pid: &Pid) -> Result<()> {
    let mut running: Option<Started> = None;
    let mut comment = None;
    for number in 0.. {
        if ledger.is_stopping() {
            break;
        }
        if running.is_none() {
            running = begin(world, project, pid);
        }
        let Some(Started { client, .. }) = &mut running else {
            std::thread::sleep(Duration::from_millis(50));
            continue;
        };
        if number % REPLIES == 0 || comment.is_none() {
            comment = latest(client);
        }
        let Some(comment) = &comment else {
            // None is there yet, or the process is gone.
            if client.call("list_sessions", &json!({})).is_err() {
                running = end(running);
            }
            std::thread::sleep(Duration::from_millis(20));
            continue;
        };
        let text = format!("{name}-{number}");
        let arguments = json!({ "commentId": comment, "text": text });
        match client.call("reply_to_comment", &arguments) {
            Ok(answer) if answer["result"]["structuredContent"]["success"] == true => {
                ledger.acknowledge(text)
            }
            // Refused, with a sentence: not stored, or not known to be.
            Ok(_) => std::thread::sleep(Duration::from_millis(20)),
            Err(_) => running = end(running),
        }
    }
    end(running);
    Ok(())
}

fn begin(world: &World, project: usize, pid: &Pid) -> Option<Started> {
    let mut started = Started::in_project(world, project).ok()?;
    *pid.lock().unwrap_or_else(PoisonError::into_inner) = Some(started.process.id());
    if started.client.introduce().is_err() {
        return end(Some(started));
    }
    Some(started)
}

fn end(started: Option<Started>) -> Option<Started> {
    if let Some(Started { mut process, .. }) = started {
        let _ = process.kill();
        let _ = process.wait();
    }
    None
}

/// The id of a comment of the project.
fn latest(client: &mut Client) -> Option<String> {
    let answer = client.call("get_ui_feedback", &json!({ "limit": 1 })).ok()?;
    let comments = &answer["result"]["structuredContent"]["comments"];
    Some(comments.get(0)?.get("id")?.as_str()?.to_owned())
}
