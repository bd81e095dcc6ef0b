//! What waits for a person's yes or no: kept on disk before anybody is told, rejected when its time is over, told to
//! every browser and to who waits. Who may decide is said in `handle/verifications.rs`.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use opentoolbar_core::model::{
    DEFAULT_VERIFICATION_SECONDS, MessageId, Project, Timestamp, Verification, VerificationId,
};
use opentoolbar_core::protocol::{ErrorBody, ErrorCode, Event, Role};
use tokio::sync::{broadcast, watch};

use super::state::{Hub, Peer};
use crate::clock::now;
use crate::error::{error, internal};
use crate::home::Home;
use crate::ids::random_id;
use crate::project::asking_processes;
use crate::store::{Effects, Verifications, hash_of};

/// The capability of browsers that are told.
pub(super) const SHOWS_VERIFICATIONS: &str = "verifications";
/// How long it is slept at most while something waits: a clock that is set is looked at again, and how far time has
/// come is noted on disk.
const LOOK_EVERY: Duration = Duration::from_secs(10);
/// Changes that a waiting asker may miss before it looks by itself.
const CHANGES: usize = 256;

/// What somebody would do; checked.
#[derive(Clone, Debug)]
pub(super) struct VerificationWish {
    /// Of the message that asks: sent once more, it is the same question.
    pub(super) id: MessageId,
    pub(super) action: String,
    pub(super) reason: String,
    pub(super) context: Option<String>,
    pub(super) timeout_seconds: Option<u32>,
}

/// Who asks.
#[derive(Clone, Debug)]
pub(super) struct Asker {
    /// As it says of itself.
    pub(super) name: String,
    pub(super) project: Project,
    /// Which one speaks, where the system tells.
    pub(super) process: Option<u32>,
}

/// What the hub knows of what waits.
#[derive(Debug)]
pub(super) struct Deciding {
    kept: Verifications,
    /// The latest moment that was looked at, and when that was by a clock that nobody sets: time goes on from there.
    latest: Mutex<(Timestamp, Instant)>,
    /// When the next one runs out; none while nothing waits.
    next: watch::Sender<Option<Timestamp>>,
    changed: broadcast::Sender<Arc<Verification>>,
    /// Held while something is decided and told, so that it is told in the order in which it was decided.
    order: Mutex<()>,
}

impl Deciding {
    /// Of this home. Looks how far time has come for the hubs before.
    pub(super) fn of(home: &Home) -> Self {
        let kept = Verifications::at(home.verifications());
        let seen = kept.seen().unwrap_or_else(|error| {
            tracing::error!(%error, "what waits for a person's decision cannot be read");
            None
        });
        Self {
            kept,
            latest: Mutex::new((now().max(seen.unwrap_or_default()), Instant::now())),
            next: watch::Sender::new(None),
            changed: broadcast::Sender::new(CHANGES),
            order: Mutex::new(()),
        }
    }

    /// Now, which is never earlier than it was, whatever becomes of the clock: set back, time goes on at its pace.
    pub(super) fn moment(&self) -> Timestamp {
        self.moment_by(now())
    }

    fn moment_by(&self, clock: Timestamp) -> Timestamp {
        // Both are written at once, and a panic in between writes neither.
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        let (moment, at) = *latest;
        let passed = u64::try_from(at.elapsed().as_millis()).unwrap_or(u64::MAX);
        let at_its_pace = Timestamp(moment.0.saturating_add(passed));
        *latest = match clock > at_its_pace {
            true => (clock, Instant::now()),
            // What is left of a millisecond counts the next time.
            false => (at_its_pace, at + Duration::from_millis(passed)),
        };
        latest.0
    }

    /// The project with this root, if something was asked in it.
    pub(super) fn project_at(&self, root: &str) -> Option<Project> {
        self.kept.project_at(root).ok().flatten()
    }

    /// Where something was asked.
    pub(super) fn projects(&self) -> Vec<Project> {
        self.kept.projects().unwrap_or_default()
    }

    /// Whether something waits for a person: the hub stays.
    pub(super) fn is_any(&self) -> bool {
        self.next.borrow().is_some()
    }
}

impl Hub {
    /// Does something to what is kept and tells what became other, at once and whether or not the asker still waits.
    pub(super) async fn deciding<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Verifications, Timestamp, &mut Effects) -> Result<T, ErrorBody> + Send + 'static,
    ) -> Result<T, ErrorBody> {
        let done = self.blocking(|hub| hub.decide_now(work)).await;
        done.unwrap_or_else(|| Err(internal("what waits for a person could not be looked at")))
    }

    fn decide_now<T>(
        &self,
        work: impl FnOnce(&Verifications, Timestamp, &mut Effects) -> Result<T, ErrorBody>,
    ) -> Result<T, ErrorBody> {
        let deciding = &self.deciding;
        // What a panic leaves untold is told when it is asked for.
        let _in_order = deciding.order.lock().unwrap_or_else(PoisonError::into_inner);
        let moment = deciding.moment();
        let mut effects = Effects::default();
        let done = work(&deciding.kept, moment, &mut effects);
        match deciding.kept.next_expiry() {
            // Who only looked wakes nobody: whoever rejects in time also notes how far time has come.
            Ok(next) => {
                deciding.next.send_if_modified(|held| std::mem::replace(held, next) != next);
            }
            // It is looked again soon.
            Err(error) => tracing::error!(%error, "what waits for a person's decision cannot be read"),
        }
        for verification in effects.changed {
            self.tell_verification(verification);
        }
        if effects.has_other_rules {
            self.tell_rules(moment);
        }
        done
    }

    fn tell_verification(&self, verification: Verification) {
        let changed = Arc::new(verification.clone());
        let event = Event::VerificationChanged { verification: Box::new(verification) };
        self.tell(&event.into(), shows_verifications);
        // Nobody may be waiting.
        let _ = self.deciding.changed.send(changed);
    }

    fn tell_rules(&self, moment: Timestamp) {
        match self.deciding.kept.rules(moment) {
            Ok(rules) => self.tell(&Event::RulesChanged { rules }.into(), shows_verifications),
            Err(error) => tracing::error!(%error, "the rules cannot be read"),
        }
    }

    /// Asks a person, whoever it is that asks: stored when this returns.
    pub(super) async fn ask_person(
        self: &Arc<Self>,
        asker: Asker,
        wish: VerificationWish,
    ) -> Result<Verification, ErrorBody> {
        let Asker { name, project, process } = asker;
        let VerificationWish { id: message, action, reason, context, timeout_seconds } = wish;
        let id = random_id("v_")?;
        let hash = hash_of(&project.root, &name, &action, &reason, context.as_deref());
        let seconds = timeout_seconds.unwrap_or(DEFAULT_VERIFICATION_SECONDS);
        let processes = match process {
            Some(id) => self.blocking(move |_| asking_processes(id)).await.unwrap_or_default(),
            None => Vec::new(),
        };
        self.deciding(move |kept, moment, effects| {
            let expires_at = Timestamp(moment.0.saturating_add(u64::from(seconds) * 1_000));
            let asked = Verification {
                id,
                project,
                action,
                reason,
                context,
                asker: name,
                processes,
                hash,
                asked_at: moment,
                expires_at,
                decided: None,
            };
            kept.ask(&message, asked, moment, effects)
        })
        .await
    }

    /// How what this one asked stands, once it is decided or the time is over.
    pub(super) async fn answer_of_person(
        self: &Arc<Self>,
        asker: &Asker,
        id: &VerificationId,
        wait: Duration,
    ) -> Result<Verification, ErrorBody> {
        let is_theirs =
            |one: &Verification| one.project.root == asker.project.root && one.asker == asker.name;
        // Nobody waits for what is another's.
        let found = self.decided_within(id, Duration::ZERO).await?.filter(is_theirs);
        let found = found.ok_or_else(|| unknown(id))?;
        if found.decided.is_some() || wait.is_zero() {
            return Ok(found);
        }
        self.decided_within(id, wait).await?.ok_or_else(|| unknown(id))
    }

    /// Its asker takes it back.
    pub(super) async fn withdraw(
        self: &Arc<Self>,
        asker: Asker,
        id: VerificationId,
    ) -> Result<Verification, ErrorBody> {
        let Asker { name, project, .. } = asker;
        self.deciding(move |kept, moment, effects| {
            kept.withdraw(&id, (&project.root, &name), moment, effects)
        })
        .await
    }

    /// Whether it stays although nobody is connected.
    pub(super) fn is_needed(&self) -> bool {
        self.deciding.is_any()
    }

    /// For how long at most no more may be asked in this project; zero where more may be.
    pub(crate) async fn full_for(self: &Arc<Self>, root: String) -> Duration {
        let look = move |hub: &Self| hub.deciding.kept.full_until(&root).ok().flatten();
        let until = self.blocking(look).await.flatten();
        until.map_or(Duration::ZERO, |until| {
            Duration::from_millis(until.0.saturating_sub(self.deciding.moment().0))
        })
    }

    /// The project of this verification, if it was asked by this name.
    pub(crate) async fn project_of_verification(
        self: &Arc<Self>,
        id: VerificationId,
        asker: String,
    ) -> Option<Project> {
        let found = self.deciding(move |kept, moment, effects| kept.get(&id, moment, effects)).await;
        found.ok().flatten().filter(|one| one.asker == asker).map(|one| one.project)
    }

    /// How many browsers show what waits.
    pub(super) fn shown_by(&self) -> u32 {
        let shown = self.live().peers.values().filter(|peer| shows_verifications(peer)).count();
        u32::try_from(shown).unwrap_or(u32::MAX)
    }

    /// How it stands once it is decided, or when the time is over; none when there is no such one.
    pub(super) async fn decided_within(
        self: &Arc<Self>,
        id: &VerificationId,
        wait: Duration,
    ) -> Result<Option<Verification>, ErrorBody> {
        let until = tokio::time::Instant::now() + wait;
        let mut leaving = self.leaving();
        // Listening begins before the first look, so that nothing falls in between.
        let mut changed = self.deciding.changed.subscribe();
        loop {
            let wanted = id.clone();
            let found =
                self.deciding(move |kept, moment, effects| kept.get(&wanted, moment, effects)).await?;
            if found.as_ref().is_none_or(|found| found.decided.is_some()) {
                return Ok(found);
            }
            let is_over = loop {
                tokio::select! {
                    told = changed.recv() => match told {
                        Ok(other) if other.id != *id => {}
                        // As it was told: its project's data may be gone, and with it the record.
                        Ok(one) if one.decided.is_some() => return Ok(Some(Verification::clone(&one))),
                        Ok(_) | Err(broadcast::error::RecvError::Lagged(_)) => break false,
                        Err(broadcast::error::RecvError::Closed) => break true,
                    },
                    _ = leaving.wait_for(|leaves| *leaves) => break true,
                    () = tokio::time::sleep_until(until) => break true,
                }
            };
            if is_over {
                return Ok(found);
            }
        }
    }

    /// Rejects what ran out while no hub was there. Blocks.
    pub(super) fn reject_what_ran_out(&self) {
        if let Err(error) = self.decide_now(Verifications::expire) {
            tracing::error!(%error, "what ran out cannot be rejected; nothing of it can be approved");
        }
    }

    /// Rejects what runs out, as long as the hub lives.
    pub(super) async fn reject_in_time(self: &Arc<Self>) {
        let mut next = self.deciding.next.subscribe();
        loop {
            let due = *next.borrow_and_update();
            let moment = self.deciding.moment();
            let left = due.map(|due| Duration::from_millis(due.0.saturating_sub(moment.0)).min(LOOK_EVERY));
            tokio::select! {
                () = tokio::time::sleep(left.unwrap_or(Duration::MAX)) => {
                    // What is due is due at its very millisecond.
                    if let Err(error) = self.deciding(Verifications::expire).await {
                        tracing::error!(%error, "what ran out is not rejected yet; nothing of it can be approved");
                        tokio::time::sleep(LOOK_EVERY).await;
                    }
                }
                changed = next.changed() => if changed.is_err() { return },
            }
        }
    }
}

pub(super) fn unknown(id: &VerificationId) -> ErrorBody {
    error(
        ErrorCode::UnknownVerification,
        format!("there is no verification {id} of yours in this project"),
        "Use the id that was given when it was asked.",
    )
}

fn shows_verifications(peer: &Peer) -> bool {
    peer.hello.role == Role::Browser
        && peer.may_decide()
        && peer.hello.capabilities.iter().any(|one| one == SHOWS_VERIFICATIONS)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_clock_that_was_set_back_while_no_hub_ran_prolongs_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path());
        let ahead = Timestamp(now().0 + 3_600_000);
        let kept = Verifications::at(home.verifications());
        assert_eq!(kept.seen().unwrap(), None);
        let asked = Verification {
            id: "v_1".parse().unwrap(),
            project: opentoolbar_core::model::Project { root: "/shop".into(), name: "shop".into() },
            action: "Delete build/".into(),
            reason: "It is stale".into(),
            context: None,
            asker: "codex".into(),
            processes: Vec::new(),
            hash: "00".into(),
            asked_at: ahead,
            expires_at: Timestamp(ahead.0 + 5_000),
            decided: None,
        };
        kept.ask(&"m_1".parse().unwrap(), asked, ahead, &mut Effects::default()).unwrap();
        drop(kept);
        let deciding = Deciding::of(&home);
        let moment = deciding.moment();
        assert!(moment >= ahead && moment.0 < ahead.0 + 60_000, "{moment}");
        assert!(deciding.moment() >= moment);
    }

    #[test]
    fn who_only_looks_wakes_nobody() {
        let dir = tempfile::tempdir().unwrap();
        let hub = Hub::open(&Home::at(dir.path()));
        let next = hub.deciding.next.subscribe();
        hub.decide_now(Verifications::expire).unwrap();
        assert!(!next.has_changed().unwrap());
    }

    #[test]
    fn a_clock_that_jumps_ahead_and_back_stops_no_time() {
        let dir = tempfile::tempdir().unwrap();
        let deciding = Deciding::of(&Home::at(dir.path()));
        let start = now();
        let ahead = deciding.moment_by(Timestamp(start.0 + 3_600_000));
        std::thread::sleep(Duration::from_millis(30));
        let back = deciding.moment_by(start);
        assert!(back.0 >= ahead.0 + 25 && back.0 < ahead.0 + 60_000, "{ahead} {back}");
    }
}
