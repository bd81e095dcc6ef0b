//! Questions to a disk that may never answer, as a network mount whose server is gone. Each runs on a thread of its own
//! and is waited for with a bound, so that it delays nobody but who asks about that very path.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::root_of;

/// How long a disk may take before it counts as one that does not answer.
const WITHIN: Duration = Duration::from_secs(1);
/// For who cannot go on without the answer: a disk may have to spin up first.
const WITHIN_AT_LEAST: Duration = Duration::from_secs(5);
/// Threads of one kind of question, those that hang included: more than there are paths that the registry names.
const MOST_ASKED: usize = 1_536;
/// Paths that have answered and are asked about whatever else hangs.
const MOST_ANSWERED: usize = 512;
/// Paths that are asked about at once.
const AT_ONCE: usize = 256;
/// Of such a thread; more is only reserved, and thousands may hang.
const STACK: usize = 512 * 1024;

/// Whether a directory is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// It is.
    There,
    /// It is not, or something else is in its place.
    Gone,
    /// Its disk does not answer, or fails: what is there cannot be told.
    Silent,
}

impl Presence {
    fn of(directory: &Path) -> Self {
        match std::fs::metadata(directory) {
            Ok(about) if about.is_dir() => Self::There,
            Ok(_) => Self::Gone,
            Err(error) if is_absence(&error) => Self::Gone,
            Err(_) => Self::Silent,
        }
    }
}

/// Whether an error says that nothing is there. Every other one is of a disk that fails, or of who may look at it.
pub fn is_absence(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Whether this directory is there. Blocks for at most a second; for a disk that was silent before, not at all.
pub fn presence(directory: &Path) -> Presence {
    PRESENCE.ask(directory, WITHIN, Presence::of).unwrap_or(Presence::Silent)
}

/// The same of many, in their order: those that are silent are waited for together, so that hundreds take a second or
/// two.
pub fn presences(directories: &[PathBuf]) -> Vec<Presence> {
    let found = PRESENCE.ask_all(directories, WITHIN, Presence::of).into_iter();
    found.map(|found| found.unwrap_or(Presence::Silent)).collect()
}

/// Asks all these at once and waits for them together, so that who then asks about one of them waits for none that is
/// silent. `inside`: those whose project is looked for. Blocks, for about a second at most.
pub fn ask_ahead(directories: &[PathBuf], inside: &[PathBuf]) {
    for (directories, inside) in in_step(directories, inside) {
        let there: Vec<_> =
            directories.iter().map(|directory| PRESENCE.begin(directory, Presence::of)).collect();
        let roots: Vec<_> =
            inside.iter().map(|directory| ROOTS.begin(directory, root_unless_silent)).collect();
        for question in there.iter().flatten() {
            let _ = question.wait(WITHIN);
        }
        for question in roots.iter().flatten() {
            let _ = question.wait(WITHIN);
        }
    }
}

/// The next so many of both, until there are no more of either.
fn in_step<'a>(
    one: &'a [PathBuf],
    other: &'a [PathBuf],
) -> impl Iterator<Item = (&'a [PathBuf], &'a [PathBuf])> {
    let steps = one.len().max(other.len()).div_ceil(AT_ONCE);
    let part = |all: &'a [PathBuf], step: usize| all.chunks(AT_ONCE).nth(step).unwrap_or_default();
    (0..steps).map(move |step| (part(one, step), part(other, step)))
}

/// [`root_of`] with a bound as [`presence`] has; `Err` when the disk does not answer, or fails.
///
/// # Errors
/// [`SilentDisk`].
pub fn root_of_in_time(directory: &Path) -> Result<Option<PathBuf>, SilentDisk> {
    ROOTS.ask(directory, WITHIN, root_unless_silent).unwrap_or(Err(SilentDisk))
}

/// The same for who cannot go on without the answer; waits for at most five seconds.
///
/// # Errors
/// [`SilentDisk`].
pub fn root_of_in_more_time(directory: &Path) -> Result<Option<PathBuf>, SilentDisk> {
    ROOTS.ask(directory, WITHIN_AT_LEAST, root_unless_silent).unwrap_or(Err(SilentDisk))
}

fn root_unless_silent(directory: &Path) -> Result<Option<PathBuf>, SilentDisk> {
    match Presence::of(directory) {
        Presence::Silent => Err(SilentDisk),
        Presence::There | Presence::Gone => Ok(root_of(directory)),
    }
}

/// `directory` with links resolved, when it is one that may be a project. Bounded like [`presence`].
///
/// # Errors
/// [`SilentDisk`].
pub fn usable_in_time(directory: &Path) -> Result<Option<PathBuf>, SilentDisk> {
    let look = |directory: &Path| match directory.canonicalize() {
        Ok(path) => Ok(root_unless_silent(&path)?.map(|_| path)),
        Err(error) if is_absence(&error) => Ok(None),
        Err(_) => Err(SilentDisk),
    };
    USABLE.ask(directory, WITHIN_AT_LEAST, look).unwrap_or(Err(SilentDisk))
}

/// The disk does not answer, or fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SilentDisk;

type Root = Result<Option<PathBuf>, SilentDisk>;

static PRESENCE: LazyLock<Questions<Presence>> = LazyLock::new(Questions::default);
static ROOTS: LazyLock<Questions<Root>> = LazyLock::new(Questions::default);
static USABLE: LazyLock<Questions<Root>> = LazyLock::new(Questions::default);

/// Questions of one kind that are under way, by what they are about: at most one about each path.
#[derive(Debug)]
pub struct Questions<T> {
    asked: Arc<Asked<T>>,
}

type Asked<T> = Mutex<Paths<T>>;

#[derive(Debug)]
struct Paths<T> {
    under_way: BTreeMap<PathBuf, Arc<Question<T>>>,
    /// Those that have answered, by the count of answers: others that hang take no room from them.
    answered: BTreeMap<PathBuf, u64>,
    answers: u64,
    room: usize,
}

impl<T> Paths<T> {
    fn has_room_for(&self, path: &Path) -> bool {
        self.under_way.len() < self.room || self.answered.contains_key(path)
    }

    fn has_answered(&mut self, path: PathBuf) {
        self.answers += 1;
        self.answered.insert(path, self.answers);
        if self.answered.len() > MOST_ANSWERED {
            let oldest = self.answered.iter().min_by_key(|(_, count)| **count);
            if let Some(oldest) = oldest.map(|(path, _)| path.clone()) {
                self.answered.remove(&oldest);
            }
        }
    }
}

#[derive(Debug)]
struct Question<T> {
    since: Instant,
    state: Mutex<State<T>>,
    ended: Condvar,
}

#[derive(Debug)]
enum State<T> {
    UnderWay,
    /// Without an answer after a defect.
    Ended(Option<T>),
}

impl<T> Default for Questions<T> {
    fn default() -> Self {
        Self::with_room_for(MOST_ASKED)
    }
}

impl<T> Questions<T> {
    fn with_room_for(room: usize) -> Self {
        let (under_way, answered) = (BTreeMap::new(), BTreeMap::new());
        Self { asked: Arc::new(Mutex::new(Paths { under_way, answered, answers: 0, room })) }
    }
}

impl<T: Clone + Send + 'static> Questions<T> {
    /// What `look` says of this path; `None` when it does not within this time. Whoever asks meanwhile gets the same
    /// answer; once it is late, nobody waits for it again until it has come. Blocks.
    pub fn ask(
        &self,
        path: &Path,
        within: Duration,
        look: impl FnOnce(&Path) -> T + Send + 'static,
    ) -> Option<T> {
        self.begin(path, look)?.wait(within)
    }

    /// The same by a look that begins now: one that is under way may have passed by what changed since it began.
    /// Blocks.
    pub fn ask_anew(
        &self,
        path: &Path,
        within: Duration,
        look: impl FnOnce(&Path) -> T + Clone + Send + 'static,
    ) -> Option<T> {
        let asked = Instant::now();
        let question = self.begin(path, look.clone())?;
        let answer = question.wait(within)?;
        if question.since >= asked {
            return Some(answer);
        }
        // The earlier one has ended, so that whichever comes now began later.
        self.ask(path, within.saturating_sub(asked.elapsed()), look)
    }

    /// The same of many, in their order: those that are silent are waited for together. Blocks.
    pub fn ask_all(
        &self,
        paths: &[PathBuf],
        within: Duration,
        look: impl FnOnce(&Path) -> T + Clone + Send + 'static,
    ) -> Vec<Option<T>> {
        let mut answers = Vec::with_capacity(paths.len());
        for some in paths.chunks(AT_ONCE) {
            let begun: Vec<_> = some.iter().map(|path| self.begin(path, look.clone())).collect();
            answers.extend(begun.into_iter().map(|question| question?.wait(within)));
        }
        answers
    }

    fn begin(&self, path: &Path, look: impl FnOnce(&Path) -> T + Send + 'static) -> Option<Arc<Question<T>>> {
        let mut asked = locked(&self.asked);
        if let Some(question) = asked.under_way.get(path) {
            return Some(Arc::clone(question));
        }
        if !asked.has_room_for(path) {
            return None;
        }
        let state = Mutex::new(State::UnderWay);
        let question = Arc::new(Question { since: Instant::now(), state, ended: Condvar::new() });
        asked.under_way.insert(path.to_owned(), Arc::clone(&question));
        // Before the thread begins, which takes the lock when it ends.
        drop(asked);
        let run = {
            let mut ending = Ending { asked: Arc::clone(&self.asked), path: path.to_owned(), answer: None };
            move || {
                let answer = look(&ending.path);
                ending.answer.replace(answer);
            }
        };
        // When it cannot start, `run` is dropped, and with it the question ends.
        std::thread::Builder::new().name("disk".into()).stack_size(STACK).spawn(run).ok()?;
        Some(question)
    }
}

/// Ends the question when it is dropped, after a defect as well.
struct Ending<T> {
    asked: Arc<Asked<T>>,
    path: PathBuf,
    answer: Option<T>,
}

impl<T> Drop for Ending<T> {
    fn drop(&mut self) {
        let question = {
            let mut asked = locked(&self.asked);
            if self.answer.is_some() {
                asked.has_answered(self.path.clone());
            }
            asked.under_way.remove(&self.path)
        };
        let Some(question) = question else { return };
        *locked(&question.state) = State::Ended(self.answer.take());
        question.ended.notify_all();
    }
}

impl<T: Clone> Question<T> {
    fn wait(&self, within: Duration) -> Option<T> {
        let left = (self.since + within).saturating_duration_since(Instant::now());
        let is_under_way = |state: &mut State<T>| matches!(state, State::UnderWay);
        let state = locked(&self.state);
        let waited = self.ended.wait_timeout_while(state, left, is_under_way);
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        match &*state {
            State::UnderWay => None,
            State::Ended(answer) => answer.clone(),
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn what_is_there_and_what_is_not_is_told() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("file"), "").unwrap();
        let asked = ["", "gone", "file"].map(|name| dir.path().join(name));
        assert_eq!(presences(&asked), [Presence::There, Presence::Gone, Presence::Gone]);
        assert_eq!(presence(dir.path()), Presence::There);
    }

    /// Of a link to itself the system tells nothing; of a disk that fails neither.
    #[cfg(unix)]
    #[test]
    fn what_the_system_refuses_to_tell_is_not_gone() {
        let dir = tempfile::tempdir().unwrap();
        let refused = dir.path().join("refused");
        std::os::unix::fs::symlink(&refused, &refused).unwrap();
        assert_eq!(presence(&refused), Presence::Silent);
        assert_eq!(presence(&refused.join("below")), Presence::Silent);
        assert_eq!(root_of_in_time(&refused), Err(SilentDisk));
        assert_eq!(usable_in_time(&refused), Err(SilentDisk));
        assert_eq!(root_of_in_time(&dir.path().join("gone")), Ok(None));
        assert_eq!(usable_in_time(&dir.path().join("gone")), Ok(None));
    }

    #[test]
    fn a_question_that_hangs_has_one_thread_and_delays_nobody_else_and_is_asked_again_once_it_came() {
        let questions = Questions::<u32>::default();
        let (answer, hangs) = mpsc::channel::<()>();
        let short = Duration::from_millis(50);
        let look = move |_: &Path| {
            let _ = hangs.recv();
            1
        };
        assert_eq!(questions.ask(Path::new("/dead"), short, look), None);
        let long = Duration::from_secs(600);
        // Not waited for: a thread of its own would answer at once.
        for _ in 0..100 {
            assert_eq!(questions.ask(Path::new("/dead"), short, |_| 2), None);
        }
        assert_eq!(questions.ask(Path::new("/fine"), long, |_| 3), Some(3));
        let waits = {
            let question = questions.begin(Path::new("/dead"), |_| 2).unwrap();
            std::thread::spawn(move || question.wait(long))
        };
        drop(answer);
        assert_eq!(waits.join().unwrap(), Some(1), "who waits longer shares the answer");
        assert_eq!(questions.ask(Path::new("/dead"), long, |_| 4), Some(4));
    }

    #[test]
    fn who_asks_anew_gets_no_answer_of_a_look_that_began_before() {
        let questions = Questions::<u32>::default();
        let (answer, hangs) = mpsc::channel::<()>();
        let look = move |_: &Path| {
            let _ = hangs.recv();
            1
        };
        let earlier = questions.begin(Path::new("/shop"), look).unwrap();
        let long = Duration::from_secs(600);
        std::thread::scope(|scope| {
            let anew = scope.spawn(|| questions.ask_anew(Path::new("/shop"), long, |_| 2));
            // However late it asks, this is either under way then or has ended.
            assert_eq!(questions.ask_anew(Path::new("/other"), long, |_| 3), Some(3));
            drop(answer);
            assert_eq!(earlier.wait(long), Some(1));
            assert_eq!(anew.join().unwrap(), Some(2));
        });
    }

    #[test]
    fn however_many_hang_whoever_answered_before_is_asked_and_all_are_waited_for_together() {
        let questions = Questions::<u32>::with_room_for(300);
        let long = Duration::from_secs(600);
        assert_eq!(questions.ask(Path::new("/fine"), long, |_| 1), Some(1));
        let (answer, hangs) = mpsc::channel::<()>();
        let hangs = Arc::new(Mutex::new(hangs));
        let look = move |path: &Path| {
            if path.starts_with("/dead") {
                let _ = hangs.lock().map(|hangs| hangs.recv());
            }
            2
        };
        let mut paths: Vec<_> = (0..400).map(|n| PathBuf::from(format!("/dead/{n}"))).collect();
        paths.push("/fine".into());
        let (within, began) = (Duration::from_millis(500), Instant::now());
        let answers = questions.ask_all(&paths, within, look.clone());
        // One wait for those that are asked about at once, and not one for each.
        assert!(began.elapsed() < within * 60, "{:?}", began.elapsed());
        assert_eq!(answers.iter().flatten().count(), 1);
        assert_eq!(answers.last(), Some(&Some(2)));
        assert_eq!(questions.ask(Path::new("/fine"), long, look.clone()), Some(2));
        assert_eq!(questions.ask(Path::new("/new"), long, look.clone()), None, "there are threads enough");
        drop(answer);
        assert_eq!(questions.ask(Path::new("/dead/0"), long, look), Some(2));
    }

    #[test]
    fn those_that_have_answered_are_not_remembered_for_ever() {
        let questions = Questions::<u32>::default();
        let long = Duration::from_secs(600);
        for n in 0..=MOST_ANSWERED {
            questions.ask(&PathBuf::from(format!("/{n}")), long, |_| 1);
        }
        let asked = locked(&questions.asked);
        assert!(asked.answered.len() == MOST_ANSWERED && !asked.answered.contains_key(Path::new("/0")));
    }

    #[test]
    fn a_defect_ends_the_question() {
        let questions = Questions::<u32>::default();
        let long = Duration::from_secs(600);
        assert_eq!(questions.ask(Path::new("/a"), long, |_| panic!("a defect")), None);
        assert_eq!(questions.ask(Path::new("/a"), long, |_| 1), Some(1));
    }
}
