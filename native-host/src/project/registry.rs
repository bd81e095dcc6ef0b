//! `registry.json`: what is remembered from one hub to the next. Written whole; one that cannot be read is kept aside.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use opentoolbar_core::model::{Project, SessionId, Timestamp};
use opentoolbar_core::protocol::{ErrorBody, ErrorCode};
use serde::{Deserialize, Serialize};

use super::{Presence, presences, project_at};
use crate::hub::error::error;
use crate::store::write_whole;
use crate::why::why;

const VERSION: u32 = 1;
/// Tabs come and go; this many of the latest are remembered.
const MOST_SESSIONS: usize = 500;

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct SessionEntry {
    root: PathBuf,
    last_active: Timestamp,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Content {
    version: u32,
    #[serde(default)]
    origins: BTreeMap<String, PathBuf>,
    #[serde(default)]
    projects: BTreeMap<PathBuf, Timestamp>,
    #[serde(default)]
    sessions: BTreeMap<SessionId, SessionEntry>,
    /// The tab that the person picked for the agents of a project.
    #[serde(default)]
    picked: BTreeMap<PathBuf, SessionId>,
    /// Agents that are not the first of their name, oldest first.
    #[serde(default)]
    agents: Vec<AgentEntry>,
    /// Projects that were known when their database was kept in the project itself; absent in a registry of that time.
    #[serde(default)]
    from_before: Option<BTreeSet<PathBuf>>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct AgentEntry {
    instance: String,
    number: u32,
}

/// Agents whose number is remembered.
const MOST_AGENTS: usize = 50;

/// Origin -> project, session -> project, known projects. What is asked is answered from memory; no file is touched under the
/// lock that everybody takes.
#[derive(Debug)]
pub struct Registry {
    path: PathBuf,
    memory: Mutex<Memory>,
    /// Held by the one who writes the file: the last to write has seen what all before have written.
    writing: Mutex<()>,
}

#[derive(Debug)]
struct Memory {
    content: Content,
    /// Counts what is remembered without being written at once.
    changes: u64,
    /// How many of them are on disk.
    saved: u64,
}

impl Registry {
    /// Reads it. A damaged one is renamed to `registry.json.broken-<n>`, logged, and an empty one takes its place.
    pub fn open(path: PathBuf) -> Self {
        let content = match std::fs::read(&path) {
            Ok(bytes) => match serde_json::from_slice::<Content>(&bytes) {
                Ok(mut content) if content.version == VERSION => {
                    content.from_before.get_or_insert_with(|| content.projects.keys().cloned().collect());
                    content
                }
                Ok(content) => set_aside(&path, &format!("its version {} is not known", content.version)),
                // What the error says may quote an address.
                Err(error) => set_aside(&path, &format!("line {}, column {}", error.line(), error.column())),
            },
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Content::default(),
            Err(e) => set_aside(&path, &e.to_string()),
        };
        let memory = Mutex::new(Memory { content, changes: 0, saved: 0 });
        Self { path, memory, writing: Mutex::default() }
    }

    /// Projects that were known when their database was kept in the project itself.
    pub fn from_before(&self) -> BTreeSet<PathBuf> {
        self.memory().content.from_before.clone().unwrap_or_default()
    }

    /// What the person chose for this origin.
    pub fn chosen(&self, origin: &str) -> Option<PathBuf> {
        self.memory().content.origins.get(origin).cloned()
    }

    /// Remembers the person's choice. Blocks.
    ///
    /// # Errors
    /// `storage`; the choice is then not remembered.
    pub fn choose(&self, origin: &str, root: &Path) -> Result<(), ErrorBody> {
        self.update(|content| {
            content.origins.insert(origin.to_owned(), root.to_owned()).as_deref() != Some(root)
        })
    }

    /// The project that a tab had when it was last seen.
    pub fn session(&self, id: &SessionId) -> Option<PathBuf> {
        self.memory().content.sessions.get(id).map(|entry| entry.root.clone())
    }

    /// Remembers a tab's project, and the project as known. A new project is on disk at once: a browser's outbox looks for its
    /// comments there. A tab is with [`Self::save_due`]: tabs come in dozens. Blocks when the project is new.
    ///
    /// # Errors
    /// `storage`; the project is then not remembered.
    pub fn remember_session(&self, id: &SessionId, root: &Path, at: Timestamp) -> Result<(), ErrorBody> {
        if !self.is_known(root) {
            self.remember_project(root, at)?;
        }
        let mut memory = self.memory();
        if let Some(project) = memory.content.projects.get_mut(root) {
            *project = at;
        }
        let entry = SessionEntry { root: root.to_owned(), last_active: at };
        let sessions = &mut memory.content.sessions;
        let before = sessions.insert(id.clone(), entry);
        while sessions.len() > MOST_SESSIONS {
            // This one is the newest, also when the clock has jumped back.
            let others = sessions.iter().filter(|(other, _)| *other != id);
            let oldest = others.min_by_key(|(_, entry)| entry.last_active);
            let Some(oldest) = oldest.map(|(id, _)| id.clone()) else { break };
            sessions.remove(&oldest);
        }
        if before.is_none_or(|before| before.root != root) {
            memory.changes += 1;
        }
        Ok(())
    }

    /// Whether something is remembered that is not on disk.
    pub fn is_unsaved(&self) -> bool {
        let memory = self.memory();
        memory.changes != memory.saved
    }

    /// Puts on disk what is not; tried again with the next change when it fails. Blocks.
    ///
    /// # Errors
    /// `storage`.
    pub fn save_due(&self) -> Result<(), ErrorBody> {
        if self.is_unsaved() { self.update(|_| true) } else { Ok(()) }
    }

    /// The tab that the person picked for the agents of a project; it may be closed by now.
    pub fn picked(&self, root: &Path) -> Option<SessionId> {
        self.memory().content.picked.get(root).cloned()
    }

    /// Remembers the person's pick, or forgets it. Blocks.
    ///
    /// # Errors
    /// `storage`; the pick is then not remembered.
    pub fn pick(&self, root: &Path, id: Option<&SessionId>) -> Result<(), ErrorBody> {
        self.update(|content| match id {
            Some(id) => content.picked.insert(root.to_owned(), id.clone()).as_ref() != Some(id),
            None => content.picked.remove(root).is_some(),
        })
    }

    /// The number that an agent had among those of its name.
    pub fn number_of(&self, instance: &str) -> Option<u32> {
        let memory = self.memory();
        memory.content.agents.iter().find(|agent| agent.instance == instance).map(|agent| agent.number)
    }

    /// Remembers an agent's number, so that the next hub does not call it by another's. Blocks.
    ///
    /// # Errors
    /// `storage`.
    pub fn remember_number(&self, instance: &str, number: u32) -> Result<(), ErrorBody> {
        self.update(|content| {
            content.agents.retain(|agent| agent.instance != instance);
            content.agents.push(AgentEntry { instance: instance.to_owned(), number });
            let too_many = content.agents.len().saturating_sub(MOST_AGENTS);
            content.agents.drain(..too_many);
            true
        })
    }

    /// Remembers a project. Blocks.
    ///
    /// # Errors
    /// `storage`.
    pub fn remember_project(&self, root: &Path, at: Timestamp) -> Result<(), ErrorBody> {
        self.update(|content| content.projects.insert(root.to_owned(), at).is_none())
    }

    /// Whether this is the root of a project that was used.
    pub fn is_known(&self, root: &Path) -> bool {
        self.memory().content.projects.contains_key(root)
    }

    /// Projects that were used, whether or not they are still there, sorted by name.
    pub fn known(&self) -> Vec<Project> {
        let mut projects: Vec<Project> =
            self.memory().content.projects.keys().filter_map(|root| project_at(root)).collect();
        projects.sort_by(|a, b| (&a.name, &a.root).cmp(&(&b.name, &b.root)));
        projects
    }

    /// Those of them that are not gone. One whose disk does not answer is not known to be. Blocks, for about a second at most.
    pub fn projects(&self) -> Vec<Project> {
        not_gone(self.known())
    }

    /// Held for a moment only: nothing that may wait is done meanwhile.
    fn memory(&self) -> MutexGuard<'_, Memory> {
        // A panic in between leaves maps whole: every change is made on a copy or is one insert.
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes in memory and, when `change` says that it matters, on disk before; neither when the disk refuses. `change` is made
    /// twice: on the copy that is written, and on what memory holds by then.
    fn update(&self, change: impl Fn(&mut Content) -> bool) -> Result<(), ErrorBody> {
        let _one_at_a_time = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut content, changes) = {
            let memory = self.memory();
            (memory.content.clone(), memory.changes)
        };
        let is_change = change(&mut content);
        if is_change {
            content.version = VERSION;
            // A registry that is made now is not of that time.
            content.from_before.get_or_insert_default();
            self.save(&content).map_err(|e| {
                error(
                    ErrorCode::Storage,
                    format!("cannot write {}: {}", self.path.display(), why(&e)),
                    "Make the directory writable and free some space, then try again.",
                )
            })?;
        }
        let mut memory = self.memory();
        change(&mut memory.content);
        if is_change {
            memory.content.from_before.get_or_insert_default();
            memory.saved = changes;
        }
        Ok(())
    }

    fn save(&self, content: &Content) -> std::io::Result<()> {
        let mut json = serde_json::to_vec_pretty(content)?;
        json.push(b'\n');
        write_whole(&self.path, &json)
    }
}

/// Those whose directory is there, or on a disk that does not answer. Blocks, for about a second at most.
pub fn not_gone(projects: Vec<Project>) -> Vec<Project> {
    let roots: Vec<PathBuf> = projects.iter().map(|project| PathBuf::from(&project.root)).collect();
    let found = presences(&roots);
    projects
        .into_iter()
        .zip(found)
        .filter(|(_, found)| *found != Presence::Gone)
        .map(|(one, _)| one)
        .collect()
}

fn set_aside(path: &Path, why: &str) -> Content {
    let aside = (1..1000)
        .map(|n| path.with_file_name(format!("registry.json.broken-{n}")))
        .find(|aside| !aside.exists());
    let kept = aside.filter(|aside| std::fs::rename(path, aside).is_ok());
    tracing::error!(why, kept = ?kept, "registry.json could not be read; it starts afresh");
    Content::default()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_remembered_is_there_for_the_next_hub() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("registry.json");
        let registry = Registry::open(path.clone());
        let id: SessionId = "s_1".parse().unwrap();
        registry.choose("http://a", dir.path()).unwrap();
        registry.remember_session(&id, dir.path(), Timestamp(1)).unwrap();
        registry.save_due().unwrap();
        let next = Registry::open(path);
        assert_eq!(next.chosen("http://a"), Some(dir.path().to_owned()));
        assert_eq!(next.session(&id), Some(dir.path().to_owned()));
        assert_eq!(next.projects().len(), 1);
    }

    #[test]
    fn tabs_that_open_together_are_written_once_and_a_refusal_is_made_good() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("registry.json");
        let registry = Registry::open(path.clone());
        for n in 0..100 {
            registry.remember_session(&format!("s_{n}").parse().unwrap(), dir.path(), Timestamp(n)).unwrap();
        }
        let on_disk = || Registry::open(path.clone()).memory().content.clone();
        assert!(registry.is_unsaved());
        assert_eq!((on_disk().projects.len(), on_disk().sessions.len()), (1, 0));
        // Nothing can be put in place of a directory with something in it.
        std::fs::remove_file(&path).unwrap();
        std::fs::create_dir_all(path.join("in the way")).unwrap();
        registry.save_due().unwrap_err();
        assert!(registry.is_unsaved());
        std::fs::remove_dir_all(&path).unwrap();
        registry.save_due().unwrap();
        assert!(!registry.is_unsaved());
        // The same tab once more, on another page of the project.
        registry.remember_session(&"s_0".parse().unwrap(), dir.path(), Timestamp(101)).unwrap();
        assert!(!registry.is_unsaved());
        assert_eq!(on_disk().sessions.len(), 100);
    }

    #[test]
    fn sessions_beyond_the_limit_forget_the_oldest() {
        let dir = tempfile::tempdir().unwrap();
        let registry = Registry::open(dir.path().join("registry.json"));
        for n in 0..=MOST_SESSIONS as u64 {
            // In memory alone, like the hub's: the file is asserted on elsewhere.
            let entry = SessionEntry { root: dir.path().into(), last_active: Timestamp(n + 1) };
            registry.memory().content.sessions.insert(format!("s_{n}").parse().unwrap(), entry);
        }
        registry.remember_session(&"s_new".parse().unwrap(), dir.path(), Timestamp(9_999)).unwrap();
        assert_eq!(registry.memory().content.sessions.len(), MOST_SESSIONS);
        assert!(registry.session(&"s_0".parse().unwrap()).is_none());
        assert!(registry.session(&"s_new".parse().unwrap()).is_some());
    }

    #[test]
    fn what_is_remembered_by_many_at_once_is_all_on_disk() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("registry.json");
        let registry = Registry::open(path.clone());
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (registry, root) = (&registry, dir.path());
                scope.spawn(move || {
                    for n in 0..25 {
                        registry.choose(&format!("http://{thread}.{n}"), root).unwrap();
                        let id = format!("s_{thread}_{n}").parse().unwrap();
                        registry.remember_session(&id, root, Timestamp(1)).unwrap();
                    }
                });
            }
        });
        registry.save_due().unwrap();
        assert!(!registry.is_unsaved());
        let next = Registry::open(path);
        let content = &next.memory().content;
        assert_eq!((content.origins.len(), content.sessions.len()), (100, 100));
    }

    #[test]
    fn a_choice_that_the_disk_refuses_is_not_remembered() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("registry.json");
        let registry = Registry::open(path.clone());
        std::fs::create_dir_all(path.join("in the way")).unwrap();
        registry.choose("http://a", dir.path()).unwrap_err();
        assert_eq!(registry.chosen("http://a"), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn a_damaged_registry_is_kept_aside_and_never_a_panic(bytes in proptest::collection::vec(any::<u8>(), 1..80)) {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("registry.json");
            for n in 1..3 {
                std::fs::write(&path, &bytes).unwrap();
                let registry = Registry::open(path.clone());
                let aside = dir.path().join(format!("registry.json.broken-{n}"));
                prop_assert_eq!(std::fs::read(aside).unwrap(), bytes.clone());
                registry.choose("http://a", dir.path()).unwrap();
            }
        }
    }
}
