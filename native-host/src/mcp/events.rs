//! What the hub tells unasked, and who it is for.

use opentoolbar_core::protocol::{Changed, Event};
use tokio::sync::broadcast::error::RecvError;

use super::link::Link;
use crate::hub::client::Client;

/// Hands on what the hub tells over this connection from now on, until that is over for good. Who is asked something
/// answers beside it.
pub(super) fn hand_on(link: Link, client: &Client) -> impl Future<Output = ()> + Send + use<> {
    // Not the client itself, whose connection is open as long as anybody has it.
    let (mut events, mut greetings) = (client.events(), client.greetings());
    async move {
        loop {
            tokio::select! {
                greeted = greetings.changed() => match greeted {
                    // What happened without a hub was told to nobody.
                    Ok(()) => link.note_change(Changed::anything()),
                    Err(_) => return,
                },
                told = events.recv() => match told {
                    Ok(told) => hand(&link, told.event),
                    // More than is kept for one who is slow.
                    Err(RecvError::Lagged(_)) => link.note_change(Changed::anything()),
                    Err(RecvError::Closed) => return,
                },
            }
        }
    }
}

fn hand(link: &Link, event: Event) {
    match event {
        Event::AgentPing { round } => {
            let link = link.clone();
            tokio::spawn(async move {
                let presence = link.ask_program(round).await;
                link.tell_presence(round, presence).await;
            });
        }
        Event::Changed(changed) => link.note_change(changed),
        _ => {}
    }
}
