//! The thread that does a project's work, one job after another, waits for the disk once for all that were queued, and
//! has the mirror written a moment later.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use opentoolbar_core::protocol::ErrorBody;
use tokio::sync::watch;

use super::complaints::Complaints;
use super::database::Database;
use super::fault::{Fault, Places};
use super::root::{Root, SharedRoot};
use super::screenshot::Shelf;
use super::unreadable::Unreadable;
use super::{mirror, screenshot};
use opentoolbar_project::Catalogue;

mod access;
mod copier;
mod copies;
mod handle;
mod pulse;

use copier::Copier;
use handle::{Answer, Job, Tell};
pub(super) use handle::{Handle, SILENT_AFTER};
use pulse::Pulse;

/// How long something may be not on disk that nobody waits for.
const SYNC_AFTER: Duration = Duration::from_millis(250);
/// How long after a disk has failed it is tried again, unless somebody waits for it.
const TRY_AGAIN_AFTER: Duration = Duration::from_secs(10);
/// Answers that wait for the disk together.
const MOST_AT_ONCE: usize = 64;

/// So much is queued to be told once the disk takes it; then nothing more is written, so that nothing is left untold.
const MOST_UNTOLD: usize = 4096;
/// The same in bytes of the requests: what is to be told of an import is as large as that.
const MOST_UNTOLD_BYTES: usize = 64 * 1024 * 1024;

/// How long the last look at the copies may take when the thread is to end.
const LAST_LOOK: Duration = Duration::from_millis(500);
/// How long the copies may take that are not written when the thread is to end. The disk of the project may never
/// answer, and whoever comes next waits for the end of this thread.
const LAST_COPIES: Duration = Duration::from_secs(5);

/// What the thread owns.
pub(super) struct Worker {
    places: Places,
    /// Where copies and pictures go.
    root: SharedRoot,
    catalogue: Arc<Catalogue>,
    database: Option<Database>,
    /// Whether the job that runs needs no directory of the project.
    allows_gone: bool,
    /// Whether the project's directory was needed, and was there, since its copies were looked at last.
    is_project_used: bool,
    position: watch::Sender<u64>,
    unreadable: Unreadable,
    /// When what is committed and may not be on disk is put there, unless somebody asks before.
    sync_at: Option<Instant>,
    /// Whether the disk failed the last time.
    has_failed: bool,
    /// What was done and is not on disk, for those who are told of it unasked.
    untold: Vec<Tell>,
    /// Bytes of the request that the job which runs belongs to.
    job_bytes: usize,
    /// Whether the job that runs may have changed something.
    is_written: bool,
    mirror_at: Option<Instant>,
    /// When the history is written if nothing is said until then, and when in any case.
    history_at: Option<(Instant, Instant)>,
    mirror_due: mirror::Due,
    mirror: mirror::Mirror,
    copier: Copier,
    /// When copies that could not be written were tried again.
    retried_at: Option<Instant>,
    /// Whether nothing is due.
    at_rest: Arc<AtomicBool>,
    pulse: Pulse,
    seen_pictures: screenshot::Seen,
    /// How often the disk was waited for.
    #[cfg(test)]
    syncs: u32,
}

impl Worker {
    pub(super) fn new(
        root: PathBuf,
        catalogue: Arc<Catalogue>,
        complaints: Complaints,
        position: watch::Sender<u64>,
    ) -> Self {
        let shared = SharedRoot::new(root.clone(), Arc::clone(&catalogue), complaints.clone());
        let mirror = mirror::Mirror::complaining_to(complaints);
        Self {
            unreadable: Unreadable::default(),
            places: Places { root, data: catalogue.directory().to_owned() },
            root: shared.clone(),
            catalogue,
            database: None,
            allows_gone: false,
            is_project_used: false,
            position,
            sync_at: None,
            has_failed: false,
            untold: Vec::new(),
            job_bytes: 0,
            pulse: Pulse::default(),
            is_written: false,
            mirror_at: None,
            history_at: None,
            mirror_due: mirror::Due::default(),
            copier: Copier::new(shared, mirror.clone()),
            mirror,
            retried_at: None,
            at_rest: Arc::default(),
            seen_pictures: screenshot::Seen::new(),
            #[cfg(test)]
            syncs: 0,
        }
    }

    /// The project itself: for copies of what is kept, never to be read as truth.
    pub(super) fn places(&self) -> &Places {
        &self.places
    }

    /// Where pictures go, of a project that is to be written.
    pub(super) fn shelf(&mut self) -> Result<Shelf, Fault> {
        // Makes the place in the home.
        self.writing()?;
        Ok(Shelf::new(self.root.clone(), self.places.clone(), self.mirror.complaints.clone()))
    }

    /// For who looks at a picture now: waits for the project's disk.
    pub(super) fn found_root(&self) -> Option<Root> {
        self.root.find(&self.root.lease())
    }

    pub(super) fn seen_pictures(&mut self) -> &mut screenshot::Seen {
        &mut self.seen_pictures
    }

    /// To be told of each step of a job that has many.
    pub(super) fn pulse(&self) -> Pulse {
        self.pulse.clone()
    }

    /// Shared with whoever tells of it.
    pub(super) fn unreadable(&self) -> Unreadable {
        self.unreadable.clone()
    }

    fn run(&mut self, inbox: &mpsc::Receiver<Job>) {
        loop {
            let due = [self.sync_at, self.mirror_at, self.history_due()].into_iter().flatten().min();
            self.at_rest.store(due.is_none(), Ordering::Release);
            self.pulse.rest();
            let left = due.map(|due| due.saturating_duration_since(Instant::now()));
            let job = match left {
                None => inbox.recv().map_err(|_| mpsc::RecvTimeoutError::Disconnected),
                // Work that never pauses must not keep the files from being written.
                Some(Duration::ZERO) => Err(mpsc::RecvTimeoutError::Timeout),
                Some(left) => inbox.recv_timeout(left),
            };
            self.pulse.beat();
            match job {
                Ok(job) => {
                    self.serve(job, inbox);
                    self.look_at_copies();
                }
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    let now = Instant::now();
                    if self.sync_at.is_some_and(|at| at <= now) {
                        self.sync();
                    }
                    if self.history_due().is_some_and(|at| at <= now) {
                        self.history_is_due();
                    }
                    if self.mirror_at.is_some_and(|at| at <= now) {
                        self.write_mirror();
                    }
                }
                Err(mpsc::RecvTimeoutError::Disconnected) => {
                    self.finish();
                    return;
                }
            }
        }
    }

    /// Does a job and those that wait behind it, then waits for the disk once, then tells those who asked.
    fn serve(&mut self, first: Job, inbox: &mpsc::Receiver<Job>) {
        let mut tell = Vec::new();
        let mut next = Some(first);
        while let Some(job) = next.take() {
            self.pulse.beat();
            match job(self) {
                Answer::Given => {}
                Answer::Durable { give, .. } if self.sync_at.is_none() => drop(give(None)),
                Answer::Durable { give, is_written } => tell.push((give, is_written)),
            }
            if !tell.is_empty() && tell.len() < MOST_AT_ONCE {
                next = inbox.try_recv().ok();
            }
        }
        if tell.is_empty() {
            return;
        }
        let lost = self.sync();
        for (give, is_written) in tell {
            // What was only looked at can be shown.
            let untold = give(lost.clone().filter(|_| is_written));
            self.untold.extend(untold);
        }
    }

    /// Puts on disk what is not. Why it could not be: those who wait are told so and keep what they sent. It is not on
    /// disk before that has worked once.
    fn sync(&mut self) -> Option<ErrorBody> {
        self.sync_at?;
        self.pulse.beat();
        #[cfg(test)]
        {
            self.syncs += 1;
        }
        let Err(fault) = self.make_durable() else {
            self.sync_at = None;
            self.has_failed = false;
            self.untold.drain(..).for_each(|untold| (untold.tell)());
            return None;
        };
        self.sync_at = Some(Instant::now() + TRY_AGAIN_AFTER);
        let error = fault.into_body(&self.places);
        if !std::mem::replace(&mut self.has_failed, true) {
            tracing::error!(code = ?error.code, "what was stored may not be on disk");
        }
        Some(error)
    }

    fn make_durable(&mut self) -> Result<(), Fault> {
        // A database that was closed has put everything on disk, or is gone with its directory.
        let Some(database) = &self.database else { return Ok(()) };
        if self.has_failed {
            // A log that the disk has refused once is not trusted.
            database.sync_without_log()?;
        } else {
            let Err(error) = database.sync() else { return Ok(()) };
            database.sync_without_log().map_err(|_| Fault::NotDurable(error))?;
        }
        // Somebody may have deleted the log; opened anew, there is one.
        self.database = None;
        Ok(())
    }

    /// The last of the thread: the database first, for the project's own disk may not answer any more.
    fn finish(&mut self) {
        self.sync();
        if self.history_at.is_some() {
            self.history_is_due();
        }
        self.copier.wait(LAST_LOOK);
        self.receive_found();
        let content = self.mirror_at.take().map(|_| self.mirror_content());
        self.database = None;
        if let Some((content, due)) = content {
            self.copier.write(content, due);
        }
        if !self.copier.wait(LAST_COPIES) {
            tracing::warn!("the copies in a project are left unfinished: its disk does not answer");
        }
        // Whoever opens the project next writes there from now on.
        self.root.revoke();
    }

    /// News were committed that are no comment's.
    pub(super) fn news(&mut self, position: u64) {
        self.position.send_replace(position);
    }
}

#[cfg(test)]
mod tests;
