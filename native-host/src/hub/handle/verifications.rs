//! An agent asks for a person's yes or no; the person decides, in our extension or in the terminal, and nobody else.

use std::sync::Arc;
use std::time::Duration;

use opentoolbar_core::model::{DecidedIn, MessageId, RuleId, Verification, VerificationId};
use opentoolbar_core::protocol::{Answer, ErrorBody, ErrorCode, MAX_WAIT_MS, Role, RuleWish};

use super::roles::own_project;
use crate::error::error;
use crate::hub::deciding::{Asker, VerificationWish, unknown};
use crate::hub::state::{Hub, Peer};
use crate::ids::random_id;
use crate::store::{Choice, Overview};

/// Decisions that are listed.
const LATEST: u32 = 50;
/// What is listed of what waits and what was decided, in bytes of words. More wait only where somebody floods.
const LISTED: usize = 4 * 1024 * 1024;

/// Of an agent: the same for all of its processes, as what it asks outlives them.
fn asker(peer: &Peer) -> Result<Asker, ErrorBody> {
    let project = own_project(peer)?.clone();
    Ok(Asker { name: peer.hello.client.clone(), project, process: peer.process })
}

/// The same; `says`: for which process it speaks, which is believed of this very process alone.
fn asker_for(peer: &Peer, says: Option<u32>) -> Result<Asker, ErrorBody> {
    let asker = asker(peer)?;
    let speaks_for_another = asker.process == Some(std::process::id());
    Ok(Asker { process: if speaks_for_another { says } else { asker.process }, ..asker })
}

pub(super) async fn request(
    hub: &Arc<Hub>,
    peer: &Peer,
    process: Option<u32>,
    wish: VerificationWish,
    timeout_ms: u32,
) -> Result<Answer, ErrorBody> {
    let message = wish.id.clone();
    let asked = hub.ask_person(asker_for(peer, process)?, wish).await?;
    if asked.decided.is_some() {
        return Ok(told(hub, asked));
    }
    let waiting = peer.pulse.waits_for_a_decision(message);
    let found = tokio::select! {
        found = hub.decided_within(&asked.id, wait(timeout_ms)) => found?,
        // Nobody hears the answer.
        () = waiting.ended() => Some(asked.clone()),
    };
    peer.pulse.seen();
    Ok(told(hub, found.ok_or_else(|| unknown(&asked.id))?))
}

/// An agent's own; a verb's are all.
pub(super) async fn get(
    hub: &Arc<Hub>,
    peer: &Peer,
    message: MessageId,
    id: VerificationId,
    timeout_ms: u32,
) -> Result<Answer, ErrorBody> {
    let waiting = peer.pulse.waits_for_a_decision(message);
    let found = async {
        match peer.hello.role {
            Role::Agent => hub.answer_of_person(&asker(peer)?, &id, wait(timeout_ms)).await,
            Role::Browser | Role::Cli => {
                hub.decided_within(&id, wait(timeout_ms)).await?.ok_or_else(|| unknown(&id))
            }
        }
    };
    let found = tokio::select! {
        found = found => found?,
        () = waiting.ended() => return Err(unknown(&id)),
    };
    peer.pulse.seen();
    Ok(told(hub, found))
}

pub(super) async fn withdraw(hub: &Arc<Hub>, peer: &Peer, id: VerificationId) -> Result<Answer, ErrorBody> {
    let withdrawn = hub.withdraw(asker(peer)?, id).await?;
    Ok(told(hub, withdrawn))
}

pub(super) async fn list(hub: &Arc<Hub>, peer: &Peer) -> Result<Answer, ErrorBody> {
    must_be_a_person(peer)?;
    let overview = hub.deciding(|kept, moment, effects| kept.overview(LATEST, moment, effects)).await?;
    let Overview { mut pending, mut decided, rules } = overview;
    let left_out = keep_what_has_room(&mut pending);
    keep_what_has_room(&mut decided);
    Ok(Answer::Verifications { pending, left_out, decided, rules })
}

/// The first ones; returns how many are left out.
fn keep_what_has_room(list: &mut Vec<Verification>) -> u32 {
    let mut room = LISTED;
    let kept = list.iter().take_while(|one| {
        let note = one.decided.as_ref().and_then(|decided| decided.note.as_deref()).map_or(0, str::len);
        let words = one.action.len() + one.reason.len() + one.context.as_deref().map_or(0, str::len) + note;
        let has_room = words <= room;
        room = room.saturating_sub(words);
        has_room
    });
    let kept = kept.count();
    let left_out = list.len() - kept;
    list.truncate(kept);
    u32::try_from(left_out).unwrap_or(u32::MAX)
}

/// What the person says, and of which words.
pub(super) struct Said {
    pub(super) hash: String,
    pub(super) approve: bool,
    pub(super) note: Option<String>,
    pub(super) rule: Option<RuleWish>,
}

pub(super) async fn decide(
    hub: &Arc<Hub>,
    peer: &Peer,
    id: VerificationId,
    said: Said,
) -> Result<Answer, ErrorBody> {
    let way = must_be_a_person(peer)?;
    let Said { hash, approve, note, rule } = said;
    let rule = match rule {
        Some(RuleWish { hours, any_context }) => Some((random_id::<RuleId>("rule_")?, hours, any_context)),
        None => None,
    };
    let note = note.filter(|note| !note.trim().is_empty());
    let choice = Choice { hash, approve, note, way, rule };
    let decided =
        hub.deciding(move |kept, moment, effects| kept.decide(&id, choice, moment, effects)).await?;
    tracing::info!(verification = %decided.id, approve, ?way, "a person decided");
    Ok(told(hub, decided))
}

pub(super) async fn stop_rule(hub: &Arc<Hub>, peer: &Peer, id: RuleId) -> Result<Answer, ErrorBody> {
    must_be_a_person(peer)?;
    hub.deciding(move |kept, moment, effects| kept.stop_rule(&id, moment, effects)).await?;
    list(hub, peer).await
}

/// Where the person is. Whoever holds the programs' token and calls itself a browser is none.
fn must_be_a_person(peer: &Peer) -> Result<DecidedIn, ErrorBody> {
    match peer.hello.role {
        Role::Browser if peer.may_decide() => Ok(DecidedIn::Browser),
        Role::Cli => Ok(DecidedIn::Terminal),
        Role::Browser | Role::Agent => Err(error(
            ErrorCode::Forbidden,
            "only a person decides, in the opentoolbar extension or in a terminal",
            "Wait for the person, or show them `opentoolbar verifications`.",
        )),
    }
}

fn wait(timeout_ms: u32) -> Duration {
    Duration::from_millis(timeout_ms.min(MAX_WAIT_MS).into())
}

fn told(hub: &Hub, verification: Verification) -> Answer {
    Answer::Verification { verification: Box::new(verification), seen_by: hub.shown_by() }
}
