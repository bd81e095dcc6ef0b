//! How the hub comes, how it goes, and that there is only one.
#![allow(clippy::unwrap_used, clippy::panic)]

mod room;

use opentoolbar_core::protocol::{Answer, Request};
use room::{Room, end};

async fn pid_of(client: &opentoolbar::hub::client::Client) -> u32 {
    match client.request(Request::Status).await.unwrap() {
        Answer::Status { pid, .. } => pid,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn the_first_client_starts_the_hub() {
    let room = Room::new();
    let agent = room.agent("claude-code 2.1").await;
    assert_eq!(Some(pid_of(&agent).await), room.pid());
}

#[tokio::test]
async fn many_clients_at_once_start_one_hub() {
    let room = Room::new();
    let browser = room.browser();
    let (a, b, c, d) = tokio::join!(room.agent("a"), room.agent("b"), room.agent("c"), browser);
    let pids = [pid_of(&a).await, pid_of(&b).await, pid_of(&c).await, pid_of(&d).await];
    assert!(pids.iter().all(|pid| Some(*pid) == room.pid()), "{pids:?}");
}

#[tokio::test]
async fn a_clients_session_survives_a_killed_hub() {
    let room = Room::new();
    let agent = room.agent("a").await;
    let first = pid_of(&agent).await;
    end(first);
    let second = pid_of(&agent).await;
    assert_ne!(first, second);
    assert_eq!(Some(second), room.pid());
}
