//! The stores of all projects: each opened when first needed, and let go when nobody has used it for a while.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use opentoolbar_core::model::Comment;
use opentoolbar_core::protocol::{ErrorBody, Offer, StoredProject};
use tokio::sync::watch;

use super::complaints::{Complaint, Complaints};
use super::fault::{Fault, Places};
use super::worker::{self, Worker};
use super::{Store, takeover};
use opentoolbar_leaves::files::Identity;
use opentoolbar_leaves::names::{DATABASE, DATABASE_LOG};
use opentoolbar_project::{Catalogue, Presence, Questions, Record, UnreadableRecord, presences};

/// How long a look at what is offered to one project may take.
const OFFERS_WITHIN: Duration = Duration::from_secs(5);

/// The stores of all projects that were used, each opened when first needed.
#[derive(Debug)]
pub struct Stores {
    catalogue: Arc<Catalogue>,
    open: Mutex<Open>,
    /// Of projects that were used, also when their databases are closed by now.
    complaints: Mutex<BTreeMap<PathBuf, Complaints>>,
    offering: Questions<Result<Vec<Offer>, ErrorBody>>,
    /// The directories around those that are gone.
    pub(super) around: Questions<Option<Identity>>,
}

#[derive(Debug, Default)]
struct Open {
    stores: BTreeMap<PathBuf, Used>,
    /// Let go, and maybe not at their end yet: whoever opens one of them anew waits for that.
    closing: BTreeMap<PathBuf, Arc<Store>>,
}

#[derive(Debug)]
struct Used {
    store: Arc<Store>,
    at: Instant,
}

impl Stores {
    /// Kept where the catalogue says. Nothing is read or written yet.
    pub fn new(catalogue: Catalogue) -> Self {
        Self {
            catalogue: Arc::new(catalogue),
            open: Mutex::default(),
            complaints: Mutex::default(),
            offering: Questions::default(),
            around: Questions::default(),
        }
    }

    /// What is kept of which project, by id. Blocks.
    ///
    /// # Errors
    /// `storage` when the home cannot be read.
    pub fn stored(&self) -> Result<Vec<StoredProject>, ErrorBody> {
        let catalogue = &self.catalogue;
        let records = catalogue.with_data().map_err(|e| body(catalogue, Path::new(""), Fault::Home(e)))?;
        let roots: Vec<PathBuf> = records.iter().map(|(_, record)| record.root.clone()).collect();
        let stored = |((directory, record), found): ((PathBuf, Record), Presence)| {
            let size = |name: &str| std::fs::metadata(directory.join(name)).map_or(0, |file| file.len());
            Some(StoredProject {
                id: directory.file_name()?.to_str()?.to_owned(),
                is_there: found != Presence::Gone,
                root: record.root.to_str()?.to_owned(),
                bytes: size(DATABASE) + size(DATABASE_LOG),
                first_used: record.first_used,
                last_used: record.last_used,
            })
        };
        Ok(records.into_iter().zip(presences(&roots)).filter_map(stored).collect())
    }

    /// The projects whose record cannot be read. Blocks.
    ///
    /// # Errors
    /// `storage` when the home cannot be read.
    pub fn unreadable_records(&self) -> Result<Vec<UnreadableRecord>, ErrorBody> {
        let catalogue = &self.catalogue;
        catalogue.unreadable().map_err(|e| body(catalogue, Path::new(""), Fault::Home(e)))
    }

    /// What is offered to the project at `root` and not decided. Blocks, for seconds when its disk does not answer.
    ///
    /// # Errors
    /// `storage` when the home or the project cannot be read.
    pub fn offers(&self, root: &Path) -> Result<Vec<Offer>, ErrorBody> {
        self.offers_of(&[root.to_owned()]).pop().unwrap_or_else(|| Ok(Vec::new()))
    }

    /// The same of many, in their order: all are looked at at once.
    pub fn offers_of(&self, roots: &[PathBuf]) -> Vec<Result<Vec<Offer>, ErrorBody>> {
        let catalogue = Arc::clone(&self.catalogue);
        let look = move |root: &Path| {
            takeover::offers(root, &catalogue).map_err(|e| body(&catalogue, root, Fault::Home(e)))
        };
        let late = |root: &PathBuf| {
            let late =
                std::io::Error::new(std::io::ErrorKind::TimedOut, "the project's disk does not answer");
            Err(body(&self.catalogue, root, Fault::Home(late)))
        };
        let looked = self.offering.ask_all(roots, OFFERS_WITHIN, look);
        looked.into_iter().zip(roots).map(|(offers, root)| offers.unwrap_or_else(|| late(root))).collect()
    }

    /// The comments of a database that is offered, as somebody else's, and how many of it cannot be read. Blocks, for
    /// seconds when somebody made it so.
    ///
    /// # Errors
    /// `storage`; `conflict` when the file is another than was offered; `bad_request` when nothing can be taken of it.
    pub fn read_found(&self, root: &Path, offer: &str) -> Result<(Vec<Comment>, u32), ErrorBody> {
        takeover::read_found(root, offer, &self.catalogue).map_err(|fault| body(&self.catalogue, root, fault))
    }

    /// The store of the project at `root`. Nothing is read or written yet.
    pub fn of(&self, root: &Path) -> Arc<Store> {
        let mut open = self.open();
        if let Some(used) = open.stores.get_mut(root)
            && used.store.worker.is_alive()
        {
            used.at = Instant::now();
            return Arc::clone(&used.store);
        }
        let before = open.closing.remove(root);
        let (position, _) = watch::channel(0);
        let (catalogue, complaints) = (Arc::clone(&self.catalogue), self.complaints_of(root));
        let worker = Worker::new(root.to_owned(), catalogue, complaints, position.clone());
        let unreadable = worker.unreadable();
        // Two threads at one database would write its copies over one another.
        let worker =
            worker::Handle::start(worker, move || before.iter().for_each(|one| one.worker.wait_for_end()));
        let store = Arc::new(Store { worker, position, unreadable });
        open.stores.insert(root.to_owned(), Used { store: Arc::clone(&store), at: Instant::now() });
        store
    }

    /// An agent or a verb was started in this project's directory. Copies go there from now on, also when the path led
    /// to another one before.
    pub fn somebody_is_in(&self, root: &Path) {
        if let Some(used) = self.open().stores.get(root) {
            used.store.worker.tell(worker::Worker::look_at_root_again);
        }
    }

    /// Roots of the projects whose stores are open.
    pub fn open_ones(&self) -> Vec<PathBuf> {
        self.open().stores.keys().cloned().collect()
    }

    /// How long the project's thread has been at one and the same step; nothing while it waits for work.
    pub fn stands_for(&self, root: &Path) -> Duration {
        let open = self.open();
        open.stores.get(root).map_or(Duration::ZERO, |used| used.store.worker.stands_for())
    }

    /// Whether a disk that this project needs does not answer, so that its store takes no more work.
    pub fn is_silent(&self, root: &Path) -> bool {
        self.stands_for(root) >= worker::SILENT_AFTER
    }

    /// Closes the databases, and ends the threads, of projects that nobody has used for this long and that are not
    /// among those in use: who waits for news of one holds its store. What is not on disk yet keeps one open.
    pub fn let_go(&self, unused_for: Duration, in_use: &BTreeSet<PathBuf>) {
        let mut open = self.open();
        let Open { stores, closing } = &mut *open;
        closing.retain(|_, store| store.worker.is_alive());
        let is_needed = |root: &PathBuf, used: &Used| {
            in_use.contains(root)
                || used.at.elapsed() < unused_for
                // Nobody can take another one meanwhile.
                || Arc::strong_count(&used.store) > 1
                || !used.store.worker.is_at_rest()
        };
        let unneeded = stores.extract_if(.., |root, used| !is_needed(root, used));
        for (root, Used { store, .. }) in unneeded {
            store.worker.stop();
            closing.insert(root, store);
        }
    }

    /// How many stored rows of these projects could not be read since they were opened, among those that were looked
    /// at.
    pub fn unreadable<'a>(&self, roots: impl IntoIterator<Item = &'a Path>) -> u32 {
        let open = self.open();
        let stores = roots.into_iter().filter_map(|root| open.stores.get(root));
        stores.map(|used| used.store.unreadable.count()).fold(0, u32::saturating_add)
    }

    fn complaints_of(&self, root: &Path) -> Complaints {
        let mut all = self.complaints.lock().unwrap_or_else(PoisonError::into_inner);
        // A thread that still writes keeps its own.
        all.retain(|other, complaints| other == root || complaints.is_shared() || complaints.is_any());
        all.entry(root.to_owned()).or_default().clone()
    }

    /// What cannot be put right in projects' directories of ours, as far as they were used since the hub began.
    pub fn complaints(&self) -> Vec<(PathBuf, Vec<Complaint>)> {
        let all = self.complaints.lock().unwrap_or_else(PoisonError::into_inner);
        let of_all = all.iter().map(|(root, complaints)| (root.clone(), complaints.all()));
        of_all.filter(|(_, complaints)| !complaints.is_empty()).collect()
    }

    /// Finishes what is queued, writes due copies, closes the databases. Blocks, but not beyond `until`: a thread that
    /// is stuck in a disk that does not answer is left behind. True when all came to their end.
    pub fn close(&self, until: Instant) -> bool {
        let Open { stores, closing } = std::mem::take(&mut *self.open());
        for used in stores.values() {
            used.store.worker.stop();
        }
        // Each is waited for, also after one that is late: all have the same time.
        let all = stores.into_values().map(|used| used.store).chain(closing.into_values());
        let ended: Vec<bool> = all.map(|store| store.worker.wait(until)).collect();
        ended.into_iter().all(|ended| ended)
    }

    /// The projects whose database may still be where an earlier version kept it, with their stores: it is taken over
    /// when one is first asked. Blocks.
    pub fn awaiting_takeover(&self) -> Vec<(PathBuf, Arc<Store>)> {
        let roots = self.catalogue.awaiting_takeover();
        let found = presences(&roots);
        let there = roots.into_iter().zip(found).filter(|(_, found)| *found != Presence::Gone);
        there.map(|(root, _)| (root.clone(), self.of(&root))).collect()
    }

    pub(super) fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn body(catalogue: &Catalogue, root: &Path, fault: Fault) -> ErrorBody {
    fault.into_body(&Places { root: root.to_owned(), data: catalogue.directory().to_owned() })
}
