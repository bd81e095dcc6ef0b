//! How many bytes of requests are being handled, of everybody and of each project. What waits for a project's disk
//! counts until it is done, whether or not its sender is still there.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::{Budget, Share};

/// Bytes of all requests of everybody that are being handled: what comes then is refused.
const MOST: usize = 256 * 1024 * 1024;
/// The same of one project, whoever sends them.
const MOST_OF_A_PROJECT: usize = 32 * 1024 * 1024;
/// The same of one connection whose project is yet to be found, or that need none.
const MOST_OF_A_CONNECTION: usize = 32 * 1024 * 1024;
/// A request of fewer bytes is not refused for what everybody sends: each project and each connection has its own
/// bound.
const SMALL: usize = 256 * 1024;

tokio::task_local! {
    static HELD: Arc<Held>;
}

/// Counts them.
#[derive(Debug, Default)]
pub struct UnderWay {
    all: Budget,
    projects: Mutex<BTreeMap<String, Budget>>,
}

/// For whom a request counts beside everybody.
#[derive(Clone, Copy, Debug)]
pub enum Owner<'a> {
    /// For everybody alone.
    Nobody,
    /// What it has for requests that are in no project.
    Connection(&'a Budget),
    /// By its root.
    Project(&'a str),
}

/// Where there is no room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Full {
    /// In what all share.
    Everybody,
    /// The project, or what the connection has for those that are in none.
    Place,
}

/// What one request counts for, until it is dropped.
#[derive(Debug)]
pub struct Held {
    bytes: usize,
    of_all: Mutex<Option<Share>>,
    of_owner: Mutex<Option<Share>>,
}

impl UnderWay {
    /// Room for a request of so many bytes.
    ///
    /// # Errors
    /// Where there is none.
    pub fn take(&self, bytes: usize, owner: Owner<'_>) -> Result<Arc<Held>, Full> {
        let of_owner = match owner {
            Owner::Nobody => None,
            Owner::Connection(budget) => Some(budget.take(bytes, MOST_OF_A_CONNECTION).ok_or(Full::Place)?),
            Owner::Project(root) => Some(self.take_of(root, bytes)?),
        };
        let most = if bytes < SMALL { usize::MAX } else { MOST };
        let of_all = self.all.take(bytes, most).ok_or(Full::Everybody)?;
        Ok(Arc::new(Held { bytes, of_all: Mutex::new(Some(of_all)), of_owner: Mutex::new(of_owner) }))
    }

    fn take_of(&self, root: &str, bytes: usize) -> Result<Share, Full> {
        let mut projects = self.projects.lock().unwrap_or_else(PoisonError::into_inner);
        projects.retain(|_, budget| !budget.is_unused());
        projects.entry(root.to_owned()).or_default().take(bytes, MOST_OF_A_PROJECT).ok_or(Full::Place)
    }
}

impl Held {
    /// How many bytes it counts for.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// From here on it counts for this project.
    pub fn moves_to(&self, under_way: &UnderWay, root: &str) -> Result<(), Full> {
        let share = under_way.take_of(root, self.bytes)?;
        *self.of_owner.lock().unwrap_or_else(PoisonError::into_inner) = Some(share);
        Ok(())
    }

    /// From here on it counts for everybody no more: others must not be refused for a disk that does not answer.
    pub fn is_late(&self) {
        self.of_all.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

/// Does the work of a request that counts for this.
pub async fn holding<T>(held: Arc<Held>, work: impl Future<Output = T>) -> T {
    HELD.scope(held, work).await
}

/// What the request counts for whose work this is. Whoever queues a part of it holds it until that is done.
pub fn held() -> Option<Arc<Held>> {
    HELD.try_with(Arc::clone).ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[tokio::test]
    async fn what_is_late_counts_with_its_project_alone_until_it_is_done() {
        let under_way = UnderWay::default();
        let (of_dead, of_good) = (Owner::Project("/dead"), Owner::Project("/good"));
        let dead = under_way.take(MOST_OF_A_PROJECT - 1, of_dead).unwrap();
        let queued = holding(Arc::clone(&dead), async { held() }).await.unwrap();
        assert_eq!(under_way.take(2, of_dead).unwrap_err(), Full::Place);
        let rest = under_way.take(MOST - MOST_OF_A_PROJECT, Owner::Nobody).unwrap();
        assert_eq!(under_way.take(SMALL, of_good).unwrap_err(), Full::Everybody);
        under_way.take(SMALL - 1, of_good).unwrap();
        dead.is_late();
        under_way.take(SMALL, of_good).unwrap();
        // Its sender is gone; the disk still has it before it.
        drop(dead);
        assert_eq!(under_way.take(2, of_dead).unwrap_err(), Full::Place);
        drop((queued, rest));
        under_way.take(MOST_OF_A_PROJECT, of_dead).unwrap();
        assert!(held().is_none());
    }

    #[test]
    fn what_finds_its_project_late_counts_for_it_from_then_on() {
        let (under_way, connection) = (UnderWay::default(), Budget::default());
        let found = under_way.take(MOST_OF_A_CONNECTION, Owner::Connection(&connection)).unwrap();
        assert_eq!(under_way.take(1, Owner::Connection(&connection)).unwrap_err(), Full::Place);
        found.moves_to(&under_way, "/dead").unwrap();
        let next = under_way.take(1, Owner::Connection(&connection)).unwrap();
        assert_eq!(next.moves_to(&under_way, "/dead").unwrap_err(), Full::Place);
        drop(found);
        next.moves_to(&under_way, "/dead").unwrap();
    }
}
