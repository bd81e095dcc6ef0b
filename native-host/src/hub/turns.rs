//! The order among the requests of one connection: a browser's connection carries tabs of several projects, and one
//! project's disk must not hold up another's. What is about the same project or comment keeps its order; whatever
//! hangs, hangs in one project. Each project has room for so many; what has none is refused at once, so that reading
//! waits for no project.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use opentoolbar_core::protocol::ErrorBody;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use super::answering::{busy, late};
use super::state::Hub;
use super::subject::{Place, Subject};
use crate::budget::Budget;
use crate::budget::under_way::{Full, Held, Owner, UnderWay, holding};

/// Requests of one project that a connection may have under way.
const MOST_OF_A_PROJECT: usize = 1_024;
/// The same of those whose project is yet to be found.
const MOST_UNPLACED: usize = 256;
/// The same of those that need no storage: a browser that connects opens all its tabs at once.
const MOST_WITHOUT_STORAGE: usize = 2_048;
/// Of those that are in no project so many are worked on at once: threads that block are everybody's.
const AT_ONCE: usize = 64;

/// The requests of one connection that are under way.
#[derive(Clone, Debug, Default)]
pub(super) struct Turns(Arc<Line>);

#[derive(Debug, Default)]
struct Line {
    under_way: Mutex<Entries>,
    without_storage: Room,
    unplaced: Room,
}

/// Of those that are in no project.
#[derive(Debug)]
struct Room {
    bytes: Budget,
    at_once: Arc<Semaphore>,
}

impl Default for Room {
    fn default() -> Self {
        Self { bytes: Budget::default(), at_once: Arc::new(Semaphore::new(AT_ONCE)) }
    }
}

#[derive(Debug, Default)]
struct Entries {
    last: u64,
    by_number: BTreeMap<u64, Entry>,
    /// How many there are.
    in_place: BTreeMap<Place, usize>,
    /// How often two were compared.
    #[cfg(test)]
    compared: std::cell::Cell<usize>,
}

#[derive(Debug)]
struct Entry {
    subject: Subject,
    /// Of one that is worked on in no project.
    permit: Option<OwnedSemaphorePermit>,
    /// Closed when it has ended; says when it goes elsewhere.
    changed: watch::Sender<()>,
}

impl Entries {
    /// Those before this number that it must wait for, the last one first.
    fn before<'a>(&'a self, number: u64, own: &'a Subject) -> impl Iterator<Item = &'a Entry> {
        self.by_number.range(..number).rev().map(|(_, entry)| entry).filter(|entry| {
            #[cfg(test)]
            self.compared.set(self.compared.get() + 1);
            own.meets(&entry.subject)
        })
    }

    fn has_room(&self, place: &Place) -> bool {
        let most = match place {
            Place::NoStorage => MOST_WITHOUT_STORAGE,
            Place::Unknown => MOST_UNPLACED,
            Place::Project(_) => MOST_OF_A_PROJECT,
        };
        self.in_place.get(place).is_none_or(|count| *count < most)
    }

    fn add(&mut self, place: Place) {
        *self.in_place.entry(place).or_default() += 1;
    }

    fn take(&mut self, place: &Place) {
        if let Some(count) = self.in_place.get_mut(place) {
            *count -= 1;
            if *count == 0 {
                self.in_place.remove(place);
            }
        }
    }
}

impl Line {
    fn entries(&self) -> MutexGuard<'_, Entries> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn room(&self, place: &Place) -> Option<&Room> {
        match place {
            Place::NoStorage => Some(&self.without_storage),
            Place::Unknown => Some(&self.unplaced),
            Place::Project(_) => None,
        }
    }
}

impl Turns {
    /// The last in the line, which counts for so many bytes.
    pub(super) fn enter(&self, under_way: &UnderWay, subject: Subject, bytes: usize) -> Result<Turn, Full> {
        let mut entries = self.0.entries();
        if !entries.has_room(&subject.place) {
            return Err(Full::Place);
        }
        let owner = match &subject.place {
            Place::Project(root) => Owner::Project(root),
            place => self.0.room(place).map_or(Owner::Nobody, |room| Owner::Connection(&room.bytes)),
        };
        let held = under_way.take(bytes, owner)?;
        entries.last += 1;
        let number = entries.last;
        entries.add(subject.place.clone());
        let entry = Entry { subject, permit: None, changed: watch::Sender::default() };
        entries.by_number.insert(number, entry);
        Ok(Turn { line: Arc::clone(&self.0), number, held: Some(held) })
    }

    /// In which projects those are that this one would have to wait for.
    pub(super) fn projects_before(&self, subject: &Subject) -> BTreeSet<String> {
        let entries = self.0.entries();
        let roots: BTreeSet<&str> =
            entries.before(u64::MAX, subject).filter_map(|entry| entry.subject.place.project()).collect();
        roots.into_iter().map(str::to_owned).collect()
    }
}

/// A request's place in the line until it is dropped.
#[derive(Debug)]
pub(super) struct Turn {
    line: Arc<Line>,
    number: u64,
    held: Option<Arc<Held>>,
}

impl Turn {
    /// Of a request that nobody waits for.
    pub(super) fn beside_all() -> Self {
        Self { line: Arc::default(), number: 0, held: None }
    }

    /// Does the work of this request, which counts for what it holds.
    pub(super) async fn holding<T>(&self, work: impl Future<Output = T>) -> T {
        match &self.held {
            Some(held) => holding(Arc::clone(held), work).await,
            None => work.await,
        }
    }

    /// It was not answered in time.
    pub(super) fn is_late(&self) {
        self.held.iter().for_each(|held| held.is_late());
    }

    /// Says when the last one that it must wait for has ended or goes elsewhere. Those before that one have mostly
    /// ended by then, so that nobody is woken for each of them.
    fn blocked(&self) -> Option<watch::Receiver<()>> {
        let entries = self.line.entries();
        let own = entries.by_number.get(&self.number)?;
        entries.before(self.number, &own.subject).next().map(|entry| entry.changed.subscribe())
    }

    /// Returns when it is its turn.
    pub(super) async fn comes(&self) {
        while let Some(mut changed) = self.blocked() {
            // Closed when it has ended.
            let _ = changed.changed().await;
        }
    }

    /// Returns when it may be worked on: at once in a project, where it is the only one.
    pub(super) async fn begins(&self) {
        let place = self.line.entries().by_number.get(&self.number).map(|entry| entry.subject.place.clone());
        let Some(room) = place.and_then(|place| self.line.room(&place)) else { return };
        // Never closed.
        let permit = Arc::clone(&room.at_once).acquire_owned().await.ok();
        if let Some(entry) = self.line.entries().by_number.get_mut(&self.number) {
            entry.permit = permit;
        }
    }

    /// From here on it is done in this project alone, in its order there, and nobody of another one waits for it.
    ///
    /// # Errors
    /// `rate_limited` when the project has no room; `storage` when it is silent.
    pub(super) async fn goes_to(&self, hub: &Hub, root: &str) -> Result<(), ErrorBody> {
        self.moves_to(&hub.under_way, root).map_err(|_| no_room(hub, Some(root)))?;
        if hub.stores.is_silent(root.as_ref()) && self.blocked().is_some() {
            return Err(late());
        }
        self.comes().await;
        Ok(())
    }

    fn moves_to(&self, under_way: &UnderWay, root: &str) -> Result<(), Full> {
        let mut entries = self.line.entries();
        let Some(entry) = entries.by_number.get(&self.number) else { return Ok(()) };
        if entry.subject.place.project() == Some(root) {
            return Ok(());
        }
        let place = Place::Project(root.to_owned());
        if !entries.has_room(&place) {
            return Err(Full::Place);
        }
        if let Some(held) = &self.held {
            held.moves_to(under_way, root)?;
        }
        entries.add(place.clone());
        if let Some(entry) = entries.by_number.get_mut(&self.number) {
            let before = std::mem::replace(&mut entry.subject.place, place);
            entry.subject.session = None;
            entry.permit = None;
            entry.changed.send_replace(());
            entries.take(&before);
        }
        Ok(())
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut entries = self.line.entries();
        if let Some(entry) = entries.by_number.remove(&self.number) {
            entries.take(&entry.subject.place);
        }
    }
}

/// For a request that has no room. One whose project is silent would not have it in a moment either.
pub(super) fn no_room(hub: &Hub, root: Option<&str>) -> ErrorBody {
    if root.is_some_and(|root| hub.stores.is_silent(root.as_ref())) { late() } else { busy() }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn enter(turns: &Turns, subject: Subject) -> Turn {
        turns.enter(&UnderWay::default(), subject, 1).unwrap()
    }

    #[tokio::test]
    async fn who_waits_goes_on_once_the_one_before_hangs_in_another_project() {
        let (turns, under_way) = (Turns::default(), UnderWay::default());
        let lost = enter(&turns, Subject::in_project("s_good", "c_1", Some("/good")));
        let next = enter(&turns, Subject::in_project("s_good", "c_2", Some("/good")));
        let same_comment = enter(&turns, Subject::in_project("s_good", "c_1", Some("/good")));
        let other = enter(&turns, Subject::in_project("s_dead", "", Some("/dead")));
        assert!(next.blocked().is_some() && same_comment.blocked().is_some() && other.blocked().is_none());
        lost.moves_to(&under_way, "/dead").unwrap();
        next.comes().await;
        let before = turns.projects_before(&Subject::in_project("s_good", "c_1", Some("/good")));
        assert_eq!(before.into_iter().collect::<Vec<_>>(), ["/dead", "/good"]);
        drop(next);
        assert!(same_comment.blocked().is_some(), "changes of one comment keep their order");
        drop(lost);
        same_comment.comes().await;
    }

    #[tokio::test]
    async fn who_finds_its_project_late_has_its_order_there() {
        let (turns, under_way) = (Turns::default(), UnderWay::default());
        let first = enter(&turns, Subject::in_project("s_gone", "c_1", None));
        let second = enter(&turns, Subject::in_project("s_gone", "c_2", None));
        let other = enter(&turns, Subject::in_project("s_other", "c_3", None));
        assert!(second.blocked().is_some() && other.blocked().is_none());
        first.moves_to(&under_way, "/dead").unwrap();
        second.comes().await;
        second.moves_to(&under_way, "/dead").unwrap();
        assert!(second.blocked().is_some(), "its project does one after the other");
        other.moves_to(&under_way, "/good").unwrap();
        other.comes().await;
        drop(first);
        second.comes().await;
    }

    #[test]
    fn a_session_that_went_to_another_project_waits_for_none_in_the_one_before() {
        let turns = Turns::default();
        let _before = enter(&turns, Subject::in_project("s_1", "c_1", Some("/dead")));
        assert!(enter(&turns, Subject::in_project("s_1", "c_2", Some("/good"))).blocked().is_none());
        assert!(enter(&turns, Subject::in_project("s_1", "c_3", None)).blocked().is_some());
    }

    #[test]
    fn one_place_takes_no_room_from_another() {
        let (turns, under_way) = (Turns::default(), UnderWay::default());
        let of = |place: &Place| turns.enter(&under_way, Subject::at(place.clone()), 1);
        let dead = Place::Project("/dead".into());
        for (place, most) in [
            (&dead, MOST_OF_A_PROJECT),
            (&Place::Unknown, MOST_UNPLACED),
            (&Place::NoStorage, MOST_WITHOUT_STORAGE),
        ] {
            let all: Vec<Turn> = (0..most).map(|_| of(place).unwrap()).collect();
            assert_eq!(of(place).unwrap_err(), Full::Place);
            let others = [dead.clone(), Place::Project("/good".into()), Place::Unknown, Place::NoStorage];
            others.iter().filter(|other| *other != place).for_each(|other| drop(of(other).unwrap()));
            drop(all);
            of(place).unwrap();
        }
        let _full: Vec<Turn> = (0..MOST_OF_A_PROJECT).map(|_| of(&dead).unwrap()).collect();
        let unplaced = of(&Place::Unknown).unwrap();
        assert_eq!(unplaced.moves_to(&under_way, "/dead").unwrap_err(), Full::Place);
        unplaced.moves_to(&under_way, "/good").unwrap();
        assert_eq!(turns.0.entries().in_place.get(&Place::Unknown), None);
    }

    #[tokio::test]
    async fn those_whose_project_is_not_found_yet_are_worked_on_so_many_at_once_and_one_that_hangs_is_no_more_of_them()
     {
        let (turns, under_way) = (Turns::default(), UnderWay::default());
        let unplaced = |n: usize| enter(&turns, Subject::in_project(&format!("s_{n}"), "", None));
        let all: Vec<Turn> = (0..AT_ONCE).map(unplaced).collect();
        for turn in &all {
            turn.begins().await;
        }
        let next = unplaced(AT_ONCE);
        let waits = tokio::spawn(async move { next.begins().await });
        tokio::task::yield_now().await;
        assert!(!waits.is_finished());
        enter(&turns, Subject::default()).begins().await;
        enter(&turns, Subject::in_project("", "", Some("/good"))).begins().await;
        all[3].moves_to(&under_way, "/dead").unwrap();
        waits.await.unwrap();
    }

    /// Counted in comparisons: who waits is woken by the one before it alone.
    #[tokio::test]
    async fn a_long_line_costs_each_of_it_a_few_comparisons() {
        const MANY: usize = 1_000;
        let turns = Turns::default();
        let mut line = tokio::task::JoinSet::new();
        for n in 0..MANY {
            let turn = enter(&turns, Subject::in_project("s_1", &format!("c_{n}"), Some("/shop")));
            line.spawn(async move {
                turn.comes().await;
                tokio::task::yield_now().await;
            });
        }
        while line.join_next().await.is_some() {}
        let compared = turns.0.entries().compared.get();
        assert!((MANY - 1..4 * MANY).contains(&compared), "{compared}");
    }
}
