//! How many bytes of requests are being handled, of everybody and of each project. What waits for a project's disk counts until
//! it is done, whether or not its sender is still there.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::budget::{Budget, Share};

/// Bytes of all requests of everybody that are being handled: what comes then is refused.
const MOST: usize = 256 * 1024 * 1024;
/// The same of one project, whoever sends them.
const MOST_OF_A_PROJECT: usize = 32 * 1024 * 1024;
/// A request of fewer bytes is not refused for what everybody sends: a connection has few of a project at once.
const SMALL: usize = 256 * 1024;

tokio::task_local! {
    static HELD: Arc<Held>;
}

/// Counts them.
#[derive(Debug, Default)]
pub(crate) struct UnderWay {
    all: Budget,
    projects: Mutex<BTreeMap<String, Budget>>,
}

/// Where there is no room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Full {
    Everybody,
    Project,
}

/// What one request counts for, until it is dropped.
#[derive(Debug)]
pub(crate) struct Held {
    bytes: usize,
    of_all: Mutex<Option<Share>>,
    _of_project: Option<Share>,
}

impl UnderWay {
    pub(crate) fn take(&self, bytes: usize, project: Option<&str>) -> Result<Arc<Held>, Full> {
        let of_project = project.map(|root| {
            let mut projects = self.projects.lock().unwrap_or_else(PoisonError::into_inner);
            projects.retain(|_, budget| !budget.is_unused());
            projects.entry(root.to_owned()).or_default().take(bytes, MOST_OF_A_PROJECT).ok_or(Full::Project)
        });
        let of_project = of_project.transpose()?;
        let most = if bytes < SMALL { usize::MAX } else { MOST };
        let of_all = self.all.take(bytes, most).ok_or(Full::Everybody)?;
        Ok(Arc::new(Held { bytes, of_all: Mutex::new(Some(of_all)), _of_project: of_project }))
    }
}

impl Held {
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// From here on it counts with its project alone: others must not be refused for a disk that does not answer.
    pub(super) fn is_late(&self) {
        self.of_all.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

/// Does the work of a request that counts for this.
pub(crate) async fn holding<T>(held: Arc<Held>, work: impl Future<Output = T>) -> T {
    HELD.scope(held, work).await
}

/// What the request counts for whose work this is. Whoever queues a part of it holds it until that is done.
pub(crate) fn held() -> Option<Arc<Held>> {
    HELD.try_with(Arc::clone).ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[tokio::test]
    async fn what_is_late_counts_with_its_project_alone_until_it_is_done() {
        let under_way = UnderWay::default();
        let dead = under_way.take(MOST_OF_A_PROJECT - 1, Some("/dead")).unwrap();
        let queued = holding(Arc::clone(&dead), async { held() }).await.unwrap();
        assert_eq!(under_way.take(2, Some("/dead")).unwrap_err(), Full::Project);
        let rest = under_way.take(MOST - MOST_OF_A_PROJECT, None).unwrap();
        assert_eq!(under_way.take(SMALL, Some("/good")).unwrap_err(), Full::Everybody);
        under_way.take(SMALL - 1, Some("/good")).unwrap();
        dead.is_late();
        under_way.take(SMALL, Some("/good")).unwrap();
        // Its sender is gone; the disk still has it before it.
        drop(dead);
        assert_eq!(under_way.take(2, Some("/dead")).unwrap_err(), Full::Project);
        drop((queued, rest));
        under_way.take(MOST_OF_A_PROJECT, Some("/dead")).unwrap();
        assert!(held().is_none());
    }
}
