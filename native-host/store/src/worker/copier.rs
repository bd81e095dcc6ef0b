//! The thread that looks at the copies in a project and writes them, one after the other: a disk that does not answer
//! holds up the copies and no request.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread::Builder;
use std::time::{Duration, Instant};

use crate::mirror::{self, Content, Due, Mirror};
use crate::planted::{self, Found};
use crate::root::{Root, SharedRoot};
use opentoolbar_leaves::files::Lease;

type Wake = Arc<dyn Fn() + Send + Sync>;

enum Task {
    Look,
    /// What the copies are to say, and of what.
    Write(Content, Due),
}

/// The side that gives it work.
pub(super) struct Copier {
    root: SharedRoot,
    mirror: Mirror,
    wake: Option<Wake>,
    /// `None` before the first work.
    tasks: Option<mpsc::Sender<(Lease, Task)>>,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// What was asked for and has not ended.
    under_way: usize,
    /// One that has not begun sees everything that is there when it is asked for.
    is_look_queued: bool,
    is_writing: bool,
    found: Option<Found>,
    /// What was not written, as the directory was not there or its lease was revoked.
    unwritten: Due,
    /// Whether a lease was revoked before all was written under it.
    was_cut_short: bool,
    /// Whether it was looked since that was asked last, and something could not be put right before.
    has_looked: bool,
    /// Whether the next look must not rely on the one before.
    looks_anew: bool,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        // A panic in between leaves it whole: every change is one assignment.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Copier {
    pub(super) fn new(root: SharedRoot, mirror: Mirror) -> Self {
        Self { root, mirror, wake: None, tasks: None, shared: Arc::default() }
    }

    /// `wake` is called when something was found.
    pub(super) fn wakes_by(&mut self, wake: impl Fn() + Send + Sync + 'static) {
        self.wake = Some(Arc::new(wake));
    }

    /// Has it look for copies that are not ours.
    pub(super) fn look(&mut self) {
        let is_queued = std::mem::replace(&mut self.shared.state().is_look_queued, true);
        if !is_queued {
            self.queue(Task::Look);
        }
    }

    /// Whether what was given to be written is not written yet.
    pub(super) fn is_writing(&self) -> bool {
        self.shared.state().is_writing
    }

    /// Has it write the copies.
    pub(super) fn write(&mut self, content: Content, due: Due) {
        self.shared.state().is_writing = true;
        self.queue(Task::Write(content, due));
    }

    /// What was given to be written since this was asked last and was not, as the directory was not there or its lease
    /// was revoked; and whether it was for a lease.
    pub(super) fn unwritten(&self) -> (Due, bool) {
        let mut state = self.shared.state();
        (std::mem::take(&mut state.unwritten), std::mem::take(&mut state.was_cut_short))
    }

    /// What was found since this was asked last, and whether what could not be written may be tried again.
    pub(super) fn found(&self) -> (Option<Found>, bool) {
        let mut state = self.shared.state();
        (state.found.take(), std::mem::take(&mut state.has_looked))
    }

    /// Has the next look look, whatever the last one saw.
    pub(super) fn forget_seen(&self) {
        self.shared.state().looks_anew = true;
    }

    /// Waits until everything is done, for so long at most. False when it is not: it may never be, on a disk that does
    /// not answer.
    pub(super) fn wait(&self, longest: Duration) -> bool {
        let until = Instant::now() + longest;
        let mut state = self.shared.state();
        while state.under_way > 0 {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            let waited = self.shared.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }

    fn queue(&mut self, task: Task) {
        self.shared.state().under_way += 1;
        let mut work = (self.root.lease(), task);
        // A thread that ended with a defect has a new one in its place.
        for _ in 0..2 {
            let Some(tasks) = self.tasks.take().or_else(|| self.start()) else { break };
            match tasks.send(work) {
                Ok(()) => {
                    self.tasks = Some(tasks);
                    return;
                }
                Err(mpsc::SendError(unsent)) => work = unsent,
            }
        }
        // Looked for again with the next request, and written with the next change.
        end_all(&self.shared);
    }

    fn start(&self) -> Option<mpsc::Sender<(Lease, Task)>> {
        let (tasks, inbox) = mpsc::channel();
        let (shared, mirror, wake) = (Arc::clone(&self.shared), self.mirror.clone(), self.wake.clone());
        let root = self.root.clone();
        let run = move || run(&inbox, &root, &shared, &mirror, wake.as_ref());
        let started = Builder::new().name("copies".into()).spawn(run);
        self.mirror.complaints.note(self.root.path(), "the thread that writes", started)?;
        Some(tasks)
    }
}

/// However the thread ends, nobody waits for it.
struct Ending<'a>(&'a Shared);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            tracing::error!("writing the copies ended with a defect");
            end_all(self.0);
        }
    }
}

fn end_all(shared: &Shared) {
    let mut state = shared.state();
    *state = State {
        found: state.found.take(),
        unwritten: std::mem::take(&mut state.unwritten),
        ..State::default()
    };
    shared.changed.notify_all();
}

fn run(
    inbox: &mpsc::Receiver<(Lease, Task)>,
    root: &SharedRoot,
    shared: &Shared,
    mirror: &Mirror,
    wake: Option<&Wake>,
) {
    let _ending = Ending(shared);
    let mut seen = None;
    for (lease, task) in inbox {
        // The directory is looked for here: only this thread may wait for its disk.
        let root = if lease.is_revoked() { None } else { root.find(&lease) };
        match task {
            Task::Look => {
                {
                    let mut state = shared.state();
                    state.is_look_queued = false;
                    if std::mem::take(&mut state.looks_anew) {
                        seen = None;
                    }
                }
                if let Some(found) = root.and_then(|root| look(&root, mirror, &mut seen)) {
                    let may_try_again = mirror.complaints.is_any();
                    let is_news = may_try_again || found.is_some();
                    let mut state = shared.state();
                    state.has_looked |= may_try_again;
                    if let Some(found) = found {
                        state.found.get_or_insert_default().add(found);
                    }
                    drop(state);
                    if is_news {
                        wake.iter().for_each(|wake| wake());
                    }
                }
            }
            Task::Write(content, due) => {
                if let Some(root) = &root {
                    mirror::write(root, &content, mirror);
                }
                // Whatever of it was written by then: the store may go on, when what it was revoked for fails.
                let was_cut_short = lease.is_revoked();
                let mut state = shared.state();
                if root.is_none() || was_cut_short {
                    state.unwritten.merge(due);
                    state.was_cut_short |= was_cut_short;
                }
                state.is_writing = false;
                drop(state);
                if was_cut_short {
                    wake.iter().for_each(|wake| wake());
                }
            }
        }
        let mut state = shared.state();
        state.under_way = state.under_way.saturating_sub(1);
        shared.changed.notify_all();
    }
}

/// What stands in the project under the names of our copies may have come with a repository, also while the project is
/// used: agents must not read it as ours. `None` when no name has come or gone since the last look.
fn look(root: &Root, mirror: &Mirror, seen: &mut Option<planted::Seen>) -> Option<Option<Found>> {
    // Before the look: what comes meanwhile is found by the next one.
    let now = planted::seen(root);
    if now.is_some() && now == *seen {
        return None;
    }
    *seen = now;
    // A project that is gone has none, and whoever asked was told.
    let found = planted::look(root, &mirror.written).or_else(|e| match e.kind() {
        std::io::ErrorKind::NotFound => Ok(None),
        _ => Err(e),
    });
    let found = mirror.complaints.note(root.path(), "what is there", found);
    if matches!(found, Some(None)) {
        mirror.complaints.forget(|file| [mirror::IN_THE_WAY, mirror::BROUGHT].contains(&file));
    }
    Some(found.flatten())
}
