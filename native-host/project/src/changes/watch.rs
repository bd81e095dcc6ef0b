//! Watches the source files of one project, on a thread of its own: a disk that does not answer holds up nobody else.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, Once, PoisonError};
use std::time::{Duration, Instant};

use notify::event::ModifyKind;
use notify::{Config, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use super::known::Known;
use super::quiet::{Budget, Rules, is_of_tools};
use super::scan::{Limits, Scan};
use super::{locked, now};

/// Between two times that a change is told, at least.
const EVERY: Duration = Duration::from_millis(300);
/// How long is waited for what changes together with the first.
const TOGETHER: Duration = Duration::from_millis(50);
/// Paths that are remembered until they are looked at. With more, the project is looked through instead.
const MOST_PATHS: usize = 4_096;
/// Directories that are watched one by one, where a system cannot watch a whole tree: it has about 8,000 watches for
/// all programs at the least, and mostly some 100,000.
const MOST_DIRECTORIES: usize = 8_192;
/// A watch begins by looking through the whole project.
const LIMITS: Limits = Limits { entries: 50_000, depth: 40, within: Duration::from_secs(10) };
/// Linux and the BSDs watch single directories: those that are ignored cost nothing then. macOS and Windows watch a
/// tree at once.
const ONE_BY_ONE: bool = cfg!(not(any(target_os = "macos", windows)));

/// The log says once that files cannot be watched, for all projects.
static SAID: Once = Once::new();

/// Told when source files changed: the latest moment, in milliseconds since 1970.
pub type OnChange = Arc<dyn Fn(u64) + Send + Sync>;

/// A project that is watched until nobody wants it any more.
pub struct Watch(Arc<Shared>);

struct Shared {
    root: PathBuf,
    known: Arc<Mutex<Known>>,
    on_change: OnChange,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    is_wanted: bool,
    has_ended: bool,
    /// What changed and was not looked at yet.
    heard: Heard,
}

#[derive(Default)]
struct Heard {
    paths: BTreeMap<PathBuf, Event>,
    /// There was more than can be remembered.
    too_much: bool,
}

impl Heard {
    fn is_empty(&self) -> bool {
        self.paths.is_empty() && !self.too_much
    }
}

#[derive(Clone, Copy)]
struct Event {
    /// Milliseconds since 1970.
    at: u64,
    /// Made or moved here, or moved away.
    is_new: bool,
}

impl std::fmt::Debug for Watch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Watch").field(&self.0.root).finish()
    }
}

impl Watch {
    /// Watches the project with this root; what is seen goes to `known`. `None` when there can be no thread for it.
    pub fn begin(root: &Path, known: Arc<Mutex<Known>>, on_change: OnChange) -> Option<Self> {
        let state = State { is_wanted: true, has_ended: false, heard: Heard::default() };
        let shared = Arc::new(Shared {
            root: root.to_owned(),
            known,
            on_change,
            state: Mutex::new(state),
            changed: Condvar::new(),
        });
        let watched = Arc::clone(&shared);
        std::thread::Builder::new().name("watch".into()).spawn(move || watched.run()).ok()?;
        Some(Self(shared))
    }

    /// Goes on, or says false when it has ended.
    pub fn goes_on(&self) -> bool {
        let mut state = self.0.state();
        state.is_wanted = true;
        !state.has_ended
    }

    /// Ends soon; one whose disk does not answer, when it does.
    pub fn end(&self) {
        self.0.state().is_wanted = false;
        self.0.changed.notify_all();
    }

    /// Whether nothing of it runs any more.
    pub fn has_ended(&self) -> bool {
        self.0.state().has_ended
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.end();
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        locked(&self.state)
    }

    fn run(self: &Arc<Self>) {
        loop {
            if let Err(error) = self.watch() {
                SAID.call_once(|| {
                    tracing::warn!(%error, "files cannot be watched; what changed is told when it is asked for");
                });
                let state = self.state();
                // Whoever wants it again may have more luck.
                drop(self.changed.wait_while(state, |state| state.is_wanted));
            }
            locked(&self.known).is_not_watched();
            let mut state = self.state();
            if !state.is_wanted {
                state.has_ended = true;
                return;
            }
        }
    }

    /// Until it is not wanted any more.
    fn watch(self: &Arc<Self>) -> notify::Result<()> {
        let ear = Arc::downgrade(self);
        let hears = move |event: notify::Result<notify::Event>| {
            if let (Some(shared), Ok(event)) = (ear.upgrade(), event) {
                shared.hears(&event);
            }
        };
        let config = Config::default().with_follow_symlinks(false);
        let mut eyes = Eyes { watcher: RecommendedWatcher::new(hears, config)?, directories: 0 };
        if !ONE_BY_ONE {
            eyes.watcher.watch(&self.root, RecursiveMode::Recursive)?;
        }
        let mut looked = now();
        let whole = eyes.open(|enters| Scan::of(&self.root, LIMITS, enters))?.is_whole;
        locked(&self.known).watched_since = whole.then(now);
        let mut told = None;
        while let Some(heard) = self.next(told) {
            let began = now();
            if let Some(at) = self.look(&mut eyes, heard, looked)? {
                (self.on_change)(at);
                told = Some(Instant::now());
            }
            looked = began;
        }
        Ok(())
    }

    /// What has changed by the next time at which it may be told; `None` when nobody wants to know any more.
    fn next(&self, told: Option<Instant>) -> Option<Heard> {
        let waiting = self.state();
        let nothing = |state: &mut State| state.is_wanted && state.heard.is_empty();
        let state = self.changed.wait_while(waiting, nothing).unwrap_or_else(PoisonError::into_inner);
        let rest = told.map_or(Duration::ZERO, |told| EVERY.saturating_sub(told.elapsed()));
        let wanted = |state: &mut State| state.is_wanted;
        let waited = self.changed.wait_timeout_while(state, rest.max(TOGETHER), wanted);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        state.is_wanted.then(|| std::mem::take(&mut state.heard))
    }

    fn hears(&self, event: &notify::Event) {
        // Times and owners that are set, and reading, change nothing.
        let is_new = match event.kind {
            EventKind::Access(_) | EventKind::Modify(ModifyKind::Metadata(_)) => return,
            EventKind::Create(_) | EventKind::Modify(ModifyKind::Name(_)) => true,
            EventKind::Any | EventKind::Modify(_) | EventKind::Remove(_) | EventKind::Other => false,
        };
        let at = now();
        let mut state = self.state();
        state.heard.too_much |= event.need_rescan();
        for path in &event.paths {
            if path.strip_prefix(&self.root).map_or(true, |path| path == Path::new("") || is_of_tools(path)) {
                continue;
            }
            if state.heard.paths.len() >= MOST_PATHS {
                state.heard.too_much = true;
                break;
            }
            let before = state.heard.paths.get(path).is_some_and(|before| before.is_new);
            state.heard.paths.insert(path.clone(), Event { at, is_new: is_new || before });
        }
        if !state.heard.is_empty() {
            drop(state);
            self.changed.notify_all();
        }
    }

    /// The latest change of source among what was heard; `since`: the look before this one.
    fn look(&self, eyes: &mut Eyes, heard: Heard, since: u64) -> notify::Result<Option<u64>> {
        let mut look =
            Look { root: &self.root, rules: BTreeMap::new(), budget: Budget::default(), seen: Vec::new() };
        let mut is_ruled_anew = false;
        for (path, event) in heard.paths {
            is_ruled_anew |= path.ends_with(".gitignore");
            look.at(eyes, &path, event)?;
        }
        let mut newest = look.seen.iter().map(|(_, at)| *at).max();
        let mut known = locked(&self.known);
        for (path, at) in look.seen {
            known.sees(path, at);
        }
        drop(known);
        if heard.too_much || is_ruled_anew {
            // Directories may be there of which nothing was heard.
            let scan = eyes.open(|enters| Scan::of(&self.root, LIMITS, enters))?;
            let times = scan.files.iter().map(|(_, at)| *at).chain(scan.directories.iter().copied());
            let upto = now();
            let missed = times.filter(|at| heard.too_much && *at > since && *at <= upto).max();
            if let Some(at) = missed {
                locked(&self.known).sees_something(at);
            }
            newest = newest.max(missed);
        }
        Ok(newest)
    }
}

/// What the system watches for us.
struct Eyes {
    watcher: RecommendedWatcher,
    directories: usize,
}

impl Eyes {
    /// Watches every directory that the look goes into, before it is read, so that nothing is missed in between.
    fn open(
        &mut self,
        look: impl FnOnce(&mut dyn FnMut(&Path) -> bool) -> std::io::Result<Scan>,
    ) -> notify::Result<Scan> {
        let mut fault = None;
        let scan = look(&mut |directory| {
            if !ONE_BY_ONE {
                return true;
            }
            if self.directories >= MOST_DIRECTORIES {
                return false;
            }
            match self.watcher.watch(directory, RecursiveMode::NonRecursive) {
                Ok(()) => self.directories += 1,
                Err(error) if is_gone(&error) => {}
                Err(error) => fault = Some(error),
            }
            fault.is_none()
        });
        match fault {
            Some(fault) => Err(fault),
            None => scan.map_err(notify::Error::io),
        }
    }
}

fn is_gone(error: &notify::Error) -> bool {
    match &error.kind {
        notify::ErrorKind::PathNotFound => true,
        notify::ErrorKind::Io(error) => {
            super::super::is_absence(error) || error.kind() == std::io::ErrorKind::PermissionDenied
        }
        _ => false,
    }
}

/// One look at what was heard of.
struct Look<'a> {
    root: &'a Path,
    /// By directory; none for one that is ignored.
    rules: BTreeMap<PathBuf, Option<Arc<Rules>>>,
    budget: Budget,
    seen: Vec<(String, u64)>,
}

impl Look<'_> {
    fn at(&mut self, eyes: &mut Eyes, path: &Path, event: Event) -> notify::Result<()> {
        let Some(rules) = path.parent().and_then(|parent| self.rules_in(parent)) else { return Ok(()) };
        let Ok(name) = path.strip_prefix(self.root) else { return Ok(()) };
        let name = name.to_string_lossy().replace('\\', "/");
        match std::fs::symlink_metadata(path) {
            Ok(about) if about.is_dir() => {
                if !event.is_new || rules.is_quiet(path, true) {
                    return Ok(());
                }
                let below = rules.below(path, &mut self.budget);
                let look = |enters: &mut dyn FnMut(&Path) -> bool| {
                    Scan::of_directory(path, &name, below, LIMITS, enters)
                };
                match eyes.open(look) {
                    Ok(scan) => {
                        self.seen.extend(scan.files.into_iter().map(|(file, _)| (file.into(), event.at)))
                    }
                    Err(error) if is_gone(&error) => {}
                    Err(error) => return Err(error),
                }
            }
            Ok(about) if about.is_file() => {
                if !rules.is_quiet(path, false) {
                    self.seen.push((name, event.at));
                }
            }
            // A link, or something else that is no source.
            Ok(_) => {}
            Err(_) => {
                let is_quiet = rules.is_quiet(path, false) || rules.is_quiet(path, true);
                if !is_quiet {
                    self.seen.push((name, event.at));
                }
            }
        }
        Ok(())
    }

    /// What holds in this directory; `None` when it is ignored, or outside.
    fn rules_in(&mut self, directory: &Path) -> Option<Arc<Rules>> {
        if let Some(known) = self.rules.get(directory) {
            return known.clone();
        }
        let rules = if directory == self.root {
            Some(Rules::at_root(self.root, &mut self.budget))
        } else if directory.starts_with(self.root) {
            let above = directory.parent().and_then(|parent| self.rules_in(parent));
            above
                .filter(|above| !above.is_quiet(directory, true))
                .map(|above| above.below(directory, &mut self.budget))
        } else {
            None
        };
        self.rules.insert(directory.to_owned(), rules.clone());
        rules
    }
}
