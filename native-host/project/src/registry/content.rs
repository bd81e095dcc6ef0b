//! What the registry's file says, and how much of it is kept: what was used last.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use opentoolbar_core::model::{SessionId, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use opentoolbar_leaves::salvage::Salvage;

pub(super) const VERSION: u32 = 1;
/// Tabs come and go; this many of the latest are remembered.
pub(super) const MOST_SESSIONS: usize = 500;
/// Projects are looked for at each start of an agent, each on a thread of its own.
pub(super) const MOST_PROJECTS: usize = 300;
/// A dev server on another port is another origin.
pub(super) const MOST_ORIGINS: usize = 300;
/// Agents whose number is remembered.
const MOST_AGENTS: usize = 50;

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SessionEntry {
    pub root: PathBuf,
    pub(super) last_active: Timestamp,
}

#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Content {
    pub(super) version: u32,
    pub(super) origins: BTreeMap<String, PathBuf>,
    /// When each of them was chosen; an earlier version did not note it.
    chosen_at: BTreeMap<String, Timestamp>,
    pub(super) projects: BTreeMap<PathBuf, Timestamp>,
    pub(super) sessions: BTreeMap<SessionId, SessionEntry>,
    /// The tab that the person picked for the agents of a project.
    pub(super) picked: BTreeMap<PathBuf, SessionId>,
    /// Agents that are not the first of their name, oldest first.
    pub(super) agents: Vec<AgentEntry>,
    /// Projects that were known when their database was kept in the project itself; absent in a registry of that time.
    pub(super) from_before: Option<BTreeSet<PathBuf>>,
    /// Sessions of when that of the WebSocket's client `x` was called `s_x`; absent in a registry of that time.
    pub(super) earlier_sessions: Option<BTreeSet<SessionId>>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct AgentEntry {
    pub(super) instance: String,
    pub(super) number: u32,
}

/// Why nothing of a file can be read, in words that quote nothing of it.
pub(super) type Unreadable = String;

impl Content {
    /// What of it can be read; the others are counted.
    pub(super) fn read(bytes: &[u8]) -> Result<(Self, Salvage), Unreadable> {
        let at = |error: &serde_json::Error| format!("line {}, column {}", error.line(), error.column());
        let mut fields: serde_json::Map<String, Value> =
            serde_json::from_slice(bytes).map_err(|error| at(&error))?;
        let version = fields.remove("version").and_then(|version| serde_json::from_value(version).ok());
        let version: u32 = version.ok_or("it says no version")?;
        if version != VERSION {
            return Err(format!("its version {version} is not known"));
        }
        let mut salvage = Salvage::default();
        let mut field = |name: &str| fields.remove(name);
        let content = Self {
            version,
            origins: salvage.object(field("origins")),
            chosen_at: salvage.object(field("chosenAt")),
            projects: salvage.object(field("projects")),
            sessions: salvage.object(field("sessions")),
            picked: salvage.object(field("picked")),
            agents: salvage.list(field("agents")),
            // Only one that says nothing of it is of that time, which decides whose databases are taken over.
            from_before: match field("fromBefore") {
                None | Some(Value::Null) => None,
                known => Some(salvage.list(known)),
            },
            earlier_sessions: match field("earlierSessions") {
                None | Some(Value::Null) => None,
                known => Some(salvage.list(known)),
            },
        };
        Ok((content, salvage))
    }
}

/// Each says whether something is to be written that was not known. What it is about is the newest, also when the clock
/// has jumped back.
impl Content {
    pub(super) fn choose(&mut self, origin: &str, root: &Path, at: Timestamp) -> bool {
        let before = self.origins.insert(origin.to_owned(), root.to_owned());
        self.chosen_at.insert(origin.to_owned(), at);
        self.forget_choices(Some(origin));
        before.as_deref() != Some(root)
    }

    pub(super) fn use_project(&mut self, root: &Path, at: Timestamp) -> bool {
        let is_new = self.projects.insert(root.to_owned(), at).is_none();
        self.forget_projects(Some(root));
        is_new
    }

    pub(super) fn use_session(&mut self, id: &SessionId, root: &Path, at: Timestamp) -> bool {
        if let Some(project) = self.projects.get_mut(root) {
            *project = at;
        }
        let entry = SessionEntry { root: root.to_owned(), last_active: at };
        let before = self.sessions.insert(id.clone(), entry);
        while self.sessions.len() > MOST_SESSIONS {
            let age = |id: &SessionId| self.sessions.get(id).map(|entry| entry.last_active);
            let Some(oldest) = oldest(self.sessions.keys(), Some(id), age) else { break };
            self.sessions.remove(&oldest);
        }
        before.is_none_or(|before| before.root != root)
    }

    pub(super) fn number(&mut self, instance: &str, number: u32) {
        self.agents.retain(|agent| agent.instance != instance);
        self.agents.push(AgentEntry { instance: instance.to_owned(), number });
        let too_many = self.agents.len().saturating_sub(MOST_AGENTS);
        self.agents.drain(..too_many);
    }

    /// Projects and choices beyond what is kept.
    pub(super) fn forget_the_longest_unused(&mut self) {
        self.forget_projects(None);
        self.forget_choices(None);
    }

    fn forget_projects(&mut self, but: Option<&Path>) {
        let but = but.map(Path::to_owned);
        while self.projects.len() > MOST_PROJECTS {
            let age = |root: &PathBuf| self.projects.get(root).copied();
            let Some(oldest) = oldest(self.projects.keys(), but.as_ref(), age) else { break };
            self.projects.remove(&oldest);
            self.picked.remove(&oldest);
        }
    }

    fn forget_choices(&mut self, but: Option<&str>) {
        let but = but.map(str::to_owned);
        while self.origins.len() > MOST_ORIGINS {
            let age = |origin: &String| self.chosen_at.get(origin).copied();
            let Some(oldest) = oldest(self.origins.keys(), but.as_ref(), age) else { break };
            self.origins.remove(&oldest);
        }
        let Self { origins, chosen_at, .. } = self;
        chosen_at.retain(|origin, _| origins.contains_key(origin));
    }
}

/// The one that was used the longest ago; one of which that is not known before all others.
fn oldest<'a, K: Ord + Clone + 'a>(
    keys: impl Iterator<Item = &'a K>,
    but: Option<&K>,
    used_at: impl Fn(&K) -> Option<Timestamp>,
) -> Option<K> {
    keys.filter(|key| Some(*key) != but).min_by_key(|key| used_at(key)).cloned()
}
