//! The side of a project's thread that gives it work and waits for it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use opentoolbar_core::protocol::{ErrorBody, ErrorCode};
use tokio::sync::oneshot;

use super::pulse::Pulse;
use super::{Fault, Worker};
use opentoolbar_leaves::budget::under_way::held;
use opentoolbar_leaves::error::{error, internal};

/// Pieces of work that wait for their turn. The hub bounds their bytes.
const MOST_JOBS: usize = 1_024;
/// A thread that has been at one step for so long takes no more work: what is sent again and again would gather. Less
/// than a request waits, so that what was late is not waited for again.
pub(crate) const SILENT_AFTER: Duration = Duration::from_secs(15);

/// A piece of work. What it returns tells the one who asked.
pub(super) type Job = Box<dyn FnOnce(&mut Worker) -> Answer + Send>;

/// What is to be told once it is on disk.
pub(super) struct Tell {
    pub(super) bytes: usize,
    pub(super) tell: Box<dyn FnOnce() + Send>,
}

pub(super) enum Answer {
    /// Already given.
    Given,
    /// To be given once what was committed is on disk, or with why it is not; then returns what is to be told once it
    /// is.
    Durable { give: Box<dyn FnOnce(Option<ErrorBody>) -> Option<Tell> + Send>, is_written: bool },
}

type Jobs = Mutex<Option<mpsc::SyncSender<Job>>>;

/// The sending side of the thread.
#[derive(Debug)]
pub(crate) struct Handle {
    jobs: Arc<Jobs>,
    thread: Mutex<Option<JoinHandle<()>>>,
    /// Never says anything; closed when the thread has ended, however it did.
    ended: Mutex<mpsc::Receiver<()>>,
    at_rest: Arc<AtomicBool>,
    pulse: Pulse,
}

impl Handle {
    /// `first` is waited for on the thread before it begins.
    pub(crate) fn start(mut worker: Worker, first: impl FnOnce() + Send + 'static) -> Self {
        let (jobs, inbox) = mpsc::sync_channel::<Job>(MOST_JOBS);
        let jobs = Arc::new(Mutex::new(Some(jobs)));
        let (at_rest, pulse) = (Arc::clone(&worker.at_rest), worker.pulse());
        let for_copier = Arc::downgrade(&jobs);
        worker.copier.wakes_by(move || wake(&for_copier));
        let (alive, ended) = mpsc::channel::<()>();
        let run = move || {
            let _alive = alive;
            worker.pulse.beat();
            first();
            worker.run(&inbox);
        };
        let thread = std::thread::Builder::new().name("store".into()).spawn(run).ok();
        let (thread, ended) = (Mutex::new(thread), Mutex::new(ended));
        Self { jobs, thread, ended, at_rest, pulse }
    }

    pub(crate) fn is_alive(&self) -> bool {
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        thread.as_ref().is_some_and(|thread| !thread.is_finished())
    }

    /// Everything is on disk and every copy is written.
    pub(crate) fn is_at_rest(&self) -> bool {
        self.at_rest.load(Ordering::Acquire)
    }

    /// How long the thread has been at one and the same step.
    pub(crate) fn stands_for(&self) -> Duration {
        self.pulse.stands_for()
    }

    /// Waits for the end of a thread that was told to stop, however long it takes.
    pub(crate) fn wait_for_end(&self) {
        // Nothing is ever sent: it is closed at the end.
        let _ = self.ended.lock().unwrap_or_else(PoisonError::into_inner).recv();
    }

    /// Runs `job` on the thread, and answers when everything that was committed until then is on disk. It runs even
    /// when the caller stops waiting.
    pub(crate) async fn ask<T: Send + 'static>(
        &self,
        job: impl FnOnce(&mut Worker) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, ErrorBody> {
        self.ask_and_tell(job, |_| ()).await
    }

    /// The same, and calls `tell` with what came of it, on the thread: in the order of the jobs, and before later ones
    /// are answered; when the disk failed, as soon as it does not.
    pub(crate) async fn ask_and_tell<T: Send + 'static>(
        &self,
        job: impl FnOnce(&mut Worker) -> Result<T, Fault> + Send + 'static,
        tell: impl FnOnce(&T) + Send + 'static,
    ) -> Result<T, ErrorBody> {
        let (done, result) = oneshot::channel();
        self.queue(Box::new(move |worker| {
            worker.is_written = false;
            let bytes = worker.job_bytes;
            let outcome = job(worker).map_err(|fault| fault.into_body(&worker.places));
            let give = move |lost: Option<ErrorBody>| {
                // A caller that left does not need the outcome.
                match (outcome, lost) {
                    (Ok(outcome), None) => {
                        tell(&outcome);
                        let _ = done.send(Ok(outcome));
                    }
                    (Ok(outcome), Some(lost)) => {
                        let _ = done.send(Err(lost));
                        return Some(Tell { bytes, tell: Box::new(move || tell(&outcome)) });
                    }
                    (Err(error), _) => drop(done.send(Err(error))),
                }
                None
            };
            Answer::Durable { give: Box::new(give), is_written: worker.is_written }
        }))?;
        result.await.map_err(|_| gone())?
    }

    /// The same for what may be told before it is on disk: what an agent on this machine hears, whom a power cut would
    /// end as well.
    pub(crate) async fn look<T: Send + 'static>(
        &self,
        job: impl FnOnce(&mut Worker) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, ErrorBody> {
        let (done, result) = oneshot::channel();
        self.queue(Box::new(move |worker| {
            let _ = done.send(job(worker).map_err(|fault| fault.into_body(&worker.places)));
            Answer::Given
        }))?;
        result.await.map_err(|_| gone())?
    }

    /// Has the thread do something that nobody waits for.
    pub(crate) fn tell(&self, job: impl FnOnce(&mut Worker) + Send + 'static) {
        // A thread that does not take it begins anew, or is busy for long.
        let _ = self.queue(Box::new(move |worker| {
            job(worker);
            Answer::Given
        }));
    }

    fn queue(&self, job: Job) -> Result<(), ErrorBody> {
        if self.pulse.stands_for() >= SILENT_AFTER {
            return Err(silent());
        }
        // Its bytes count until it is done, also when its sender is gone.
        let held = held();
        let job: Job = Box::new(move |worker| {
            worker.job_bytes = held.as_ref().map_or(0, |held| held.bytes());
            job(worker)
        });
        let jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        match jobs.as_ref().ok_or_else(gone)?.try_send(job) {
            Ok(()) => Ok(()),
            Err(mpsc::TrySendError::Full(_)) => Err(busy()),
            Err(mpsc::TrySendError::Disconnected(_)) => Err(gone()),
        }
    }

    /// Lets the thread finish what is queued, and takes nothing more.
    pub(crate) fn stop(&self) {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// Waits for the end of a thread that was told to stop. False when it has not ended by then: it may never, in a
    /// disk that does not answer.
    pub(crate) fn wait(&self, until: Instant) -> bool {
        let left = until.saturating_duration_since(Instant::now());
        let ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(left);
        if ended == Err(mpsc::RecvTimeoutError::Timeout) {
            return false;
        }
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if thread.is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("a project's thread ended with a defect");
        }
        true
    }

    #[cfg(test)]
    pub(crate) fn finish(&self) {
        self.stop();
        assert!(self.wait(Instant::now() + std::time::Duration::from_secs(60)), "the thread does not end");
    }
}

/// Has the thread look at what was found, unless it is told to stop: then it looks by itself.
fn wake(jobs: &Weak<Jobs>) {
    let Some(jobs) = jobs.upgrade() else { return };
    let jobs = jobs.lock().unwrap_or_else(PoisonError::into_inner);
    // One that is full has jobs after which it looks.
    if let Some(jobs) = jobs.as_ref() {
        let _ = jobs.try_send(Box::new(|_| Answer::Given));
    }
}

/// A disk that does not answer gathers work; what comes meanwhile stays with who sends it.
fn busy() -> ErrorBody {
    error(
        ErrorCode::RateLimited,
        "too much is waiting for the project's disk",
        "Wait a moment, then send it again; it was not stored.",
    )
}

fn silent() -> ErrorBody {
    error(
        ErrorCode::Storage,
        "the disk of this project does not answer",
        "See whether it is mounted and its server is there. Nothing of this was stored; send it again later.",
    )
}

fn gone() -> ErrorBody {
    internal("the project's storage stopped unexpectedly")
}
