//! The thread that does a project's work, one job after another, and writes the mirror when the jobs pause.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use opentoolbar_core::protocol::ErrorBody;
use tokio::sync::{oneshot, watch};

use super::database::Database;
use super::fault::Fault;
use super::mirror;
use crate::hub::error::internal;

/// How long after a change the mirror is written, so that a burst of changes writes it once.
const MIRROR_AFTER: Duration = Duration::from_millis(250);

type Job = Box<dyn FnOnce(&mut Worker) + Send>;

/// The sending side of the thread.
#[derive(Debug)]
pub(super) struct Handle {
    jobs: Mutex<Option<mpsc::Sender<Job>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Handle {
    pub(super) fn start(mut worker: Worker) -> Self {
        let (jobs, inbox) = mpsc::channel::<Job>();
        let thread = std::thread::Builder::new().name("store".into()).spawn(move || worker.run(&inbox)).ok();
        Self { jobs: Mutex::new(Some(jobs)), thread: Mutex::new(thread) }
    }

    pub(super) fn is_alive(&self) -> bool {
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        thread.as_ref().is_some_and(|thread| !thread.is_finished())
    }

    /// Runs `job` on the thread. It runs even when the caller stops waiting.
    pub(super) async fn ask<T: Send + 'static>(
        &self,
        job: impl FnOnce(&mut Worker) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, ErrorBody> {
        let (done, result) = oneshot::channel();
        let job: Job = Box::new(move |worker| {
            let outcome = job(worker).map_err(|fault| fault.into_body(&worker.root));
            // A caller that left does not need the outcome.
            let _ = done.send(outcome);
        });
        {
            let jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
            jobs.as_ref().and_then(|jobs| jobs.send(job).ok()).ok_or_else(gone)?;
        }
        result.await.map_err(|_| gone())?
    }

    /// Lets the thread finish what is queued and waits for it.
    pub(super) fn finish(&self) {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner).take();
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if thread.is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("a project's thread ended with a defect");
        }
    }
}

/// The database has everything; the mirror comes with the next change.
fn warn_of_mirror(fault: Fault, root: &Path) {
    let error = fault.into_body(root);
    tracing::warn!(code = ?error.code, "the mirror could not be written");
}

fn gone() -> ErrorBody {
    internal("the project's storage stopped unexpectedly")
}

/// What the thread owns.
#[derive(Debug)]
pub(super) struct Worker {
    root: PathBuf,
    database: Option<Database>,
    position: watch::Sender<u64>,
    mirror_due: Option<Instant>,
    mirror: Option<JoinHandle<()>>,
}

impl Worker {
    pub(super) fn new(root: PathBuf, position: watch::Sender<u64>) -> Self {
        Self { root, database: None, position, mirror_due: None, mirror: None }
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    fn run(&mut self, inbox: &mpsc::Receiver<Job>) {
        loop {
            let job = match self.mirror_due {
                None => inbox.recv().map_err(|_| mpsc::RecvTimeoutError::Disconnected),
                Some(due) => inbox.recv_timeout(due.saturating_duration_since(Instant::now())),
            };
            match job {
                Ok(job) => job(self),
                Err(mpsc::RecvTimeoutError::Timeout) => self.write_mirror(),
                Err(mpsc::RecvTimeoutError::Disconnected) => {
                    self.finish_mirror();
                    return;
                }
            }
        }
    }

    /// Reads the comments here and renders them on a thread of its own: requests do not wait for a report.
    fn write_mirror(&mut self) {
        if self.mirror.as_ref().is_some_and(|writing| !writing.is_finished()) {
            // The one under way may miss the newest change; look again when it is done.
            self.mirror_due = Some(Instant::now() + MIRROR_AFTER);
            return;
        }
        self.mirror_due = None;
        let root = self.root.clone();
        let written = mirror::read(self).and_then(|content| {
            let write = move || {
                if let Err(fault) = mirror::write(&root, &content) {
                    warn_of_mirror(fault, &root);
                }
            };
            Ok(std::thread::Builder::new().name("mirror".into()).spawn(write)?)
        });
        match written {
            Ok(writing) => self.mirror = Some(writing),
            Err(fault) => warn_of_mirror(fault, &self.root),
        }
    }

    /// Waits for the mirror that is being written, and writes one that is due.
    fn finish_mirror(&mut self) {
        let due = self.mirror_due.is_some();
        self.join_mirror();
        if due {
            self.write_mirror();
            self.join_mirror();
        }
    }

    fn join_mirror(&mut self) {
        if self.mirror.take().is_some_and(|writing| writing.join().is_err()) {
            tracing::error!("writing the mirror ended with a defect");
        }
    }

    /// The database for reading; `None` when the project has none yet, and none is made.
    pub(super) fn reading(&mut self) -> Result<Option<&mut Database>, Fault> {
        self.keep_if_current()?;
        if self.database.is_none() {
            self.database = Database::open_existing(&self.root)?;
        }
        Ok(self.database.as_mut())
    }

    /// The database for writing; made when there is none.
    pub(super) fn writing(&mut self) -> Result<&mut Database, Fault> {
        self.keep_if_current()?;
        if self.database.as_ref().is_some_and(Database::is_frozen) {
            self.database = None;
        }
        match self.database {
            Some(ref mut database) => Ok(database),
            None => Ok(self.database.insert(Database::open(&self.root)?)),
        }
    }

    /// A directory that was deleted, or deleted and made again, must not be written into through an old handle.
    fn keep_if_current(&mut self) -> Result<(), Fault> {
        if !self.root.is_dir() {
            self.database = None;
            return Err(Fault::ProjectGone);
        }
        if self.database.as_ref().is_some_and(|database| !database.is_in_place()) {
            self.database = None;
        }
        Ok(())
    }

    /// A file beside the database could not be written.
    pub(super) fn warn_of_mirror(&self, fault: Fault) {
        warn_of_mirror(fault, &self.root);
    }

    /// News were committed that are no comment's.
    pub(super) fn news(&mut self, position: u64) {
        self.position.send_replace(position);
    }

    /// A change was committed.
    pub(super) fn changed(&mut self, position: Option<u64>) {
        self.mirror_due.get_or_insert_with(|| Instant::now() + MIRROR_AFTER);
        if let Some(position) = position {
            self.position.send_replace(position);
        }
    }
}
