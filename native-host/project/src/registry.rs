//! `registry.json`: what is remembered from one hub to the next. Written whole; one that cannot be read is kept aside,
//! one with bad entries loses these alone.

mod content;
mod earlier;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use content::{Content, VERSION};
use opentoolbar_core::model::{Project, SessionId, Timestamp};
use opentoolbar_core::protocol::{ErrorBody, ErrorCode};

use super::{Presence, presences, project_at};
use opentoolbar_leaves::error::error;
use opentoolbar_leaves::files::write_whole;
use opentoolbar_leaves::salvage;
use opentoolbar_leaves::why::why;

/// Origin -> project, session -> project, known projects. What is asked is answered from memory; no file is touched
/// under the lock that everybody takes.
#[derive(Debug)]
pub struct Registry {
    path: PathBuf,
    memory: Mutex<Memory>,
    /// Held by the one who writes the file: the last to write has seen what all before have written.
    writing: Mutex<()>,
    set_aside: Option<String>,
}

#[derive(Debug)]
struct Memory {
    content: Content,
    /// Whether no version that keeps databases in the home has written the file.
    is_of_before: bool,
    /// Counts what is remembered without being written at once.
    changes: u64,
    /// How many of them are on disk.
    saved: u64,
    /// Counts projects that were not known before.
    learnt: u64,
}

impl Registry {
    /// Reads it. Bad entries are left out, and the file as it was is kept as `registry.json.broken-<n>`; of one that
    /// cannot be read at all an empty one takes the place.
    pub fn open(path: PathBuf) -> Self {
        let (mut is_of_before, mut set_aside) = (false, None);
        let afresh = |why: &str| (Content::default(), Some(salvage::set_aside(&path, why)));
        let mut content = match std::fs::read(&path) {
            Ok(bytes) => match Content::read(&bytes) {
                Ok((mut content, salvage)) => {
                    is_of_before = content.from_before.is_none();
                    set_aside = encode(&content).ok().and_then(|clean| salvage.keep(&path, &bytes, &clean));
                    content.from_before.get_or_insert_with(|| content.projects.keys().cloned().collect());
                    content.know_earlier_sessions();
                    // An earlier version forgot no project and no choice.
                    content.forget_the_longest_unused();
                    content
                }
                Err(why) => {
                    let content;
                    (content, set_aside) = afresh(&why);
                    content
                }
            },
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Content::default(),
            Err(e) => {
                let content;
                (content, set_aside) = afresh(&e.to_string());
                content
            }
        };
        content.earlier_sessions.get_or_insert_default();
        let memory = Mutex::new(Memory { content, is_of_before, changes: 0, saved: 0, learnt: 0 });
        Self { path, memory, writing: Mutex::default(), set_aside }
    }

    /// What of it could not be read, and where it is kept as it was.
    pub fn set_aside(&self) -> Option<&str> {
        self.set_aside.as_deref()
    }

    /// Projects that were known when their database was kept in the project itself.
    pub fn from_before(&self) -> BTreeSet<PathBuf> {
        self.memory().content.from_before.clone().unwrap_or_default()
    }

    /// Whether the file was written at that time, and not since.
    pub fn is_of_before(&self) -> bool {
        self.memory().is_of_before
    }

    /// Writes down which projects were known at that time, so that it is over for good. Blocks.
    ///
    /// # Errors
    /// `storage`.
    pub fn end_before(&self) -> Result<(), ErrorBody> {
        self.update(|_| true)
    }

    /// What the person chose for this origin.
    pub fn chosen(&self, origin: &str) -> Option<PathBuf> {
        self.memory().content.origins.get(origin).cloned()
    }

    /// Remembers the person's choice, and forgets one that is older than many. Blocks.
    ///
    /// # Errors
    /// `storage`; the choice is then not remembered.
    pub fn choose(&self, origin: &str, root: &Path, at: Timestamp) -> Result<(), ErrorBody> {
        self.update(|content| content.choose(origin, root, at))
    }

    /// The project that a tab had when it was last seen.
    pub fn session(&self, id: &SessionId) -> Option<PathBuf> {
        self.memory().content.sessions.get(id).map(|entry| entry.root.clone())
    }

    /// Whether a tab of this project was opened in this time, and not again after it.
    pub fn had_page(&self, root: &Path, during: Range<Timestamp>) -> bool {
        let memory = self.memory();
        let mut sessions = memory.content.sessions.values();
        sessions.any(|entry| entry.root == root && during.contains(&entry.last_active))
    }

    /// Remembers a tab's project, and the project as known. A new project is on disk at once: a browser's outbox looks
    /// for its comments there. A tab is with [`Self::save_due`]: tabs come in dozens. Blocks when the project is new.
    ///
    /// # Errors
    /// `storage`; the project is then not remembered.
    pub fn remember_session(&self, id: &SessionId, root: &Path, at: Timestamp) -> Result<(), ErrorBody> {
        if !self.is_known(root) {
            self.remember_project(root, at)?;
        }
        let mut memory = self.memory();
        if memory.content.use_session(id, root, at) {
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
            content.number(instance, number);
            true
        })
    }

    /// Remembers that a project is used, and forgets that which was unused for longest when there are too many. Blocks.
    ///
    /// # Errors
    /// `storage`.
    pub fn remember_project(&self, root: &Path, at: Timestamp) -> Result<(), ErrorBody> {
        let is_new = !self.is_known(root);
        self.update(|content| content.use_project(root, at))?;
        self.memory().learnt += u64::from(is_new);
        Ok(())
    }

    /// How many projects have become known since the hub began.
    pub fn learnt(&self) -> u64 {
        self.memory().learnt
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

    /// Those of them that are not gone. One whose disk does not answer is not known to be. Blocks, for about a second
    /// at most.
    pub fn projects(&self) -> Vec<Project> {
        not_gone(self.known())
    }

    /// Held for a moment only: nothing that may wait is done meanwhile.
    fn memory(&self) -> MutexGuard<'_, Memory> {
        // A panic in between leaves maps whole: every change is made on a copy or is one insert.
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes in memory and, when `change` says that it matters, on disk before; neither when the disk refuses.
    /// `change` is made twice: on the copy that is written, and on what memory holds by then.
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
            memory.is_of_before = false;
            memory.saved = changes;
        }
        Ok(())
    }

    fn save(&self, content: &Content) -> std::io::Result<()> {
        write_whole(&self.path, &encode(content)?)
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

fn encode(content: &Content) -> serde_json::Result<Vec<u8>> {
    let mut json = serde_json::to_vec_pretty(content)?;
    json.push(b'\n');
    Ok(json)
}
